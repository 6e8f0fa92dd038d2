"""One server writes to a store, and others can tell which."""

import os
import platform
import subprocess
import sys
import threading
from datetime import UTC, datetime, timedelta

import pytest

import warm
from textbayes.server.store import Put, Request

from .conftest import ADDRESS

HOLDER = """
import os, sys
from textbayes.server.store import open_store
store = open_store(sys.argv[1])
writer = store.become_writer("http://10.0.0.5:8000")
print("yes" if writer else "no", flush=True)
if sys.argv[2] == "fork" and not os.fork():
    sys.stdin.readline()
    os._exit(0)
sys.stdin.readline()
os._exit(1)  # without releasing anything, as after a crash
"""


@pytest.fixture
def other(location):
    """Return a function that starts a process which takes the right to write."""
    started = []

    def other(how="alone"):
        command = [sys.executable, "-c", HOLDER, str(location), how]
        process = warm.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        started.append(process)
        assert process.stdout.readline() == "yes\n"
        return process

    yield other
    for process in started:
        process.kill()
        process.communicate()


def test_only_one_writes(opened, store, writer):
    second = opened()
    assert second.become_writer("http://127.0.0.1:8001") is None
    assert store.become_writer("http://127.0.0.1:8002") is None
    for one in (store, second):
        info = one.writer()
        assert (info.host, info.pid, info.address) == (platform.node(), os.getpid(), ADDRESS)
        assert timedelta(-1) < datetime.now(UTC) - info.since < timedelta(seconds=60)
    writer.release()
    assert second.writer() is None
    assert second.become_writer("http://127.0.0.1:8001")
    assert store.writer().address == "http://127.0.0.1:8001"
    assert store.become_writer(ADDRESS) is None


def test_closing_releases(opened):
    first, second = opened(), opened()
    assert first.become_writer("")
    assert second.become_writer("") is None
    first.close()
    assert second.become_writer("")


def test_nobody_writes_at_first(store):
    assert store.writer() is None
    assert store.models() == []
    assert store.heads() == {}


def test_another_process(opened, other):
    process = other()
    store = opened()
    assert store.become_writer(ADDRESS) is None
    info = store.writer()
    assert (info.pid, info.address) == (process.pid, "http://10.0.0.5:8000")
    process.kill()
    process.wait()
    assert _soon(lambda: store.become_writer(ADDRESS)) is not None


def test_a_forked_child_does_not_keep_the_lock(opened, other, kept):
    if not kept.is_folder:
        pytest.skip("a folder only: a connection of PostgreSQL is not used after a fork")
    process = other("fork")
    store = opened()
    process.kill()
    process.wait()
    assert _soon(lambda: store.become_writer(ADDRESS)) is not None


def test_who_asks_for_the_writer_is_not_in_the_way(opened):
    store, asking = opened(), opened()
    stop = threading.Event()

    def ask():
        while not stop.is_set():
            asking.writer()

    thread = threading.Thread(target=ask)
    thread.start()
    try:
        for _ in range(20):
            writer = store.become_writer("")
            assert writer is not None
            writer.release()
    finally:
        stop.set()
        thread.join()


def test_stores_that_are_opened_at_once(location, opened):
    stores, errors = [], []

    def open_one():
        try:
            stores.append(opened())
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=open_one) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    assert sum(store.become_writer("") is not None for store in stores) == 1


def test_a_follower_sees_changes(opened, writer, ask):
    follower = opened()
    ask(Put("hi", "ham", id="a"))
    assert follower.heads() == {"mail": 1}
    assert follower.document("mail", "a").text == "hi"
    assert follower.documents("mail", search="hi").total == 1


def test_all_is_there_after_closing(opened):
    first = opened()
    writer = first.become_writer("")
    writer.add_model("mail", "a.tb")
    writer.commit([Request("mail", (Put("hi", 3, id="a"),), "eve", key="k")])
    before = first.models(), first.changes("mail", 0), first.document("mail", "a")
    first.close()
    again = opened()
    assert (again.models(), again.changes("mail", 0), again.document("mail", "a")) == before
    [receipt] = again.become_writer("").commit([Request("mail", (Put("hi", 3, id="a"),), "eve", key="k")])
    assert receipt.repeated


def _soon(find):
    """What find returns when it is not None, within some seconds."""
    end = datetime.now(UTC) + timedelta(seconds=10)
    while datetime.now(UTC) < end:
        found = find()
        if found is not None:
            return found
        threading.Event().wait(0.05)
    return None
