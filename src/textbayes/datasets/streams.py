"""Bytes → lines: open plain or compressed files and decode them; errors name the position."""

from __future__ import annotations

import codecs
import io
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO, NamedTuple, TypeVar, cast

from textbayes.errors import EncodingError, FileReadError, ParameterError, RecordError

STANDARD_INPUT = "-"

MAX_RECORD = 1 << 26
"""The most characters of a line, a row, an object or a file of a folder. A longer one would fill memory: a
compressed file of a megabyte can hold a line of gigabytes."""

COMPRESSIONS = (".gz", ".zst", ".bz2", ".xz")
"""The endings of compressed files."""

# Recognised by their first bytes and not by name: standard input has no name, and downloads may lose theirs.
# "BZh9" alone could be the start of a text.
_MAGIC = {
    "gzip": re.compile(rb"\x1f\x8b"),
    "zstd": re.compile(rb"\x28\xb5\x2f\xfd"),
    "bz2": re.compile(rb"BZh[1-9](1AY&SY|\x17rE8P\x90)"),
    "xz": re.compile(rb"\xfd7zXZ\x00"),
}
_MAGIC_BYTES = 10
_CHUNK = 1 << 18
# How much of a first line is looked at to find the format.
_START = 1 << 16
_OTHER_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_LINE_END = re.compile("\r\n|\n|\r")
_Error = TypeVar("_Error", EncodingError, RecordError)


class Lines(NamedTuple):
    """Some lines of a file.

    Parameters
    ----------
    start, stop : int
        The first byte of a plain file and the one after the last; if ``stop`` is 0, all of any file.
    before : int
        The number of lines before the first.
    """

    start: int = 0
    stop: int = 0
    before: int = 0


def shown_path(path: str) -> str:
    """Return the name of a path in messages."""
    return "standard input" if path == STANDARD_INPUT else path


@contextmanager
def open_stream(path: str) -> Iterator[BinaryIO]:
    """Open a file, or standard input for ``-``, and decompress gzip, zstd, bzip2 or xz.

    Files are closed afterwards; standard input stays open.
    """
    raw = _StandardInput() if path == STANDARD_INPUT else io.FileIO(path)
    with io.BufferedReader(raw, _CHUNK) as plain:
        head = plain.peek(_MAGIC_BYTES)
        codec = next((codec for codec, magic in _MAGIC.items() if magic.match(head)), None)
        if codec is None:
            yield plain
        else:
            with _decompressor(cast(BinaryIO, plain), codec) as stream:
                yield cast(BinaryIO, _Decompressed(stream, shown_path(path)))


def is_compressed(path: str) -> bool:
    """Return whether a file is compressed, by its first bytes."""
    with io.FileIO(path) as file:
        head = file.read(_MAGIC_BYTES)
    return any(magic.match(head) for magic in _MAGIC.values())


def _decompressor(plain: BinaryIO, codec: str) -> Any:
    if codec == "bz2":
        import bz2

        return bz2.BZ2File(plain)
    if codec == "xz":
        import lzma

        return lzma.LZMAFile(plain)
    import pyarrow as pa

    return pa.CompressedInputStream(pa.PythonFile(plain, mode="r"), codec)


class _Decompressed:
    """A compressed stream whose errors name the file."""

    def __init__(self, stream: Any, path: str) -> None:
        self._stream = stream
        self._path = path

    def read(self, size: int = -1) -> bytes:
        try:
            return cast(bytes, self._stream.read(size if size >= 0 else None))
        except Exception as error:
            if not _is_damage(error):
                raise
            raise FileReadError(self._path, None, str(error)) from error


def _is_damage(error: Exception) -> bool:
    """Return whether an error of a decompressor says that its bytes are damaged."""
    # The classes of lzma and pyarrow, which are not imported for other files.
    named = {kind.__name__ for kind in type(error).__mro__}
    return isinstance(error, OSError | EOFError) or bool(named & {"LZMAError", "ArrowException"})


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


