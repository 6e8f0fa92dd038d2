"""A store in a folder: its files, and what happens when the disk fails."""

import contextlib
import os
import sqlite3
import subprocess
import sys

import pytest
from sqlalchemy import Engine, event

import warm
from textbayes.errors import (
    StoreForeignError,
    StoreFullError,
    StoreUnavailableError,
    StoreVersionError,
)
from textbayes.server.store import Put, Request, open_store

KILLED = """
import os, sys
from textbayes.server.store import Put, Request, open_store
writer = open_store(sys.argv[1]).become_writer("")
writer.add_model("mail")
for number in range(10**6):
    edits = Put(f"text {number}", "a"), Put(f"more {number}", "b")
    [receipt] = writer.commit([Request("mail", edits, "eve")])
    print(receipt.last, flush=True)
"""
LIMITED = """
import resource, signal, sys
from pathlib import Path
from textbayes.errors import StoreFullError, StoreUnavailableError
from textbayes.server.store import Put, Request, open_store
store = open_store(sys.argv[1])
writer = store.become_writer("")
writer.add_model("mail")
assert writer.commit([Request("mail", (Put("first", "a"),), "eve")])[0].last == 1
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
size = (Path(sys.argv[1]) / "store.sqlite3-wal").stat().st_size
resource.setrlimit(resource.RLIMIT_FSIZE, (size + 200_000, resource.RLIM_INFINITY))
for attempt in range(3):
    try:
        writer.commit([Request("mail", (Put("x" * 1_000_000, "a"),), "eve")])
    except (StoreFullError, StoreUnavailableError) as error:
        print(error.code)
    assert store.heads() == {"mail": 1}, store.heads()
    assert store.documents("mail", search="first").total == 1
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
print(writer.commit([Request("mail", (Put("x" * 1_000_000, "a"),), "eve")])[0].last)
"""


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "team" / "store"


@contextlib.contextmanager
def connections_with(setting):
    """Run a statement on every new connection."""

    def connected(connection, record):
        connection.execute(setting).fetchall()

    event.listen(Engine, "connect", connected)
    try:
        yield
    finally:
        event.remove(Engine, "connect", connected)


def test_a_new_folder(folder):
    store = open_store(str(folder))
    assert store.name == str(folder)
    assert (folder / "store.sqlite3").exists()
    assert folder.stat().st_mode & 0o777 == 0o700
    store.close()
    with contextlib.closing(sqlite3.connect(folder / "store.sqlite3")) as raw:
        found = dict(raw.execute("SELECT key, value FROM textbayes_meta").fetchall())
        assert found["format"] == "1"
        assert found["library"]
        assert raw.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_a_store_of_a_later_format(folder):
    open_store(folder).close()
    with contextlib.closing(sqlite3.connect(folder / "store.sqlite3")) as raw, raw:
        raw.execute("UPDATE textbayes_meta SET value = '2' WHERE key = 'format'")
        raw.execute("UPDATE textbayes_meta SET value = '9.1' WHERE key = 'library'")
    with pytest.raises(StoreVersionError, match=r"has format 2; .* up to 1") as raised:
        open_store(folder)
    assert "textbayes 9.1" in raised.value.why


def test_a_format_that_is_no_number(folder):
    open_store(folder).close()
    with contextlib.closing(sqlite3.connect(folder / "store.sqlite3")) as raw, raw:
        raw.execute("UPDATE textbayes_meta SET value = 'x' WHERE key = 'format'")
    with pytest.raises(StoreForeignError, match="does not say its format"):
        open_store(folder)


def test_what_is_not_a_store(folder):
    folder.mkdir(parents=True)
    (folder / "photo.jpg").write_bytes(b"x")
    with pytest.raises(StoreForeignError, match=r"has files, but no store\.sqlite3"):
        open_store(folder)
    with pytest.raises(StoreForeignError, match="not a folder"):
        open_store(folder / "photo.jpg")
    (folder / "store.sqlite3").write_bytes(b"no database at all" * 1000)
    with pytest.raises(StoreForeignError, match="damaged"):
        open_store(folder)


