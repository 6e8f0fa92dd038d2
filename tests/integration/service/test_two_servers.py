"""Two servers on one store: one writes, the other follows and takes over."""

import sys
import threading
import time

import pytest
from servers import wait_for

import warm
from textbayes import TextClassifier

TEACH = [sys.executable, "-m", "textbayes", "teach"]


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request, tmp_path):
    if request.param == "sqlite":
        return str(tmp_path / "store")
    return request.getfixturevalue("postgres").new_database()


def head(server):
    return server.get("/versions")["version"]


def test_one_writes_and_the_other_follows(serve, bases, store):
    writer = serve(bases["complement"], "--store", store)
    follower = serve(bases["complement"], "--store", store)
    for number in range(5):
        made = writer.post("/teach", {"text": f"zebra {number}", "label": "zoo", "id": f"z{number}"})
        start = time.monotonic()
        while int(answer_version(follower)) < made["version"]:
            assert time.monotonic() - start < 1, "the follower is more than a second behind"
            time.sleep(0.01)
        assert follower.post("/predict", {"text": "zebra"})["label"] == "zoo"
    assert follower.get("/documents/z3")["text"] == "zebra 3"


def answer_version(server):
    return server.raw("POST", "/predict", {"text": "zebra"})[1]["Textbayes-Version"]


def test_changes_of_the_other_are_refused_and_name_the_writer(serve, bases, store):
    writer = serve(bases["complement"], "--store", store)
    follower = serve(bases["complement"], "--store", store)
    requests = [
        ("POST", "/teach", {"text": "zebra", "label": "zoo"}),
        ("PUT", "/documents/a", {"text": "zebra", "label": "zoo"}),
        ("POST", "/undo", {}),
    ]
    for method, path, fields in requests:
        status, answer = follower.ask(method, path, fields)
        assert (status, answer["error"]["code"]) == (409, "writer-elsewhere"), path
        told = " ".join(str(part) for part in answer["error"].values())
        assert str(writer.address.port) in told, told
    assert head(writer) == head(follower) == 0


@pytest.mark.parametrize("how", ["killed", "stopped"])
def test_the_other_takes_over(serve, bases, store, how):
    writer = serve(bases["complement"], "--store", store)
    follower = serve(bases["complement"], "--store", store)
    writer.post("/teach", {"text": "zebra", "label": "zoo", "id": "a"}, headers={"Idempotency-Key": "k"})
    writer.kill() if how == "killed" else writer.stop()
    start = time.monotonic()
    while True:
        status, answer = follower.ask("PUT", "/documents/b", {"text": "lion", "label": "zoo"})
        if status == 200:
            break
        assert (status, answer["error"]["code"]) in {(409, "writer-elsewhere"), (503, "store-unavailable")}
        assert time.monotonic() - start < 60, answer
        time.sleep(0.05)
    assert answer["version"] == 2
    # The key of a request to the first server holds for the second one.
    again = follower.post(
        "/teach", {"text": "zebra", "label": "zoo", "id": "a"}, headers={"Idempotency-Key": "k"}
    )
    assert again["documents"][0]["version"] == 1
    assert head(follower) == 2


def test_teach_is_refused_while_a_server_holds_the_file(serve, bases, tmp_path):
    model = tmp_path / "mail.tb"
    model.write_bytes(bases["complement"].read_bytes())
    server = serve(model, "--writable")
    before = model.read_bytes()
    (tmp_path / "new.jsonl").write_text('{"text": "cheap wheat", "label": "spam"}\n', encoding="utf-8")
    command = [*TEACH, str(model), str(tmp_path / "new.jsonl"), "--wait", "1"]
    refused = warm.run(command, capture_output=True, text=True, check=False)
    assert refused.returncode != 0
    assert str(server.pid) in refused.stderr or str(server.address.port) in refused.stderr, refused.stderr
    assert model.read_bytes() == before
    assert server.stop() == 0
    taught = warm.run(command, capture_output=True, text=True, check=False)
    assert taught.returncode == 0, taught.stderr
    assert TextClassifier.load(model).documents_ == 6
    server = serve(model, "--writable")
    assert server.get("/model")["documents"] == 6


def test_two_servers_that_start_at_once(serve, bases, store):
    """One of them becomes the writer, whoever it is, and both come up."""
    servers = [serve(bases["complement"], "--store", store, ready=False) for _ in range(3)]
    for each in servers:
        each.wait_until_ready()
    for each in servers:
        wait_for(lambda each=each: each.get("/models")["models"])
    answers = [each.ask("POST", "/teach", {"text": "zebra", "label": "zoo"})[0] for each in servers]
    assert sorted(answers) == [200, 409, 409]
    threads = [threading.Thread(target=each.kill) for each in servers]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
