"""Invalid requests: the right status, a body that says what to do, and no traceback."""

import asyncio
import json

import pytest

from textbayes import MultinomialNB, TextClassifier, save
from textbayes.errors import (
    CoreBugError,
    FileMissingError,
    ModelForeignError,
    ModelKindError,
    OutOfMemoryError,
    UnfittedError,
)
from textbayes.server.routes import predict as answers

JSON = {"Content-Type": "application/json"}
PARTS = ["code", "what", "why", "todo", "docs"]


def refused(reply, status, code):
    assert reply.status_code == status, reply.text
    assert reply.headers["content-type"] == "application/json"
    error = reply.json()["error"]
    assert list(error) == PARTS
    assert error["code"] == code
    assert error["docs"] == f"docs/errors.md#{code}"
    assert "Traceback" not in reply.text
    return error


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        (b"", "it is empty"),
        (b" \n", "it is empty"),
        (b"{", "line 1, column 2"),
        (b'{"text": "caf\xe9"}', "the byte 0xe9 at offset 13 is not UTF-8"),
        (b'{"text": "\xed\xa0\x80"}', "the byte 0xed at offset 10"),
        ('{"text": "밀"}'.encode("utf-16"), "is not UTF-8"),
        (b'\xef\xbb\xbf{"text": "a"}', "BOM"),
        (b'{"text": "a\x00b"}', "Invalid control character"),
        (b"[" * 100_000 + b"]" * 100_000, "nested too deeply"),
        (b'{"text": ' + b'{"a": ' * 100_000, "nested too deeply"),
        (b'{"text": "a", "top": ' + b"9" * 5000 + b"}", "Exceeds the limit"),
        (b'{"text": "a", "reject_below": NaN}', "NaN is not a number"),
        (b'{"text": "a", "reject_below": -Infinity}', "-Infinity is not a number"),
        (b'{"text": "a", "text": "b"}', "a name occurs twice"),
        (b'["a"]', "it is a list"),
        (b'"a"', "it is a string"),
        (b"7", "it is a number"),
        (b"null", "it is null"),
        (b'{"text": "a"} {}', "Extra data"),
    ],
    ids=lambda value: value[:12].hex() if isinstance(value, bytes) else "",
)
def test_bodies_that_are_not_json_objects(client, body, problem):
    assert (
        problem in refused(client.post("/predict", content=body, headers=JSON), 400, "request-json")["what"]
    )


@pytest.mark.parametrize("kind", ["text/plain", "", "application/json; charset=latin-1", "application/jsonl"])
def test_other_content_types_are_refused(client, kind):
    refused(
        client.post("/predict", content=b"{}", headers={"Content-Type": kind}), 415, "request-content-type"
    )


@pytest.mark.parametrize(
    "kind", ["application/json", "Application/JSON; charset=UTF-8", 'application/json;charset="utf-8"']
)
def test_accepted_spellings_of_the_json_content_type(client, kind):
    assert client.post("/predict", content=b'{"text": ""}', headers={"Content-Type": kind}).status_code == 200


