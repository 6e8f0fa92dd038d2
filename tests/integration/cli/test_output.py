"""predict -o: files of every format, with the text and the columns of the input."""

import csv
import io
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from textbayes import TextClassifier

MAIL = [
    ("cheap pills 당첨", "스팸 📧"),
    ("team lunch", "햄"),
    ("cheap money", "스팸 📧"),
    ("lunch قمح", "햄"),
]
ROWS = [
    {"id": f"m{number}", "text": text, "label": label, "n": number, "tags": ["a", number]}
    for number, (text, label) in enumerate(MAIL)
]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    texts, labels = zip(*MAIL, strict=True)
    TextClassifier("multinomial").fit(texts, labels).save("m.tb")
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in ROWS)
    (tmp_path / "mail.jsonl").write_text(lines, encoding="utf-8")
    return tmp_path


def records(path):
    """Return the rows of an output file of any format."""
    if path.suffix == ".parquet":
        return pq.read_table(path).to_pylist()
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in text.splitlines()]
    return list(csv.DictReader(io.StringIO(text), delimiter="\t" if path.suffix == ".tsv" else ","))


@pytest.mark.parametrize("ending", ["jsonl", "csv", "tsv", "parquet"])
def test_every_format(call, folder, ending):
    path = folder / f"out.{ending}"
    out, err = call("predict", "m.tb", "mail.jsonl", "-o", path, "--proba", "--top", 2)
    assert out == ""
    assert f"Predictions: {path}" in err
    found = records(path)
    classifier = TextClassifier.load("m.tb")
    texts = [text for text, _ in MAIL]
    assert [row["id"] for row in found] == ["m0", "m1", "m2", "m3"]
    assert [row["label"] for row in found] == classifier.predict(texts).tolist()
    exact = classifier.predict_proba(texts).max(axis=1)
    expected = exact if ending == "parquet" else exact.round(4)
    assert [float(row["probability"]) for row in found] == expected.tolist()
    if ending == "jsonl":
        assert [row["top"][0]["probability"] for row in found] == expected.tolist()
    else:
        assert [float(row["probability_1"]) for row in found] == expected.tolist()
        assert all(row["label_2"] in classifier.classes_ for row in found)


def test_text_is_rounded_on_stdout(call):
    out, _ = call("predict", "m.tb", "mail.jsonl", "--proba", "--top", 1)
    for line in out.splitlines():
        record = json.loads(line)
        assert len(str(record["probability"])) <= 6
        assert len(str(record["top"][0]["probability"])) <= 6


@pytest.mark.parametrize("ending", ["jsonl", "csv", "parquet"])
def test_text_and_columns_come_along(call, folder, ending):
    path = folder / f"out.{ending}"
    call(
        "predict",
        "m.tb",
        "mail.jsonl",
        "-o",
        path,
        "--columns",
        "n,tags",
        "--columns",
        "label",
        "--with-text",
    )
    found = records(path)
    assert list(found[0]) == ["id", "text", "n", "tags", "input_label", "label"]
    assert [row["text"] for row in found] == [text for text, _ in MAIL]
    assert [row["input_label"] for row in found] == [label for _, label in MAIL]
    assert [int(row["n"]) for row in found] == [0, 1, 2, 3]
    if ending == "jsonl":
        assert found[3]["tags"] == ["a", 3]
    if ending in ("csv", "parquet"):
        assert json.loads(found[3]["tags"]) == ["a", 3]


def test_values_of_parquet(call, folder):
    import datetime

    days = [datetime.date(2026, 11, day) for day in range(1, 5)]
    texts = [text for text, _ in MAIL]
    pq.write_table(pa.table({"text": texts, "day": days, "size": [1.5, None, 2.5, 3.0]}), "mail.parquet")
    call("predict", "m.tb", "mail.parquet", "-o", "out.parquet", "--columns", "day,size")
    table = pq.read_table("out.parquet")
    assert table["day"].to_pylist() == days
    assert table["size"].to_pylist() == [1.5, None, 2.5, 3.0]
    out, _ = call("predict", "m.tb", "mail.parquet", "--columns", "day")
    assert json.loads(out.splitlines()[0])["day"] == "2026-11-01"


def test_stdin_to_a_file(call, folder):
    call("predict", "m.tb", "-", "-o", "out.csv", "--with-text", stdin=b"cheap, pills\nlunch\n")
    assert records(folder / "out.csv") == [
        {"id": "1", "text": "cheap, pills", "label": "스팸 📧"},
        {"id": "2", "text": "lunch", "label": "햄"},
    ]
    out, _ = call("predict", "m.tb", "-", "-o", "-", stdin=b"lunch\n")
    assert json.loads(out) == {"id": "1", "label": "햄"}


def test_lists_of_labels(call, folder):
    texts, labels = zip(*MAIL, strict=True)
    TextClassifier("multinomial").fit(texts, [[label] for label in labels]).save("m.tb")
    call("predict", "m.tb", "mail.jsonl", "-o", "out.parquet", "--proba")
    found = records(folder / "out.parquet")
    assert [row["labels"] for row in found] == TextClassifier.load("m.tb").predict(texts)
    assert all(len(row["labels"]) == len(row["probabilities"]) for row in found)


