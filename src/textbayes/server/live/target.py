"""Target: the model file of a writable server, which holds its lock and is given every snapshot."""

from __future__ import annotations

import contextlib
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from textbayes.persistence import write_lock
from textbayes.persistence.replacing import replacing
from textbayes.server.store.folders import file_digest

_BLOCK = 1 << 20


class Target:
    """A model file that this server alone replaces.

    The lock belongs to a thread, so one thread takes it, replaces the file and gives the lock back.

    Parameters
    ----------
    path : path
        The model file.
    wait : float
        How many seconds to wait for the lock.

    Raises
    ------
    ModelLockedError
        If another program holds the lock.
    """

    def __init__(self, path: Path, wait: float) -> None:
        self.path = path
        self._thread = ThreadPoolExecutor(1, "textbayes-file")
        self._held = contextlib.ExitStack()
        try:
            self._thread.submit(lambda: self._held.enter_context(write_lock(path, wait))).result()
        except BaseException:
            self._thread.shutdown()
            raise

    def digest(self) -> str:
        """Return the SHA-256 of the file."""
        return file_digest(self.path)

    def replace(self, file: Path) -> None:
        """Replace the file by a copy of another one, unless they are the same."""
        if file_digest(file) != self.digest():
            self._thread.submit(self._replace, file).result()

    def _replace(self, file: Path) -> None:
        with open(file, "rb") as source, replacing(self.path) as copy:
            shutil.copyfileobj(source, copy, _BLOCK)

    def close(self) -> None:
        """Let other programs change the file."""
        self._thread.submit(self._held.close).result()
        self._thread.shutdown()
