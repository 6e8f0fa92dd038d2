"""Client: what it sends, what it returns, what it tries again, and which errors it raises."""

import json
import pickle

import httpx
import numpy as np
import pytest

from textbayes.client import Client
from textbayes.client.batches import MOST_BYTES, text_batches
from textbayes.client.faults import error_of
from textbayes.errors import (
    FileWriteError,
    KeyReusedError,
    ModelEmptyError,
    ParameterError,
    ServerAnswerError,
    ServerBusyError,
    ServerUnreachableError,
    TextbayesError,
    TokenMissingError,
)
from textbayes.server.replies import error_body

URL = "http://127.0.0.1:8000"


class Recorder:
    """Answers requests with what it is given, and keeps them."""

    def __init__(self, *answers):
        self.answers, self.requests = list(answers), []

    def __call__(self, request):
        self.requests.append(request)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer if isinstance(answer, httpx.Response) else httpx.Response(200, json=answer)

    @property
    def bodies(self):
        return [json.loads(request.content) for request in self.requests]

    @property
    def paths(self):
        return [request.url.raw_path.decode() for request in self.requests]

    @property
    def keys(self):
        return [request.headers.get("idempotency-key") for request in self.requests]


def client_of(*answers, **options):
    recorder = Recorder(*answers)
    return Client(options.pop("url", URL), transport=httpx.MockTransport(recorder), **options), recorder


@pytest.fixture
def waits(monkeypatch):
    found = []
    monkeypatch.setattr("textbayes.client.connection.time.sleep", found.append)
    return found


def refusal(error, status, **headers):
    return httpx.Response(status, json=error_body(error), headers=headers)


def test_predict_sends_a_text_or_several():
    client, sent = client_of({"label": "grüße", "probability": 0.75}, {"predictions": [{"label": "밀"}] * 2})
    assert client.predict("Schöne Grüße 🌾", proba=True) == {"label": "grüße", "probability": 0.75}
    assert client.predict(["a", "밀"], top=2) == [{"label": "밀"}] * 2
    assert sent.bodies == [{"text": "Schöne Grüße 🌾", "proba": True}, {"texts": ["a", "밀"], "top": 2}]
    assert sent.requests[0].headers["content-type"] == "application/json"


def test_predict_splits_many_texts_and_keeps_their_order():
    client, sent = client_of({"predictions": []})
    sent.__class__ = type("Echo", (Recorder,), {"__call__": _echo})
    texts = [f"text {number}" for number in range(1203)]
    assert [each["label"] for each in client.predict(texts)] == texts
    assert [len(body["texts"]) for body in sent.bodies] == [500, 500, 203]


def _echo(recorder, request):
    recorder.requests.append(request)
    texts = json.loads(request.content)["texts"]
    return httpx.Response(200, json={"predictions": [{"label": text} for text in texts]})


def test_batches_are_limited_in_bytes_and_a_large_text_is_alone():
    large = "é" * MOST_BYTES
    assert [len(batch) for batch in text_batches(["a", large, "b", "c"])] == [1, 1, 2]
    assert list(text_batches([])) == []


def test_the_model_is_in_the_path_and_quoted():
    client, sent = client_of({}, model="Grüße/2")
    client.health()
    assert sent.paths == ["/models/Gr%C3%BC%C3%9Fe%2F2/health"]
    client, sent = client_of({}, url="https://texts.example/deep/", model="mail")
    client.document("a/b?c#d é")
    assert str(sent.requests[0].url) == (
        "https://texts.example/deep/models/mail/documents/a%2Fb%3Fc%23d%20%C3%A9"
    )


def test_the_token_and_the_actor_are_headers():
    client, sent = client_of({}, token="tb_geheim", actor="Zoë")
    client.health()
    assert sent.requests[0].headers["authorization"] == "Bearer tb_geheim"
    assert (b"Textbayes-Actor", "Zoë".encode()) in sent.requests[0].headers.raw
    assert "tb_geheim" not in repr(client)


@pytest.mark.parametrize("token", ["", "a b", "tb_x\n", "tökn"])
def test_a_token_that_cannot_be_sent_is_refused_and_not_shown(token):
    with pytest.raises(ParameterError) as found:
        Client(URL, token=token)
    assert not token.strip() or token not in str(found.value)


@pytest.mark.parametrize("actor", ["", " ", "a\r\nb"])
def test_a_name_must_fit_in_a_header(actor):
    with pytest.raises(ParameterError, match="actor"):
        Client(URL, actor=actor)


