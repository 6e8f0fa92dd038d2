"""A store in PostgreSQL: rows and model files in the database, a cache of the files on each machine."""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import psycopg
from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    Connection,
    MetaData,
    NullPool,
    Table,
    create_engine,
    delete,
    func,
    insert,
    make_url,
    select,
    text,
)
from sqlalchemy.dialects.postgresql import TSVECTOR
from sqlalchemy.exc import ArgumentError, DBAPIError

from textbayes.errors import (
    StoreForeignError,
    StoreFullError,
    StoreUnavailableError,
    TextbayesError,
    WriterElsewhereError,
)
from textbayes.server.store.cached import CachedFiles
from textbayes.server.store.database import Database, check_format
from textbayes.server.store.encoding import new_id, now, short_hash, to_datetime
from textbayes.server.store.locks import this_process
from textbayes.server.store.records import WriterInfo
from textbayes.server.store.schema import documents, meta, tables

_READERS = 8
# A connection whose other end is gone is noticed within seconds.
_CONNECT = {
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 15_000,
    "application_name": "textbayes",
    "client_encoding": "utf8",
}
_LOCK_TRIES = 20
_LOCK_PAUSE = 0.05
# Classes of SQLSTATE: connection, resources, operator, system, transaction, authorization, internal.
_UNAVAILABLE = ("08", "53", "57", "58", "25", "40", "28", "3D", "42501", "55P03", "XX")

_words = Table(
    "textbayes_words",
    MetaData(),
    Column("document", BigInteger, primary_key=True, autoincrement=False),
    Column("words", TSVECTOR, nullable=False),
)
_CREATE_WORDS = (
    "CREATE TABLE IF NOT EXISTS textbayes_words (document BIGINT PRIMARY KEY "
    "REFERENCES textbayes_documents (number) ON DELETE CASCADE, words TSVECTOR NOT NULL)",
    "CREATE INDEX IF NOT EXISTS textbayes_words_words ON textbayes_words USING gin (words)",
)
_HELD = text(
    "SELECT EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 1 "
    "AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) "
    "AND classid::bigint = :high AND objid::bigint = :low)"
)