class DamagedLine(str):
    """A line with bytes that cannot be decoded, each run of them U+FFFD; or a line that is too long."""

    __slots__ = ("error",)
    error: EncodingError | RecordError

    @classmethod
    def of(cls, text: str, error: EncodingError | RecordError) -> DamagedLine:
        """Return a line with its error."""
        made = cls(text)
        made.error = error
        return made


class TextStream:
    r"""The text of a stream of bytes: its start, then once its lines or its pieces.

    A byte-order mark is dropped. Lines end with ``\n``, ``\r\n`` or ``\r``. Only the current line or piece is
    in memory.

    Parameters
    ----------
    stream : binary file
        The bytes.
    path : str
        The name of the file in messages.
    encoding : str
        The encoding.
    resumes : bool, default=False
        Whether to go on after bytes that cannot be decoded or a line that is too long, with a
        :class:`DamagedLine`. If not, the lines before are yielded and an error is raised.
    most : int, optional
        The most characters of a line.
    lines : Lines, optional
        The lines of the file that the stream has.
    """

    def __init__(
        self,
        stream: BinaryIO,
        path: str,
        encoding: str,
        resumes: bool = False,
        most: int = MAX_RECORD,
        lines: Lines = Lines(),  # noqa: B008
    ) -> None:
        self.path = path
        self.first = lines.before + 1
        self.most = most
        self._encoding = encoding
        self._resumes = resumes
        self._pieces = _decode(stream, path, encoding, lines.start)
        self._read: list[str | _Damage] = []

    def start(self) -> str:
        """Return the first line that is not blank, or as much as is needed to know the format."""
        text = "".join(_REPLACEMENT if isinstance(piece, _Damage) else piece for piece in self._read)
        # Read no further than the end of the line: on a pipe, the next line may come much later.
        while len(text) < _START and not re.match(r"\s*\S[^\r\n]*[\r\n]", text):
            piece = next(self._pieces, None)
            if piece is None:
                break
            self._read.append(piece)
            text += _REPLACEMENT if isinstance(piece, _Damage) else piece
        return _LINE_END.split(text.lstrip(), maxsplit=1)[0][:_START]

    def lines(self) -> Iterator[str]:
        """Read the lines with their line ends."""
        # The pieces of a long line are joined once, at its end: joining at every chunk would be quadratic.
        parts: list[str] = []
        held, number, length = "", self.first, 0
        damage: EncodingError | RecordError | None = None
        for piece in self._all():
            text = held + (_REPLACEMENT if isinstance(piece, _Damage) else piece)
            # The \n of a \r\n may be in the next piece.
            held = "\r" if text.endswith("\r") else ""
            for line in io.StringIO(text[: len(text) - len(held)], newline=""):
                length += len(line)
                if length <= self.most:
                    parts.append(line)
                else:  # it is read to its end, but not kept
                    damage = damage or self._too_long(number)
                    parts.clear()
                if line.endswith(("\n", "\r")):
                    text = parts[0] if len(parts) == 1 else "".join(parts)
                    yield text if damage is None else DamagedLine.of(text, damage)
                    parts.clear()
                    damage, number, length = None, number + 1, 0
            if isinstance(piece, _Damage):
                damage = damage or self.resumed(self._error(number, piece))
        if damage is None and length + len(held) > self.most:
            damage = self._too_long(number)
        if parts or held or damage:
            text = "".join(parts) + held
            yield text if damage is None else DamagedLine.of(text, damage)

    def whole(self) -> str:
        """Read all of the text, which is one record."""
        parts, length = [], 0
        for piece in self.pieces():
            length += len(piece)
            if length > self.most:
                raise RecordError(self.path, 1, f"the file has over {self.most:,} characters", "length")
            parts.append(piece)
        return "".join(parts)

    def pieces(self) -> Iterator[str]:
        """Read the text in pieces of any size; one that stands for damaged bytes is a DamagedLine."""
        number, last = 1, ""
        for piece in self._all():
            if isinstance(piece, _Damage):
                yield DamagedLine.of(_REPLACEMENT, self.resumed(self._error(number, piece)))
                last = ""
            else:
                yield piece
                number += len(_LINE_END.findall(piece)) - (last == "\r" and piece.startswith("\n"))
                last = piece[-1]

    def _all(self) -> Iterator[str | _Damage]:
        while self._read:
            yield self._read.pop(0)
        yield from self._pieces

    def _too_long(self, number: int) -> RecordError:
        problem = f"this line has over {self.most:,} characters"
        return self.resumed(RecordError(self.path, number, problem, "length"))

    def resumed(self, error: _Error) -> _Error:
        """Return an error if reading goes on after it, or raise it."""
        if not self._resumes:
            raise error
        return error

    def _error(self, number: int, damage: _Damage) -> EncodingError:
        return EncodingError(self.path, number, damage.offset, damage.byte, self._encoding)


