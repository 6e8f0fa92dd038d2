"""Shares of large files, which several processes read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import BinaryIO

from textbayes.datasets.files import file_format
from textbayes.datasets.reading import Share
from textbayes.datasets.streams import is_compressed, known_encoding

_CHUNK = 1 << 20
# A smaller share, in bytes, is not worth a process.
_LEAST = 1 << 24


def share_files(
    paths: Sequence[str], most: int, format: str | None = None, encoding: str = "utf-8"
) -> list[Share]:
    """Cut files into shares: JSON Lines between lines, Parquet between row groups, others not at all.

    Parameters
    ----------
    paths : sequence of str
        Files and folders.
    most : int
        The largest number of shares of a file.
    format, encoding : str
        As for ``read_documents``. Compressed files, and those in other encodings than UTF-8, are not cut.
    """
    return [
        share
        for number, path in enumerate(paths)
        for share in _shares(number, Path(path), file_format(path, format), most, known_encoding(encoding))
    ]


def _shares(number: int, path: Path, format: str | None, most: int, encoding: str) -> Iterator[Share]:
    size = _size(path)
    pieces = min(most, size // _LEAST)
    if pieces > 1 and format == "parquet":
        yield from _row_groups(number, path, pieces)
    elif pieces > 1 and format == "jsonl" and encoding == "utf-8" and not is_compressed(str(path)):
        yield from _lines(number, path, pieces)
    else:
        yield Share(number, size=size)


def _size(path: Path) -> int:
    files = path.rglob("*") if path.is_dir() else [path]
    return sum(file.stat().st_size for file in files if file.is_file())


def _row_groups(number: int, path: Path, pieces: int) -> Iterator[Share]:
    import pyarrow.parquet as pq

    with pq.ParquetFile(path) as file:
        groups = [file.metadata.row_group(at) for at in range(file.metadata.num_row_groups)]
    ends = sorted({len(groups) * piece // pieces for piece in range(pieces + 1)})
    rows = 0
    for start, stop in pairwise(ends):
        size = sum(group.total_byte_size for group in groups[start:stop])
        yield Share(number, start, stop, rows, size)
        rows += sum(group.num_rows for group in groups[start:stop])


def _lines(number: int, path: Path, pieces: int) -> Iterator[Share]:
    with path.open("rb") as file:
        size = path.stat().st_size
        ends = sorted({0, size, *(_line_after(file, size * piece // pieces) for piece in range(1, pieces))})
        lines = 0
        for start, stop in pairwise(ends):
            yield Share(number, start, stop, lines, stop - start)
            lines += _count_lines(file, start, stop)


def _line_after(file: BinaryIO, place: int) -> int:
    """Return the start of the first line after a place, or the end of the file."""
    file.seek(place)
    while chunk := file.read(_CHUNK):
        found = chunk.find(b"\n")
        if found >= 0:
            return place + found + 1
        place += len(chunk)
    return place


def _count_lines(file: BinaryIO, start: int, stop: int) -> int:
    r"""Count the line ends, ``\n``, ``\r\n`` or ``\r``, between two places."""
    file.seek(start)
    lines, last = 0, b""
    while chunk := file.read(min(_CHUNK, stop - file.tell())):
        lines += chunk.count(b"\n") + chunk.count(b"\r") - (last + chunk).count(b"\r\n")
        last = chunk[-1:]
    return lines
