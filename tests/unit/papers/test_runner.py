"""Running papers: records, missing corpora, and the report."""

import json
import re

import pytest

from textbayes.errors import FileMissingError, ParameterError
from textbayes.papers import Corpora, find_papers, run_papers, write_report
from textbayes.papers.runner import PAPERS

PARTS = {"kim2003", "grim2008", "rennie2003", "schneider2004", "frank2006"}


def test_all_five_papers_are_registered():
    assert set(PAPERS) == PARTS
    assert [paper.name for paper in find_papers(["frank2006", "frank2006"])] == ["frank2006"]


def test_an_unknown_paper_suggests_the_closest():
    with pytest.raises(ParameterError, match="Did you mean 'kim2003'"):
        find_papers(["kim2004"])


def test_every_published_number_has_a_record(runs):
    for run in runs:
        printed = {(number.table, number.corpus, number.quantity) for number in run.paper.published}
        found = [(record.table, record.corpus, record.quantity) for record in run.records]
        assert printed <= set(found)
        assert len(set(found)) == len(found)


def test_numbers_that_were_not_measured_have_a_reason(runs):
    for run in runs:
        for record in run.records:
            if record.published is not None and record.ours is None:
                assert record.why
                assert record.seconds is None


def test_private_and_missing_corpora_are_reasons(runs):
    why = {record.corpus: record.why for run in runs for record in run.records if record.ours is None}
    assert "private" in why["KoreanNews2002"]
    assert "quick" in why["Industry Sector"]


def test_a_missing_corpus_names_the_fetch_command(tmp_path):
    (run,) = run_papers(["frank2006"], Corpora(tmp_path))
    why = {record.corpus: record.why for record in run.records if record.ours is None}
    assert "textbayes data fetch webkb`" in why["WebKB"]
    assert "textbayes data fetch newsgroups-19997`" in why["20 Newsgroups"]
    assert "textbayes data fetch sector`" in why["Industry Sector"]


def test_records_have_the_seconds_of_their_step(runs):
    for run in runs:
        measured = [record.seconds for record in run.records if record.ours is not None]
        assert measured
        assert min(measured) >= 0


def test_without_corpora_only_figure_1_of_frank_is_measured(tmp_path):
    run, *_ = run_papers(["frank2006"], Corpora(tmp_path))
    assert set(run.missing) == {"reuters21578", "webkb", "newsgroups-19997"}
    assert {record.corpus for record in run.records if record.ours is not None} == {"arithmetic"}


def test_a_missing_folder_is_an_error(tmp_path):
    with pytest.raises(FileMissingError, match="없음"):
        Corpora(tmp_path / "없음")


def test_progress_counts_the_steps(corpora):
    seen = []
    run_papers(["schneider2004"], corpora, lambda *what: seen.append(what))
    assert seen[0] == ("schneider2004: figure 1", 0, 5)
    assert seen[-1] == ("done", 5, 5)


def test_the_users_corpus_replaces_the_private_one(corpora, tmp_path):
    file = tmp_path / "뉴스.jsonl"
    words = {"경제": "주가 수출 금리", "스포츠": "축구 야구 경기"}
    lines = [
        json.dumps({"text": f"{words[label]} 오늘 {at}", "label": label}, ensure_ascii=False)
        for at in range(15)
        for label in words
    ]
    file.write_text("\n".join(lines), encoding="utf-8")
    corpora.named_path = file
    (run,) = run_papers(["kim2003"], corpora)
    found = {record.quantity: record.ours for record in run.records if record.corpus == "뉴스.jsonl"}
    assert {"UM, micro F1", "PNB-PrR, macro F1", "PNB*, macro F1", "PNB (max), micro F1"} <= set(found)


def test_reasons_match_existing_quantities():
    for paper in PAPERS.values():
        known = [f"{number.table}: {number.quantity}" for number in paper.published]
        for key in paper.reasons:
            assert any(name.startswith(key) for name in known), f"{paper.name}: {key}"


def test_the_report_is_self_contained(runs, tmp_path):
    page, data = write_report(runs, tmp_path / "보고서.html")
    text = page.read_text(encoding="utf-8")
    assert not re.search(r'(src|href)="(?!#)', text), "nothing is loaded from elsewhere"
    assert "<svg" in text
    for run in runs:
        assert f'id="{run.paper.name}"' in text
    content = json.loads(data.read_text(encoding="utf-8"))
    assert {paper["paper"] for paper in content["papers"]} == PARTS
    for paper in content["papers"]:
        assert {"citation", "recipe", "readings", "missing", "records"} <= set(paper)
        assert {"page", "met", "why", "published", "ours", "difference"} <= set(paper["records"][0])
    assert "numpy" in content["versions"]
    assert content["machine"]
