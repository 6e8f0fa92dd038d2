"""``textbayes papers`` in real processes, on the real corpora if they are available."""

import json
import os
import subprocess

import pytest
from processes import PROGRAM, SOURCE, run_forked

FIELDS = {"paper", "table", "corpus", "quantity", "published", "ours", "difference", "seconds"}
CORPORA = (
    "reuters21578-sgml.tar.xz",
    "20news-19997.tar.xz",
    "20news-18828.jsonl.zst",
    "webkb.tar.xz",
)


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    folder = str(tmp_path_factory.mktemp("말뭉치"))
    return {**os.environ, "TEXTBAYES_DATA": folder, "PYTHONPATH": str(SOURCE), "PYTHONIOENCODING": "utf-8"}


@pytest.fixture
def run(environment):
    return lambda *args: run_forked(("papers", *args), environment, "")


def test_list(run):
    done = run("list")
    assert done.returncode == 0, done.stderr
    assert "kim2003" in done.stdout
    rows = json.loads(run("list", "--json").stdout)
    assert [row["name"] for row in rows] == [
        "kim2003",
        "grim2008",
        "rennie2003",
        "schneider2004",
        "frank2006",
    ]
    assert all(row["published"] > 0 and row["steps"] for row in rows)


def test_an_unknown_paper(run):
    done = run("run", "kim2004")
    assert done.returncode == 2
    assert "Did you mean 'kim2003'" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_folder_that_is_not_there(run, tmp_path):
    done = run("run", "rennie2003", "--data", tmp_path / "없음")
    assert done.returncode == 2
    assert "FileMissingError" in done.stderr
    assert not done.stdout


def test_the_corpus_option_is_for_kim_only(run, tmp_path):
    done = run("run", "frank2006", "--corpus", tmp_path / "news.jsonl")
    assert done.returncode == 2
    assert "kim2003" in done.stderr


def test_a_missing_corpus_file(run, tmp_path):
    done = run("run", "kim2003", "--corpus", tmp_path / "news.jsonl")
    assert done.returncode == 2
    assert "FileMissingError" in done.stderr


def test_missing_corpora_are_reported_and_skipped(run, tmp_path):
    done = run("run", "frank2006", "--json", "--data", tmp_path)
    assert done.returncode == 0, done.stderr
    assert "textbayes data fetch webkb" in done.stderr
    records = json.loads(done.stdout)
    assert all(set(record) == FIELDS for record in records)
    assert {record["corpus"] for record in records if record["ours"] is not None} == {"arithmetic"}


def test_the_printed_table_gives_reasons(run, tmp_path):
    done = run("run", "frank2006", "--data", tmp_path)
    assert done.returncode == 0, done.stderr
    assert "odds ratio" in done.stdout
    assert "textbayes data fetch" in done.stdout


def test_a_report_needs_a_folder(run, tmp_path):
    done = run("report", "-o", tmp_path / "없음" / "papers.html")
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_a_report_says_as_json_where_it_is(run, tmp_path):
    page = tmp_path / "보고서.html"
    done = run("report", "frank2006", "--quick", "--json", "--data", tmp_path, "-o", page)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {"page": str(page), "data": str(page.with_suffix(".json"))}
    assert page.stat().st_size
    assert json.loads(page.with_suffix(".json").read_text(encoding="utf-8"))


def test_a_corpus_given_by_the_user(run, tmp_path):
    file = tmp_path / "[bold]뉴스.jsonl"
    words = {"경제": "주가 수출 금리 📈", "스포츠": "축구 야구 경기 ⚽"}
    lines = [{"text": f"{words[label]} 오늘 {at}", "label": label} for at in range(15) for label in words]
    file.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    done = run("run", "kim2003", "--quick", "--json", "--data", tmp_path, "--corpus", file)
    assert done.returncode == 0, done.stderr
    ours = {
        record["quantity"]: record["ours"]
        for record in json.loads(done.stdout)
        if record["corpus"] == file.name
    }
    assert ours["PNB, macro F1"] == 1.0
    shown = run("run", "kim2003", "--quick", "--data", tmp_path, "--corpus", file).stdout
    assert "[bold]뉴스" in shown


def real_report(environment, shared_data, folder, *args):
    """Run a report on the real corpora; return its JSON and its CPU seconds."""
    data = {shared_data(name).parent for name in CORPORA}.pop()
    page = folder / "papers.html"
    process = subprocess.Popen(
        [*PROGRAM, "papers", "report", "-o", str(page), "--data", str(data), *args],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    assert page.read_text(encoding="utf-8").count("<svg") > 5
    return json.loads(page.with_suffix(".json").read_text(encoding="utf-8")), usage.ru_utime + usage.ru_stime


@pytest.fixture(scope="module")
def quick(environment, shared_data, tmp_path_factory):
    return real_report(environment, shared_data, tmp_path_factory.mktemp("quick"), "--quick")


def records_of(report, name):
    (found,) = (paper["records"] for paper in report["papers"] if paper["paper"] == name)
    return found


@pytest.mark.slow
def test_the_quick_run_takes_less_than_two_minutes(quick):
    # CPU time of one core: other work on the machine does not count.
    assert quick[1] < 120


@pytest.mark.slow
@pytest.mark.parametrize(
    ("paper", "corpus", "quantities"),
    [
        (
            "kim2003",
            "Reuters-21578",
            ["PNB, micro F1", "PNB-IG, macro F1", "PNB-CHI, micro F1", "PNB-PrR, macro F1"],
        ),
        ("rennie2003", "Reuters-21578", ["MNB, micro F1", "TWCNB, macro F1", "SVM, micro F1"]),
        ("rennie2003", "20 Newsgroups", ["MNB, accuracy", "TWCNB, accuracy", "SVM, accuracy"]),
        ("schneider2004", "Reuters-21578", ["MI at 100, micro recall", "dKL at 100, macro recall"]),
        ("grim2008", "Reuters-21578", ["experiment 1: 33 components, % errors"]),
        ("grim2008", "20 Newsgroups", ["experiment 7: 80 components, % errors"]),
        ("frank2006", "Reuters-21578", ["MNB-PCN against MNB, wins", "MNB-PCN against MNB, losses"]),
    ],
)
def test_published_numbers_are_met(quick, paper, corpus, quantities):
    met = {
        record["quantity"]: record["met"]
        for record in records_of(quick[0], paper)
        if record["corpus"] == corpus and record["published"] is not None
    }
    assert [met[quantity] for quantity in quantities] == [True] * len(quantities)


@pytest.mark.slow
def test_misses_of_a_quick_run_have_reasons(quick):
    for paper in quick[0]["papers"]:
        for record in paper["records"]:
            if record["published"] is not None and not record["met"]:
                assert record["why"], record


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_the_full_run(environment, shared_data, tmp_path):
    """Every number is met, or its record gives the reason and the experiment; takes fifteen CPU minutes."""
    report, seconds = real_report(environment, shared_data, tmp_path)
    assert seconds < 15 * 60
    for paper in report["papers"]:
        for record in paper["records"]:
            if record["published"] is not None and not record["met"]:
                assert record["why"], record
                assert record["ours"] is None or "experiment" in record["why"], record
