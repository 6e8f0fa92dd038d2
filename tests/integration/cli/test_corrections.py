"""explain of files and classes, relabel, reconsider and weights, as commands; and pipelines as models."""

import json

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline

import textbayes
from textbayes import ComplementNB, FrequencyTransform, MultinomialNB, TextClassifier, TextCounter

MAIL = [
    ("cheap pills 당첨", "spam"),
    ("team lunch", "ham"),
    ("cheap money", "spam"),
    ("lunch قمح", "ham"),
    ("team meeting money", "spam"),
    ("meeting notes", "work"),
]
TEXTS, LABELS = (list(each) for each in zip(*MAIL, strict=True))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    TextClassifier("complement").fit(TEXTS, LABELS).save("m.tb")
    lines = [
        json.dumps({"id": f"m{at}", "text": text, "label": label}) for at, (text, label) in enumerate(MAIL)
    ]
    (tmp_path / "mail.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return tmp_path


# Explanations.


def test_explain_the_texts_of_a_file(call):
    out, _ = call("explain", "m.tb", "mail.jsonl", "--json")
    found = [json.loads(line) for line in out.splitlines()]
    assert [each["id"] for each in found] == [f"m{at}" for at in range(6)]
    assert [each["text"] for each in found] == TEXTS
    out, _ = call("explain", "m.tb", "mail.jsonl")
    assert [line for line in out.splitlines() if line.startswith("Document ")] == [
        f"Document m{at}:" for at in range(6)
    ]
    assert "pills[" in out


def test_explain_documents_from_stdin_and_without_a_format(call, folder):
    out, _ = call("explain", "m.tb", "-", "--format", "text", "--json", stdin=b"cheap\nlunch\n")
    assert [json.loads(line)["text"] for line in out.splitlines()] == ["cheap", "lunch"]
    assert (
        json.loads(call("explain", "m.tb", "-", "--json", stdin=b"cheap\nlunch\n")[0])["text"]
        == "cheap\nlunch\n"
    )
    (folder / "mail.eml").write_text("cheap\nlunch\n")
    assert json.loads(call("explain", "m.tb", "mail.eml", "--json")[0])["text"] == "cheap\nlunch\n"
    (folder / "cheap").write_text("team lunch")
    assert json.loads(call("explain", "m.tb", "cheap", "--json", "--literal")[0])["text"] == "cheap"
    assert json.loads(call("explain", "m.tb", "cheap", "--json")[0])["text"] == "team lunch"


def test_a_file_that_is_not_there(call):
    out, err = call("explain", "m.tb", "mial.jsonl", "--json")
    assert json.loads(out)["text"] == "mial.jsonl"
    assert "There is no file 'mial.jsonl'" in err
    assert "mail.jsonl" in call("explain", "m.tb", "mial.jsonl", "--format", "jsonl", code=2)[1]
    assert call("explain", "m.tb", "x" * 5000)[1] == ""


def test_bad_lines_of_a_file_to_explain(call, folder):
    (folder / "bad.jsonl").write_text('{"text": "cheap"}\noops\n{"text": "lunch"}\n')
    assert "line 2" in call("explain", "m.tb", "bad.jsonl", code=2)[1]
    out, _ = call("explain", "m.tb", "bad.jsonl", "--json", "--on-error", "report")
    first, bad, last = (json.loads(line) for line in out.splitlines())
    assert (first["text"], last["text"]) == ("cheap", "lunch")
    assert "not JSON" in bad["error"]


def test_one_page_for_all_texts(call, folder):
    call("explain", "m.tb", "mail.jsonl", "--html", "why.html")
    page = (folder / "why.html").read_text(encoding="utf-8")
    assert page.count("<h2>") == 6
    assert page.count("<html") == page.count("<style>") == 1
    assert "당첨" in page


def test_explain_a_class(call):
    out, _ = call("explain", "m.tb", "cheap lunch", "--class", "work")
    assert "of work; evidence for it over" in out
    out, _ = call("explain", "m.tb", "cheap lunch", "--class", "work", "--against", "spam")
    assert "of work; evidence for it over spam:" in out
    found = json.loads(call("explain", "m.tb", "cheap", "--class", "work", "--json")[0])
    assert [each["label"] for each in found["classes"]] == ["work"]
    assert set(found["tokens"][0]["contributions"]) == {"work"}
    assert "Did you mean 'work'" in call("explain", "m.tb", "cheap", "--class", "wrok", code=2)[1]


def test_explain_the_best_classes(call):
    found = json.loads(call("explain", "m.tb", "cheap lunch", "--top", 2, "--json")[0])
    whole = TextClassifier.load("m.tb").explain("cheap lunch")
    assert [each["label"] for each in found["classes"]] == whole.best_labels(2)
    out, _ = call("explain", "m.tb", "mail.jsonl", "--top", 1, "--json")
    assert all(len(json.loads(line)["classes"]) == 1 for line in out.splitlines())
    assert "exclude" in call("explain", "m.tb", "cheap", "--top", 1, "--class", "spam", code=2)[1]


def test_explain_a_class_that_is_a_number(call):
    TextClassifier("complement").fit(TEXTS, [1, 2, 1, 2, 1, 3]).save("m.tb")
    found = json.loads(call("explain", "m.tb", "cheap", "--class", "3", "--json")[0])
    assert [each["label"] for each in found["classes"]] == [3]


# Corrections.


def test_relabel(call, folder):
    line = {"text": "team meeting money", "label": "spam", "new_label": "work"}
    out, _ = call("relabel", "m.tb", "-", "--json", stdin=json.dumps(line).encode())
    body = json.loads(out)
    assert (body["relabelled"], body["classes"], body["settled"]) == (1, 3, True)
    expected = TextClassifier("complement").fit(TEXTS, [*LABELS[:4], "work", "work"])
    found = TextClassifier.load("m.tb")
    np.testing.assert_array_equal(found.predict_proba(TEXTS), expected.predict_proba(TEXTS))
    (folder / "right.csv").write_text("body,is,should\nteam meeting money,work,spam\n")
    args = ("--text", "body", "--label", "is", "--new-label", "should", "-o", "n.tb")
    assert "Relabelled 1 document" in call("relabel", "m.tb", "right.csv", *args)[0]
    assert (TextClassifier.load("n.tb").class_documents_ == [2, 3, 1]).all()


def test_relabel_lists(call, folder):
    TextClassifier("multinomial").fit(TEXTS, [[label] for label in LABELS]).save("m.tb")
    (folder / "right.csv").write_text("text,label,new_label\nteam lunch,ham,ham;work\n")
    call("relabel", "m.tb", "right.csv", "--separator", ";")
    assert (TextClassifier.load("m.tb").class_documents_ == [2, 3, 2]).all()


@pytest.mark.parametrize(
    "line",
    [
        {"text": "never learned", "label": "spam", "new_label": "work"},
        {"text": "team lunch", "label": "spam", "new_label": "work"},
        {"text": "team lunch", "label": "ham", "new_label": None},
        {"text": "team lunch", "label": "ham"},
        {"text": "team lunch", "new_label": "ham"},
    ],
)
def test_relabel_nothing(call, folder, line):
    before = (folder / "m.tb").read_bytes()
    call("relabel", "m.tb", "-", stdin=json.dumps(line).encode(), code=2)
    assert (folder / "m.tb").read_bytes() == before


def test_reconsider(call):
    TextClassifier().fit(TEXTS, LABELS).save("auto.tb")
    out, _ = call("reconsider", "auto.tb", "-o", "again.tb", "--json")
    body = json.loads(out)
    assert (body["model"], body["documents"], body["settled"]) == ("again.tb", 6, True)
    assert str(TextClassifier.load("again.tb").model_.recipe_) == body["recipe"]
    assert "Recipe: " in call("reconsider", "auto.tb")[0]
    assert "not found by a search" in call("reconsider", "m.tb", code=2)[1]


def test_weights(call, folder):
    rows = "".join(f"{text},{label},{at}\n" for at, (text, label) in enumerate(MAIL))
    (folder / "mail.csv").write_text("text,label,w\n" + rows)
    for model in ("complement", "auto"):
        call("train", "mail.csv", "-o", "w.tb", "--model", model, "--weight", "w")
        found = TextClassifier.load("w.tb")
        expected = TextClassifier(model).fit(TEXTS, LABELS, range(6))
        assert found.class_documents_.tolist() == expected.class_documents_.tolist() == [4, 6, 5]
        np.testing.assert_array_equal(found.predict_proba(TEXTS), expected.predict_proba(TEXTS))
    call("train", "mail.csv", "-o", "w.tb", "--model", "complement", "--weight", "w", "--no-documents")
    (folder / "one.csv").write_text("text,label,w\nnew words,work,2.5\n")
    call("teach", "m.tb", "one.csv", "--weight", "w")
    assert TextClassifier.load("m.tb").class_documents_.tolist() == [2, 3, 3.5]
    call("forget", "m.tb", "one.csv", code=2)
    call("forget", "m.tb", "one.csv", "--weight", "w")
    assert TextClassifier.load("m.tb").class_documents_.tolist() == [2, 3, 1]
    (folder / "one.csv").write_text("text,label,w\nnew words,work,heavy\n")
    _, err = call("teach", "m.tb", "one.csv", "--weight", "w", code=2)
    assert "a number from 0 up" in err
    assert "line 2" in err


# Pipelines.


def test_commands_take_a_pipeline(call, folder):
    pipeline = make_pipeline(TextCounter(), FrequencyTransform(), ComplementNB()).fit(TEXTS, LABELS)
    textbayes.save(pipeline, "p.tb")
    out, _ = call("predict", "p.tb", "mail.jsonl")
    assert [json.loads(line)["label"] for line in out.splitlines()] == pipeline.predict(TEXTS).tolist()
    assert json.loads(call("evaluate", "p.tb", "mail.jsonl", "--json")[0])["documents"] == 6
    assert json.loads(call("explain", "p.tb", "cheap money", "--json")[0])["label"] == "spam"
    assert json.loads(call("inspect", "p.tb", "--json")[0])["documents"] == 6
    before = (folder / "p.tb").read_bytes()
    for command in ("teach", "forget"):
        _, err = call(command, "p.tb", "mail.jsonl", code=2)
        assert "holds a scikit-learn Pipeline" in err
        assert "not a model of textbayes" not in err
    assert (folder / "p.tb").read_bytes() == before
    textbayes.save(MultinomialNB().fit([[1, 0], [0, 1]], ["a", "b"]), "counts.tb")
    _, err = call("predict", "counts.tb", "mail.jsonl", code=2)
    assert "'counts.tb' holds a MultinomialNB, not a model that classifies texts" in err


def test_a_pipeline_is_served(folder):
    pytest.importorskip("fastapi")
    from textbayes.server.live import FileModel
    from textbayes.server.settings import no_log

    pipeline = make_pipeline(TextCounter(), ComplementNB()).fit(TEXTS, LABELS)
    textbayes.save(pipeline, "p.tb")
    served = FileModel("p", "p.tb", no_log).served
    assert served.classifier.predict(TEXTS).tolist() == pipeline.predict(TEXTS).tolist()


# What a model has learned.


def test_inspect_a_class(call):
    found = json.loads(call("inspect", "m.tb", "--class", "work", "--terms", 2, "--json")[0])
    whole = TextClassifier.load("m.tb").inspect(2, leave_one_out=False)
    assert found == {
        "label": "work",
        "documents": 1.0,
        "terms": [list(pair) for pair in whole.classes[2].terms],
    }
    out, _ = call("inspect", "m.tb", "--class", "work")
    assert out.startswith("work: 1 document\n")
    assert "notes" in out
    assert "Did you mean 'work'" in call("inspect", "m.tb", "--class", "wrok", code=2)[1]
    assert "exclude" in call("inspect", "m.tb", "--class", "work", "--between", "ham", "spam", code=2)[1]


def test_train_without_calibration(call):
    call("train", "mail.jsonl", "-o", "raw.tb", "--model", "complement", "--no-calibrate")
    call("train", "mail.jsonl", "-o", "own.tb", "--model", "complement")
    raw, own = TextClassifier.load("raw.tb"), TextClassifier.load("own.tb")
    assert (raw.calibrate, own.calibrate) == (False, True)
    expected = TextClassifier("complement", calibrate=False).fit(TEXTS, LABELS)
    np.testing.assert_array_equal(raw.predict_proba(TEXTS), expected.predict_proba(TEXTS))
