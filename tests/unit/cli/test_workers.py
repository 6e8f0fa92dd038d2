"""The parts of the files that worker processes read; here they are read in this process."""

import gzip
import json
from contextlib import contextmanager
from itertools import chain

import pytest

from textbayes import TextClassifier
from textbayes.cli import main, workers
from textbayes.cli.batches import LaterListsError
from textbayes.cli.sources import source_of
from textbayes.cli.workers import FilesPart, share_out
from textbayes.datasets import shares
from textbayes.distributed import run_here

GRAIN = [{"body": f"wheat corn rice{at}", "topic": "grain"} for at in range(9)]
OIL = [{"body": f"crude oil gas{at % 3}", "topic": "oil"} for at in range(7)]


@pytest.fixture(autouse=True)
def in_this_process(monkeypatch):
    @contextmanager
    def run_in_processes(parts, most, watch):
        assert len(parts) <= most

        class Read:
            def __init__(self, number):
                self.number = number

            def __iter__(self):
                watch(self.number, (yield from parts[self.number]()))

        class Here:
            run = staticmethod(run_here([Read(number) for number in range(len(parts))]))

            def __call__(self, plan):
                return self.run(plan)

            def call(self, functions):
                return ((number, function()) for number, function in enumerate(functions))

        yield Here()

    monkeypatch.setattr(workers, "run_in_processes", run_in_processes)


@pytest.fixture
def train(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)

    def train(*args, code=0):
        with pytest.raises(SystemExit) as ended:
            main(["train", *map(str, args)])
        out, err = capsys.readouterr()
        assert (ended.value.code or 0) == code, err
        return out, err

    return train


def write_lines(path, records):
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")


def assert_same(train, tmp_path, *args):
    """Train with workers and without; return the messages of both."""
    plain, near = train(*args, "-o", "near.tb", "--no-documents")
    counted, far = train(*args, "-o", "far.tb", "--workers", 3)
    assert (tmp_path / "near.tb").read_bytes() == (tmp_path / "far.tb").read_bytes()
    assert plain.split(";")[0] == counted.split(";")[0]
    return near, far


@pytest.fixture
def files(tmp_path):
    """Files of several formats; only the first tells which columns are meant."""
    write_lines(tmp_path / "a.jsonl", GRAIN)
    rows = "".join(f"{row['topic']},{row['body']},other text\n" for row in OIL)
    (tmp_path / "b.csv").write_text(f"topic,body,text\n{rows}")
    (tmp_path / "c.jsonl.gz").write_bytes(gzip.compress(b'{"body": "gold mine", "topic": "gold"}\n' * 3))
    for label in ("gold", "oil"):
        (tmp_path / "d" / label).mkdir(parents=True)
        (tmp_path / "d" / label / "1.txt").write_text(f"a text about {label}")
    (tmp_path / "e.txt").write_text("__label__gold silver and gold\n")
    return ["a.jsonl", "b.csv", "c.jsonl.gz", "d", "e.txt"]


@pytest.mark.parametrize("model", ["complement", "twcnb"])
@pytest.mark.parametrize("options", [(), ("--dimensions", 64), ("--min-df", 2), ("--no-calibrate",)])
def test_the_file_is_the_same(train, tmp_path, files, model, options):
    near, far = assert_same(train, tmp_path, *files, "--model", model, *options)
    assert far.startswith("a.jsonl: text = 'body', label = 'topic'\n")
    assert near.startswith(far)


def test_files_without_columns_first(train, tmp_path, files):
    assert_same(train, tmp_path, *files[::-1], "--model", "complement")


def test_one_file_and_many_workers(train, tmp_path, files):
    assert_same(train, tmp_path, files[0], "--model", "complement")


@pytest.mark.parametrize("number", [2, 3, 8])
def test_shares_of_one_file(train, tmp_path, files, monkeypatch, number):
    monkeypatch.setattr(shares, "_LEAST", 40)
    bad = [{"body": 3, "topic": "oil"}, {"body": "no label", "topic": None}]
    write_lines(tmp_path / "a.jsonl", [*GRAIN, *bad[:1], *OIL, *bad[1:]])
    args = ("a.jsonl", files[1], "--model", "twcnb", "--on-error", "skip")
    train(*args, "-o", "near.tb", "--no-documents")
    _, err = train(*args, "-o", "far.tb", "--workers", number)
    assert (tmp_path / "near.tb").read_bytes() == (tmp_path / "far.tb").read_bytes()
    assert "Left out 2 bad records; the first: a.jsonl, line 10: " in err
    assert len(source_of("a.jsonl").shares(number)) == number


def test_columns_and_separators(train, tmp_path):
    (tmp_path / "a.csv").write_text("one,two\nwheat corn,grain|wheat\ncrude,oil\n")
    (tmp_path / "b.csv").write_text("two,one\ngold,a gold mine\n,nothing at all\n")
    read = ("--text", "one", "--label", "two", "--separator", "|", "--model", "complement")
    assert_same(train, tmp_path, "a.csv", "b.csv", *read)


def test_several_labels_that_come_late(train, tmp_path, monkeypatch):
    monkeypatch.setattr(workers, "_FIRST", 3)
    write_lines(tmp_path / "a.jsonl", GRAIN)
    write_lines(tmp_path / "b.jsonl", [{"body": "oil and corn", "topic": ["oil", "grain"]}])
    near, far = assert_same(train, tmp_path, "a.jsonl", "b.jsonl", "--model", "complement")
    assert "after texts with one" in far
    assert "after texts with one" not in near
    assert (
        "after texts"
        not in train("b.jsonl", "a.jsonl", "-o", "m.tb", "--model", "poisson", "--workers", 2)[1]
    )


