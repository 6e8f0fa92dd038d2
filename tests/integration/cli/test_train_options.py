"""`textbayes train` with a named model: documents or none, hashed columns, and input that is read twice."""

import json
import os
import random
import signal
import subprocess
import time

import pytest
from processes import PROGRAM

from textbayes import TextClassifier
from textbayes.cli import batches

WORDS = [f"word{number}" for number in range(50)]


def documents(number=200, seed=0):
    rng = random.Random(seed)
    for _ in range(number):
        label = rng.choice("ab")
        yield {"text": " ".join([*rng.choices(WORDS, k=8), label * 3]), "label": label}


def as_lines(records):
    return "".join(json.dumps(record) + "\n" for record in records)


@pytest.fixture
def data(tmp_path):
    path = tmp_path / "data.jsonl"
    path.write_text(as_lines(documents()))
    return path


@pytest.fixture
def expected():
    texts, labels = zip(*((record["text"], record["label"]) for record in documents()), strict=True)
    return lambda *args, **named: TextClassifier(*args, **named).fit(texts, labels)


def test_the_file_is_that_of_fit(run, data, tmp_path, expected):
    for model in ("complement", "twcnb"):
        done = run("train", data, "-o", tmp_path / "m.tb", "--model", model)
        assert done.returncode == 0, done.stderr
        assert done.stdout.startswith("200 documents, 2 classes, 52 terms; learned in ")
        assert "Leave-one-out: accuracy " in done.stdout
        classifier = expected(model)
        assert str(classifier.inspect().leave_one_out) in done.stdout
        classifier.save(tmp_path / "fit.tb")
        assert (tmp_path / "m.tb").read_bytes() == (tmp_path / "fit.tb").read_bytes()


def test_no_documents_and_hashed_columns(run, data, tmp_path, expected):
    options = ["--model", "twcnb", "--no-documents", "--dimensions", "64"]
    done = run("train", data, "-o", tmp_path / "m.tb", *options)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("200 documents, 2 classes, 64 hashed columns; learned in ")
    assert "\nLeave-one-out was skipped: it needs the documents, which --no-documents does not keep.\n" in (
        done.stdout
    )
    classifier = TextClassifier.load(tmp_path / "m.tb")
    assert (classifier.keep_documents, classifier.counter.dimensions) == (False, 64)
    expected("twcnb", classifier.counter, keep_documents=False).save(tmp_path / "fit.tb")
    assert (tmp_path / "m.tb").read_bytes() == (tmp_path / "fit.tb").read_bytes()
    done = run("train", data, "-o", tmp_path / "m.tb", *options, "--no-loo", "--json")
    assert json.loads(done.stdout)["leave_one_out"] is None
    assert "Leave-one-out" not in run("train", data, "-o", tmp_path / "m.tb", *options, "--no-loo").stdout


def test_standard_input_is_read_once(run, tmp_path):
    train = ("train", "-", "-o", tmp_path / "m.tb", "--no-documents")
    done = run(*train, "--model", "complement", input=as_lines(documents()))
    assert done.returncode == 0, done.stderr
    (tmp_path / "m.tb").unlink()
    done = run(*train, "--model", "twcnb", input=as_lines(documents()))
    assert done.returncode == 2
    assert done.stderr.startswith(
        "ParameterConflictError: --no-documents cannot be combined with DATA='-'.\n"
        "  Without documents, twcnb reads the texts twice, and standard input gives them once.\n"
        "  Leave --no-documents at its default"
    )
    assert not (tmp_path / "m.tb").exists()
    with_documents = run(
        "train", "-", "-o", tmp_path / "m.tb", "--model", "twcnb", input=as_lines(documents())
    )
    assert with_documents.returncode == 0


@pytest.mark.parametrize("model", ["auto", "linear-svm"])
def test_models_that_learn_at_once_say_so(run, data, tmp_path, model):
    done = run(
        "train", data, "-o", tmp_path / "m.tb", "--model", model, "--no-documents", "--dimensions", "64"
    )
    assert done.returncode == 0, done.stderr
    assert f"{model} learns from all documents at once: they are in memory while it learns.\n" in done.stderr
    assert TextClassifier.load(tmp_path / "m.tb").predict(["aaa", "bbb"]).tolist() == ["a", "b"]


@pytest.mark.parametrize("model", ["auto", "complement"])
@pytest.mark.parametrize("dimensions", ["0", "-3", "99999999999"])
def test_invalid_dimensions(run, data, tmp_path, model, dimensions):
    done = run("train", data, "-o", tmp_path / "m.tb", "--model", model, "--dimensions", dimensions)
    assert done.returncode == 2
    assert done.stderr.startswith(f"ParameterError: --dimensions {dimensions} ")
    assert not (tmp_path / "m.tb").exists()


def test_several_labels_after_many_with_one(run, tmp_path, monkeypatch):
    records = [*documents(), {"text": "word1 word2", "label": ["a", "b"]}]
    path = tmp_path / "data.jsonl"
    path.write_text(as_lines([*documents(batches._DOCUMENTS), *records]))
    done = run("train", path, "-o", tmp_path / "m.tb", "--model", "complement", "--no-loo")
    assert done.returncode == 0, done.stderr
    assert "A text has several labels, after texts with one: reading them again" in done.stderr
    assert done.stderr.count("text = 'text'") == 2
    assert ", several labels per text; " in done.stdout
    assert TextClassifier.load(tmp_path / "m.tb").multilabel_


def test_ctrl_c_and_errors_leave_no_file(environment, tmp_path):
    process = subprocess.Popen(
        [*PROGRAM, "train", "-", "-o", str(tmp_path / "m.tb"), "--model", "complement"],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=-1,
        stderr=-1,
    )
    process.stdin.write((as_lines(documents(2000)) * 20).encode())
    process.stdin.flush()
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    out, stderr = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, b"")
    assert b"Traceback" not in stderr
    assert os.listdir(tmp_path) == []


def test_an_invalid_line_at_the_end(run, tmp_path):
    lines = as_lines(documents()) + '{"text": 3, "label": "a"}\n'
    done = run("train", "-", "-o", tmp_path / "m.tb", "--model", "complement", input=lines)
    assert done.returncode == 2
    assert "standard input, line 201" in done.stderr
    assert os.listdir(tmp_path) == []


def test_progress_on_a_terminal(on_terminal, data, tmp_path):
    code, shown = on_terminal("train", data, "-o", tmp_path / "m.tb", "--model", "twcnb")
    assert code == 0
    assert "200 documents, 2 classes" in shown
