"""Open a store by its location."""

from __future__ import annotations

import os
from pathlib import Path

from textbayes.server.store.sqlite import SQLiteDatabase
from textbayes.server.store.store import Store


def open_store(location: str | os.PathLike[str], cache: Path | None = None) -> Store:  # noqa: ARG001
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
    return Store(SQLiteDatabase(Path(location)))
