"""``textbayes compact``, and every other command with a compact model: real processes."""

import json

import pytest

from textbayes import AutoNB, CompactClassifier, TextClassifier
from textbayes.estimators.auto import Candidate

MAIL = [
    *((f"cheap pills number{at}, a cheap offer", "spam") for at in range(8)),
    *((f"meeting at noon with the team of room{at}", "ham") for at in range(8)),
    *((f"회의 자료를 보냅니다 번호{at}", "업무") for at in range(8)),
]


@pytest.fixture
def mail(tmp_path):
    path = tmp_path / "mail.jsonl"
    lines = (json.dumps({"text": text, "label": label}, ensure_ascii=False) for text, label in MAIL)
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "mail.tb"
    searched = AutoNB(candidates=[Candidate("complement"), Candidate("centroid")], random_state=0)
    TextClassifier(searched).fit(*zip(*MAIL, strict=True)).save(path)
    return path


@pytest.fixture
def small(model, tmp_path):
    TextClassifier.load(model).compact(size=4000).save(tmp_path / "작은.tb")
    return tmp_path / "작은.tb"


def test_compact_says_what_it_keeps_and_what_it_costs(run, model, tmp_path):
    before, path = model.read_bytes(), tmp_path / "small.tb"
    done = run("compact", model, "-o", path, "--max-loss", "0.3")
    assert (done.returncode, done.stderr) == (0, "")
    small = CompactClassifier.load(path)
    kept, measured, written = done.stdout.splitlines()
    assert kept == f"{small.compaction_.terms} of {small.compaction_.all_terms} terms, 8 bits a weight."
    assert measured.startswith("Macro F1 on 5 held-out documents ")
    assert measured.endswith("a loss of .0000 ± .2000.")
    assert written == f"Model: {path} ({path.stat().st_size / 1000:.1f} kB)"
    assert model.read_bytes() == before
    assert small.compaction_.terms < small.compaction_.all_terms


def test_compact_as_json(run, model, tmp_path):
    path = tmp_path / "small.tb"
    found = json.loads(run("compact", model, "-o", path, "--max-loss", "0.5", "--json").stdout)
    made = CompactClassifier.load(path).compaction_
    assert found == {
        "model": str(path),
        "bytes": path.stat().st_size,
        "terms": made.terms,
        "all_terms": made.all_terms,
        "bits": 8,
        "held_out": 5,
        "macro_f1": made.score,
        "loss": made.loss,
        "standard_error": made.error,
    }


def test_compact_to_a_size(run, model, tmp_path):
    path = tmp_path / "small.tb"
    assert run("compact", model, "-o", path, "--size", "4kB").returncode == 0
    assert 2000 < path.stat().st_size <= 4000


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--size", "5 parsecs"], "--size '5 parsecs' is not allowed."),
        (["--size", "10"], "--size '10' is not allowed."),
        (["--max-loss", "-1"], "--max-loss -1.0 is not allowed."),
        (["--max-loss", "0.1", "--size", "1MB"], "--max-loss 0.1"),
    ],
)
def test_mistakes_write_nothing(run, model, tmp_path, options, message):
    done = run("compact", model, "-o", tmp_path / "small.tb", *options)
    assert done.returncode == 2
    assert message in done.stderr
    assert not (tmp_path / "small.tb").exists()


def test_a_model_that_cannot_be_compacted(run, tmp_path):
    TextClassifier("poisson").fit(*zip(*MAIL, strict=True)).save(tmp_path / "poisson.tb")
    done = run("compact", tmp_path / "poisson.tb", "-o", tmp_path / "small.tb")
    assert done.returncode == 2
    assert "auto, multinomial," in done.stderr


def test_commands_that_only_read_take_a_compact_model(run, small, mail):
    lines = run("predict", small, mail, "--proba", "--top", "2").stdout.splitlines()
    assert [json.loads(line)["label"] for line in lines] == [label for _, label in MAIL]
    assert json.loads(run("evaluate", small, mail, "--json").stdout)["macro_f1"] == 1
    assert json.loads(run("explain", small, "cheap 회의 cheap", "--json").stdout)["label"] in ("spam", "업무")
    found = json.loads(run("inspect", small, "--json").stdout)
    assert found["documents"] == 24
    assert {one["label"] for one in found["classes"]} == {"spam", "ham", "업무"}
    assert all(one["terms"] for one in found["classes"])
    assert found["leave_one_out"] is None
    shown = run("inspect", small)
    assert (shown.returncode, shown.stderr) == (0, "")
    assert "CompactClassifier(" in shown.stdout
    between = json.loads(run("inspect", small, "--between", "spam", "ham", "--json").stdout)
    assert between["terms"]


@pytest.mark.parametrize("command", ["teach", "forget", "settle", "merge", "compact"])
def test_commands_that_learn_refuse_a_compact_model(run, small, model, mail, command, tmp_path):
    before = small.read_bytes()
    rest = {
        "merge": [model, "-o", tmp_path / "both.tb"],
        "compact": ["-o", tmp_path / "both.tb"],
        "settle": [],
    }.get(command, [mail])
    done = run(command, small, *rest)
    assert done.returncode == 2
    assert "This is a compact model, so" in done.stderr
    assert command in done.stderr
    assert "Use the model that it was made from" in done.stderr
    assert small.read_bytes() == before
    assert not (tmp_path / "both.tb").exists()