@pytest.mark.parametrize(
    ("path", "fields", "code", "message"),
    [
        ("/predict", {}, "request-field", '"text" or "texts"'),
        ("/predict", {"text": None}, "request-field", '"text" or "texts"'),
        ("/predict", {"txt": "a"}, "request-field", "Did you mean 'text'?"),
        ("/predict", {"text": "a", "texts": ["b"]}, "request-field", "both"),
        ("/predict", {"text": ["a"]}, "request-field", "text is ['a']"),
        ("/predict", {"text": 7}, "request-field", "text is 7"),
        ("/predict", {"text": {"a": {}}}, "request-field", "text is {'a': {}}"),
        ("/predict", {"texts": "a"}, "request-field", "texts is 'a'"),
        ("/predict", {"texts": ["a", None]}, "request-field", "texts[1] is None"),
        ("/predict", {"texts": ["a", "밀\ud800"]}, "request-field", "texts[1]"),
        ("/predict", {"text": "\udfff"}, "request-field", "text"),
        ("/predict", {"text": "a", "top": 0}, "request-field", "top is 0"),
        ("/predict", {"text": "a", "top": 1.0}, "request-field", "top is 1.0"),
        ("/predict", {"text": "a", "top": True}, "request-field", "top is True"),
        ("/predict", {"text": "a", "top": 10**30}, "request-field", "top is 1000"),
        ("/predict", {"text": "a", "proba": 1}, "request-field", "proba is 1"),
        ("/predict", {"text": "a", "reject_below": 1.5}, "request-field", "reject_below is 1.5"),
        ("/predict", {"text": "a", "reject_below": "0.5"}, "request-field", "reject_below is '0.5'"),
        ("/predict", {"text": "a", "reject_below": False}, "request-field", "reject_below is False"),
        ("/explain", {"texts": ["a"]}, "request-field", "texts"),
        ("/explain", {"classes": ["ham"]}, "request-field", '"text"'),
        ("/explain", {"text": "a", "classes": ["hm"]}, "parameter-value", "Did you mean 'ham'?"),
        ("/explain", {"text": "a", "classes": []}, "request-field", "classes is []"),
        ("/explain", {"text": "a", "classes": "ham"}, "request-field", "classes is 'ham'"),
        ("/explain", {"text": "a", "classes": ["ham"], "top": 1}, "request-field", "both"),
        ("/teach", {"text": "a"}, "request-field", '"label"'),
        ("/teach", {"texts": ["a"]}, "request-field", '"labels"'),
        ("/teach", {"text": "a", "labels": ["ham"]}, "request-field", "labels is ['ham']"),
        ("/teach", {"texts": ["a"], "label": "ham"}, "request-field", "label is 'ham'"),
        ("/teach", {"label": "ham"}, "request-field", '"text" or "texts"'),
        ("/teach", {"texts": [], "labels": []}, "request-field", "texts is []"),
        ("/teach", {"text": "a", "label": "ham\0"}, "request-field", "label is 'ham\\x00'"),
        ("/teach", {"text": "a", "label": "\ud800"}, "request-field", "label"),
        ("/teach", {"text": "a", "label": True}, "labels-unusable", "labels[0] is True"),
        ("/teach", {"text": "a", "label": 5}, "labels-unusable", "labels[0] is 5"),
        ("/teach", {"texts": ["a", "b"], "labels": [5, "ham"]}, "labels-unusable", "labels[0] is 5"),
        ("/teach", {"text": "a", "label": ""}, "request-field", "label is ''"),
        ("/teach", {"text": "a", "label": " "}, "request-field", "label is ' '"),
        ("/forget", {"text": "a", "label": 5}, "labels-unusable", "labels[0] is 5"),
        ("/teach", {"text": "a", "label": 1.5}, "request-field", "label is 1.5"),
        ("/teach", {"text": "a", "label": 2**70}, "request-field", "label is 11805"),
        ("/teach", {"text": "a", "label": [["ham"]]}, "request-field", "label[0] is ['ham']"),
        ("/teach", {"text": "a", "label": {}}, "request-field", "label is {}"),
        ("/teach", {"text": "a", "label": "ham", "weight": 0}, "request-field", "weight is 0"),
        (
            "/forget",
            {"texts": ["a"], "labels": ["ham"], "weights": [0.0]},
            "request-field",
            "weights is [0.0]",
        ),
        ("/teach", {"text": "a", "label": "ham", "weight": 10**400}, "request-field", "weight is 1000"),
        ("/teach", {"text": "a", "label": "ham", "weight": 1e308}, "request-field", "weight is 1e+308"),
        ("/teach", {"texts": ["a"], "labels": "ham"}, "request-field", "labels is 'ham'"),
    ],
    ids=lambda value: ascii(value)[:40],
)
def test_invalid_fields(ask, path, fields, code, message):
    reply = ask(writable=True).post(path, content=json.dumps(fields).encode(), headers=JSON)
    error = refused(reply, 422, code)
    assert message in error["what"]


def test_a_number_with_too_many_digits(client):
    reply = client.post("/predict", content=b'{"text": "a", "reject_below": 1e400}', headers=JSON)
    assert refused(reply, 422, "request-field")["what"] == "reject_below is inf."


@pytest.mark.parametrize(
    ("address", "code"),
    [
        ("/inspect?clas=ham", "request-field"),
        ("/inspect?class=hm", "parameter-value"),
        ("/inspect?class=ham&class=spam", "request-field"),
        ("/inspect?terms=0", "request-field"),
        ("/inspect?terms=101", "request-field"),
        ("/inspect?terms=١", "request-field"),
        ("/inspect?terms=99999999999", "request-field"),
        ("/inspect?between=ham", "request-field"),
        ("/inspect?between=ham&between=hm", "parameter-value"),
        ("/inspect?class=%ff%fe", "parameter-value"),
        ("/health?verbose=1", "request-field"),
    ],
)
def test_invalid_query_strings(client, address, code):
    refused(client.get(address), 422, code)


