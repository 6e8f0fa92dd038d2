"""Checkpoints of SQLite in a thread of their own.

A commit writes to the log of the database only. Someone must copy the log into the database from time to
time, which takes longer than a commit. SQLite would do it inside every thirtieth commit or so.
"""

from __future__ import annotations

import contextlib
import sqlite3
import threading
from pathlib import Path

_PAUSE = 1.0
_LARGEST = 64 << 20


class Checkpoints:
    """Copies the log of a database into its file, soon after a commit.

    Parameters
    ----------
    path : Path
        The file of the database.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._log = path.with_name(path.name + "-wal")
        self._wanted = threading.Event()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._work, name="textbayes-checkpoints", daemon=True)
        self._thread.start()

    def notice_commit(self) -> None:
        """Copy soon; now, if the thread cannot keep up and the log has become large."""
        self._wanted.set()
        with contextlib.suppress(OSError):
            if self._log.stat().st_size > _LARGEST:
                self._copy("RESTART")

    def close(self) -> None:
        """End the thread."""
        self._ended.set()
        self._wanted.set()
        self._thread.join()

    def _work(self) -> None:
        while True:
            self._wanted.wait()
            if self._ended.wait(_PAUSE):
                return
            self._wanted.clear()
            # This neither waits for the writer nor lets it wait.
            self._copy("PASSIVE")

    def _copy(self, how: str) -> None:
        # A full disk is noticed by the writer, too. The log stays as it is until there is room.
        with (
            contextlib.suppress(sqlite3.Error),
            contextlib.closing(sqlite3.connect(self._path)) as connection,
        ):
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute(f"PRAGMA wal_checkpoint({how})").fetchall()
