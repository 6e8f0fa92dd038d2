"""Changes over HTTP: what is taught is in the store when it is answered, once, and can be undone."""

import pytest
from served_mail import MAIL

from textbayes import TextClassifier

CORRECTION = {"text": "golden prize 금", "label": "금", "wait": 30}
KINDS = ("taught", "relabelled", "forgot", "undone", "unchanged")


def counts(answer):
    return {kind: answer[kind] for kind in KINDS if answer[kind]}


def code(reply):
    return reply.json()["error"]["code"]


@pytest.fixture
def writable(ask):
    return ask(writable=True)


@pytest.fixture
def empty(ask, tmp_path):
    return ask((), store=tmp_path / "empty.store")


def test_taught_texts_are_learned(writable, model):
    fresh = TextClassifier.load(model).teach(["golden prize 금"], ["금"])
    answer = writable.post("/teach", json=CORRECTION).json()
    assert list(answer) == [
        "model",
        *KINDS,
        "documents",
        "version",
        "applied",
        "settled",
        "repeated",
    ]
    assert (answer["model"], counts(answer), answer["version"]) == ("메일", {"taught": 1}, 1)
    assert (answer["applied"], answer["repeated"]) == (True, False)
    (document,) = answer["documents"]
    assert (document["version"], document["change"]) == (1, "taught")
    reply = writable.post("/predict", json={"text": "금 noon", "proba": True})
    assert reply.headers["textbayes-version"] == "1"
    assert reply.json()["probability"] == fresh.predict_proba(["금 noon"]).max()
    assert writable.get("/health").json()["classes"] == 6


def test_a_known_id_is_relabelled_or_left_as_it_is(writable):
    fields = {"texts": ["gold", "noon"], "labels": ["금", "ham"], "ids": ["a", "b"], "wait": 30}
    assert counts(writable.post("/teach", json=fields).json()) == {"taught": 2}
    again = writable.post("/teach", json=fields).json()
    assert (counts(again), again["version"]) == ({"unchanged": 2}, 2)
    assert [each["version"] for each in again["documents"]] == [None, None]
    answer = writable.post("/teach", json={"text": "gold", "label": "spam", "id": "a"}).json()
    assert (counts(answer), answer["version"]) == ({"relabelled": 1}, 3)


def test_forgetting(writable):
    fields = {"texts": ["gold", "noon at the mine"], "labels": ["금", "ham"], "wait": 30}
    writable.post("/teach", json=fields)
    answer = writable.post("/forget", json=fields).json()
    assert (counts(answer), answer["settled"]) == ({"forgot": 2}, True)
    assert writable.get("/health").json()["classes"] == 5
    assert writable.get("/documents").json()["documents"] == []


def test_texts_of_the_model_file_are_forgotten_and_relabelled(writable):
    text, label = MAIL[3]
    fields = {"text": text, "label": label, "new_label": "fun", "wait": 30, "settle": False}
    answer = writable.post("/relabel", json=fields).json()
    assert (answer["applied"], counts(answer)) == (True, {"forgot": 1, "taught": 1})
    sizes = {each["label"]: each["documents"] for each in writable.get("/model").json()["classes"]}
    assert (sizes["ham"], sizes["fun"]) == (1, 1)
    forgotten = {"text": MAIL[0][0], "label": "spam", "wait": 30, "settle": False}
    assert counts(writable.post("/forget", json=forgotten).json()) == {"forgot": 1}
    assert code(writable.post("/forget", json=forgotten)) == "forget-not-learned"


def test_relabelling_keeps_the_document(writable):
    taught = writable.post("/teach", json=CORRECTION).json()["documents"][0]["id"]
    fields = {**CORRECTION, "new_label": "spam", "settle": False}
    answer = writable.post("/relabel", json=fields).json()
    assert counts(answer) == {"relabelled": 1}
    assert answer["documents"][0]["id"] == taught
    assert writable.get(f"/documents/{taught}").json()["labels"] == "spam"


@pytest.mark.parametrize(
    "fields",
    [
        {"text": "never learned", "label": "ham", "new_label": "spam"},
        {"text": MAIL[3][0], "label": "ham"},
        {"text": MAIL[3][0], "label": "ham", "new_labels": ["spam"]},
        {"text": MAIL[3][0], "label": "ham", "new_label": ["spam"]},
        {"texts": [MAIL[3][0]], "labels": ["ham"], "new_labels": ["spam", "ham"]},
    ],
)
def test_relabelling_nothing(writable, fields):
    assert writable.post("/relabel", json={**fields, "settle": False}).status_code == 422
    assert writable.get("/changes").json()["changes"] == []


