"""A store in a folder: rows in SQLite, model files beside them."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import (
    URL,
    ColumnElement,
    Connection,
    Engine,
    NullPool,
    column,
    create_engine,
    event,
    func,
    select,
    table,
    text,
)
from sqlalchemy.exc import DBAPIError

from textbayes.errors import StoreForeignError, StoreFullError, StoreUnavailableError, TextbayesError
from textbayes.server.store.checkpoints import Checkpoints
from textbayes.server.store.database import Database, check_format
from textbayes.server.store.folders import ModelFolders, store_error
from textbayes.server.store.locks import WriterLock
from textbayes.server.store.records import WriterInfo
from textbayes.server.store.schema import documents, tables

FILE = "store.sqlite3"
_WAIT = 10_000  # milliseconds that a connection waits for another
_READERS = 8
_WAL_LIMIT = 64 << 20
_OLDEST = (3, 35)
# The words are separated by spaces and need no other splitting; positions and sizes are not needed.
_WORDS = (
    "CREATE VIRTUAL TABLE IF NOT EXISTS textbayes_words "
    "USING fts5(words, tokenize = 'ascii', detail = none, columnsize = 0)"
)
_words = table("textbayes_words", column("rowid"))
_OF_ROW = "(SELECT number FROM textbayes_documents WHERE model = :model AND id = :id)"


class SQLiteDatabase(Database):
    """A folder with a database.

    Parameters
    ----------
    folder : Path
        The folder; made if it is missing.
    """

    def __init__(self, folder: Path) -> None:
        self.name = str(folder)
        self._folder = folder
        self._files = ModelFolders(folder / "models", self.name)
        self._lock = WriterLock(folder / "writer.lock")
        self._connection: Connection | None = None
        self._checkpoints: Checkpoints | None = None
        _make_folder(folder)
        url = URL.create("sqlite", database=str(folder / FILE))
        self._readers = create_engine(url, pool_size=_READERS, max_overflow=56, pool_timeout=30)
        self._writers = create_engine(url, poolclass=NullPool)
        _prepare(self._readers, "BEGIN", "PRAGMA query_only = ON")
        _prepare(self._writers, "BEGIN IMMEDIATE", "PRAGMA wal_autocheckpoint = 0")
        try:
            with self.translated(), self._writers.begin() as connection:
                tables.create_all(connection)
                connection.execute(text(_WORDS))
                self.identity = check_format(connection, self.name)
        except BaseException:
            self.close()
            raise

    def connect_reader(self) -> Connection:
        """Return a connection of the pool."""
        return self._readers.connect()

    @contextlib.contextmanager
    def writing(self) -> Iterator[Connection]:
        """Yield the connection of the writer; after an error a new one is made for the next time."""
        try:
            with self.translated():
                connection = self._connection = self._connection or self._writers.connect()
                transaction = connection.begin()
                yield connection
                transaction.commit()
        except BaseException:
            self._disconnect()
            raise
        if self._checkpoints is not None:
            self._checkpoints.notice_commit()

    def failure(self, error: DBAPIError) -> TextbayesError | None:
        """Return why the database cannot be used, by the code of SQLite."""
        reason = str(error.orig)
        code = getattr(error.orig, "sqlite_errorcode", 0)
        match code & 0xFF:
            case sqlite3.SQLITE_FULL:
                return StoreFullError(self.name, reason)
            case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
                return StoreForeignError(self.name, f"its file {FILE} is damaged ({reason})")
            case (
                sqlite3.SQLITE_BUSY
                | sqlite3.SQLITE_LOCKED
                | sqlite3.SQLITE_IOERR
                | sqlite3.SQLITE_CANTOPEN
                | sqlite3.SQLITE_READONLY
                | sqlite3.SQLITE_PERM
                | sqlite3.SQLITE_NOMEM
            ):
                full = _is_full(self._folder)
                return (StoreFullError if full else StoreUnavailableError)(self.name, reason)
        return None

    def close(self) -> None:
        """Close all connections and give the lock back."""
        self.release()
        self._readers.dispose()
        self._writers.dispose()

    def claim(self, address: str) -> bool:
        """Take the lock of the folder."""
        try:
            acquired = self._lock.acquire(address)
        except OSError as error:
            raise store_error(self.name, error) from error
        if acquired:
            self._checkpoints = Checkpoints(self._folder / FILE)
        return acquired

    def release(self) -> None:
        """Close the connection of the writer and give the lock back."""
        checkpoints, self._checkpoints = self._checkpoints, None
        if checkpoints is not None:
            checkpoints.close()
        self._disconnect()
        self._lock.release()

    def writer(self) -> WriterInfo | None:
        """Return who has the lock."""
        return self._lock.holder()

    def add_words(self, connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
        """Index the words of documents."""
        found = [{"model": row["model"], "id": row["id"], "words": " ".join(row["words"])} for row in rows]
        add = f"INSERT INTO textbayes_words(rowid, words) VALUES ({_OF_ROW}, :words)"
        connection.execute(text(add), found)

    def remove_words(self, connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
        """Remove the words of documents."""
        found = [{"model": row["model"], "id": row["id"]} for row in rows]
        connection.execute(text(f"DELETE FROM textbayes_words WHERE rowid = {_OF_ROW}"), found)

    def remove_all_words(self, connection: Connection, model: int) -> None:
        """Remove the words of a model."""
        numbers = "SELECT number FROM textbayes_documents WHERE model = :model"
        connection.execute(text(f"DELETE FROM textbayes_words WHERE rowid IN ({numbers})"), {"model": model})

    def has_words(self, words: Sequence[str]) -> ColumnElement[bool]:
        """Return a condition that FTS5 answers; quoted words are never syntax."""
        query = " AND ".join(f'"{word}" *' for word in words)
        matching = text("textbayes_words MATCH :words").bindparams(words=query)
        return documents.c.number.in_(select(_words.c.rowid).where(matching))

    def contains(self, column: ColumnElement[str], part: str) -> ColumnElement[bool]:
        """Return a condition that reads the column."""
        return func.instr(column, part) > 0

    def forget_deleted(self) -> None:
        """Overwrite deleted words, and write the log of the database into its file, so that it is empty."""
        with self.writing() as connection:
            connection.execute(text("INSERT INTO textbayes_words(textbayes_words) VALUES ('optimize')"))
        with self.translated(), contextlib.closing(self._writers.raw_connection()) as raw:
            # Readers of an older state are in the way for a moment.
            for _ in range(20):
                busy, *_rest = raw.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
                if not busy:
                    return
                time.sleep(0.05)

    def scratch(self) -> Path:
        """Return a new name for a temporary file in the folder."""
        return self._files.scratch()

    def keep_file(self, model: str, name: str, file: Path) -> None:
        """Move a model file into the folder."""
        self._files.keep(model, name, file)

    def local_file(self, model: str, name: str) -> Path:
        """Return the path of a model file."""
        return self._files.path(model, name)

    def fetch_file(self, model: str, name: str, digest: str, size: int) -> Path:  # noqa: ARG002
        """Return the path of a model file, which has the right size."""
        return self._files.check(model, name, size)

    def drop_files(self, model: str, names: Sequence[str]) -> None:
        """Delete model files."""
        self._files.drop(model, names)

    def clean(self, kept: Mapping[str, Sequence[str]]) -> None:
        """Delete what a crash left."""
        self._files.clean(kept)

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(DBAPIError):
                connection.invalidate()
            connection.close()


def _prepare(engine: Engine, begin: str, *more: str) -> None:
    settings = (
        "PRAGMA journal_mode = WAL",
        "PRAGMA synchronous = FULL",
        "PRAGMA foreign_keys = ON",
        "PRAGMA secure_delete = ON",
        f"PRAGMA journal_size_limit = {_WAL_LIMIT}",
        "PRAGMA cache_size = -16000",
        "PRAGMA temp_store = MEMORY",
        *more,
    )

    @event.listens_for(engine, "connect")
    def connected(connection: Any, _record: Any) -> None:
        # The module would begin transactions by itself, too late for savepoints.
        connection.isolation_level = None
        connection.execute(f"PRAGMA busy_timeout = {_WAIT}")
        for setting in settings:
            connection.execute(setting).fetchall()

    @event.listens_for(engine, "begin")
    def begun(connection: Connection) -> None:
        connection.exec_driver_sql(begin)


def _make_folder(folder: Path) -> None:
    if sqlite3.sqlite_version_info < _OLDEST:
        raise StoreForeignError(str(folder), f"SQLite {sqlite3.sqlite_version} is too old for it")
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        names = {path.name for path in folder.iterdir()} - {"writer.lock"}
    except (FileExistsError, NotADirectoryError):
        raise StoreForeignError(str(folder), "it is not a folder") from None
    except OSError as error:
        raise store_error(str(folder), error) from error
    if names and FILE not in names:
        raise StoreForeignError(str(folder), f"the folder has files, but no {FILE}")


def _is_full(folder: Path) -> bool:
    if not hasattr(os, "statvfs"):
        return False
    try:
        return os.statvfs(folder).f_bavail == 0
    except OSError:
        return False