class PostgresDatabase(Database):
    """A database of PostgreSQL.

    The right to write is an advisory lock of the very connection that writes: whoever loses the connection
    loses the right, so two servers never write.

    Parameters
    ----------
    location : str
        ``postgresql://user:password@host:port/database``
    cache : Path, optional
        The folder for model files on this machine; in ``~/.cache/textbayes`` by default.
    """

    def __init__(self, location: str, cache: Path | None = None) -> None:
        try:
            url = make_url(location).set(drivername="postgresql+psycopg")
        except (ArgumentError, ValueError):
            raise StoreForeignError("postgresql://…", "its URL cannot be read") from None
        shown = url.set(drivername="postgresql")._replace(password=None)
        self.name = shown.difference_update_query(["password", "passfile"]).render_as_string()
        self._readers = create_engine(
            url,
            pool_size=_READERS,
            max_overflow=24,
            pool_pre_ping=True,
            isolation_level="REPEATABLE READ",
            connect_args=_CONNECT,
        ).execution_options(postgresql_readonly=True)
        self._writers = create_engine(url, poolclass=NullPool, connect_args=_CONNECT)
        self._connection: Connection | None = None
        self._token: str | None = None
        try:
            with self.translated(), self._writers.begin() as connection:
                self._key = self._prepare(connection)
                self.identity = check_format(connection, self.name)
            self._files = CachedFiles(self, (cache or _cache()) / self.identity)
        except BaseException:
            self.close()
            raise

    def connect_reader(self) -> Connection:
        """Return a connection of the pool."""
        return self._readers.connect()

    def connect_writer(self) -> Connection:
        """Return a new connection that may write, without the lock: for parts of files only."""
        return self._writers.connect()

    @contextlib.contextmanager
    def writing(self) -> Iterator[Connection]:
        """Yield the connection that holds the lock; a lost one is made again, if nobody else has written."""
        if self._token is None:
            raise self._elsewhere()
        with self.translated():
            connection = self._connection = self._connection or self._connect_again(self._token)
            try:
                with connection.begin():
                    yield connection
            except BaseException as error:
                if self._is_lost(connection, error):
                    self._disconnect()
                raise

    def _is_lost(self, connection: Connection, error: BaseException) -> bool:
        """Return whether a new connection is needed; the driver may not have noticed that this one ended."""
        if isinstance(error, DBAPIError) and isinstance(self.failure(error), StoreUnavailableError):
            return True
        return connection.invalidated or connection.closed or _is_broken(connection)

    def failure(self, error: DBAPIError) -> TextbayesError | None:
        """Return why the database cannot be used, by its SQLSTATE."""
        reason = (str(error.orig).strip().splitlines() or ["?"])[0]
        state = getattr(error.orig, "sqlstate", None)
        if state == "53100" or "No space left on device" in reason:
            return StoreFullError(self.name, reason)
        if error.connection_invalidated or not state or state.startswith(_UNAVAILABLE):
            return StoreUnavailableError(self.name, reason)
        return None

    def close(self) -> None:
        """Close all connections and give the lock back."""
        self.release()
        self._readers.dispose()
        self._writers.dispose()

    # The one writer.

    def claim(self, address: str) -> bool:
        """Take the lock of the database with a new connection."""
        if self._token is not None:
            return False
        with self.translated():
            connection = self._writers.connect()
            try:
                if not self._lock(connection):
                    connection.close()
                    return False
                self._token = self._sign(connection, address)
            except BaseException:
                connection.invalidate()
                connection.close()
                raise
        self._connection = connection
        return True

    def release(self) -> None:
        """Close the connection of the writer, and with it give the lock back."""
        self._token = None
        if self._connection is not None:
            # The server notices the end of a connection a moment later.
            with contextlib.suppress(DBAPIError), self._connection.begin():
                self._connection.execute(select(func.pg_advisory_unlock(self._key)))
        self._disconnect()

    def writer(self) -> WriterInfo | None:
        """Return who has the lock."""
        parts = {"high": self._key >> 32 & 0xFFFFFFFF, "low": self._key & 0xFFFFFFFF}
        with self.reading() as connection:
            if not connection.execute(_HELD, parts).scalar():
                return None
            said = _note(connection)
        return WriterInfo(said["host"], said["pid"], said["address"], to_datetime(said["since"]))

    def _lock(self, connection: Connection) -> bool:
        with connection.begin():
            # Acknowledged means on the disk, whatever the default of the server is.
            if connection.execute(text("SHOW synchronous_commit")).scalar() == "off":
                connection.execute(text("SET synchronous_commit = on"))
            return bool(connection.execute(select(func.pg_try_advisory_lock(self._key))).scalar())

    def _sign(self, connection: Connection, address: str) -> str:
        """Write who writes; the token shows later whether another has written in between."""
        info, token = this_process(address), new_id()
        note = {"host": info.host, "pid": info.pid, "address": address, "since": now(), "token": token}
        with connection.begin():
            connection.execute(delete(meta).where(meta.c.key == "writer"))
            connection.execute(insert(meta), [{"key": "writer", "value": json.dumps(note)}])
        return token

    def _connect_again(self, token: str) -> Connection:
        connection = self._writers.connect()
        try:
            locked = self._lock(connection)
            # The server may take a moment to notice that the old connection is gone.
            for _ in range(0 if locked else _LOCK_TRIES):
                time.sleep(_LOCK_PAUSE)
                locked = self._lock(connection)
                if locked:
                    break
            with connection.begin():
                is_ours = _note(connection)["token"] == token
        except BaseException:
            connection.invalidate()
            connection.close()
            raise
        if locked and is_ours:
            return connection
        connection.close()
        if is_ours:
            raise StoreUnavailableError(self.name, "the lost connection still holds the lock of the writer")
        self._token = None
        raise self._elsewhere()

    def _elsewhere(self) -> WriterElsewhereError:
        info = self.writer()
        return (
            WriterElsewhereError(info.host, info.pid, info.address)
            if info
            else WriterElsewhereError("", 0, "")
        )

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(DBAPIError):
                connection.invalidate()
            connection.close()

    # Words.

    def add_words(self, connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
        """Index the words of documents."""
        add = (
            "INSERT INTO textbayes_words (document, words) "
            "SELECT number, array_to_tsvector(CAST(:words AS text[])) "
            "FROM textbayes_documents WHERE model = :model AND id = :id"
        )
        connection.execute(text(add), [dict(row) for row in rows])

    def remove_words(self, connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
        """Remove the words of documents."""
        remove = (
            "DELETE FROM textbayes_words WHERE document = "
            "(SELECT number FROM textbayes_documents WHERE model = :model AND id = :id)"
        )
        connection.execute(text(remove), [{"model": row["model"], "id": row["id"]} for row in rows])

    def remove_all_words(self, connection: Connection, model: int) -> None:
        """Remove the words of a model."""
        numbers = select(documents.c.number).where(documents.c.model == model)
        connection.execute(delete(_words).where(_words.c.document.in_(numbers)))

    def has_words(self, words: Sequence[str]) -> ColumnElement[bool]:
        """Return a condition on the index of words; quoted words are never syntax."""
        query = " & ".join(f"'{word}':*" for word in words)
        matching = text("textbayes_words.words @@ CAST(:words AS tsquery)").bindparams(words=query)
        return documents.c.number.in_(select(_words.c.document).where(matching))

    def contains(self, column: ColumnElement[str], part: str) -> ColumnElement[bool]:
        """Return a condition that reads the column."""
        return func.strpos(column, part) > 0

    def forget_deleted(self) -> None:
        """Free the space of old rows. Backups and logs of the server keep what they had."""
        names = "textbayes_changes, textbayes_documents, textbayes_words, textbayes_queue, textbayes_parts"
        with self.translated(), self.connect_writer() as connection:
            connection.execution_options(isolation_level="AUTOCOMMIT").execute(text(f"VACUUM {names}"))

    # Model files.

    def scratch(self) -> Path:
        """Return a new name for a temporary file in the cache."""
        return self._files.scratch()

    def keep_file(self, model: str, name: str, file: Path) -> None:
        """Write a model file into the database, and move it into the cache."""
        self._files.keep(model, name, file)

    def local_file(self, model: str, name: str) -> Path:
        """Return the path of a model file in the cache."""
        return self._files.path(model, name)

    def fetch_file(self, model: str, name: str, digest: str, size: int) -> Path:
        """Return a model file in the cache, whose digest is checked."""
        return self._files.fetch(model, name, digest, size)

    def drop_files(self, model: str, names: Sequence[str]) -> None:
        """Delete model files."""
        self._files.drop(model, names)

    def clean(self, kept: Mapping[str, Sequence[str]]) -> None:
        """Delete what a crash left."""
        self._files.clean(kept)

    def _prepare(self, connection: Connection) -> int:
        """Make the tables if they are missing; return the key of the writer's lock."""
        encoding = connection.execute(text("SHOW server_encoding")).scalar()
        if encoding != "UTF8":
            raise StoreForeignError(self.name, f"the encoding of the database is {encoding}, not UTF8")
        schema = connection.execute(select(func.current_schema())).scalar()
        # Servers that start at once make the tables one after the other.
        connection.execute(select(func.pg_advisory_xact_lock(short_hash("textbayes tables", str(schema)))))
        tables.create_all(connection)
        for statement in _CREATE_WORDS:
            connection.execute(text(statement))
        return short_hash("textbayes writer", str(schema))


def _note(connection: Connection) -> dict[str, Any]:
    stored = connection.execute(select(meta.c.value).where(meta.c.key == "writer")).scalar()
    unknown = {"host": "", "pid": 0, "address": "", "since": 0, "token": ""}
    return {**unknown, **json.loads(stored or "{}")}


def _is_broken(connection: Connection) -> bool:
    raw = connection.connection.driver_connection
    return isinstance(raw, psycopg.Connection) and (raw.closed or raw.broken)


def _cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "textbayes" / "stores"
