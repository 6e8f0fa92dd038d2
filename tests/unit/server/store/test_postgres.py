"""A store in PostgreSQL: lost connections, other writers, and what errors show."""

import contextlib
import signal
import threading
import time

import pytest

pytest.importorskip("psycopg")

import psycopg
from sqlalchemy.exc import OperationalError

from textbayes.errors import (
    ModelDamagedError,
    StoreForeignError,
    StoreUnavailableError,
    StoreVersionError,
    WriterElsewhereError,
)
from textbayes.server.store import Put, Request, open_store
from textbayes.server.store import writer as writer_module

from .conftest import ADDRESS

REQUEST = Request("mail", (Put("hi", "ham"),), "eve")


@pytest.fixture
def url(postgres):
    return postgres.new_schema()


@pytest.fixture
def opened(url, tmp_path):
    with contextlib.ExitStack() as stack:

        def opened():
            return stack.enter_context(contextlib.closing(open_store(url, tmp_path / "cache")))

        yield opened


@pytest.fixture
def store(opened):
    return opened()


@pytest.fixture
def writer(store):
    writer = store.become_writer(ADDRESS)
    writer.add_model("mail")
    return writer


def end_connections(postgres):
    """End all connections but this one, as a server does that is stopped."""
    query = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'textbayes'"
    postgres.execute(query)


def test_the_password_is_never_shown(postgres, url, tmp_path):
    secret = url.replace("textbayes@", "textbayes:hunter2@") + "&application_name=x"
    with contextlib.closing(open_store(secret, tmp_path)) as store:
        assert "hunter2" not in store.name
        assert store.name.startswith("postgresql://textbayes@/")
    wrong = "postgresql://me:hunter2@127.0.0.1:1/x?password=hunter2"
    with pytest.raises(StoreUnavailableError, match="cannot be reached") as raised:
        open_store(wrong, tmp_path)
    assert "hunter2" not in str(raised.value)
    with pytest.raises(StoreForeignError, match="URL cannot be read") as raised:
        open_store("postgresql://me:hunter2@host:port/x", tmp_path)
    assert "hunter2" not in str(raised.value)


def test_a_store_of_a_later_format(postgres, url, tmp_path):
    open_store(url, tmp_path).close()
    postgres.execute("UPDATE textbayes_meta SET value = '2' WHERE key = 'format'", url)
    with pytest.raises(StoreVersionError, match="has format 2"):
        open_store(url, tmp_path)


def test_a_database_with_another_encoding(postgres, tmp_path):
    postgres.execute("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0")
    with pytest.raises(StoreForeignError, match="is LATIN1, not UTF8"):
        open_store(postgres.url("latin"), tmp_path)


def test_stores_in_two_schemas_are_apart(postgres, opened, writer, tmp_path):
    with contextlib.closing(open_store(postgres.new_schema(), tmp_path)) as other:
        assert other.heads() == {}
        assert other.writer() is None
        assert other.become_writer("")


def test_a_lost_connection_is_made_again(postgres, store, writer):
    assert writer.commit([REQUEST])[0].last == 1
    end_connections(postgres)
    with pytest.raises(StoreUnavailableError):
        writer.commit([REQUEST])
    assert writer.commit([REQUEST])[0].last == 2
    assert store.heads() == {"mail": 2}
    assert store.writer().address == ADDRESS


def test_a_connection_that_fails_without_being_closed_is_replaced(store, writer, monkeypatch):
    """libpq may not know yet that the server has gone, and then fails for ever."""
    commit, used = writer_module.commit_all, []

    def fail_first(connection, *given):
        used.append(connection)
        if len(used) == 1:
            raise OperationalError("INSERT", {}, psycopg.OperationalError("another command is in progress"))
        return commit(connection, *given)

    monkeypatch.setattr(writer_module, "commit_all", fail_first)
    with pytest.raises(StoreUnavailableError):
        writer.commit([REQUEST])
    assert writer.commit([REQUEST])[0].last == 1
    assert used[0] is not used[1]
    assert store.heads() == {"mail": 1}


def test_a_server_that_is_stopped_and_started(postgres, opened, store, writer):
    writer.commit([REQUEST])
    postgres.stop()
    try:
        for _ in range(2):
            with pytest.raises(StoreUnavailableError, match="cannot be reached"):
                writer.commit([REQUEST])
            with pytest.raises(StoreUnavailableError):
                store.heads()
            with pytest.raises(StoreUnavailableError):
                store.writer()
            with pytest.raises(StoreUnavailableError):
                opened().become_writer("")
    finally:
        postgres.start()
    assert writer.commit([REQUEST])[0].last == 2
    assert store.heads() == {"mail": 2}


