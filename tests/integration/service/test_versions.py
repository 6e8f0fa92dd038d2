"""Any version can be had again, bit for bit."""

import random
import time

import pytest
from teachers import LABELS, WORDS


def file_of(server, version=None):
    path = "/model/file" + (f"?version={version}" if version is not None else "")
    status, _, body = server.raw("GET", path)
    assert status == 200, body
    return body


def change(server, chance, documents):
    """Change something at random; return the answer."""
    kind = chance.choice(["teach", "teach", "batch", "relabel", "delete", "undo"])
    text = " ".join(chance.choices(WORDS, k=6))
    if kind == "batch":
        fields = {"texts": [f"{text} {n}" for n in range(4)], "labels": chance.choices(LABELS, k=4)}
        answer = server.post("/teach", fields)
        documents.update(each["id"] for each in answer["documents"])
        return answer
    if kind == "undo" and documents:
        status, answer = server.ask("POST", "/undo", {})
        return answer if status == 200 else None
    if kind in ("relabel", "delete") and documents:
        name = chance.choice(sorted(documents))
        if kind == "relabel":
            fields = {"text": text, "label": chance.choice(LABELS)}
            status, answer = server.ask("PUT", f"/documents/{name}", fields)
        else:
            status, answer = server.ask("DELETE", f"/documents/{name}")
        assert status in (200, 404), answer
        return answer if status == 200 else None
    answer = server.post("/teach", {"text": text, "label": chance.choice(LABELS)})
    documents.update(each["id"] for each in answer["documents"])
    return answer


@pytest.mark.parametrize(
    ("model", "seed"),
    [("complement", 1), ("auto", 3), *(pytest.param("auto", n, marks=pytest.mark.slow) for n in range(4, 9))],
)
def test_old_versions_are_rebuilt_bit_for_bit(serve, bases, tmp_path, model, seed):
    chance, documents = random.Random(seed), set()
    store = tmp_path / "store"
    server = serve(bases[model], "--store", store)
    files = {0: file_of(server)}
    for step in range(24):
        answer = change(server, chance, documents)
        if answer and chance.random() < 0.25:
            files[answer["version"]] = file_of(server)
        if step % 15 == 7:
            server.post("/settle")
        if step % 20 == 13:
            server.kill()
            server = serve(bases[model], "--store", store)
    assert len(files) > 3
    for version, file in files.items():
        assert file_of(server, version) == file, version
    head = server.get("/versions")["version"]
    status, answer = server.ask("GET", f"/model/file?version={head + 1}")
    assert status == 404, answer


def test_undo_and_redo(serve, bases, tmp_path):
    server = serve(bases["complement"], "--store", tmp_path / "store")
    before = file_of(server)
    made = server.post("/teach", {"texts": ["zebra", "lion"], "labels": ["zoo", "zoo"], "ids": ["a", "b"]})
    taught = file_of(server)
    undone = server.post("/undo")
    assert file_of(server) == before
    assert server.get("/documents")["documents"] == []
    redone = server.post("/undo", {"request": undone["documents"][0]["version"]})
    assert file_of(server) == taught
    assert {each["id"] for each in server.get("/documents")["documents"]} == {"a", "b"}
    changes = server.pages("/changes", "changes")
    assert [change["kind"] for change in reversed(changes)] == ["teach"] * 2 + ["undo"] * 4
    assert made["version"] < undone["version"] < redone["version"]


def test_undo_of_something_that_changed_since_is_refused(serve, bases, tmp_path):
    server = serve(bases["complement"], "--store", tmp_path / "store")
    made = server.post("/teach", {"text": "zebra", "label": "zoo", "id": "a"})
    server.ask("PUT", "/documents/a", {"label": "ham"}, {"Textbayes-Actor": "other"})
    status, answer = server.ask("POST", "/undo", {"version": made["version"]})
    assert (status, answer["error"]["code"]) == (409, "undo-conflict")


def test_an_erased_text_is_nowhere(serve, bases, tmp_path):
    store = tmp_path / "store"
    server = serve(bases["complement"], "--store", store)
    secret = "xylophonequartz"
    server.post("/teach", {"text": f"{secret} one", "label": "zoo", "id": "a"})
    server.post("/teach", {"text": "zebra", "label": "zoo", "id": "b"})
    server.post("/settle")
    assert any(secret.encode() in file.read_bytes() for file in store.rglob("*") if file.is_file())
    status, _ = server.ask("DELETE", "/documents/a?erase=true")
    assert status == 200
    server.post("/settle")
    limit = time.monotonic() + 10
    while secret_files(store, secret):
        assert time.monotonic() < limit, secret_files(store, secret)
        time.sleep(0.1)
    status, answer = server.ask("GET", "/model/file?version=1")
    assert (status, answer["error"]["code"]) == (410, "version-gone")
    assert server.ask("GET", "/documents/a")[0] == 404
    assert secret not in str(server.pages("/changes", "changes"))
    assert server.get("/documents/b")["text"] == "zebra"
    server.kill()
    server = serve(bases["complement"], "--store", store)
    assert not secret_files(store, secret)
    status, answer = server.ask("POST", "/undo", {"version": 1})
    assert status == 409, answer


def secret_files(store, secret):
    return [file.name for file in store.rglob("*") if file.is_file() and secret.encode() in file.read_bytes()]