@pytest.mark.parametrize(
    ("path", "fields", "problem"),
    [
        ("/forget", {"text": "never heard", "label": "spam"}, "forget-not-learned"),
        (
            "/forget",
            {"texts": ["win a cheap prize now", "x"], "labels": ["spam", "ham"]},
            "forget-not-learned",
        ),
        ("/teach", {"texts": ["a", "b"], "labels": ["ham"]}, "shape-mismatch"),
        ("/teach", {"texts": ["a", "b"], "labels": ["ham", "ham"], "weights": [1]}, "shape-mismatch"),
        ("/teach", {"texts": ["a", "b"], "labels": ["ham", "ham"], "ids": ["x", "x"]}, "request-field"),
        ("/teach", {"text": "a", "label": "ham", "id": "a/b"}, "request-field"),
        ("/teach", {"text": "a", "label": "ham", "id": ".."}, "request-field"),
        ("/teach", {"text": "a", "label": "ham", "wait": 61}, "request-field"),
        ("/teach", {"text": "a", "label": ["ham"]}, "labels-unusable"),
        ("/teach", {"text": "a", "label": 7}, "labels-unusable"),
        ("/undo", {"version": 1, "request": 1}, "request-field"),
        ("/undo", {"version": 0}, "request-field"),
    ],
)
def test_an_error_changes_nothing(writable, path, fields, problem):
    reply = writable.post(path, json=fields)
    assert (reply.status_code, code(reply)) == (422, problem), reply.text
    assert writable.get("/versions").json()["version"] == 0
    assert writable.post("/teach", json=CORRECTION).status_code == 200


def test_weights(writable):
    fields = {"texts": ["gold mine", "gold ring"], "labels": ["금", "금"], "weights": [2, 0.5], "wait": 30}
    assert counts(writable.post("/teach", json=fields).json()) == {"taught": 2}
    found = {each["text"]: each["weight"] for each in writable.get("/documents").json()["documents"]}
    assert found == {"gold mine": 2.0, "gold ring": 0.5}
    wrong = {"text": "gold mine", "label": "금", "weight": 3, "settle": False}
    assert writable.post("/forget", json=wrong).status_code == 422
    assert counts(writable.post("/forget", json={**wrong, "weight": 2}).json()) == {"forgot": 1}


def test_several_labels_per_text(ask, several):
    client = ask(several, writable=True)
    fields = {"texts": ["gold", "none"], "labels": [["gold", "ham"], []], "wait": 30}
    assert counts(client.post("/teach", json=fields).json()) == {"taught": 2}
    shown = {each["text"]: each["labels"] for each in client.get("/documents").json()["documents"]}
    assert {text: sorted(labels) for text, labels in shown.items()} == {"gold": ["gold", "ham"], "none": []}
    assert code(client.post("/teach", json={"text": "gold", "label": "gold"})) == "labels-unusable"


def test_an_idempotency_key(writable):
    headers = {"Idempotency-Key": "key-1"}
    first = writable.post("/teach", json=CORRECTION, headers=headers).json()
    again = writable.post("/teach", json=CORRECTION, headers=headers).json()
    assert (again["repeated"], again["documents"]) == (True, first["documents"])
    assert writable.get("/versions").json()["version"] == 1
    other = writable.post("/teach", json={**CORRECTION, "label": "spam"}, headers=headers)
    assert (other.status_code, code(other)) == (409, "key-reused")
    # The same key for another path is another request, too.
    other = writable.post("/forget", json={**CORRECTION, "settle": False}, headers=headers)
    assert code(other) == "key-reused"
    for wrong in (b"", b"x" * 201, b"a\tb"):
        reply = writable.post("/teach", json=CORRECTION, headers={"Idempotency-Key": wrong})
        assert (reply.status_code, code(reply)) == (422, "request-field")


