"""`textbayes train` with a named model: documents or none, hashed columns, and input that is read twice."""

import json
import os
import random
import signal
import subprocess
import time
from collections import Counter

import pytest
from processes import PROGRAM

import warm
from textbayes import TextClassifier, TextCounter
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


def test_text_options(run, data, tmp_path, expected):
    options = [
        "--model",
        "complement",
        "--ngrams",
        "1-2",
        "--min-df",
        "2",
        "--no-lowercase",
        "--stemmer",
        "porter",
    ]
    done = run("train", data, "-o", tmp_path / "m.tb", *options)
    assert done.returncode == 0, done.stderr
    counter = TextCounter(ngram_range=(1, 2), min_df=2, lowercase=False, stemmer="porter")
    expected("complement", counter).save(tmp_path / "fit.tb")
    assert (tmp_path / "m.tb").read_bytes() == (tmp_path / "fit.tb").read_bytes()


@pytest.mark.parametrize(
    "options", [["--model", "twcnb", "--ngrams", "1-2", "--stop-words", "english"], ["--budget", "60"], []]
)
def test_a_written_config_gives_the_same_model_file(run, data, tmp_path, options):
    done = run("train", data, "-o", tmp_path / "m.tb", *options, "--write-config", tmp_path / "c.toml")
    assert done.returncode == 0, done.stderr
    again = run("train", data, "-o", tmp_path / "n.tb", "--config", tmp_path / "c.toml")
    assert again.returncode == 0, again.stderr
    one, other = (TextClassifier.load(tmp_path / name) for name in ("m.tb", "n.tb"))
    assert repr(one) == repr(other)
    if "--model" in options:  # the leaderboard of a search has its seconds
        assert (tmp_path / "m.tb").read_bytes() == (tmp_path / "n.tb").read_bytes()


def test_options_on_the_command_line_win(run, data, tmp_path):
    (tmp_path / "c.toml").write_text('model = "twcnb"\nmin-df = 5\nloo = false\n')
    done = run(
        "train", data, "-o", tmp_path / "m.tb", "--config", tmp_path / "c.toml", "--min-df", "1", "--loo"
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("200 documents, 2 classes, 52 terms; ")
    assert "Leave-one-out: " in done.stdout
    assert TextClassifier.load(tmp_path / "m.tb").model == "twcnb"


def test_a_misspelt_key_of_a_config(run, data, tmp_path):
    (tmp_path / "c.toml").write_text("min_dff = 5\n")
    done = run("train", data, "-o", tmp_path / "m.tb", "--config", tmp_path / "c.toml")
    assert done.returncode == 2
    assert "Did you mean 'min-df'?" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "m.tb").exists()


def test_classes_and_their_sizes(run, data, tmp_path):
    done = run("train", data, "-o", tmp_path / "m.tb", "--model", "complement")
    labels = Counter(record["label"] for record in documents())
    (first, most), (second, least) = labels.most_common()
    assert f"\nDocuments by class: {first} {most}, {second} {least}.\n" in done.stdout
    done = run("train", data, "-o", tmp_path / "m.tb", "--model", "complement", "--json")
    assert json.loads(done.stdout)["class_documents"] == [
        {"label": label, "documents": labels[label]} for label in sorted(labels)
    ]


def test_folders_of_a_split_are_no_classes(run, tmp_path):
    for part in ("train", "test"):
        for label in ("pos", "neg"):
            folder = tmp_path / "aclImdb" / part / label
            folder.mkdir(parents=True)
            for number in range(3):
                (folder / f"{number}.txt").write_text(f"a {label} film {number}")
    for model in ("complement", "auto"):
        done = run("train", tmp_path / "aclImdb", "-o", tmp_path / "m.tb", "--model", model)
        assert done.returncode == 0, done.stderr
        assert f"use {tmp_path / 'aclImdb' / 'train'}." in done.stderr
    done = run("train", tmp_path / "aclImdb" / "train", "-o", tmp_path / "m.tb", "--model", "complement")
    assert "Documents by class: neg 3, pos 3." in done.stdout
    assert "look like" not in done.stderr


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
    process = warm.Popen(
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
