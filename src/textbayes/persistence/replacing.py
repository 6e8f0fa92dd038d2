"""Replace a file safely: the new one is written beside it, flushed to disk, and renamed.

After a crash, a full disk or Ctrl-C the path has the old file or the new one. What a crash leaves is a hidden
file ``.NAME.PROCESS-RANDOM.part``. Its writer holds a lock on it, so the next save recognises those that
nobody writes any more, and deletes them.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import secrets
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from textbayes.errors import FileWriteError, TextbayesError
from textbayes.persistence.lock import try_lock
from textbayes.persistence.target import beside, real_file, unusual_kind

_WRITE_BITS = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH
# As long as that of any part, so that a long name is cut at the same place for each.
_ENDING = "0000000000-00000000.part"
_PART = re.compile(r"\d{10}-[0-9a-f]{8}\.part")


@contextlib.contextmanager
def replacing(path: str | os.PathLike[str], flush: bool = True) -> Iterator[BinaryIO]:
    """Open a new file that replaces the one at a path when the block ends without an error.

    A symbolic link is followed: the file that it leads to is replaced. The new file has the permissions, the
    owner and the group of the old one. If a user may not give a file away, the new one is theirs, and
    permissions of the old group are kept only if the group is. A new file has the usual permissions.

    Parameters
    ----------
    path : path
        The file.
    flush : bool, default=True
        Whether the file is flushed to disk before it is renamed. Without this, a power failure can leave an
        empty file, which is enough for a cache.

    Yields
    ------
    binary file
        The file to write to.

    Raises
    ------
    FileWriteError
        If the path is that of a folder, a device, a FIFO or a socket; if the old file is read-only, which
        holds for root too; or if the disk is full or the folder cannot be written to. The old file is then
        unchanged.

    Examples
    --------
    >>> from textbayes.persistence.replacing import replacing
    >>> with replacing("notes.txt") as file:
    ...     _ = file.write(b"new")
    >>> with open("notes.txt", "rb") as file:
    ...     file.read()
    b'new'
    """
    try:
        target = real_file(path)
        old = check_replaceable(path)
        _remove_leftovers(target)
        with _part(target, old) as (part, file):
            yield file
            file.flush()
            _keep_owner(file.fileno(), old)
            if flush:
                os.fsync(file.fileno())
            if sys.platform == "win32":  # which renames no open file
                file.close()
            os.replace(part, target)
            if flush:
                flush_folder(target.parent)
    except TextbayesError:
        raise
    except OSError as error:
        raise FileWriteError(os.fspath(path), error.errno, error.strerror or str(error)) from error


def check_replaceable(path: str | os.PathLike[str]) -> os.stat_result | None:
    """Refuse a path whose file must not be replaced; return the status of the file, or None if there is none.

    Examples
    --------
    >>> import os
    >>> from textbayes.persistence.replacing import check_replaceable
    >>> check_replaceable(os.devnull)
    Traceback (most recent call last):
    textbayes.errors.FileWriteError: '/dev/null' cannot be written (it is a device).
      Nothing was changed: a file that was there before is still there.
      Choose the name of a regular file.    [file-write]
    """
    name, target = os.fspath(path), real_file(path)
    try:
        old = os.lstat(target)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise FileWriteError(name, error.errno, error.strerror or str(error)) from error
    kind = unusual_kind(old.st_mode)
    if kind is not None:
        number = errno.EISDIR if stat.S_ISDIR(old.st_mode) else errno.EINVAL
        raise FileWriteError(name, number, f"it is {kind}")
    # Root may write to any file; one without any write permission is meant to stay.
    if not old.st_mode & _WRITE_BITS or not os.access(target, os.W_OK):
        raise FileWriteError(name, errno.EACCES, "it is read-only")
    return old


@contextlib.contextmanager
def _part(target: Path, old: os.stat_result | None) -> Iterator[tuple[Path, BinaryIO]]:
    """Open a locked file beside the target, and delete it in the end unless it was renamed."""
    part, descriptor = _created(target, 0o666 if old is None else 0o600)
    try:
        with open(descriptor, "wb") as file:
            descriptor = -1
            yield part, file
    finally:
        if descriptor >= 0:
            os.close(descriptor)
        with contextlib.suppress(OSError):
            part.unlink()


def _created(target: Path, mode: int) -> tuple[Path, int]:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    while True:
        part = beside(target, f"{os.getpid():010d}-{secrets.token_hex(4)}.part")
        descriptor = os.open(part, flags, mode)
        # Another process may have found it before it was locked, and deleted it as a leftover.
        if _lock_part(descriptor) is not False and part.exists():
            return part, descriptor
        os.close(descriptor)


def _lock_part(descriptor: int) -> bool | None:
    # On Windows a lock would also keep the file from being renamed.
    return None if sys.platform == "win32" else try_lock(descriptor)


def _remove_leftovers(target: Path) -> None:
    """Delete the parts of this target that no process writes any more, and nothing else."""
    start = beside(target, _ENDING).name.removesuffix(_ENDING)
    with contextlib.suppress(OSError), os.scandir(target.parent) as entries:
        for entry in entries:
            named = entry.name.startswith(start) and _PART.fullmatch(entry.name, len(start))
            if named and entry.is_file(follow_symlinks=False):
                _remove_if_unused(entry.path)


def _remove_if_unused(path: str) -> None:
    with contextlib.suppress(OSError):
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
        try:
            if _lock_part(descriptor):
                os.unlink(path)
        finally:
            os.close(descriptor)


def _keep_owner(descriptor: int, old: os.stat_result | None) -> None:
    """Give a file the owner, the group and the permissions of the old one, and nobody more than before."""
    if old is None or sys.platform == "win32":
        return
    mode = stat.S_IMODE(old.st_mode) & 0o777
    for user, group in ((old.st_uid, old.st_gid), (-1, old.st_gid)):
        with contextlib.suppress(OSError):
            os.fchown(descriptor, user, group)
            break
    new = os.fstat(descriptor)
    if new.st_gid != old.st_gid:
        # Members of the old group now count as others, and those of the new one as the group.
        both = mode >> 3 & mode & 0o007
        mode = mode & 0o700 | both << 3 | both
    if new.st_uid != old.st_uid:
        # The writer owns the file now, and must be able to read and write it.
        mode |= 0o600
    os.fchmod(descriptor, mode)


def flush_folder(folder: Path) -> None:
    """Flush a folder to disk, so that a rename survives a power failure; no effect on Windows."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
