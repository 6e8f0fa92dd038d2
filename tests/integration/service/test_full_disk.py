"""A full disk: changes are refused with 507, reads go on, nothing is damaged, and space heals it."""

import sqlite3

import pytest
from servers import wait_for
from small_disks import fill, small_disk
from teachers import Ledger, check_store, teaching

from textbayes import TextClassifier

TEXT = "cheap wheat and a long tail of words " * 20


@pytest.fixture
def disk(tmp_path):
    with small_disk(tmp_path / "small disk", megabytes=8) as folder:
        yield folder


def teach_until_full(server, prefix, most=5000):
    """Teach until the server refuses; return the ids that were acknowledged, and the refusal."""
    taught = []
    for number in range(most):
        name = f"{prefix}{number}"
        status, answer = server.ask("PUT", f"/documents/{name}", {"text": f"{TEXT} {name}", "label": "spam"})
        if status != 200:
            return taught, status, answer
        taught.append(name)
    raise AssertionError("the disk did not fill")


def ids(server):
    return {document["id"] for document in server.pages("/documents?limit=1000", "documents")}


def check_database(file):
    with sqlite3.connect(f"file:{file}?mode=ro", uri=True) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    database.close()


def test_a_store_that_is_full(serve, bases, disk):
    store = disk / "store"
    server = serve(bases["complement"], "--store", store)
    server.post("/settle")
    ballast = fill(disk, leave=200_000)
    taught, status, answer = teach_until_full(server, "a")
    assert (status, answer["error"]["code"]) == (507, "store-full")
    fill(disk)
    # Reads go on, also those of the store, and refusals repeat.
    for _ in range(5):
        assert server.post("/predict", {"text": "cheap pills"})
        status, answer = server.ask("PUT", "/documents/b", {"text": TEXT * 50, "label": "ham"})
        assert (status, answer["error"]["code"]) == (507, "store-full")
    assert ids(server) == set(taught)
    assert server.get("/health")
    ballast.unlink()
    again, *_ = [], None
    for number in range(20):
        status, answer = server.ask("PUT", f"/documents/c{number}", {"text": TEXT, "label": "ham"})
        assert status == 200, answer
        again.append(f"c{number}")
    assert ids(server) == {*taught, *again}
    assert server.post("/settle")["settled"]
    server.kill()
    check_database(store / "store.sqlite3")
    server = serve(bases["complement"], "--store", store)
    assert ids(server) == {*taught, *again}


def test_a_server_that_starts_on_a_full_disk_says_so(serve, bases, disk):
    store = disk / "store"
    server = serve(bases["complement"], "--store", store)
    server.post("/teach", {"text": TEXT, "label": "spam", "id": "a"})
    server.kill()
    ballast = fill(disk)
    server = serve(bases["complement"], "--store", store, ready=False)
    wait_for(lambda: not server.is_alive() or "ready" in str(server.events()))
    if server.is_alive():  # it can read
        server.wait_until_ready()
        assert ids(server) == {"a"}
        server.kill()
    else:
        assert server.stop() == 2
        assert "store-full" in str(server.events())
        assert "Traceback" not in str(server.events())
    ballast.unlink()
    server = serve(bases["complement"], "--store", store)
    assert ids(server) == {"a"}
    server.post("/teach", {"text": TEXT, "label": "spam", "id": "b"})


def test_a_disk_that_is_full_during_a_snapshot(serve, bases, disk):
    """Rows fit, the model file does not: changes go on, and the snapshot follows when there is space."""
    store = disk / "store"
    server = serve(bases["auto"], "--store", store)
    taught = [f"a{number}" for number in range(40)]
    for name in taught:
        server.post("/teach", {"text": f"{TEXT} {name}", "label": "spam", "id": name})
    ballast = fill(disk, leave=20_000)
    status, answer = server.ask("POST", "/settle", {})
    assert status in (200, 507), answer
    assert server.post("/predict", {"text": "cheap pills"})
    assert ids(server) == set(taught)
    ballast.unlink()
    server.post("/teach", {"text": TEXT, "label": "ham", "id": "b"})
    assert server.post("/settle")["settled"]
    server.kill()
    check_database(store / "store.sqlite3")
    server = serve(bases["auto"], "--store", store)
    assert ids(server) == {*taught, "b"}
    for file in store.rglob("*.tb"):
        assert TextClassifier.load(file).documents_ > 0


def test_a_disk_that_is_full_of_the_model_file(serve, disk, bases):
    """With --writable the file stays whole: the old one, or the new one."""
    model = disk / "mail.tb"
    model.write_bytes(bases["complement"].read_bytes())
    server = serve(model, "--writable")
    server.post("/teach", {"text": TEXT, "label": "spam", "id": "a"})
    assert server.stop() == 0
    before = TextClassifier.load(model).documents_
    assert before == 6
    server = serve(model, "--writable")
    ballast = fill(disk)
    status, answer = server.ask("PUT", "/documents/b", {"text": TEXT * 50, "label": "ham"})
    assert (status, answer["error"]["code"]) == (507, "store-full")
    server.ask("POST", "/settle", {})
    assert TextClassifier.load(model).documents_ == before
    assert server.post("/predict", {"text": "cheap pills"})
    ballast.unlink()
    server.post("/teach", {"text": TEXT * 2, "label": "ham", "id": "c"})
    server.post("/settle")
    assert server.stop() == 0
    assert TextClassifier.load(model).documents_ == before + 1
    assert not list(disk.glob("*.tmp*"))


def test_load_on_a_disk_that_fills_and_empties(serve, bases, disk):
    server = serve(bases["complement"], "--store", disk / "store")
    ledger = Ledger()
    with teaching(server, ledger, 3, retried=(503, 507)) as teachers:
        for _ in range(3):
            ballast = fill(disk)
            wait_for(lambda: 507 in ledger.refused)
            assert server.post("/predict", {"text": "cheap pills"})
            ballast.unlink()
            ledger.refused.pop(507, None)
            seen = len(ledger.acknowledged)
            wait_for(lambda seen=seen: len(ledger.acknowledged) > seen + 20)
    check_store(server, ledger, teachers)
