"""The queue and the quality over HTTP."""

import json
import time

import pytest
from served_mail import MAIL


@pytest.fixture
def client(ask):
    return ask(writable=True)


@pytest.fixture
def empty(ask, tmp_path):
    return ask((), store=tmp_path / "empty.store")


def wait_until(is_true, seconds=30):
    end = time.monotonic() + seconds
    while not is_true():
        assert time.monotonic() < end
        time.sleep(0.02)


def code(reply):
    return reply.json()["error"]["code"]


def test_texts_are_added_shown_and_taught(client):
    sent = {"texts": ["cheap noon", "회의 🙂", "cheap noon", "  "], "source": "mail"}
    assert client.post("/queue", json=sent).json() == {"queued": 2, "duplicates": 1}
    shown = client.get("/queue?limit=5").json()
    assert (shown["waiting"], shown["labelled"], shown["skipped"]) == (2, 0, 0)
    first = shown["texts"][0]
    assert {*first} == {"id", "text", "drawn", "predictions"}
    assert first["drawn"] in ("uncertain", "random")
    assert len(first["predictions"]) == 5
    assert sum(each["probability"] for each in first["predictions"]) == pytest.approx(1)
    before = client.get("/model").json()["documents"]
    answer = client.post(f"/queue/{first['id']}", json={"label": "neu é"}).json()
    assert answer["taught"] == 1
    assert answer["documents"] == [{"id": first["id"], "version": answer["version"], "change": "taught"}]
    document = client.get(f"/documents/{first['id']}").json()
    assert (document["text"], document["labels"], document["source"]) == (first["text"], "neu é", "queue")
    wait_until(lambda: client.get("/model").json()["documents"] == before + 1)
    assert client.get("/queue").json()["labelled"] == 1


def test_a_server_begins_with_a_queue(empty):
    empty.post("/queue", json={"texts": [text for text, _ in MAIL]})
    labels = dict(MAIL)
    while texts := empty.get("/queue?limit=3").json()["texts"]:
        for each in texts:
            assert empty.post(f"/queue/{each['id']}", json={"label": labels[each["text"]]}).status_code == 200
    assert empty.get("/queue").json() == {"texts": [], "waiting": 0, "labelled": len(MAIL), "skipped": 0}
    wait_until(lambda: len(empty.get("/model").json()["classes"]) == len({*labels.values()}))


def test_several_labels(ask, several):
    client = ask(several, writable=True)
    client.post("/queue", json={"texts": ["cheap noon", "lunch"]})
    one, other = client.get("/queue?limit=2").json()["texts"]
    taught = client.post(f"/queue/{one['id']}", json={"labels": ["spam", "neu"]})
    assert taught.status_code == 200
    assert sorted(client.get(f"/documents/{one['id']}").json()["labels"]) == ["neu", "spam"]
    assert client.post(f"/queue/{other['id']}", json={"labels": []}).status_code == 200


def test_a_label_is_undone_and_the_text_waits_again(client):
    client.post("/queue", json={"texts": ["cheap noon"]})
    (shown,) = client.get("/queue").json()["texts"]
    client.post(f"/queue/{shown['id']}", json={"label": "ham"})
    assert client.get("/queue").json()["texts"] == []
    assert client.post("/undo", json={}).json()["undone"] == 1
    assert client.get("/queue").json()["texts"][0]["id"] == shown["id"]


def test_skip_return_and_remove(client):
    client.post("/queue", json={"texts": ["cheap noon"]})
    (shown,) = client.get("/queue").json()["texts"]
    path = f"/queue/{shown['id']}"
    assert client.post(f"{path}/skip", json={}).json() == {"id": shown["id"], "state": "skipped"}
    assert client.get("/queue").json() == {"texts": [], "waiting": 0, "labelled": 0, "skipped": 1}
    assert client.post(f"{path}/return", json={}).json()["state"] == "waiting"
    assert client.get("/queue").json()["waiting"] == 1
    assert client.delete(path).json()["state"] == "removed"
    for reply in (
        client.delete(path),
        client.post(f"{path}/skip", json={}),
        client.post(path, json={"label": "ham"}),
    ):
        assert (reply.status_code, code(reply)) == (404, "document-unknown")


def test_uploads_of_csv_and_json_lines(client):
    csv = 'id,body\n1,"wheat, corn"\n2,밀 🌾\n3,\n'.encode()
    reply = client.post("/queue", content=csv, headers={"content-type": "text/csv"})
    assert reply.json() == {"queued": 2, "duplicates": 0}
    lines = "".join(json.dumps({"satz": text}) + "\n" for text in ("밀 🌾", "é")).encode()
    kind = {"content-type": "application/x-ndjson"}
    assert client.post("/queue?column=satz", content=lines, headers=kind).json() == {
        "queued": 1,
        "duplicates": 1,
    }
    texts = {each["text"] for each in client.get("/queue?limit=10").json()["texts"]}
    assert texts == {"wheat, corn", "밀 🌾", "é"}