@pytest.mark.parametrize("path", ["/predct", "/predict/", "/../etc/passwd", "/밀", "/%00", "/health/x"])
def test_unknown_paths(client, path):
    error = refused(client.get(path), 404, "request-path")
    assert "/predict" in error["todo"]


@pytest.mark.parametrize(
    ("method", "path", "allowed"), [("GET", "/predict", "POST"), ("PUT", "/health", "GET, HEAD")]
)
def test_unsupported_methods(client, method, path, allowed):
    reply = client.request(method, path)
    refused(reply, 405, "request-method")
    assert sorted(reply.headers["allow"].split(", ")) == allowed.split(", ")


def test_cross_origin_requests_are_refused(client):
    fields = {"Origin": "https://example.org", "Access-Control-Request-Method": "POST"}
    reply = client.options("/predict", headers=fields)
    assert reply.status_code == 405
    found = client.post("/predict", json={"text": "a"}, headers={"Origin": "https://example.org"})
    assert not [name for name in [*reply.headers, *found.headers] if name.startswith("access-control")]


def test_a_body_that_is_too_long(ask):
    client = ask(body_bytes=100)
    refused(client.post("/predict", json={"text": "x" * 200}), 413, "request-size")

    def pieces():
        yield from [b'{"text": "', *[b"x" * 40] * 5, b'"}']

    refused(client.post("/predict", content=pieces(), headers=JSON), 413, "request-size")
    headers = {**JSON, "Content-Length": "9" * 5000}
    refused(client.post("/predict", content=b"{}", headers=headers), 413, "request-size")
    assert client.post("/predict", json={"text": "x" * 80}).status_code == 200


def test_too_many_texts(ask):
    client = ask(texts=3, explained=10, writable=True)
    assert client.post("/predict", json={"texts": ["a"] * 3}).status_code == 200
    refused(client.post("/predict", json={"texts": ["a"] * 4}), 413, "request-size")
    labels = {"texts": ["a"] * 3, "labels": ["ham"] * 4}
    refused(client.post("/teach", json=labels), 413, "request-size")
    assert client.post("/explain", json={"text": "밀" * 10}).status_code == 200
    refused(client.post("/explain", json={"text": "밀" * 11}), 413, "request-size")


def test_many_classes_lower_the_limit_of_explained_texts(ask, tmp_path):
    path = tmp_path / "many.tb"
    labels = [f"class{number}" for number in range(200)]
    TextClassifier("multinomial").fit([f"word{number}" for number in range(200)], labels).save(path)
    client, text = ask(path, explained=100), "word1 " * 15
    error = refused(client.post("/explain", json={"text": text}), 413, "request-size")
    assert error["what"] == "text has 90 characters to explain for 200 classes; the limit is 50."
    assert client.post("/explain", json={"text": text[:48]}).status_code == 200
    assert client.post("/explain", json={"text": text, "top": 3}).status_code == 200
    refused(client.post("/explain", json={"text": text, "top": 10**9}), 413, "request-size")
    assert client.post("/explain", json={"text": text, "classes": labels[:100]}).status_code == 200


def test_the_cells_of_an_answer_have_a_limit(ask):
    client = ask(cells=12)
    four = {"texts": ["cheap", "noon", "회의", "zzz"]}
    assert client.post("/predict", json={**four, "top": 3}).status_code == 200
    assert client.post("/predict", json={**four, "proba": True}).status_code == 200
    for top in (4, 10**9):  # there are five classes
        found = min(top, 5)
        error = refused(client.post("/predict", json={**four, "top": top}), 413, "request-size")
        assert error["what"] == (
            f"The answer has {4 * found} labels (texts × top, 4 × {found}); the limit is 12."
        )
        assert "fewer classes" in error["todo"]
    assert client.post("/explain", json={"text": "cheap noon"}).status_code == 200
    error = refused(client.post("/explain", json={"text": "cheap noon team"}), 413, "request-size")
    assert error["what"] == ("The answer has 15 contributions (tokens × classes, 3 × 5); the limit is 12.")
    assert client.post("/explain", json={"text": "cheap noon team", "top": 4}).status_code == 200
    assert client.get("/inspect?terms=2").status_code == 200
    error = refused(client.get("/inspect?terms=3"), 413, "request-size")
    assert "classes × terms, 5 × 3" in error["what"]
    assert client.get("/inspect?terms=50&class=ham").status_code == 200


