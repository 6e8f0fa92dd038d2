"""Read model files: map them into memory and check them; nothing in a file is executed."""

from __future__ import annotations

import mmap
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textbayes.errors import FileMissingError, ModelDamagedError, ModelForeignError, ModelVersionError
from textbayes.persistence.digests import FileDigests, check_digest, digest_of, without_digest
from textbayes.persistence.format import DTYPES, FORMAT, LENGTH_BYTES, LONGEST_HEADER
from textbayes.persistence.old import UPGRADES
from textbayes.persistence.origin import Origin
from textbayes.persistence.stored import Arrays, Stored
from textbayes.persistence.strict_json import parse_json

# Verifying a file up to this size takes milliseconds; arrays of larger ones are verified when first read.
DIGESTED_BYTES = 1 << 26
_METADATA = ("format", "package", "configuration", "digest")


def read_model(path: str | os.PathLike[str], verify: bool | None = None) -> Stored:
    """Map a model file into memory.

    Parameters
    ----------
    path : path
        The file.
    verify : bool, optional
        Whether to read and verify the whole file; by default only up to 64 MiB. Otherwise each array is
        verified when :meth:`Stored.array` first returns it.

    Returns
    -------
    Stored
        The configuration and read-only arrays. The arrays are mapped from the file, so all processes that
        load it share their memory.

    Raises
    ------
    FileMissingError, ModelForeignError, ModelDamagedError, ModelVersionError
        If the file is missing or is not a valid model file.
    """
    name = os.fspath(path)
    data = _mapped(Path(path), name)
    header, start = _header_text(data, name)
    parsed = _parsed(header, name)
    metadata = _metadata(parsed.pop("__metadata__", None), name)
    number = _format_number(metadata, name)
    blank = without_digest(header, metadata["digest"])
    if number == 1:
        arrays = _arrays(parsed, data[start:], name)
        file = FileDigests(name, whole=((blank, data[start:]), metadata["digest"]))
    else:
        check_digest(name, digest_of(blank), metadata["digest"])
        arrays = _arrays(parsed, data[start:], name)
        file = FileDigests.of_arrays(name, arrays, metadata["digests"])
    if verify or (verify is None and len(data) <= DIGESTED_BYTES):
        file.verify_all()
    stored = Stored(_object(metadata["configuration"], name), arrays, name, file)
    for older in range(number, FORMAT):
        stored = UPGRADES[older](stored)
    return replace(stored, origin=Origin.of(path, len(data), header))


def is_model_file(path: Path) -> bool:
    """Return whether a file starts like a model file; the rest is not checked."""
    with open(path, "rb") as file:
        start = file.read(LENGTH_BYTES + 1)
    length = int.from_bytes(start[:LENGTH_BYTES], "little")
    return start[LENGTH_BYTES:] == b"{" and length <= LONGEST_HEADER


def _mapped(path: Path, name: str) -> NDArray[np.uint8]:
    try:
        with open(path, "rb") as file:
            if not os.fstat(file.fileno()).st_size:
                raise ModelForeignError(name, "it is empty")
            return np.frombuffer(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ), np.uint8)
    except (FileNotFoundError, NotADirectoryError):
        siblings = os.listdir(path.parent) if path.parent.is_dir() else []
        raise FileMissingError(name, siblings, "a model file that save wrote") from None
    except IsADirectoryError:
        raise ModelForeignError(name, "it is a folder") from None
    except OSError as error:
        raise ModelForeignError(name, f"it cannot be read ({error.strerror or error})") from error


def _header_text(data: NDArray[np.uint8], name: str) -> tuple[bytes, int]:
    length = int.from_bytes(data[:LENGTH_BYTES].tobytes(), "little")
    start = LENGTH_BYTES + length
    header = data[LENGTH_BYTES : min(start, LENGTH_BYTES + LONGEST_HEADER)].tobytes()
    if header[:1] != b"{":
        raise ModelForeignError(name, "it does not begin with a safetensors header")
    if length > LONGEST_HEADER or start > len(data):
        raise ModelDamagedError(name, f"its header cannot have {length} bytes")
    if start % LENGTH_BYTES:
        raise ModelDamagedError(name, "the length of its header is not a multiple of 8 bytes")
    return header, start


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


def _arrays(table: dict[str, Any], data: NDArray[np.uint8], name: str) -> Arrays:
    """Split the data into arrays, which must fill it without gaps or overlaps."""
    places = {key: _place(entry, name, key) for key, entry in table.items()}
    arrays: Arrays = {}
    expected = 0
    for key, (dtype, begin, end) in sorted(places.items(), key=lambda item: item[1][1:]):
        if begin != expected or end > len(data) or begin % dtype.itemsize:
            raise ModelDamagedError(name, f"the array {key!r} is not at its place")
        arrays[key] = data[begin:end].view(dtype)
        expected = end
    if expected != len(data):
        raise ModelDamagedError(name, f"its arrays end after {expected} bytes of {len(data)}")
    return arrays


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
