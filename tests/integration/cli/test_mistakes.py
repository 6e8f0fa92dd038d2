"""Wrong files, columns, names and bytes: a helpful message, exit status 2, no traceback.

The commands run in this process to save time; `test_a_real_process` shows that a new one behaves the same.
"""

import io
import json
import os
import pickle
import shutil
import sys

import pytest

from textbayes import ComplementNB, TextClassifier, save
from textbayes.cli import main

TEXTS, LABELS = ["cheap pills", "team lunch"], ["spam", "ham"]


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("models") / "mail.tb"
    TextClassifier().fit(TEXTS, LABELS).save(path)
    return path


@pytest.fixture
def folder(tmp_path, monkeypatch, model):
    """Change to a folder with a model and valid data."""
    monkeypatch.chdir(tmp_path)
    shutil.copyfile(model, "mail.tb")
    lines = [{"text": text, "label": label} for text, label in zip(TEXTS, LABELS, strict=True)]
    (tmp_path / "mail.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return tmp_path


@pytest.fixture
def fails(folder, capfd, monkeypatch):
    def fails(*args, stdin=b""):
        """Run a command that must fail; return its message."""
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        before = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
        with pytest.raises(SystemExit) as ended:
            main([str(arg) for arg in args])
        out, err = capfd.readouterr()
        assert ended.value.code == 2, err
        assert out == ""
        assert "Traceback" not in err
        assert {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()} == before
        return err

    return fails


def train(*args):
    return ("train", *args, "-o", "new.tb")


@pytest.mark.parametrize(
    ("args", "stdin", "message"),
    [
        (train("mial.jsonl"), b"", "There is nothing at 'mial.jsonl'. Did you mean 'mail.jsonl'?"),
        (train("mail.jsonl", "--label", "lable"), b"", "has no column 'lable'. Did you mean 'label'?"),
        (train("mail.jsonl", "--text", "body"), b"", "Pass --text one of them."),
        (
            train("mail.jsonl", "--model", "twncb"),
            b"",
            "--model 'twncb' is not an option. Did you mean 'twcnb'?",
        ),
        (train("mail.jsonl", "--format", "cvs"), b"", "--format 'cvs' is not an option. Did you mean 'csv'?"),
        (train("mail.jsonl", "--only", "train"), b"", "mail.jsonl has no document of the split 'train'."),
        (train("-"), b"", "standard input holds no documents."),
        (train("-"), b"cheap pills\n", "standard input has no labels. It is plain text, one text per line"),
        (train("-"), b"cheap pills\n", "--format tsv --no-header --label 1 --text 2 reads lines of a label"),
        (train("-"), b'{"text": "a"\n', "standard input, line 1: this is not JSON at column 13"),
        (train("-"), b"text,label\n\xff,x\n", "standard input has no labels"),  # before it reads further
        (train("-"), b"text,label\na,x\n", "looks like a header: for CSV, pass --format csv"),
        (train("-", "--format", "jsonl"), b"a\n", "standard input, line 1: this is not JSON at column 1"),
        (train("-", "--text", "body"), b"a\n", "no column 'body'. It is plain text, one text per line"),
        (
            train("mail.jsonl", "--text", "text", "--text", "text"),
            b"",
            "--text 'text' is not allowed. Its words",
        ),
        (train("mail.jsonl", "--no-header"), b"", "--no-header cannot be combined with --format 'jsonl'"),
        (train("mail.jsonl", "--delimiter", ";"), b"", "--delimiter ';' cannot be combined with --format"),
        (train("-", "--delimiter", "semicolon"), b"", "--delimiter 'semicolon' is not allowed"),
        (train("-", "--no-header", "--label", "3"), b"a,x\n", "columns have numbers, from 1."),
        (train("-", "--format", "csv"), b"spam,Win!\nham,Lunch?\n", "is no header, pass --no-header"),
        (train("mail.jsonl", "--on-error", "ignore"), b"", "--on-error 'ignore' is not an option."),
        (
            train("mail.jsonl", "mial.jsonl"),
            b"",
            "There is nothing at 'mial.jsonl'. Did you mean 'mail.jsonl'?",
        ),
        (train("-", "--on-error", "skip"), b'{"text": "a"}\n', "no column that is clearly the label"),
        (
            train("-", "--on-error", "skip"),
            b'{"text": "a", "label": ""}\n',
            "holds no documents besides bad ones",
        ),
        (train("-"), b'{"text": "a"}\n', "standard input has no column that is clearly the label."),
        (train("-"), b'{"text": "a", "kind": "x"}\n', "Its columns are: 'text', 'kind'."),
        (train("-"), b'{"text": "a", "label": null}\n', "the document '1' has no label"),
        (train("-"), b'{"text": "caf\xe9", "label": "x"}\n', "the byte 0xe9 at offset 13 is not utf-8"),
        (train("-"), b'{"text": "caf\xe9", "label": "x"}\n', "Pass --encoding the encoding"),
        (train("-"), '{"text": " \\u3000", "label": "글"}\n'.encode(), "[counts-no-terms]"),
        (("train", "mail.jsonl", "-o", "nowhere/new.tb"), b"", "'nowhere/new.tb' cannot be written"),
        (
            train("mail.jsonl", "--metric", "acuracy"),
            b"",
            "--metric 'acuracy' is not an option. Did you mean",
        ),
        (
            train("mail.jsonl", "--metric", "accuracy", "--costs", "costs.csv"),
            b"",
            "--metric 'accuracy' cannot be combined with --costs 'costs.csv'",
        ),
        (
            train("mail.jsonl", "--class-weight", "balanced", "--model", "complement"),
            b"",
            "--class-weight 'balanced' cannot be combined with --model 'complement'",
        ),
        (train("mail.jsonl", "--costs", "mial.jsonl"), b"", "Did you mean 'mail.jsonl'? Expected a CSV file"),
        (train("mail.jsonl", "--costs", "mail.jsonl"), b"", "mail.jsonl, line "),
        (train("mail.jsonl", "--class-weight", "mail.jsonl"), b"", "mail.jsonl, line 2: this is not JSON"),
        (("train", "mail.jsonl"), b"", "Missing option"),
        (("train", "mail.jsonl", "-o", "mail.jsonl"), b"", "it exists and is not a model of textbayes"),
        (train(""), b"", "There is nothing at ''."),
        (
            train("-", "--model", "complement"),
            b'{"text": "a ?", "label": "x"}\n',
            "There is no term in the text.",
        ),
        (train("-", "--format", "csv"), "본문;분류\na b;x\n".encode(), "columns are: '본문', '분류'"),
        (("predict", "mial.tb", "mail.jsonl"), b"", "nothing at 'mial.tb'. Did you mean 'mail.tb'?"),
        (("predict", "mail.jsonl", "mail.jsonl"), b"", "'mail.jsonl' is not a model of textbayes"),
        (("predict", "mail.tb", "-"), b"", "standard input holds no documents."),
        (("predict", "mail.tb", "free prize"), b"", "echo TEXT | textbayes predict MODEL -"),
        (("predict", "mail.tb", "-"), b'{"txt": "a"}\n', "no column that is clearly the text"),
        (("predict", "mail.tb", "-", "--top", "0"), b"", "--top"),
        (("predict", "mail.tb", "-", "--reject-below", "2"), b"", "--reject-below"),
        (("predict", "mail.tb", "-", "--csv", "--json"), b"", "--csv and --json exclude each other"),
        (("evaluate", "mail.tb", "-"), b'{"text": "a", "label": ["x", "y"]}\n', "[labels-unusable]"),
        (("inspect", "mail.tb", "--between", "spam", "han"), b"", "Did you mean 'ham'?"),
        (("teach", "mail.tb", "-"), b'{"text": "a", "label": ["x", "y"]}\n', "[labels-unusable]"),
        (("teach", "mail.tb", "mail.jsonl", "-o", "mail.jsonl"), b"", "[file-write]"),
        (("forget", "mail.tb", "mail.jsonl"), b"", "Without these documents, 'mail.tb' holds no documents."),
        (("explain", "mail.tb", "cheap", "--html", "mail.tb"), b"", "it exists and is not a page of HTML"),
        (("merge", "mail.tb", "mail.tb", "-o", "mail.jsonl"), b"", "[file-write]"),
        (("forget", "mail.tb", "-"), b'{"text": "cheap", "label": "spam"}\n', "[forget-not-learned]"),
        (("merge", "mail.tb", "-o", "new.tb"), b"", "at least two model files"),
        (("compare", "mail.jsonl", "--metric", "acuracy"), b"", "Did you mean 'accuracy'?"),
        (("compare", "mail.jsonl", "--folds", "9"), b"", "--folds"),
        (("tarin", "mail.jsonl"), b"", "train"),
    ],
    ids=lambda value: None if isinstance(value, tuple | bytes) else value[:20],
)
def test_mistakes_have_helpful_messages(fails, args, stdin, message):
    assert message in " ".join(fails(*args, stdin=stdin).split())


def test_damaged_models(fails, folder):
    whole = (folder / "mail.tb").read_bytes()
    (folder / "cut.tb").write_bytes(whole[: len(whole) // 2])
    (folder / "bent.tb").write_bytes(whole[:-3] + bytes([whole[-3] ^ 1]) + whole[-2:])
    (folder / "none.tb").write_bytes(b"")
    (folder / "pickle.tb").write_bytes(pickle.dumps({"a": 1}))
    save(ComplementNB().fit([[1, 0], [0, 1]], ["a", "b"]), "counts.tb")
    for name in ("cut", "bent", "none", "pickle", "counts"):
        message = fails("predict", f"{name}.tb", "mail.jsonl")
        kinds = ("[model-kind]",) if name == "counts" else ("[model-damaged]", "[model-foreign]")
        assert any(kind in message for kind in kinds)
        assert f"{name}.tb" in message


def test_models_that_cannot_be_merged(fails, folder):
    TextClassifier("twcnb").fit(TEXTS, LABELS).save("other.tb")
    assert "[merge-mismatch]" in fails("merge", "mail.tb", "other.tb", "-o", "new.tb")


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_read_permission(fails, folder):
    (folder / "mail.jsonl").chmod(0)
    assert "PermissionError: Permission denied: 'mail.jsonl'" in fails("predict", "mail.tb", "mail.jsonl")


def test_a_folder_where_a_file_is_expected(fails, folder):
    (folder / "empty").mkdir()
    assert "a folder for each class" in fails("predict", "mail.tb", "empty")
    assert "cannot be written" in fails("train", "mail.jsonl", "-o", "empty")


def test_a_real_process(run, tmp_path):
    done = run("train", "-", "-o", tmp_path / "new.tb", input='{"text": "a", "label": ""}\n')
    assert (done.returncode, done.stdout) == (2, "")
    assert "FieldError: standard input, line 1: the document '1' has no label." in done.stderr
    assert "[field-value]" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "new.tb").exists()