def test_nothing_acknowledged_is_lost_in_crashes(postgres, store, writer):
    acknowledged, stop = [], threading.Event()

    def commit():
        number = 0
        while not stop.is_set():
            number += 1
            edits = (Put(f"{number}", "a", id=f"a{number}"), Put(f"{number}", "b", id=f"b{number}"))
            try:
                [receipt] = writer.commit([Request("mail", edits, "eve")])
                acknowledged.append(receipt)
            except StoreUnavailableError:
                time.sleep(0.02)

    thread = threading.Thread(target=commit)
    thread.start()
    try:
        for how in (signal.SIGQUIT, signal.SIGINT, signal.SIGQUIT):
            before = len(acknowledged)
            while len(acknowledged) < before + 10:
                time.sleep(0.01)
            postgres.stop(how)
            postgres.start()
    finally:
        stop.set()
        thread.join()
    head = store.heads()["mail"]
    found = {change.version: change.document for change in store.changes("mail", 0, limit=10**6)}
    assert list(found) == list(range(1, head + 1))
    assert len(acknowledged) >= 30
    for receipt in acknowledged:
        assert [found[made.version] for made in receipt.outcomes] == [made.id for made in receipt.outcomes]
    assert store.count("mail") == head
    assert head % 2 == 0


def test_another_server_that_took_over(postgres, opened, store, writer):
    writer.commit([REQUEST])
    end_connections(postgres)
    second = opened()
    other = second.become_writer("http://127.0.0.1:8001")
    assert other.commit([REQUEST])[0].last == 2
    with pytest.raises(StoreUnavailableError):
        writer.commit([REQUEST])
    for _ in range(2):
        with pytest.raises(WriterElsewhereError, match=r"the server at http://127\.0\.0\.1:8001 "):
            writer.commit([REQUEST])
    other.release()
    # It has written, so this one must not go on as if nothing had happened.
    with pytest.raises(WriterElsewhereError, match="another server writes"):
        writer.commit([REQUEST])
    assert store.heads() == {"mail": 2}
    assert store.become_writer(ADDRESS).commit([REQUEST])[0].last == 3


def test_the_own_lost_connection_may_still_hold_the_lock(postgres, store, writer):
    writer.commit([REQUEST])
    database = vars(store)["_database"]
    ghost, vars(database)["_connection"] = vars(database)["_connection"], None
    with pytest.raises(StoreUnavailableError, match="still holds the lock"):
        writer.commit([REQUEST])
    ghost.close()
    assert writer.commit([REQUEST])[0].last == 2


def test_commits_are_on_the_disk_whatever_the_default(postgres, url, opened):
    user = "ALTER ROLE textbayes SET synchronous_commit = "
    postgres.execute(user + "off")
    try:
        writer = opened().become_writer("")
        with vars(writer)["_database"].writing() as connection:
            assert connection.exec_driver_sql("SHOW synchronous_commit").scalar() == "on"
    finally:
        postgres.execute(user + "DEFAULT")


def test_parts_of_a_file_are_checked(postgres, url, store, writer, model_file):
    added = writer.add_snapshot("mail", model_file(b"x" * 2_500_000), 0)
    assert postgres.execute("SELECT count(*) FROM textbayes_parts", url) == [(3,)]
    path = store.fetch(added)
    path.unlink()
    assert store.snapshots("mail")[0].path is None
    assert store.fetch(added).read_bytes() == b"x" * 2_500_000
    store.fetch(added).unlink()
    postgres.execute("UPDATE textbayes_parts SET data = 'y' WHERE number = 1", url)
    with pytest.raises(ModelDamagedError, match="its parts in the database"):
        store.fetch(added)
    postgres.execute("DELETE FROM textbayes_parts", url)
    with pytest.raises(StoreUnavailableError, match="gone"):
        store.fetch(added)
    assert not path.exists()


def test_parts_without_a_row_are_cleaned(postgres, url, store, writer, model_file):
    writer.add_snapshot("mail", model_file(), 0)
    postgres.execute("INSERT INTO textbayes_parts VALUES ('left', 0, 0, 'x')", url)
    writer.release()
    store.become_writer("")
    [(left,)] = postgres.execute("SELECT count(*) FROM textbayes_parts", url)
    assert left == 1
    assert len(store.snapshots("mail")) == 1


def test_a_cache_keeps_the_files_used_last(store, writer, model_file, tmp_path):
    for number in range(12):
        writer.add_snapshot("mail", model_file(b"%d" % number), 0, effective=number)
    assert len(list((tmp_path / "cache").rglob("*.tb"))) == 8
    for snapshot in store.snapshots("mail"):
        assert store.fetch(snapshot).read_bytes() == b"%d" % snapshot.effective
