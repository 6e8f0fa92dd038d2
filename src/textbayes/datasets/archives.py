"""Read the files of a corpus from a folder or a tar archive, without writing anything."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from textbayes.datasets.streams import open_stream
from textbayes.errors import FileMissingError, FileReadError

Parts = tuple[str, ...]
"""The path of a file in its corpus: its folders, then its name."""


def read_files(path: Path, keep: Callable[[Parts], bool]) -> Iterator[tuple[Parts, bytes]]:
    """Read the files of a folder or of a tar archive, compressed or not.

    Members of a tar are read into memory one by one. Their names are never used as paths, so
    ``../../etc/passwd`` is harmless. Links and devices in a tar are skipped.
    """
    if not path.exists():
        raise missing_path(path)
    return _read_folder(path, keep) if path.is_dir() else _read_tar(path, keep)


def list_files(folder: Path) -> Iterator[Path]:
    """List the files under a folder in sorted order, without clutter."""
    for here, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not is_clutter(name))
        yield from (Path(here, name) for name in sorted(files) if not is_clutter(name))


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
            yield parts, file.read_bytes()


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
                    yield parts, file.read()
    except (tarfile.TarError, lzma.LZMAError, zlib.error, EOFError) as error:
        raise FileReadError(str(path), None, str(error)) from error


def _clean_parts(name: str) -> Parts:
    return tuple(readable_name(part) for part in name.split("/") if part not in {"", ".", ".."})