@pytest.mark.parametrize(
    ("body", "kind", "query", "status"),
    [
        (b"text\n\xff\xfe", "text/csv", "", 422),
        (b"a,b\n1,2\n", "text/csv", "", 422),
        (b"a,b\n1,2\n", "text/csv", "?column=c", 422),
        (b'{"a": 1', "application/x-ndjson", "", 422),
        (b"texts=a", "application/x-www-form-urlencoded", "", 415),
        (b"text", "text/plain", "", 415),
        (b'{"texts": "a"}', "application/json", "", 422),
        (b'{"texts": [1]}', "application/json", "", 422),
        (b'{"text": "a"}', "application/json", "", 422),
        (b"[]", "application/json", "", 400),
        (b'{"texts": ["\\ud83d"]}', "application/json", "", 422),
        (b'{"texts": []}', "application/json", "?column=c", 422),
        (b'{"texts": ["a"], "source": ""}', "application/json", "", 422),
    ],
)
def test_uploads_that_are_refused(client, body, kind, query, status):
    reply = client.post(f"/queue{query}", content=body, headers={"content-type": kind})
    assert reply.status_code == status, reply.text
    assert client.get("/queue").json()["waiting"] == 0


def test_limits(ask):
    client = ask(writable=True, texts=3, upload_rows=5)
    assert client.post("/queue", json={"texts": ["a"] * 4}).status_code == 413
    rows = b"text\n" + b"".join(b"text %d\n" % number for number in range(6))
    assert client.post("/queue", content=rows, headers={"content-type": "text/csv"}).status_code == 413
    assert client.get("/queue?limit=101").status_code == 422
    assert client.get("/queue?limit=0").status_code == 422


@pytest.mark.parametrize(
    "fields", [{}, {"label": "a", "labels": ["a"]}, {"label": None}, {"label": ""}, {"lable": "a"}]
)
def test_labels_that_are_refused(client, fields):
    client.post("/queue", json={"texts": ["cheap noon"]})
    (shown,) = client.get("/queue").json()["texts"]
    assert client.post(f"/queue/{shown['id']}", json=fields).status_code == 422
    assert client.get("/queue").json()["waiting"] == 1


def test_the_same_key_labels_once(client):
    client.post("/queue", json={"texts": ["cheap noon"]})
    (shown,) = client.get("/queue").json()["texts"]
    first, again = (
        client.post(f"/queue/{shown['id']}", json={"label": "ham"}, headers={"Idempotency-Key": "k1"}).json()
        for _ in range(2)
    )
    assert (first["repeated"], again["repeated"]) == (False, True)
    assert first["version"] == again["version"]


def test_quality_is_that_of_texts_shown_by_chance(client):
    client.post("/queue", json={"texts": [f"cheap prize {number}" for number in range(60)]})
    right = 0
    for number in range(60):
        (shown,) = client.get("/queue").json()["texts"]
        guess = shown["predictions"][0]["label"]
        label = guess if number % 4 else "ham" if guess != "ham" else "spam"
        right += shown["drawn"] == "random" and label == guess
        client.post(f"/queue/{shown['id']}", json={"label": label})
    found = client.get("/quality").json()
    labelled = found["labelled"]
    assert 3 <= labelled["texts"] <= 30
    assert labelled["right"] == right
    assert labelled["low"] <= labelled["accuracy"] <= labelled["high"]
    assert len(found["history"]) == labelled["texts"]
    assert {name: found["history"][-1][name] for name in labelled} == labelled


def test_quality_has_a_point_for_each_settling(ask):
    client = ask(writable=True, settle_seconds=0.1, snapshot_seconds=0.1)
    client.post("/teach", json={"text": "cheap cheap", "label": "spam"})
    wait_until(lambda: client.get("/quality").json()["points"])
    point = client.get("/quality").json()["points"][-1]
    assert {*point} == {"version", "time", "documents", "accuracy", "macro_f1"}
    assert point["documents"] == len(MAIL) + 1
    assert 0 <= point["accuracy"] <= 1


def test_a_server_without_a_store_has_no_queue(ask):
    client = ask()
    assert client.get("/queue").status_code in (403, 409)
    assert client.post("/queue", json={"texts": ["a"]}).status_code in (403, 409)
    assert client.get("/quality").json() == {
        "points": [],
        "labelled": {"texts": 0, "right": 0, "accuracy": None, "low": None, "high": None},
        "history": [],
    }


def test_texts_with_a_low_probability_are_queued_if_asked_for(ask):
    client = ask(writable=True, queue_below=0.99)
    client.post("/predict", json={"text": "zzz 밀"})
    client.post("/predict", json={"texts": ["zzz 밀", "cheap cheap"]})
    seen = set()
    wait_until(
        lambda: seen.update(each["text"] for each in client.get("/queue?limit=9").json()["texts"]) or seen
    )
    assert "zzz 밀" in seen
    other = ask(writable=True)
    other.post("/predict", json={"text": "zzz 밀"})
    time.sleep(1.5)
    assert other.get("/queue").json()["waiting"] == 0
