"""Which file a path stands for, and the names of the files that are put beside it."""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path
from typing import BinaryIO

from textbayes.errors import ModelForeignError

_LONGEST_NAME = 255
_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a FIFO"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISLNK, "a symbolic link that leads to itself"),
)


def real_file(path: str | os.PathLike[str]) -> Path:
    """Return the file that a path leads to, through any symbolic links; it need not exist.

    Examples
    --------
    >>> import os
    >>> from textbayes.persistence.target import real_file
    >>> os.symlink("news.tb", "live.tb")
    >>> real_file("live.tb").name
    'news.tb'
    """
    return Path(os.path.realpath(path))


def unusual_kind(mode: int) -> str | None:
    """Return what a file is by its mode, such as ``"a FIFO"``; None for a regular file.

    Examples
    --------
    >>> import os
    >>> from textbayes.persistence.target import unusual_kind
    >>> unusual_kind(os.stat(os.devnull).st_mode), unusual_kind(os.stat(".").st_mode)
    ('a device', 'a folder')
    """
    if stat.S_ISREG(mode):
        return None
    return next((name for is_kind, name in _KINDS if is_kind(mode)), "not a regular file")


def open_regular(path: str | os.PathLike[str]) -> BinaryIO:
    """Open a file for reading, without buffers; refuse a FIFO, which would wait for ever, and other kinds.

    Raises
    ------
    ModelForeignError
        If it is not a regular file.
    OSError
        If it cannot be opened.
    """
    # Opening some devices does something, so the first look is before it. The second one is at what was
    # opened.
    _check_regular(os.fspath(path), os.stat(path))
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    file = open(descriptor, "rb", buffering=0)  # noqa: SIM115
    try:
        _check_regular(os.fspath(path), os.fstat(descriptor))
    except BaseException:
        file.close()
        raise
    return file


def _check_regular(path: str, status: os.stat_result) -> None:
    kind = unusual_kind(status.st_mode)
    if kind is not None:
        raise ModelForeignError(path, f"it is {kind}")


def beside(target: Path, ending: str) -> Path:
    """Return the hidden name of a file that belongs to another one, in the same folder.

    The start of a long name is cut, and a digest of the whole name takes its place.

    Examples
    --------
    >>> from pathlib import Path
    >>> from textbayes.persistence.target import beside
    >>> beside(Path("news.tb"), "lock").name
    '.news.tb.lock'
    >>> len(beside(Path("n" * 255), "lock").name)
    255
    """
    return target.with_name(f".{_stem(target.name, len(ending))}.{ending}")


def _stem(name: str, ending: int) -> str:
    data = os.fsencode(name)
    longest = _LONGEST_NAME - ending - 2
    if len(data) <= longest:
        return name
    mark = f"~{hashlib.sha256(data).hexdigest()[:16]}"
    # Half a character at the cut would be a name that some file systems refuse.
    return data[: longest - len(mark)].decode("utf-8", "ignore") + mark
