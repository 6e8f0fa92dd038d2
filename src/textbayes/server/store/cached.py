"""Model files in a database, in parts, and copies of them in a folder of this machine."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

from sqlalchemy import Connection, delete, insert, select
from sqlalchemy.exc import DBAPIError

from textbayes.errors import ModelDamagedError, StoreUnavailableError, TextbayesError
from textbayes.server.store.encoding import now
from textbayes.server.store.folders import ModelFolders, file_digest, store_error
from textbayes.server.store.schema import parts

PART = 1 << 20
"""Bytes of a part."""
COPIES = 8
"""Files of a model that a cache keeps; the database has them all."""


class _Source(Protocol):
    name: str

    def reading(self) -> contextlib.AbstractContextManager[Connection]:
        """Yield a connection that reads."""

    def connect_writer(self) -> Connection:
        """Return a connection that writes."""

    def translated(self) -> contextlib.AbstractContextManager[None]:
        """Turn errors of the database into errors of the store."""


class CachedFiles:
    """The files of all models of a database.

    Parameters
    ----------
    source : PostgresDatabase
    folder : Path
        Of the copies.
    """

    def __init__(self, source: _Source, folder: Path) -> None:
        self._source = source
        self._copies = ModelFolders(folder, str(folder))

    def path(self, model: str, name: str) -> Path:
        """Return where the copy of a file is, or would be."""
        return self._copies.path(model, name)

    def scratch(self) -> Path:
        """Return a new name for a temporary file in the folder of the copies."""
        return self._copies.scratch()

    def keep(self, model: str, name: str, file: Path) -> None:
        """Write a file into the database; it is there after a crash when this returns."""
        with self._source.translated(), self._source.connect_writer() as connection, connection.begin():
            try:
                with file.open("rb") as read:
                    for number, data in enumerate(iter(lambda: read.read(PART), b"")):
                        row = {"file": name, "number": number, "time": now(), "data": data}
                        connection.execute(insert(parts), [row])
            except OSError as error:
                raise store_error(self._source.name, error) from error
        # The copy saves a download; it is not needed.
        with contextlib.suppress(TextbayesError):
            self._copies.keep(model, name, file)
        file.unlink(missing_ok=True)
        self._copies.thin(model, COPIES)

    def fetch(self, model: str, name: str, digest: str, size: int) -> Path:
        """Return the copy of a file; it is made if it is missing or damaged.

        Raises
        ------
        StoreUnavailableError
            If the file was dropped.
        ModelDamagedError
            If the parts are not those of the file.
        """
        path = self.path(model, name)
        with contextlib.suppress(OSError):
            if path.stat().st_size == size and file_digest(path) == digest:
                path.touch()  # used last
                return path
        loaded = self._copies.scratch()
        try:
            self._load(name, digest, loaded)
            found = self._copies.keep(model, name, loaded)
        finally:
            loaded.unlink(missing_ok=True)
        self._copies.thin(model, COPIES)
        return found

    def drop(self, model: str, names: Sequence[str]) -> None:
        """Delete files. What cannot be deleted is left for ``clean``."""
        self._copies.drop(model, names)
        with contextlib.suppress(DBAPIError), self._source.connect_writer() as connection, connection.begin():
            connection.execute(delete(parts).where(parts.c.file.in_(list(names))))

    def clean(self, kept: Mapping[str, Sequence[str]]) -> None:
        """Delete files that are not among those of each model."""
        self._copies.clean(kept)
        names = [name for some in kept.values() for name in some]
        with self._source.translated(), self._source.connect_writer() as connection, connection.begin():
            connection.execute(delete(parts).where(parts.c.file.not_in(names)))

    def _load(self, name: str, digest: str, path: Path) -> None:
        hashed = hashlib.sha256()
        number = 0
        with self._source.reading() as connection, path.open("wb") as written:
            while True:
                query = select(parts.c.data).where(parts.c.file == name, parts.c.number == number)
                data = connection.execute(query).scalar()
                if data is None:
                    break
                hashed.update(data)
                try:
                    written.write(data)
                except OSError as error:
                    raise store_error(str(path.parent), error) from error
                number += 1
        if not number:
            raise StoreUnavailableError(self._source.name, f"the model file {name} is gone")
        if hashed.hexdigest() != digest:
            raise ModelDamagedError(name, "its parts in the database are not those that were written")
