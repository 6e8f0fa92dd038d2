"""The log of the database is copied into its file without the writer."""

import contextlib
import time

import pytest

from textbayes.server.store import Put, Request, checkpoints, open_store

LARGE = Request("mail", (Put("w" * 500_000, "a"),), "eve")


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "store"


def size(folder):
    return (folder / "store.sqlite3").stat().st_size


def test_soon_after_a_commit(folder, monkeypatch):
    monkeypatch.setattr(checkpoints, "_PAUSE", 0.01)
    with contextlib.closing(open_store(folder)) as store:
        writer = store.become_writer("")
        writer.add_model("mail")
        for expected in (500_000, 1_500_000):
            writer.commit([LARGE])
            end = time.monotonic() + 30
            while size(folder) < expected and time.monotonic() < end:
                time.sleep(0.01)
            assert size(folder) >= expected
        writer.release()
        assert store.become_writer("").commit([LARGE])[0].last == 3


def test_at_once_if_the_log_is_large(folder, monkeypatch):
    monkeypatch.setattr(checkpoints, "_PAUSE", 1000)
    with contextlib.closing(open_store(folder)) as store:
        writer = store.become_writer("")
        writer.add_model("mail")
        writer.commit([LARGE])
        assert size(folder) < 500_000
        monkeypatch.setattr(checkpoints, "_LARGEST", 400_000)
        writer.commit([LARGE])
        assert size(folder) > 500_000