def test_a_folder_that_cannot_be_written_to(folder):
    folder.mkdir(parents=True)
    folder.chmod(0o500)
    if os.access(folder, os.W_OK):
        pytest.skip("root may write everywhere")
    with pytest.raises(StoreUnavailableError):
        open_store(folder)


def test_a_full_database(folder):
    store = open_store(folder)
    with contextlib.closing(store):
        with connections_with("PRAGMA max_page_count = 100"):
            writer = store.become_writer("")
            writer.add_model("mail")
            small, large = (Request("mail", (Put("w" * size, "a"),), "eve") for size in (10, 10**6))
            assert writer.commit([small])[0].last == 1
            for _ in range(3):
                with pytest.raises(StoreFullError, match="no room left"):
                    writer.commit([small, large, small])
                assert store.heads() == {"mail": 1}
                assert store.count("mail") == 1
            assert writer.commit([small])[0].last == 2
            with pytest.raises(StoreFullError):
                writer.commit([large])
        # There is room again.
        assert [receipt.last for receipt in writer.commit([small, large, small])] == [3, 4, 5]
        assert [change.version for change in store.changes("mail", 0)] == [1, 2, 3, 4, 5]


def test_a_disk_that_refuses_to_write(folder):
    done = warm.run([sys.executable, "-c", LIMITED, folder], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.split()
    assert lines[-1] == "2"
    assert len(lines) == 4
    assert set(lines[:-1]) <= {"store-full", "store-unavailable"}


def test_a_killed_process_leaves_whole_requests(folder):
    for _ in range(3):
        process = warm.Popen([sys.executable, "-c", KILLED, folder], stdout=subprocess.PIPE, text=True)
        acknowledged = [int(process.stdout.readline()) for _ in range(20)]
        process.kill()
        rest, _ = process.communicate()
        acknowledged += [int(line) for line in rest.splitlines(keepends=True) if line.endswith("\n")]
        store = open_store(folder)
        with contextlib.closing(store):
            head = store.heads()["mail"]
            assert head >= max(acknowledged)
            assert head % 2 == 0
            found = store.changes("mail", 0, limit=10**6)
            assert [change.version for change in found] == list(range(1, head + 1))
            assert store.count("mail") == store.documents("mail", search="text").total * 2 == head
            store.become_writer("").remove_model("mail")


def test_a_snapshot_whose_row_cannot_be_written_leaves_no_file(folder, tmp_path, monkeypatch):
    store = open_store(folder)
    with contextlib.closing(store):
        writer = store.become_writer("")
        writer.add_model("mail")
        file = tmp_path / "a.tb"
        file.write_bytes(b"model")

        def fail(*facts):
            raise StoreFullError("store", "full")

        with monkeypatch.context() as patched:
            patched.setattr("textbayes.server.store.writer.put_snapshot", fail)
            with pytest.raises(StoreFullError):
                writer.add_snapshot("mail", file, 0)
        assert store.snapshots("mail") == []
        assert list(folder.rglob("*.tb")) == []


def test_a_snapshot_that_finds_no_room(folder, tmp_path, monkeypatch):
    store = open_store(folder)
    with contextlib.closing(store):
        writer = store.become_writer("")
        writer.add_model("mail")
        file = tmp_path / "a.tb"
        file.write_bytes(b"model")

        def full(descriptor):
            raise OSError(28, "No space left on device")

        with monkeypatch.context() as patched:
            patched.setattr("textbayes.server.store.folders.os.fsync", full)
            with pytest.raises(StoreFullError, match="No space left"):
                writer.add_snapshot("mail", file, 0)
        assert store.snapshots("mail") == []
        assert list(folder.rglob("*.tb")) == list(folder.rglob("*.part")) == []
