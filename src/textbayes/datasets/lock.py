"""A file lock, so that two processes do not fetch the same corpus at once."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from textbayes.datasets.home import HOME_SETTING
from textbayes.errors import FetchBusyError, FileWriteError
from textbayes.persistence.lock import try_lock


@contextlib.contextmanager
def hold_lock(name: str, path: Path, timeout: float) -> Iterator[None]:
    """Hold a lock on a file; the system releases it when the process ends, even after a crash."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = path.open("ab")
    except OSError as error:
        raise FileWriteError(str(path), error.errno, error.strerror or str(error), HOME_SETTING) from error
    with file:
        deadline = time.monotonic() + timeout
        while not _lock(file, path):
            if time.monotonic() > deadline:
                raise FetchBusyError(name, timeout, str(path))
            time.sleep(0.05)
        yield


def _lock(file: IO[bytes], path: Path) -> bool:
    try:
        # On a file system without locks nobody can wait for another process.
        return try_lock(file.fileno()) is not False
    except OSError as error:
        raise FileWriteError(str(path), error.errno, error.strerror or str(error), HOME_SETTING) from error
