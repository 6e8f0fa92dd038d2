"""Read the files of a corpus from a folder or a tar archive, without writing anything."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, BinaryIO

from textbayes.datasets.streams import MAX_RECORD, open_stream
from textbayes.errors import FileMissingError, FileReadError

Parts = tuple[str, ...]
"""The path of a file in its corpus: its folders, then its name."""

# Opening a FIFO must not wait for a writer. Not all systems have all flags.
_FLAGS = os.O_RDONLY | sum(getattr(os, name, 0) for name in ("O_NONBLOCK", "O_NOFOLLOW", "O_BINARY"))


def read_files(path: Path, keep: Callable[[Parts], bool]) -> Iterator[tuple[Parts, bytes]]:
    """Read the files of a folder or of a tar archive, compressed or not.

    Files and members of a tar are read into memory one by one; one that is too large for that is an error.
    Names in a tar are never used as paths, so ``../../etc/passwd`` is harmless. Links and devices in a tar,
    and links out of a folder and whatever is no file in it, are skipped.
    """
    if not path.exists():
        raise missing_path(path)
    return _read_folder(path, keep) if path.is_dir() else _read_tar(path, keep)


def list_files(folder: Path) -> Iterator[Path]:
    """List the files under a folder in sorted order, without clutter; a link to a folder is one of them."""
    for here, folders, files in os.walk(folder):
        links = [name for name in folders if os.path.islink(os.path.join(here, name))]
        folders[:] = sorted(name for name in folders if not is_clutter(name))
        yield from (Path(here, name) for name in sorted([*files, *links]) if not is_clutter(name))


def open_inside(file: Path, root: Path) -> BinaryIO:
    """Open a regular file of a folder; a link may lead to another file of the same folder.

    Raises
    ------
    FileReadError
        If it is a link out of the folder, or not a regular file: a FIFO would block, a device never end.
    """
    place = Path(os.path.realpath(file))
    if not place.is_relative_to(os.path.realpath(root)):
        raise FileReadError(str(file), errno.ELOOP, "it is a link out of the folder, which is not followed")
    try:
        number = os.open(place, _FLAGS)
    except OSError as error:  # a socket, or a link to nothing
        raise FileReadError(str(file), error.errno, error.strerror or str(error)) from error
    if not stat.S_ISREG(os.fstat(number).st_mode):
        os.close(number)
        raise FileReadError(str(file), errno.EINVAL, "it is not a regular file")
    return os.fdopen(number, "rb")


def is_clutter(name: str) -> bool:
    """Return whether a file or folder is hidden or left behind by an operating system."""
    return name.startswith(".") or name in {"__MACOSX", "Thumbs.db", "desktop.ini"}


def readable_name(name: str) -> str:
    """Return a file name as text; bytes that are not UTF-8 become U+FFFD."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def missing_path(path: Path) -> FileMissingError:
    """Return the error for a missing path, with its siblings for a suggestion."""
    try:
        siblings = sorted(os.listdir(path.parent))
    except OSError:
        siblings = []
    return FileMissingError(str(path), siblings)


def _read_folder(path: Path, keep: Callable[[Parts], bool]) -> Iterator[tuple[Parts, bytes]]:
    for file in list_files(path):
        parts = _clean_parts(file.relative_to(path).as_posix())
        if keep(parts):
            try:
                stream = open_inside(file, path)
            except FileReadError as error:
                if error.errno in (errno.ELOOP, errno.EINVAL):
                    continue
                raise
            with stream:
                yield parts, _read_whole(stream, str(file))


def _read_tar(path: Path, keep: Callable[[Parts], bool]) -> Iterator[tuple[Parts, bytes]]:
    import lzma
    import tarfile
    import zlib

    try:
        with open_stream(str(path)) as stream, tarfile.open(fileobj=stream, mode="r|*") as tar:
            for member in tar:
                parts = _clean_parts(member.name)
                if member.isreg() and parts and not any(map(is_clutter, parts)) and keep(parts):
                    file = tar.extractfile(member)
                    assert file is not None
                    yield parts, _read_whole(file, f"{path}: {'/'.join(parts)}")
    except (tarfile.TarError, lzma.LZMAError, zlib.error, EOFError) as error:
        raise FileReadError(str(path), None, str(error)) from error


def _read_whole(stream: IO[bytes], place: str) -> bytes:
    data = stream.read(MAX_RECORD + 1)
    if len(data) > MAX_RECORD:
        raise FileReadError(place, None, f"it has over {MAX_RECORD:,} bytes")
    return data


def _clean_parts(name: str) -> Parts:
    return tuple(readable_name(part) for part in name.split("/") if part not in {"", ".", ".."})