@pytest.mark.parametrize("url", ["", "127.0.0.1:8000", "ftp://a/b", "http://", "postgresql://a/b"])
def test_an_address_must_be_one_of_http(url):
    with pytest.raises(ParameterError, match="url="):
        Client(url)


def test_a_password_in_the_address_is_not_shown():
    client, _ = client_of({}, url="http://me:geheim@127.0.0.1:8000/x")
    assert client.url == "http://127.0.0.1:8000/x"
    assert "geheim" not in repr(client)


def test_teach_sends_one_or_several():
    client, sent = client_of({"taught": 1})
    client.teach("corn", "grain", ids="a", weights=2.0, source="mail", settle=True)
    client.teach(["corn", "oil"], np.array([1, 2]), ids=["a", "b"])
    client.teach(["corn"], [["a", np.str_("b")]], weights=np.array([0.5]))
    client.relabel("corn", "oil", "grain")
    client.forget(["corn"], ["grain"])
    assert sent.bodies == [
        {"text": "corn", "label": "grain", "weight": 2.0, "id": "a", "source": "mail", "settle": True},
        {"texts": ["corn", "oil"], "labels": [1, 2], "ids": ["a", "b"]},
        {"texts": ["corn"], "labels": [["a", "b"]], "weights": [0.5]},
        {"text": "corn", "label": "oil", "new_label": "grain"},
        {"texts": ["corn"], "labels": ["grain"]},
    ]
    assert sent.paths == ["/teach"] * 3 + ["/relabel", "/forget"]
    assert len(set(sent.keys)) == 5
    assert None not in sent.keys


def test_documents_are_put_and_deleted_by_id():
    client, sent = client_of({"version": 3})
    client.put("é/1", "grain", "corn", weight=2)
    client.put("a", ["x", "y"])
    client.delete("a", erase=True, settle=False)
    client.undo(7, key="mine")
    assert [request.method for request in sent.requests] == ["PUT", "PUT", "DELETE", "POST"]
    assert sent.paths == [
        "/documents/%C3%A9%2F1",
        "/documents/a",
        "/documents/a?erase=true&settle=false",
        "/undo",
    ]
    assert json.loads(sent.requests[1].content) == {"label": ["x", "y"]}
    assert sent.keys[3] == "mine"


def test_a_busy_server_is_asked_again_with_the_same_key(waits):
    busy = refusal(ServerBusyError("100 changes are waiting"), 503, **{"Retry-After": "7"})
    limit = refusal(ServerBusyError("rate"), 429)
    client, sent = client_of(busy, limit, httpx.ConnectError("refused"), {"taught": 1})
    assert client.teach("corn", "grain") == {"taught": 1}
    assert len(sent.requests) == 4
    assert len(set(sent.keys)) == 1
    assert waits[0] == 7
    assert 0.2 <= waits[1] <= 0.4  # doubled, with some chance
    assert 0.4 <= waits[2] <= 0.8


def test_the_last_refusal_is_raised(waits):
    client, sent = client_of(refusal(ServerBusyError("full"), 503), retries=2)
    with pytest.raises(ServerBusyError, match="full"):
        client.predict("corn")
    assert len(sent.requests) == 3
    assert len(waits) == 2


def test_a_wait_has_a_limit(waits):
    client, _ = client_of(refusal(ServerBusyError("full"), 503, **{"Retry-After": "86400"}), {})
    client.health()
    assert waits == [30.0]


@pytest.mark.parametrize("kind", [httpx.ConnectError, httpx.ReadTimeout, httpx.RemoteProtocolError])
def test_a_server_out_of_reach_is_an_error_of_its_own(kind, waits):
    client, sent = client_of(kind("nobody there"), retries=1)
    with pytest.raises(ServerUnreachableError, match=r"nobody there \(tried 2 times\)") as found:
        client.health()
    assert isinstance(found.value, ConnectionError)
    assert len(sent.requests) == 2


@pytest.mark.parametrize("status", [400, 401, 404, 409, 413, 422, 500, 507])
def test_other_errors_are_not_tried_again(status, waits):
    client, sent = client_of(refusal(TokenMissingError(), status))
    with pytest.raises(TokenMissingError):
        client.teach("corn", "grain")
    assert len(sent.requests) == 1
    assert waits == []