def test_undo(writable):
    fields = {"texts": ["gold", "ring"], "labels": ["금", "금"], "wait": 30}
    writable.post("/teach", json=fields)
    answer = writable.post("/undo", json={"wait": 30}).json()
    assert (counts(answer), answer["applied"]) == ({"undone": 2}, True)
    assert writable.get("/health").json()["classes"] == 5
    reply = writable.post("/undo", json={})
    assert (reply.status_code, code(reply)) == (409, "nothing-to-undo")
    changes = writable.get("/changes").json()["changes"]
    assert [(each["kind"], each["undoes"], each["undone_by"]) for each in changes] == [
        ("undo", 1, None),
        ("undo", 2, None),
        ("teach", None, 3),
        ("teach", None, 4),
    ] or {each["kind"] for each in changes[:2]} == {"undo"}


def test_undo_of_a_document_that_changed_since(writable):
    writable.put("/documents/a", json={"text": "gold", "label": "금"})
    writable.put("/documents/a", json={"label": "spam"})
    reply = writable.post("/undo", json={"version": 1})
    assert (reply.status_code, code(reply)) == (409, "undo-conflict")
    assert counts(writable.post("/undo", json={"version": 2}).json()) == {"undone": 1}
    assert writable.get("/documents/a").json()["labels"] == "금"


def test_a_server_without_a_store_is_read_only(client, model):
    before = model.read_bytes()
    for method, path in [
        ("POST", "/teach"),
        ("POST", "/forget"),
        ("PUT", "/documents/a"),
        ("POST", "/undo"),
    ]:
        fields = {} if path == "/undo" else {"text": "gold", "label": "금"}
        reply = client.request(method, path, json=fields)
        assert (reply.status_code, code(reply)) == (403, "server-read-only")
        assert "--writable" in reply.json()["error"]["todo"]
    for path in ("/settle", "/reconsider"):
        assert client.post(path, json={}).status_code == 403
    assert model.read_bytes() == before


def test_an_empty_model_learns(empty):
    assert empty.get("/model").json()["classes"] == []
    reply = empty.post("/predict", json={"text": "corn"})
    assert (reply.status_code, code(reply)) == (409, "model-empty")
    for path in ("/explain", "/inspect"):
        reply = empty.post(path, json={"text": "a"}) if path == "/explain" else empty.get(path)
        assert code(reply) == "model-empty"
    fields = {"texts": ["wheat corn", "crude oil"], "labels": ["grain", "oil"], "wait": 30}
    assert empty.post("/teach", json=fields).json()["applied"]
    assert empty.post("/predict", json={"text": "corn"}).json() == {"label": "grain"}


def test_settling(ask, unsettled):
    client, fields = ask(unsettled, writable=True), {"text": "금 gold", "label": "금", "wait": 30}
    assert client.post("/settle", json={}).json() == {
        "model": "any",
        "refitted": False,
        "documents": len(MAIL),
        "settled": True,
    }
    assert client.post("/teach", json=fields).json()["applied"]
    assert client.post("/predict", json={"text": "금 gold"}).json()["label"] == "금"
    client.post("/settle", json={})
    summary = client.get("/model").json()
    assert (summary["settled"], summary["documents"]) == (True, len(MAIL) + 1)
    assert client.post("/settle", json={"text": "a"}).json()["error"]["code"] == "request-field"
    assert client.post("/settle").status_code == 415
    assert client.post("/forget", json=fields).json()["settled"] is True


def test_searching_again(ask, unsettled, model):
    client = ask(unsettled, writable=True)
    body = client.post("/reconsider", json={}).json()
    assert body["model"] == "any"
    assert "LinearSVM" in body["recipe"]
    assert 0 <= body["score"] <= 1
    error = ask(model, writable=True).post("/reconsider", json={}).json()["error"]
    assert "not found by a search" in error["why"]


def test_a_compact_model_is_served_and_learns_nothing(ask, tmp_path):
    texts, labels = zip(*MAIL, strict=True)
    TextClassifier("complement").fit(texts, labels).compact().save(tmp_path / "작은.tb")
    client = ask(tmp_path / "작은.tb")
    text, label = MAIL[0]
    assert client.post("/predict", json={"text": text}).json()["label"] == label
    assert client.post("/explain", json={"text": text}).json()["label"] == label
    summary = client.get("/model").json()
    assert summary["model"].startswith("CompactClassifier(")
    assert summary["documents"] == sum(one["documents"] for one in summary["classes"]) == len(MAIL)
    assert summary["configuration"]["kind"] == "CompactClassifier"
    assert client.get("/inspect").json()["classes"]
    assert client.post("/teach", json={"text": text, "label": label}).status_code == 403
