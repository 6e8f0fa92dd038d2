"""The lock of the writer of a folder: an ``flock`` on a file that says who has it.

The system releases it when the process ends, even after a crash.
"""

from __future__ import annotations

import contextlib
import json
import os
import platform
import time
from pathlib import Path

from textbayes.errors import StoreForeignError
from textbayes.persistence.lock import try_lock
from textbayes.server.store.encoding import now, to_datetime
from textbayes.server.store.records import WriterInfo

_LONGEST_NOTE = 4000
_TRIES = 5
# The open lock files of this process; a forked process closes its copies, or it would keep the lock.
_open: set[int] = set()


def this_process(address: str) -> WriterInfo:
    """Return this process as a writer."""
    return WriterInfo(platform.node() or "localhost", os.getpid(), address, to_datetime(now()))


class WriterLock:
    """The lock of a file.

    Parameters
    ----------
    path : Path
        The file; it is made if it is missing, and never deleted.

    Examples
    --------
    >>> from pathlib import Path
    >>> from textbayes.server.store.locks import WriterLock
    >>> one, two = WriterLock(Path("writer.lock")), WriterLock(Path("writer.lock"))
    >>> one.acquire("http://localhost:8000"), two.acquire("http://localhost:8001")
    (True, False)
    >>> two.holder().address
    'http://localhost:8000'
    >>> one.release()
    >>> two.holder()
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor: int | None = None

    def acquire(self, address: str) -> bool:
        """Take the lock, without waiting for another writer."""
        descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            acquired = _locked(descriptor, self._path)
            if acquired:
                info = this_process(address)
                since = (info.since - to_datetime(0)).total_seconds()
                note = {"host": info.host, "pid": info.pid, "address": address, "since": since}
                os.truncate(descriptor, 0)
                os.write(descriptor, json.dumps(note).encode())
        except BaseException:
            os.close(descriptor)
            raise
        if not acquired:
            os.close(descriptor)
            return False
        _open.add(descriptor)
        self._descriptor = descriptor
        return True

    def release(self) -> None:
        """Give the lock back."""
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None and descriptor in _open:
            _open.discard(descriptor)
            with contextlib.suppress(OSError):
                os.truncate(descriptor, 0)
            os.close(descriptor)

    def holder(self) -> WriterInfo | None:
        """Return who has the lock, or None if nobody has."""
        try:
            descriptor = os.open(self._path, os.O_RDWR)
        except OSError:
            return None
        try:
            # Taken for a moment if it is free; acquire tries again in this case.
            if try_lock(descriptor):
                return None
            return _read_note(os.read(descriptor, _LONGEST_NOTE))
        finally:
            os.close(descriptor)


def _locked(descriptor: int, path: Path) -> bool:
    for attempt in range(_TRIES):
        locked = try_lock(descriptor)
        if locked is None:
            raise StoreForeignError(str(path.parent), "its file system has no locks")
        if locked:
            return True
        if attempt < _TRIES - 1:
            time.sleep(0.005)
    return False


def _read_note(note: bytes) -> WriterInfo:
    try:
        said = json.loads(note)
        since = to_datetime(int(float(said["since"]) * 1_000_000))
        return WriterInfo(str(said["host"]), int(said["pid"]), str(said["address"]), since)
    except (ValueError, LookupError, TypeError, OverflowError):
        return WriterInfo("", 0, "", to_datetime(0))


def _after_fork() -> None:
    for descriptor in list(_open):
        with contextlib.suppress(OSError):
            os.close(descriptor)
    _open.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