def test_many_classes_are_predicted_in_parts(ask, tmp_path, monkeypatch):
    path = tmp_path / "many.tb"
    labels = [f"class{number}" for number in range(50)]
    TextClassifier("multinomial").fit([f"word{number} common" for number in range(50)], labels).save(path)
    fields = {
        "texts": [f"word{number} word{number + 1} common" for number in range(49)],
        "top": 3,
        "proba": True,
    }
    whole = ask(path).post("/predict", json=fields).json()
    sizes, predict = [], answers.predict_texts

    def noted(classifier, texts, *arguments):
        sizes.append(len(texts))
        return predict(classifier, texts, *arguments)

    monkeypatch.setattr(answers, "predict_texts", noted)
    monkeypatch.setattr(answers, "_NUMBERS", 500)
    assert ask(path).post("/predict", json=fields).json() == whole
    assert sizes == [10, 10, 10, 10, 9]


def test_a_model_with_thousands_of_classes_shortens_explained_texts(ask, tmp_path):
    path = tmp_path / "thousands.tb"
    labels = list(range(2000))
    TextClassifier("multinomial").fit([f"word{number}" for number in labels], labels).save(path)
    client = ask(path, explained=100)
    assert client.post("/explain", json={"text": "word1 " * 8, "top": 1}).status_code == 200
    error = refused(client.post("/explain", json={"text": "word1 " * 9, "top": 1}), 413, "request-size")
    assert "the limit is 50" in error["what"]


def test_a_body_that_is_too_slow(ask):
    """Calls the application directly, with a body that never arrives."""
    app, sent = ask(body_seconds=0.05).app, []
    scope = {
        "type": "http",
        "method": "POST",
        "path": "/predict",
        "raw_path": b"/predict",
        "query_string": b"",
        "headers": [(b"content-type", b"application/json"), (b"content-length", b"9")],
    }

    async def never():
        await asyncio.sleep(60)

    async def send(message):
        sent.append(message)

    asyncio.run(app(scope, never, send))
    assert sent[0]["status"] == 408
    assert json.loads(sent[1]["body"])["error"]["code"] == "request-slow"


def test_a_client_that_disconnects_gets_no_answer(ask):
    events, sent = [], []
    app = ask(log=events.append).app
    scope = {
        "type": "http",
        "method": "POST",
        "path": "/predict",
        "raw_path": b"/predict",
        "query_string": b"",
        "headers": [(b"content-type", b"application/json")],
    }

    async def gone():
        return {"type": "http.disconnect"}

    async def send(message):
        sent.append(message)

    asyncio.run(app(scope, gone, send))
    assert [event["status"] for event in events] == [499]


def test_a_bug_reveals_no_details(ask, monkeypatch):
    def broken(*_):
        raise RuntimeError("the secret of /home/me")

    monkeypatch.setattr(answers, "predict_texts", broken)
    reply = ask().post("/predict", json={"text": "a"})
    refused(reply, 500, "server-fault")
    assert "secret" not in reply.text


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (MemoryError(), 503, "memory"),
        (OutOfMemoryError(10**9, 8 * 10**9), 503, "memory"),
        (CoreBugError("the secret of /home/me"), 500, "server-fault"),
    ],
    ids=["memory", "core memory", "core bug"],
)
def test_failures_of_the_core(ask, monkeypatch, error, status, code):
    events, predict = [], answers.predict_texts

    def broken(*_):
        raise error

    monkeypatch.setattr(answers, "predict_texts", broken)
    client = ask(log=events.append)
    reply = client.post("/predict", json={"text": "a"})
    refused(reply, status, code)
    assert "secret" not in reply.text
    assert ("retry-after" in reply.headers) == (status == 503)
    assert [event["event"] for event in events] == ["failure", "request"]
    monkeypatch.setattr(answers, "predict_texts", predict)
    assert client.post("/predict", json={"text": "회의"}).json() == {"label": "업무"}


@pytest.mark.parametrize("writable", [False, True])
def test_models_that_cannot_be_loaded(ask, tmp_path, writable):
    with pytest.raises(FileMissingError):
        ask(tmp_path / "none.tb", writable=writable)
    (tmp_path / "text.tb").write_text("밀")
    with pytest.raises(ModelForeignError):
        ask(tmp_path / "text.tb", writable=writable)
    save(MultinomialNB().fit([[1, 0], [0, 1]], ["a", "b"]), tmp_path / "counts.tb")
    with pytest.raises(ModelKindError, match=r"not a model that (classifies|can)|takes counts"):
        ask(tmp_path / "counts.tb", writable=writable)


def test_a_model_that_is_not_fitted(ask, tmp_path):
    TextClassifier().save(tmp_path / "empty.tb")
    with pytest.raises(UnfittedError):
        ask(tmp_path / "empty.tb")
