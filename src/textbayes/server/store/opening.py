"""Open a store by its location."""

from __future__ import annotations

import os
from pathlib import Path

from textbayes.errors import ExtraMissingError
from textbayes.server.store.sqlite import SQLiteDatabase
from textbayes.server.store.store import Store

_URLS = ("postgresql://", "postgres://", "postgresql+psycopg://")


def open_store(location: str | os.PathLike[str], cache: Path | None = None) -> Store:
    """Open a store; it is made if there is none.

    Parameters
    ----------
    location : str or path
        A folder, or the URL of a PostgreSQL database: ``postgresql://user:password@host/database``.
    cache : Path, optional
        Where model files from a database are kept on this machine.

    Raises
    ------
    StoreVersionError
        If a later version of textbayes wrote it.
    StoreForeignError
        If there is something else, or the files are damaged.
    StoreUnavailableError
        If the database cannot be reached, or the folder cannot be written to.
    """
    if isinstance(location, str) and location.startswith(_URLS):
        try:
            from textbayes.server.store.postgres import PostgresDatabase
        except ModuleNotFoundError as error:
            raise ExtraMissingError("postgres", str(error)) from error
        return Store(PostgresDatabase(location, cache))
    return Store(SQLiteDatabase(Path(location)))
