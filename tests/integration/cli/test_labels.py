"""Labels of models, typed and read from files: numbers, True and False, several in one field."""

import json

import pytest

from textbayes import TextClassifier

TEXTS = ["cheap pills", "a cheap offer", "cheap prize", "meeting at noon", "lunch at noon", "noon meeting"]
NUMBERS = [7, 7, 7, -3, -3, -3]


@pytest.fixture
def numbers(tmp_path):
    path = tmp_path / "numbers.tb"
    TextClassifier("complement").fit(TEXTS, NUMBERS).save(path)
    return path


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "table.csv"
    rows = (f"{text},{label}.0" for text, label in zip(TEXTS, NUMBERS, strict=True))
    path.write_text("\n".join(["text,label", *rows]) + "\n", encoding="utf-8")
    return path


def test_every_command_takes_the_numbers_of_a_model(run, numbers, table):
    before = numbers.read_bytes()
    done = run("evaluate", numbers, table, "--json")
    found = json.loads(done.stdout)
    assert (done.returncode, found["accuracy"]) == (0, 1.0)
    assert [row["label"] for row in found["classes"]] == [-3, 7]
    new = json.dumps({"text": "an invoice", "label": 12}) + "\n"
    done = run("teach", numbers, "-", "--json", input=new)
    assert json.loads(done.stdout)["new_classes"] == [12]
    assert TextClassifier.load(numbers).classes_.tolist() == [-3, 7, 12]
    assert json.loads(run("forget", numbers, "-", "--json", input=new).stdout)["gone_classes"] == [12]
    assert numbers.read_bytes() == before
    right = f"text,label,new_label\n{TEXTS[0]},7,9.0\n"
    done = run("relabel", numbers, "-", "--format", "csv", "--json", input=right)
    assert json.loads(done.stdout)["new_classes"] == [9]
    assert (
        json.loads(run("explain", numbers, "cheap", "--class", "9", "--json").stdout)["classes"][0]["label"]
        == 9
    )
    assert json.loads(run("predict", numbers, "-", input='{"text": "noon"}\n').stdout)["label"] == -3
    assert "7" in run("explain", numbers, "cheap").stdout
    done = run("inspect", numbers, "--between", "7", "-3", "--json")
    assert (done.returncode, json.loads(done.stdout)["between"]) == (0, [7, -3])
    assert "cheap" in run("inspect", numbers, "--between", "7", "-3").stdout


@pytest.mark.parametrize("command", ["evaluate", "teach", "forget"])
def test_labels_of_another_kind_are_refused(run, numbers, tmp_path, command):
    before = numbers.read_bytes()
    path = tmp_path / "mail.csv"
    path.write_text("text,label,id\ncheap,7,a\nnoon,ham,b\n", encoding="utf-8")
    done = run(command, numbers, path)
    assert done.returncode == 2
    assert "the document 'b': the label 'ham', and the model has learned whole numbers" in done.stderr
    assert "[labels-unusable]" in done.stderr
    assert numbers.read_bytes() == before


def test_a_class_that_the_model_does_not_have(run, numbers):
    for name in ("ham", "8"):
        done = run("inspect", numbers, "--between", "7", name)
        assert done.returncode == 2
        assert f"{name!r} is not an option" in done.stderr


def test_true_and_false(run, tmp_path):
    path, table = tmp_path / "truth.tb", tmp_path / "truth.csv"
    TextClassifier("complement").fit(TEXTS, [label == 7 for label in NUMBERS]).save(path)
    table.write_text("text,label\ncheap,True\nnoon,False\n", encoding="utf-8")
    assert json.loads(run("evaluate", path, table, "--json").stdout)["accuracy"] == 1.0
    assert run("teach", path, table).returncode == 0
    assert TextClassifier.load(path).classes_.tolist() == [False, True]
    assert json.loads(run("inspect", path, "--between", "true", "False", "--json").stdout)["between"] == [
        True,
        False,
    ]


# Several labels in one field.


@pytest.fixture
def joined(tmp_path):
    path = tmp_path / "joined.csv"
    labels = ["shop", "shop;spam", "spam;shop", "work", "work;food", "food;work"]
    rows = (f"{text},{label}" for text, label in zip(TEXTS, labels, strict=True))
    path.write_text("\n".join(["text,label", *rows]) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("model", ["complement", "auto"])
def test_the_separator_is_remembered(run, joined, tmp_path, model):
    path, small = tmp_path / "model.tb", tmp_path / "small.tb"
    done = run("train", joined, "-o", path, "--model", model, "--separator", ";")
    assert done.returncode == 0
    assert "--separator" not in done.stderr
    assert TextClassifier.load(path).label_separator == ";"
    assert TextClassifier.load(path).classes_.tolist() == ["food", "shop", "spam", "work"]
    files = [path]
    if model == "auto":
        assert run("compact", path, "-o", small).returncode == 0
        files.append(small)
    for file in files:
        done = run("evaluate", file, joined, "--json")
        assert "Labels are split at ';', as for training" in done.stderr
        assert len(json.loads(done.stdout)["classes"]) == 4
    before = path.read_bytes()
    new = "text,label\na shop for lunch,food;shop\n"
    assert run("teach", path, "-", "--format", "csv", input=new).returncode == 0
    assert TextClassifier.load(path).classes_.tolist() == ["food", "shop", "spam", "work"]
    assert run("forget", path, "-", "--format", "csv", input=new).returncode == 0
    assert path.read_bytes() == before


def test_a_separator_that_is_given_wins(run, joined, tmp_path):
    path = tmp_path / "model.tb"
    run("train", joined, "-o", path, "--model", "complement", "--separator", ";")
    new = "text,label\na shop for lunch,food|new;one\n"
    done = run("teach", path, "-", "--format", "csv", "--separator", "|", "--json", input=new)
    assert json.loads(done.stdout)["new_classes"] == ["new;one"]
    assert "as for training" not in done.stderr
    assert TextClassifier.load(path).label_separator == ";"


def test_train_says_that_labels_look_joined(run, joined, tmp_path):
    done = run("train", joined, "-o", tmp_path / "model.tb", "--model", "complement")
    assert done.returncode == 0
    assert "4 of 6 labels contain ';', such as 'food;work'. If these are several labels" in done.stderr
    assert "--separator ';'" in done.stderr
    assert TextClassifier.load(tmp_path / "model.tb").label_separator is None
