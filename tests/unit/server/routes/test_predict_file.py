"""Files over HTTP: the same rows come back with predictions, no cell is a formula, and limits hold."""

import csv
import io
import json

import pytest

from textbayes import TextClassifier

CSV = {"Content-Type": "text/csv"}
LINES = {"Content-Type": "application/x-ndjson"}


def rows(reply):
    assert reply.status_code == 200, reply.text
    return list(csv.DictReader(io.StringIO(reply.text)))


def code(reply):
    return reply.json()["error"]["code"]


def test_csv(client, model):
    texts = ["cheap pills", "회의, 자료", 'say "noon"\nteam', ""]
    file = io.StringIO()
    csv.writer(file).writerows([["n", "text"], *([number, text] for number, text in enumerate(texts))])
    reply = client.post("/predict/file", content=file.getvalue().encode(), headers=CSV)
    assert reply.headers["content-type"] == "text/csv; charset=utf-8"
    assert reply.headers["content-disposition"] == 'attachment; filename="predictions.csv"'
    assert reply.headers["textbayes-version"] == "0"
    found, classifier = rows(reply), TextClassifier.load(model)
    assert [row["text"] for row in found] == texts
    assert [row["label"] for row in found] == classifier.predict(texts).tolist()
    assert [float(row["probability"]) for row in found] == classifier.predict_proba(texts).max(1).tolist()
    assert [row["n"] for row in found] == ["0", "1", "2", "3"]


def test_json_lines_keep_their_fields(client):
    lines = [
        {"id": 1, "text": "cheap \u2028 pills", "label": "old", "more": {"a": [1, None]}},
        {"text": "회의 자료", "other": True},
    ]
    body = "\r\n".join(json.dumps(line, ensure_ascii=False) for line in lines) + "\r\n\r\n"
    reply = client.post("/predict/file", content=body.encode(), headers=LINES)
    assert reply.headers["content-type"] == "application/x-ndjson"
    first, second = (json.loads(line) for line in reply.text.split("\n") if line)
    assert {name: first[name] for name in ("id", "text", "input_label", "more")} == {
        "id": 1,
        "text": "cheap \u2028 pills",
        "input_label": "old",
        "more": {"a": [1, None]},
    }
    assert (first["label"], second["label"], second["other"]) == ("spam", "업무", True)


def test_from_one_format_to_the_other(client):
    body = b'{"text": "cheap", "n": {"a": 1}}\n{"text": "noon", "n": false}\n'
    found = rows(client.post("/predict/file?format=csv", content=body, headers=LINES))
    assert [(row["n"], row["label"]) for row in found] == [('{"a":1}', "spam"), ("false", "ham")]
    reply = client.post("/predict/file?format=jsonl", content=b"text\ncheap\n", headers=CSV)
    assert json.loads(reply.text)["label"] == "spam"


def test_the_column_and_the_best_classes(client):
    body = b"words,label\ncheap,1\n"
    found = rows(client.post("/predict/file?column=words&top=2", content=body, headers=CSV))
    assert list(found[0]) == [
        "words",
        "input_label",
        "label",
        "probability",
        "label_1",
        "probability_1",
        "label_2",
        "probability_2",
    ]
    assert (found[0]["label"], found[0]["label_1"]) == ("spam", "spam")
    reply = client.post("/predict/file?column=wrods", content=body, headers=CSV)
    assert reply.status_code == 422
    assert "words" in reply.text


def test_several_labels(ask, several):
    reply = ask(several).post("/predict/file", content=b"text\ncheap pills\n", headers=CSV)
    (row,) = rows(reply)
    assert isinstance(json.loads(row["labels"]), list)
    assert len(json.loads(row["labels"])) == len(json.loads(row["probabilities"]))


def test_formulas_are_neutralised(ask, tmp_path):
    label = '=HYPERLINK("http://evil.example")'
    TextClassifier("multinomial").fit(["wheat corn", "crude oil"], [label, "+oil"]).save(tmp_path / "bad.tb")
    body = 'text,=cmd\n"=1+1 corn",-5\n@oil,\u0009tab\n'.encode()
    found = client_rows = rows(ask(tmp_path / "bad.tb").post("/predict/file", content=body, headers=CSV))
    assert list(found[0])[1] == "'=cmd"
    assert [list(row.values())[:3] for row in client_rows] == [
        ["'=1+1 corn", "-5", "'" + label],
        ["'@oil", "'\ttab", "'+oil"],
    ]


@pytest.mark.parametrize(
    ("body", "headers", "status"),
    [
        (b"", CSV, 422),
        (b"text\n", CSV, 422),
        (b"a,b\n1,2\n", CSV, 422),
        (b"text\ncaf\xe9\n", CSV, 422),
        (b'text,n\n"open\n', CSV, 422),
        (b'{"text": "a"', LINES, 422),
        (b'{"text": 5}\n[]\n', LINES, 422),
        (b'["a"]\n', LINES, 422),
        (b'{"text": "a"}\n{"txt": "b"}\n', LINES, 422),
        (b"{}", {"Content-Type": "application/json"}, 415),
        (b"text\na\n", {"Content-Type": "text/csv; charset=latin-1"}, 415),
        (b"text\na\n", {"Content-Type": "application/x-www-form-urlencoded"}, 415),
    ],
    ids=lambda value: str(value)[:25],
)
def test_what_cannot_be_read(client, tmp_path, body, headers, status):
    reply = client.post("/predict/file", content=body, headers=headers)
    assert reply.status_code == status, reply.text
    assert str(tmp_path) not in reply.text
    assert "/tmp" not in reply.text


@pytest.mark.parametrize("query", ["format=xml", "top=0", "top=101", "klass=a", "column=a&column=b"])
def test_wrong_queries(client, query):
    reply = client.post(f"/predict/file?{query}", content=b"text\na\n", headers=CSV)
    assert (reply.status_code, code(reply)) == (422, "request-field")


def test_limits(ask):
    client = ask(upload_bytes=2000, upload_rows=3, body_bytes=100)
    assert client.post("/predict/file", content=b"text\n" + b"cheap\n" * 3, headers=CSV).status_code == 200
    for body in (b"text\n" + b"cheap\n" * 4, b"text\n" + b"x" * 3000):
        reply = client.post("/predict/file", content=body, headers=CSV)
        assert (reply.status_code, code(reply)) == (413, "request-size")
    wide = ",".join(f"c{number}" for number in range(1001))
    reply = ask().post("/predict/file?column=c0", content=f"{wide}\n".encode() * 2, headers=CSV)
    assert (reply.status_code, code(reply)) == (413, "request-size")


def test_a_time_limit(ask, monkeypatch):
    client = ask(upload_seconds=1e-9)
    reply = client.post("/predict/file", content=b"text\n" + b"cheap\n" * 300, headers=CSV)
    assert (reply.status_code, code(reply)) == (408, "request-slow")


def test_many_rows_come_in_parts(client):
    with client.stream("POST", "/predict/file", content=b"text\n" + b"cheap\n" * 2000, headers=CSV) as reply:
        parts = list(reply.iter_raw())
    assert b"".join(parts).count(b"\n") == 2001
