"""Read model files and check them; nothing in a file is executed."""

from __future__ import annotations

import errno
import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from textbayes.errors import (
    FileMissingError,
    FileReadError,
    ModelDamagedError,
    ModelForeignError,
    ModelVersionError,
    TextbayesError,
)
from textbayes.persistence.digests import FileDigests, check_digest, digest_of, without_digest
from textbayes.persistence.format import DTYPES, FORMAT, LENGTH_BYTES, LONGEST_HEADER
from textbayes.persistence.mapped import MappedFile
from textbayes.persistence.old import UPGRADES
from textbayes.persistence.origin import Origin
from textbayes.persistence.stored import Stored
from textbayes.persistence.strict_json import parse_json
from textbayes.persistence.target import open_regular

_METADATA = ("format", "package", "configuration", "digest")


def read_model(path: str | os.PathLike[str], verify: bool = True, mmap: bool = False) -> Stored:
    """Read a model file.

    Parameters
    ----------
    path : path
        The file.
    verify : bool, default=True
        Whether to compare the digests of the whole file now. Otherwise those of an array are compared when
        :meth:`Stored.array` first returns it, and all before the model is saved again.
    mmap : bool, default=False
        Whether to map the file into memory instead of copying it. All processes that map it share its memory,
        but it must not be changed in place: see :class:`MappedFile`.

    Returns
    -------
    Stored
        The configuration and read-only arrays.

    Raises
    ------
    FileMissingError, FileReadError, ModelForeignError, ModelDamagedError, ModelVersionError
        If the file is missing, does not fit into memory or is not a valid model file.
    """
    name = os.fspath(path)
    with _opened(path, name) as file:
        size = os.fstat(file.fileno()).st_size
        stored, header = _read(file, size, name, verify, mmap)
    return replace(stored, origin=Origin.of(path, size, header))


def read_model_bytes(contents: bytes, name: str = "memory") -> Stored:
    """Read the contents of a model file: see :func:`read_model`.

    Parameters
    ----------
    contents : bytes
        What ``model_bytes`` returned, or a file contains.
    name : str, default="memory"
        What error messages call them.
    """
    return _read(io.BytesIO(contents), len(contents), name, verify=True, mmap=False)[0]


def _read(file: BinaryIO, size: int, name: str, verify: bool, mmap: bool) -> tuple[Stored, bytes]:
    """Return the contents of a file and its header."""
    header, start = _header_text(file, size, name)
    parsed = _parsed(header, name)
    metadata = _metadata(parsed.pop("__metadata__", None), name)
    number = _format_number(metadata, name)
    blank = without_digest(header, metadata["digest"])
    if number > 1:
        check_digest(name, digest_of(blank), metadata["digest"])
    # Before the rest is read: the header must describe a file of this size.
    places = _places(parsed, size - start, name)
    mapped = MappedFile(file, name) if mmap else None
    data = _copied(file, size, start, name) if mapped is None else mapped.data[start:]
    arrays = {key: data[begin:end].view(dtype) for key, (dtype, begin, end) in places.items()}
    if number == 1:
        digests = FileDigests(name, whole=((blank, data), metadata["digest"]), mapped=mapped)
    else:
        digests = FileDigests.of_arrays(name, arrays, metadata["digests"], mapped)
    if verify:
        digests.verify_all()
    stored = Stored(_object(metadata["configuration"], name), arrays, name, digests)
    for older in range(number, FORMAT):
        stored = UPGRADES[older](stored)
    return stored, header


def is_model_file(path: Path) -> bool:
    """Return whether a file starts like a model file; the rest is not checked."""
    with open(path, "rb") as file:
        start = file.read(LENGTH_BYTES + 1)
    length = int.from_bytes(start[:LENGTH_BYTES], "little")
    return start[LENGTH_BYTES:] == b"{" and length <= LONGEST_HEADER


@contextmanager
def _opened(path: str | os.PathLike[str], name: str) -> Iterator[BinaryIO]:
    """Open a model file; say why it cannot be opened or read."""
    try:
        with open_regular(path) as file:
            yield file
    except (FileNotFoundError, NotADirectoryError):
        folder = Path(path).parent
        siblings = os.listdir(folder) if folder.is_dir() else []
        raise FileMissingError(name, siblings, "a model file that save wrote") from None
    except TextbayesError:
        raise
    except OSError as error:
        raise ModelForeignError(name, f"it cannot be read ({error.strerror or error})") from error


