"""Bytes → lines: open plain or compressed files and decode them; errors name the position."""

from __future__ import annotations

import codecs
import io
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO, cast

from textbayes.errors import EncodingError, FileReadError, ParameterError

if TYPE_CHECKING:
    import pyarrow as pa

STANDARD_INPUT = "-"

# Recognised by their first bytes and not by name: standard input has no name, and downloads may lose theirs.
_MAGIC = {b"\x1f\x8b": "gzip", b"\x28\xb5\x2f\xfd": "zstd"}
_CHUNK = 1 << 18


def shown_path(path: str) -> str:
    """Return the name of a path in messages."""
    return "standard input" if path == STANDARD_INPUT else path


@contextmanager
def open_stream(path: str) -> Iterator[BinaryIO]:
    """Open a file, or standard input for ``-``, and decompress gzip or zstd.

    Files are closed afterwards; standard input stays open.
    """
    raw = _StandardInput() if path == STANDARD_INPUT else io.FileIO(path)
    with io.BufferedReader(raw, _CHUNK) as plain:
        head = plain.peek(4)
        codec = next((codec for magic, codec in _MAGIC.items() if head.startswith(magic)), None)
        if codec is None:
            yield plain
        else:
            import pyarrow as pa

            with pa.CompressedInputStream(pa.PythonFile(plain, mode="r"), codec) as stream:
                yield cast(BinaryIO, _Decompressed(stream, shown_path(path)))


class _Decompressed:
    """A compressed stream whose errors name the file."""

    def __init__(self, stream: pa.CompressedInputStream, path: str) -> None:
        self._stream = stream
        self._path = path

    def read(self, size: int = -1) -> bytes:
        import pyarrow as pa

        try:
            return cast(bytes, self._stream.read(size if size >= 0 else None))
        except (OSError, pa.ArrowException) as error:
            raise FileReadError(self._path, None, str(error)) from error


class _StandardInput(io.RawIOBase):
    """Standard input that stays open when closed, and ends at the first end of file.

    A terminal can be read again after Ctrl-D, and would need another Ctrl-D for every further read.
    """

    _ended = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        if self._ended or sys.stdin is None:  # a process may have no standard input
            return 0
        data = cast(io.BufferedReader, sys.stdin.buffer).read1(len(buffer))
        self._ended = not data
        buffer[: len(data)] = data
        return len(data)


def known_encoding(encoding: str) -> str:
    """Return the canonical name of an encoding, or raise if Python does not know it."""
    try:
        info = codecs.lookup(encoding)
    except LookupError:
        info = None
    # "hex", "rot13" etc. are codecs, but not text encodings.
    if info is None or not getattr(info, "_is_text_encoding", True):
        options = ("utf-8", "utf-16", "latin-1", "cp1252", "shift_jis", "euc_kr", "gb18030", "big5")
        raise ParameterError("encoding", encoding, options)
    return info.name


def read_lines(stream: BinaryIO, path: str, encoding: str) -> Iterator[str]:
    r"""Read the lines of a stream with their line ends, which may be ``\n``, ``\r\n`` or ``\r``.

    A byte-order mark is dropped. All lines before a byte that cannot be decoded are yielded before the error
    is raised. Only the current line is in memory.
    """
    number = 0
    try:
        for line in _split_lines(_decode(stream, encoding)):
            number += 1
            yield line
    except _UndecodableError as bad:
        raise EncodingError(path, number + 1, bad.offset, bad.byte, encoding) from None


def decode_text(data: bytes, path: str, encoding: str) -> str:
    """Decode a whole file; keep the line ends and drop a byte-order mark."""
    return "".join(read_lines(io.BytesIO(data), path, encoding))


class _UndecodableError(Exception):
    def __init__(self, offset: int, byte: int) -> None:
        super().__init__(offset, byte)
        self.offset = offset
        self.byte = byte


def _decode(stream: BinaryIO, encoding: str) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder(encoding)()
    # read1 returns what a pipe has now; read would wait for a whole chunk.
    read_some = getattr(stream, "read1", stream.read)
    read = 0
    first = True
    data: bytes | None = None
    while data != b"":
        data = read_some(_CHUNK)
        read += len(data)
        try:
            text, bad = decoder.decode(data, final=not data), None
        except UnicodeDecodeError as error:
            # error.object ends with this chunk and may start in the previous one.
            rest = len(error.object) - error.start
            bad = _UndecodableError(read - rest, error.object[error.start])
            text = decoder.decode(data[: max(0, len(data) - rest)])
        if text:
            yield text.removeprefix("\ufeff") if first else text
            first = False
        if bad:
            raise bad


def _split_lines(texts: Iterable[str]) -> Iterator[str]:
    # The pieces of a long line are joined once, at its end: joining at every chunk would be quadratic.
    pieces: list[str] = []
    held = ""
    for chunk in texts:
        text = held + chunk
        # The \n of a \r\n may be in the next chunk.
        held = "\r" if text.endswith("\r") else ""
        for line in io.StringIO(text[: len(text) - len(held)], newline=""):
            pieces.append(line)
            if line.endswith(("\n", "\r")):
                yield pieces[0] if len(pieces) == 1 else "".join(pieces)
                pieces.clear()
    rest = "".join(pieces) + held
    if rest:
        yield rest