@pytest.mark.parametrize("ending", ["jsonl", "csv", "parquet"])
def test_answers_before_a_bad_line_are_in_the_file(call, folder, ending):
    lines = (folder / "mail.jsonl").read_text(encoding="utf-8").splitlines()
    (folder / "bad.jsonl").write_text("\n".join([*lines[:3], "oops", lines[3]]), encoding="utf-8")
    path = folder / f"out.{ending}"
    _, err = call("predict", "m.tb", "bad.jsonl", "-o", path, "--columns", "n", code=2)
    assert "line 4" in err
    assert len(records(path)) == 3
    call("predict", "m.tb", "bad.jsonl", "-o", path, "--columns", "n", "--on-error", "report")
    found = records(path)
    assert len(found) == 5
    assert "not JSON" in found[3]["error"]
    assert not found[3].get("n")
    assert not found[3]["label"]


def test_mistakes(call, folder):
    before = (folder / "mail.jsonl").read_bytes(), (folder / "m.tb").read_bytes()
    assert "out.txt" in call("predict", "m.tb", "mail.jsonl", "-o", "out.txt", code=2)[1]
    assert "--csv" in call("predict", "m.tb", "mail.jsonl", "-o", "out.parquet", "--csv", code=2)[1]
    assert "no folder" in call("predict", "m.tb", "mail.jsonl", "-o", "no/out.csv", code=2)[1]
    for own in ("mail.jsonl", "./mail.jsonl"):
        assert "is read by this command" in call("predict", "m.tb", "mail.jsonl", "-o", own, code=2)[1]
    assert "is read" in call("predict", "m.tb", "mail.jsonl", "-o", "m.tb", "--csv", code=2)[1]
    assert "no column 'm'" in call("predict", "m.tb", "mail.jsonl", "--columns", "n,m", code=2)[1]
    assert "each once" in call("predict", "m.tb", "mail.jsonl", "--columns", "n,n", code=2)[1]
    assert before == ((folder / "mail.jsonl").read_bytes(), (folder / "m.tb").read_bytes())


def test_values_of_several_types(call, folder, monkeypatch):
    (folder / "mixed.jsonl").write_text('{"text": "a", "n": 1}\n{"text": "b", "n": "x"}\n')
    call("predict", "m.tb", "mixed.jsonl", "-o", "out.parquet", "--columns", "n")
    assert [row["n"] for row in records(folder / "out.parquet")] == ["1", "x"]
    monkeypatch.setattr("textbayes.cli.outputs._ROWS", 1)
    monkeypatch.setattr("textbayes.cli.predicting._DOCUMENTS", 1)
    _, err = call("predict", "m.tb", "mixed.jsonl", "-o", "out.parquet", "--columns", "n", code=2)
    assert "another type" in err
    assert [row["n"] for row in records(folder / "out.parquet")] == [1]
    call("predict", "m.tb", "mail.jsonl", "-o", "out.parquet", "--columns", "n")
    assert [row["n"] for row in records(folder / "out.parquet")] == [0, 1, 2, 3]


@pytest.mark.parametrize("name", ["out.csv", "out.tsv", "-"])
def test_spreadsheets_calculate_nothing(call, folder, name):
    rows = [
        {"id": "=1", "text": "=HYPERLINK(1)", "note": "@a"},
        {"id": "2", "text": "-1 cheap", "note": "-1.5"},
    ]
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    (folder / "in.jsonl").write_text(lines, encoding="utf-8")

    def cells(*more):
        output = ["--csv"] if name == "-" else ["-o", name]
        out, _ = call("predict", "m.tb", "in.jsonl", "--with-text", "--columns", "note", *output, *more)
        text = out if name == "-" else (folder / name).read_text(encoding="utf-8")
        found = csv.DictReader(io.StringIO(text), delimiter="\t" if name == "out.tsv" else ",")
        return [(row["id"], row["text"], row["note"]) for row in found]

    assert cells() == [("'=1", "'=HYPERLINK(1)", "'@a"), ("2", "'-1 cheap", "-1.5")]
    assert cells("--exact") == [("=1", "=HYPERLINK(1)", "@a"), ("2", "-1 cheap", "-1.5")]


def test_labels_that_are_formulas(call, folder):
    TextClassifier("multinomial").fit(["aa", "bb"], ["=1+1", "-x"]).save(folder / "f.tb")
    (folder / "in.txt").write_text("aa\nbb\n", encoding="utf-8")
    out, _ = call("predict", "f.tb", "in.txt", "--csv", "--top", "2")
    assert out.splitlines()[1:] == ["1,'=1+1,'=1+1,'-x", "2,'-x,'-x,'=1+1"]
    # Other formats are for programs.
    call("predict", "f.tb", "in.txt", "-o", "out.parquet")
    assert [row["label"] for row in records(folder / "out.parquet")] == ["=1+1", "-x"]
    out, _ = call("predict", "f.tb", "in.txt")
    assert [json.loads(line)["label"] for line in out.splitlines()] == ["=1+1", "-x"]