def _header_text(file: BinaryIO, size: int, name: str) -> tuple[bytes, int]:
    if not size:
        raise ModelForeignError(name, "it is empty")
    length = int.from_bytes(file.read(LENGTH_BYTES), "little")
    start = LENGTH_BYTES + length
    header = file.read(min(length, LONGEST_HEADER))
    if header[:1] != b"{":
        raise ModelForeignError(name, "it does not begin with a safetensors header")
    if length > LONGEST_HEADER or start > size or len(header) != length:
        raise ModelDamagedError(name, f"its header cannot have {length} bytes")
    if start % LENGTH_BYTES:
        raise ModelDamagedError(name, "the length of its header is not a multiple of 8 bytes")
    return header, start


def _copied(file: BinaryIO, size: int, start: int, name: str) -> NDArray[np.uint8]:
    """Read the arrays into memory that nobody can write to: ``bytes``, whose data is aligned."""
    try:
        file.seek(start)
        data = file.read()
    except (MemoryError, OverflowError):
        reason = f"its {size / 1e9:,.1f} GB do not fit into memory; mmap=True reads only what is used"
        raise FileReadError(name, errno.ENOMEM, reason) from None
    if len(data) != size - start:
        raise ModelDamagedError(name, "it changed while it was read")
    return np.frombuffer(data, np.uint8)


def _parsed(header: bytes, name: str) -> dict[str, Any]:
    try:
        return _object(header.decode("utf-8"), name)
    except UnicodeDecodeError:
        raise ModelDamagedError(name, "its header is not UTF-8") from None


def _object(text: str, name: str) -> dict[str, Any]:
    try:
        parsed = parse_json(text)
    except (ValueError, RecursionError) as error:
        reason = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)[:100]
        raise ModelDamagedError(name, f"its header is not valid JSON ({reason})") from None
    if not isinstance(parsed, dict):
        raise ModelDamagedError(name, "its header is not a JSON object")
    return parsed


def _metadata(found: Any, name: str) -> dict[str, str]:
    if not isinstance(found, dict) or not str(found.get("package", "")).startswith("textbayes"):
        raise ModelForeignError(name, "another program wrote this safetensors file")
    needed = _METADATA if found.get("format") == "1" else (*_METADATA, "digests")
    if not all(isinstance(found.get(key), str) for key in needed):
        raise ModelDamagedError(name, f"its header lacks one of {', '.join(needed)}")
    return found


def _places(table: dict[str, Any], size: int, name: str) -> dict[str, tuple[np.dtype[Any], int, int]]:
    """Return the places of the arrays, which must fill the data without gaps or overlaps."""
    places = {key: _place(entry, name, key) for key, entry in table.items()}
    found: dict[str, tuple[np.dtype[Any], int, int]] = {}
    expected = 0
    for key, (dtype, begin, end) in sorted(places.items(), key=lambda item: item[1][1:]):
        if begin != expected or end > size or begin % dtype.itemsize:
            raise ModelDamagedError(name, f"the array {key!r} is not at its place")
        found[key] = dtype, begin, end
        expected = end
    if expected != size:
        raise ModelDamagedError(name, f"its arrays end after {expected} bytes of {size}")
    return found


def _place(entry: Any, name: str, key: str) -> tuple[np.dtype[Any], int, int]:
    match entry:
        case {"dtype": str(kind), "shape": [int(length)], "data_offsets": [int(begin), int(end)]}:
            dtype = DTYPES.get(kind)
            if dtype is not None and 0 <= begin <= end and end - begin == length * dtype.itemsize:
                return dtype, begin, end
    raise ModelDamagedError(name, f"the header does not describe the array {key!r}")


def _format_number(metadata: dict[str, str], name: str) -> int:
    text = metadata["format"]
    found = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0
    if found < 1:
        raise ModelDamagedError(name, f"{text[:20]!r} is not a version of the format")
    if found > FORMAT:
        raise ModelVersionError(name, found, FORMAT, metadata["package"][:60].removeprefix("textbayes "))
    return found
