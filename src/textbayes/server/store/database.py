"""What a store needs of its database, and what SQLite and PostgreSQL each do in their own way."""

from __future__ import annotations

import contextlib
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import ColumnElement, Connection, insert, select
from sqlalchemy.exc import DBAPIError, TimeoutError

from textbayes.errors import StoreForeignError, StoreUnavailableError, StoreVersionError, TextbayesError
from textbayes.persistence import package_version
from textbayes.server.store.encoding import new_id, now
from textbayes.server.store.records import WriterInfo
from textbayes.server.store.schema import FORMAT, meta


class Database(ABC):
    """Connections, the lock of the writer, the words of documents, and the model files.

    Attributes
    ----------
    name : str
        The location of the store, safe to print.
    identity : str
        A random id that was made with the store.
    """

    name: str
    identity: str

    # Connections.

    @contextlib.contextmanager
    def reading(self) -> Iterator[Connection]:
        """Yield a connection that reads one state of the store."""
        with self.translated(), self.connect_reader() as connection, connection.begin():
            yield connection

    @contextlib.contextmanager
    def translated(self) -> Iterator[None]:
        """Turn errors of the database into errors of the store."""
        try:
            yield
        except DBAPIError as error:
            raise (self.failure(error) or self.fault(error)) from error
        except TimeoutError as error:  # of the pool
            raise StoreUnavailableError(self.name, "all connections are in use") from error

    @abstractmethod
    def connect_reader(self) -> Connection:
        """Return a connection for reading."""

    @abstractmethod
    def writing(self) -> contextlib.AbstractContextManager[Connection]:
        """Yield the connection of the writer, in a transaction that is on the disk when the block ends."""

    @abstractmethod
    def failure(self, error: DBAPIError) -> TextbayesError | None:
        """Return why the store cannot be used, or None if only the statement was at fault."""

    def fault(self, error: DBAPIError) -> TextbayesError:
        """Return the error for a statement that the database refused."""
        return StoreForeignError(self.name, f"it refused a statement ({str(error.orig).splitlines()[0]})")

    @abstractmethod
    def close(self) -> None:
        """Close all connections."""

    # The one writer.

    @abstractmethod
    def claim(self, address: str) -> bool:
        """Take the lock of the writer; False if another has it."""

    @abstractmethod
    def release(self) -> None:
        """Give the lock of the writer back."""

    @abstractmethod
    def writer(self) -> WriterInfo | None:
        """Return who has the lock of the writer."""

    # Words.

    @abstractmethod
    def add_words(self, connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
        """Index the ``words`` of new documents, each with ``model`` and ``id``."""

    @abstractmethod
    def remove_words(self, connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
        """Remove the words of documents, each with ``model`` and ``id``, that are still there."""

    @abstractmethod
    def remove_all_words(self, connection: Connection, model: int) -> None:
        """Remove the words of all documents of a model."""

    @abstractmethod
    def has_words(self, words: Sequence[str]) -> ColumnElement[bool]:
        """Return the condition that a document has words that begin with these."""

    @abstractmethod
    def contains(self, column: ColumnElement[str], part: str) -> ColumnElement[bool]:
        """Return the condition that a column contains a string."""

    @abstractmethod
    def forget_deleted(self) -> None:
        """Make sure that deleted rows cannot be read from the files of the database."""

    # Model files.

    @abstractmethod
    def scratch(self) -> Path:
        """Return a new name for a temporary file, on the file system of the model files."""

    @abstractmethod
    def keep_file(self, model: str, name: str, file: Path) -> None:
        """Move a model file into the store, so that it is there after a crash."""

    @abstractmethod
    def local_file(self, model: str, name: str) -> Path:
        """Return where a model file is, or would be, on this machine."""

    @abstractmethod
    def fetch_file(self, model: str, name: str, digest: str, size: int) -> Path:
        """Return a model file on this machine."""

    @abstractmethod
    def drop_files(self, model: str, names: Sequence[str]) -> None:
        """Delete model files."""

    @abstractmethod
    def clean(self, kept: Mapping[str, Sequence[str]]) -> None:
        """Delete model files that are not among those of each model: what a crash left."""


def check_format(connection: Connection, name: str) -> str:
    """Write the format into a new store, or refuse one of a later format; return its identity.

    Raises
    ------
    StoreVersionError
        If the store was written by a later version of textbayes.
    StoreForeignError
        If the table does not say what it should.
    """
    found = {row.key: row.value for row in connection.execute(select(meta))}
    if not found:
        found = {
            "format": str(FORMAT),
            "library": package_version(),
            "created": str(now()),
            "identity": new_id(),
        }
        connection.execute(insert(meta), [{"key": key, "value": value} for key, value in found.items()])
    try:
        number, identity = int(found["format"]), str(found["identity"])
    except (KeyError, ValueError):
        raise StoreForeignError(name, "its table textbayes_meta does not say its format") from None
    if number > FORMAT:
        raise StoreVersionError(name, number, FORMAT, found.get("library", "?"))
    return identity
