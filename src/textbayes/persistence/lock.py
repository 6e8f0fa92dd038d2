"""One writer per model file: whoever will replace a file holds its lock from load to rename.

The lock is an ``flock`` on a hidden file beside the model, ``.NAME.lock``, which says who holds it. The
system releases it when a process ends, even after a crash. The file is deleted while the lock is still held,
and who gets the lock of a file that is gone opens the new one, so nobody can hold the lock of a deleted file.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import random
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from textbayes.errors import FileWriteError, ModelLockedError
from textbayes.persistence.target import beside, real_file, unusual_kind

WAIT = 10.0
"""Seconds that a writer waits for another one, by default."""
LONG_WAIT = 3600.0
"""Seconds that a writer waits that has worked for long, and read nothing from the file."""
# What flock says on file systems that have no locks.
_WITHOUT_LOCKS = {errno.ENOLCK, errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP}
_LONGEST_PAUSE = 0.01
_LONGEST_NOTE = 1000


class _Held(threading.local):
    """The locks of a thread: device and inode of each file."""

    def __init__(self) -> None:
        self.files: set[tuple[int, int]] = set()


_held = _Held()
# The open lock files of all threads; a forked process closes its copies.
_open: set[int] = set()


@contextlib.contextmanager
def write_lock(path: str | os.PathLike[str], wait: float = WAIT) -> Iterator[None]:
    """Hold the lock of a model file, so that no other process or thread replaces it.

    Hold it from before the model is loaded until after it is saved: then no change of another writer is lost.
    The thread that has the lock can take it again, and so can ``save`` inside. Reading needs no lock.

    Parameters
    ----------
    path : path
        The model file, which need not exist. A symbolic link stands for the file that it leads to.
    wait : float, default=10
        How many seconds to wait while another process or thread holds the lock.

    Raises
    ------
    ModelLockedError
        If it is still held after that time. The error says by whom.
    FileWriteError
        If the folder does not exist or cannot be written to.

    Notes
    -----
    On a file system without locks nobody waits. ``save`` still refuses to replace a file that changed since
    the model was loaded, but two writers that save within the same milliseconds can then lose a change.

    Examples
    --------
    >>> from textbayes import TextClassifier
    >>> from textbayes.persistence import write_lock
    >>> TextClassifier("complement").fit(["wheat", "oil"], ["grain", "oil"]).save("news.tb")
    >>> with write_lock("news.tb"):
    ...     TextClassifier.load("news.tb").teach(["corn"], ["grain"]).save("news.tb")
    """
    target = real_file(path)
    place = beside(target, "lock")
    if _identity(place) in _held.files:
        yield
        return
    descriptor = _acquired(os.fspath(path), place, time.monotonic() + wait, wait)
    own = _numbers(os.fstat(descriptor))
    process = os.getpid()
    _held.files.add(own)
    try:
        yield
    finally:
        if os.getpid() == process:
            _held.files.discard(own)
            _release(descriptor, place)


def try_lock(descriptor: int) -> bool | None:
    """Lock an open file without waiting: whether that worked, or None where files cannot be locked.

    Examples
    --------
    >>> from textbayes.persistence.lock import try_lock
    >>> with open("one", "wb") as first, open("one", "ab") as second:
    ...     try_lock(first.fileno()), try_lock(second.fileno())
    (True, False)
    """
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):  # the lock is held, on Unix and on Windows
        return False
    except OSError as error:
        if error.errno in _WITHOUT_LOCKS:
            return None
        raise
    return True


def _acquired(path: str, place: Path, deadline: float, wait: float) -> int:
    pause = _LONGEST_PAUSE / 16
    while True:
        descriptor = _opened(path, place)
        try:
            if _is_ours(descriptor, place):
                _open.add(descriptor)
                return descriptor
            late = time.monotonic() >= deadline
            holder = _holder(descriptor) if late else ""
        except BaseException as error:
            _close(descriptor)
            if isinstance(error, OSError):
                raise FileWriteError(path, error.errno, f"its lock: {error.strerror or error}") from error
            raise
        os.close(descriptor)
        if late:
            raise ModelLockedError(path, holder, wait)
        # At random, so that waiting processes take turns.
        time.sleep(pause * (0.5 + random.random()))
        pause = min(2 * pause, _LONGEST_PAUSE)


def _opened(path: str, place: Path) -> int:
    flags = os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        try:
            descriptor = os.open(place, os.O_RDWR | flags, 0o666)
        except PermissionError:
            # Another user's program crashed and left it; reading it is enough to lock it.
            descriptor = os.open(place, os.O_RDONLY | flags & ~os.O_CREAT)
    except OSError as error:
        reason = error.strerror or str(error)
        if error.errno == errno.ELOOP:
            reason = f"its lock {place.name!r} is a symbolic link"
        raise FileWriteError(path, error.errno, reason) from error
    kind = unusual_kind(os.fstat(descriptor).st_mode)
    if kind is not None:
        os.close(descriptor)
        raise FileWriteError(path, errno.EEXIST, f"its lock {place.name!r} is {kind}")
    return descriptor


def _is_ours(descriptor: int, place: Path) -> bool:
    """Lock an open lock file; False if another has it, or it was deleted or replaced in the meantime."""
    if try_lock(descriptor) is False:
        return False
    if _identity(place) != _numbers(os.fstat(descriptor)):
        return False
    with contextlib.suppress(OSError):  # a lock file of another user, or a full disk: without a note then
        os.truncate(descriptor, 0)
        os.lseek(descriptor, 0, os.SEEK_SET)
        os.write(descriptor, _note())
    return True


def _release(descriptor: int, place: Path) -> None:
    with contextlib.suppress(OSError):
        if _identity(place) == _numbers(os.fstat(descriptor)):
            place.unlink()
    _close(descriptor)


def _close(descriptor: int) -> None:
    _open.discard(descriptor)
    # Unlock first: a forked process may still have the file open, and with it the lock.
    if sys.platform != "win32":
        import fcntl

        with contextlib.suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_UN)
    with contextlib.suppress(OSError):
        os.close(descriptor)


def _after_fork() -> None:
    for descriptor in list(_open):
        with contextlib.suppress(OSError):
            os.close(descriptor)
    _open.clear()
    _held.files.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


# The note in a lock file.


def _note() -> bytes:
    program = [_program(Path(sys.argv[0])), *sys.argv[1:2]] if sys.argv else ["python"]
    since = time.strftime("%Y-%m-%d %H:%M:%S")
    said = {"process": os.getpid(), "host": _host(), "program": " ".join(program)[:100], "since": since}
    return json.dumps(said).encode()


def _program(file: Path) -> str:
    """Return the name of a program; `python -m textbayes` is textbayes, not `__main__.py`."""
    return file.parent.name if file.name == "__main__.py" else file.name


def _holder(descriptor: int) -> str:
    """Return who holds a lock, as far as its file says; an empty string if it does not."""
    try:
        said: Any = json.loads(os.read(descriptor, _LONGEST_NOTE))
        process, host, program, since = (said[name] for name in ("process", "host", "program", "since"))
    except (OSError, ValueError, LookupError, TypeError):
        return ""
    on = "" if host == _host() else f" on {host}"
    found = f"process {process}{on} ({program}), since {since}"
    return "".join(character for character in found if character.isprintable())[:300]


def _host() -> str:
    import platform

    return platform.node()


def _identity(place: Path) -> tuple[int, int] | None:
    try:
        return _numbers(os.stat(place, follow_symlinks=False))
    except OSError:
        return None


def _numbers(status: os.stat_result) -> tuple[int, int]:
    return status.st_dev, status.st_ino