def test_bad_records(train, tmp_path):
    write_lines(
        tmp_path / "a.jsonl", [*GRAIN, {"body": 3, "topic": "grain"}, {"body": "no label", "topic": None}]
    )
    write_lines(tmp_path / "b.jsonl", [*OIL, {"topic": "oil"}])
    args = ("a.jsonl", "b.jsonl", "--model", "twcnb", "--on-error")
    near, far = assert_same(train, tmp_path, *args, "skip")
    assert near.splitlines()[-1] == far.splitlines()[-1]
    assert "Left out 3 bad records; the first: a.jsonl, line 10: " in far
    near, far = assert_same(train, tmp_path, *args, "report")
    assert far.count(", line ") == near.count(", line ") == 3
    _, err = train(*args, "stop", "-o", "m.tb", "--workers", 2, code=2)
    assert "a.jsonl, line 10" in err
    assert not (tmp_path / "m.tb").exists()


def test_splits(train, tmp_path):
    write_lines(tmp_path / "a.jsonl", [{**row, "split": "train"} for row in GRAIN])
    write_lines(
        tmp_path / "b.jsonl", [{**row, "split": "test" if at % 2 else "train"} for at, row in enumerate(OIL)]
    )
    args = ("a.jsonl", "b.jsonl", "--model", "complement")
    _, far = assert_same(train, tmp_path, *args)
    assert far.count("Using the documents of all splits (3 test, 13 train)") == 1
    assert_same(train, tmp_path, *args, "--only", "train")
    assert_same(train, tmp_path, *args, "--only", "test")
    _, err = train(*args, "-o", "m.tb", "--only", "dev", "--workers", 2, code=2)
    assert "ParameterError: --only 'dev'" in err


def test_nothing_to_learn(train, tmp_path):
    write_lines(tmp_path / "a.jsonl", [{"body": "", "topic": "grain"}])
    write_lines(tmp_path / "b.jsonl", [{"body": 3, "topic": "oil"}])
    (tmp_path / "c.jsonl").write_text("")
    args = ("--model", "complement", "--dimensions", 64, "-o", "m.tb", "--workers", 2)
    assert "NoDocumentsError" in train("b.jsonl", "b.jsonl", "--on-error", "skip", *args, code=2)[1]
    assert "c.jsonl" in train("a.jsonl", "c.jsonl", *args, code=2)[1]
    assert "c.jsonl" in train("c.jsonl", "a.jsonl", *args, code=2)[1]
    assert "FileMissingError" in train("a.jsonl", "d.jsonl", *args, code=2)[1]


@pytest.mark.parametrize(
    ("args", "shown"),
    [
        (("--workers", 0), "--workers"),
        (("--workers", -2), "--workers"),
        (("--workers", "two"), "--workers"),
        (("--workers", 2, "--model", "linear-svm"), "cannot be combined with --model 'linear-svm'"),
        (("--workers", 2, "--model", "complement", "--weight", "n"), "cannot be combined with --weight 'n'"),
    ],
)
def test_options_that_cannot_be(train, tmp_path, files, args, shown):
    _, err = train(*files, "-o", "m.tb", *args, code=2)
    assert shown in err
    assert not (tmp_path / "m.tb").exists()


def test_auto_searches_on_a_sample(train, tmp_path, files, monkeypatch):
    out, err = train(*files, "-o", "all.tb", "--workers", 3)
    assert "22 documents, 3 classes" in out
    assert "Best of " in out
    assert "The search on 22 texts found " in err
    monkeypatch.setattr(workers, "_SAMPLE", 15)
    contents = []
    for number, order in ((1, files), (2, files), (4, [files[0], *files[:0:-1]])):
        err = train(*order, "-o", "some.tb", "--workers", number)[1]
        assert "The search on 15 texts found " in err
        contents.append(TextClassifier.load(tmp_path / "some.tb").predict_proba(["wheat corn", "gold oil"]))
    assert (contents[0] == contents[1]).all()
    assert (contents[0] == contents[2]).all()
    write_lines(tmp_path / "bad.jsonl", [{"body": 3, "topic": "oil"}])
    assert (
        "NoDocumentsError"
        in train("bad.jsonl", "-o", "m.tb", "--on-error", "skip", "--workers", 2, code=2)[1]
    )


def test_standard_input_has_no_parts(train):
    _, err = train("-", "-o", "m.tb", "--model", "complement", "--workers", 2, code=2)
    assert "standard input is not a file" in err


def test_a_part_that_meets_lists(tmp_path):
    write_lines(tmp_path / "a.jsonl", [{"text": "corn", "label": ["grain", "wheat"]}])
    with pytest.raises(LaterListsError):
        list(FilesPart(source_of(str(tmp_path / "a.jsonl")), multilabel=False)())


def test_shares():
    assert share_out([5], 3) == [[0]]
    assert sorted(chain.from_iterable(share_out(list(range(20)), 3))) == list(range(20))
    totals = [sum(share) for share in share_out(list(range(20)), 3)]
    assert max(totals) - min(totals) <= 2