@pytest.mark.parametrize(
    "error",
    [
        ServerBusyError("full"),
        ModelEmptyError("mail", 1),
        FileWriteError("a.tb", 28, "No space"),
        KeyReusedError("k"),
    ],
    ids=lambda error: error.code,
)
def test_errors_have_their_class_their_words_and_a_way_through_a_pickle(error):
    found = error_of(refusal(error, 503))
    assert type(found) is type(error)
    assert str(found) == str(error)
    copy = pickle.loads(pickle.dumps(found))
    assert (type(copy), str(copy)) == (type(error), str(error))


def test_an_error_of_a_newer_server_keeps_its_code():
    told = {"code": "moon-full", "what": "Voll 🌕.", "why": "It is.", "todo": "Wait."}
    found = error_of(httpx.Response(418, json={"error": told}))
    assert type(found) is TextbayesError
    assert found.code == "moon-full"
    assert str(found).endswith("Wait.    [moon-full]")
    assert pickle.loads(pickle.dumps(found)).code == "moon-full"
    assert TextbayesError.code == "textbayes"


@pytest.mark.parametrize(
    "body",
    [
        b"<h1>502 Bad Gateway</h1>",
        b"",
        b"\xff\xfe",
        b"[]",
        b'{"error": "x"}',
        b'{"error": {"code": 1}}',
        b"[" * 90_000,
    ],
    ids=["html", "empty", "bytes", "list", "string", "no-words", "deep"],
)
def test_an_answer_of_something_else_is_an_error(body):
    client, _ = client_of(httpx.Response(502, content=body))
    with pytest.raises(ServerAnswerError, match="502"):
        client.health()


def test_an_answer_that_is_not_json_and_a_redirection_are_errors():
    client, _ = client_of(httpx.Response(200, content=b"<html>"))
    with pytest.raises(ServerAnswerError, match="<html>"):
        client.health()
    client, sent = client_of(httpx.Response(302, headers={"location": "http://evil.example"}), token="tb_x")
    with pytest.raises(ServerAnswerError, match=r"evil\.example"):
        client.health()
    assert len(sent.requests) == 1


def test_documents_come_page_by_page():
    pages = [
        {"documents": [{"id": "a"}, {"id": "b"}], "next": "b"},
        {"documents": [{"id": "c"}], "next": None},
    ]
    client, sent = client_of(*pages)
    assert [each["id"] for each in client.documents(search="밀 corn", label=True)] == ["a", "b", "c"]
    assert dict(sent.requests[0].url.params) == {"search": "밀 corn", "class": "true", "limit": "1000"}
    assert sent.requests[1].url.params["after"] == "b"


def test_pages_end_at_the_limit():
    client, sent = client_of({"changes": [{"version": 9}, {"version": 8}], "next": "8"})
    assert len(list(client.changes(limit=5, page=2))) >= 5
    assert [request.url.params["limit"] for request in sent.requests] == ["2", "2", "1"]
    assert list(client.changes(limit=0)) == []


def test_a_download_replaces_the_file_as_a_whole(tmp_path):
    path = tmp_path / "modèle.tb"
    client, sent = client_of(httpx.Response(200, content=b"model"))
    assert client.download(path, version=3) == path
    assert path.read_bytes() == b"model"
    assert sent.paths == ["/model/file?version=3"]

    def broken():
        yield b"half"
        raise httpx.ReadError("gone")

    client, _ = client_of(httpx.Response(200, content=broken()))
    with pytest.raises(ServerUnreachableError, match="gone"):
        client.download(path)
    assert path.read_bytes() == b"model"
    assert list(tmp_path.iterdir()) == [path]


def test_the_queue_has_its_methods():
    client, sent = client_of({"queued": 2, "duplicates": 1})
    assert client.add_to_queue(["밀"] * 600, source="mail") == {"queued": 4, "duplicates": 2}
    client.label("q/1", "grain")
    client.label("q/1", ["grain", "corn"])
    client.skip("q1")
    client.unskip("q1")
    client.queue(5)
    assert sent.paths[2:] == ["/queue/q%2F1"] * 2 + ["/queue/q1/skip", "/queue/q1/return", "/queue?limit=5"]
    assert [json.loads(request.content) for request in sent.requests[2:4]] == [
        {"label": "grain"},
        {"labels": ["grain", "corn"]},
    ]


def test_a_lone_surrogate_is_sent_as_an_escape():
    client, sent = client_of({"label": "a"})
    client.predict("half \ud83d")
    assert b"\\ud83d" in sent.requests[0].content


def test_it_closes_at_the_end_of_a_block():
    client, _ = client_of({"ready": True})
    with client as same:
        assert same.health() == {"ready": True}
    with pytest.raises(RuntimeError, match="closed"):
        client.health()