@contextmanager
def open_text(
    path: str,
    encoding: str,
    resumes: bool = False,
    most: int = MAX_RECORD,
    lines: Lines = Lines(),  # noqa: B008
) -> Iterator[TextStream]:
    """Open the text of a file, or of standard input for ``-``, compressed or not; or some lines of a file."""
    with open_stream(path) as stream:
        some = _Some(stream, lines) if lines.stop else stream
        yield TextStream(cast(BinaryIO, some), shown_path(path), encoding, resumes, most, lines)


class _Some:
    """Some bytes of a file."""

    def __init__(self, stream: BinaryIO, lines: Lines) -> None:
        stream.seek(lines.start)
        self._stream, self._left = stream, lines.stop - lines.start

    def read(self, size: int) -> bytes:
        data = self._stream.read(min(size, self._left))
        self._left -= len(data)
        return data


def read_text(path: str, encoding: str, most: int = MAX_RECORD) -> str:
    """Read a whole file, or standard input for ``-``; keep the line ends and drop a byte-order mark."""
    with open_text(path, encoding, most=most) as text:
        return text.whole()


def read_lines(stream: BinaryIO, path: str, encoding: str, most: int = MAX_RECORD) -> Iterator[str]:
    r"""Read the lines of a stream with their line ends, which may be ``\n``, ``\r\n`` or ``\r``.

    A byte-order mark is dropped. All lines before a byte that cannot be decoded are yielded before the error
    is raised. Only the current line is in memory.
    """
    return TextStream(stream, path, encoding, most=most).lines()


class _Damage(NamedTuple):
    """Bytes that cannot be decoded: where they start, and the first of them."""

    offset: int
    byte: int


def _decode(stream: BinaryIO, path: str, encoding: str, read: int = 0) -> Iterator[str | _Damage]:
    """Decode a stream, of which ``read`` bytes were read before."""
    decoder = codecs.getincrementaldecoder(encoding)()
    # read1 returns what a pipe has now; read would wait for a whole chunk.
    read_some = getattr(stream, "read1", stream.read)
    started, ended = read > 0, False
    while not ended:
        data = read_some(_CHUNK)
        if not read and encoding == "utf-8" and data.startswith(_OTHER_MARKS):
            # Every line is then wrong, even those that can be decoded.
            raise EncodingError(path, 1, 0, data[0], encoding)
        ended = not data
        read += len(data)
        try:
            for piece in _decode_chunk(decoder, data, read):
                if isinstance(piece, str) and not started:
                    yield from filter(None, [piece.removeprefix("\ufeff")])
                else:
                    yield piece
                started = True
        except UnicodeError:  # UTF-16 or UTF-32 without a byte-order mark
            raise EncodingError(path, 1, 0, data[0], encoding) from None


def _decode_chunk(decoder: codecs.IncrementalDecoder, data: bytes, read: int) -> Iterator[str | _Damage]:
    """Decode a chunk, of which ``read`` bytes of the stream have been read at its end."""
    final = not data
    while True:
        flags = decoder.getstate()[1]
        try:
            if text := decoder.decode(data, final=final):
                yield text
        except UnicodeDecodeError as error:
            # error.object is the start of a character from the previous chunk, then this chunk.
            decoder.setstate((b"", flags))  # the flags hold the byte order of UTF-16
            if text := decoder.decode(error.object[: error.start]):
                yield text
            yield _Damage(read - len(error.object) + error.start, error.object[error.start])
            data = error.object[error.end :]
        else:
            return
