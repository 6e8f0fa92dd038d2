"""The layout of a model file: safetensors, with our metadata in its header.

Eight bytes of length, a JSON header, then the arrays one behind the other, the widest type first, so that
each is aligned and can be read where it lies. The header names each array's type, shape and place, and holds
four strings of ours: the format's version, the package's, the configuration as JSON, and a digest of it all.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textbayes._native import digest
from textbayes.persistence.stored import Arrays

FORMAT = 2

# What safetensors calls the types that we write.
DTYPES: dict[str, np.dtype[Any]] = {
    "F64": np.dtype("<f8"),
    "I64": np.dtype("<i8"),
    "I32": np.dtype("<i4"),
    "U32": np.dtype("<u4"),
    "U16": np.dtype("<u2"),
    "U8": np.dtype("u1"),
}
LENGTH_BYTES = 8
ALIGNMENT = 8
# Labels and terms are arrays, so a header is short. A longer one could fill memory with small objects.
LONGEST_HEADER = 1 << 20
NO_DIGEST = "0" * 16


def dtype_name(array: NDArray[Any]) -> str:
    """Return the name of an array's type, which must be one that we write."""
    return next(name for name, dtype in DTYPES.items() if dtype == array.dtype)


def ordered(arrays: Arrays) -> Arrays:
    """Put the widest types first, so that every array is aligned without gaps."""
    return dict(sorted(arrays.items(), key=lambda item: (-item[1].dtype.itemsize, item[0])))


def tensor_table(arrays: Arrays) -> dict[str, dict[str, Any]]:
    """Return each array's entry in the header."""
    table, place = {}, 0
    for name, array in arrays.items():
        offsets = [place, place + array.nbytes]
        table[name] = {"dtype": dtype_name(array), "shape": [len(array)], "data_offsets": offsets}
        place += array.nbytes
    return table


def header_bytes(metadata: dict[str, str], arrays: Arrays) -> bytes:
    """Return the header, filled up with spaces to a multiple of eight bytes."""
    header = json.dumps({"__metadata__": metadata, **tensor_table(arrays)}, separators=(",", ":")).encode()
    return header + b" " * (-len(header) % ALIGNMENT)


def digest_of(header: bytes, digest_there: str, data: list[NDArray[np.uint8]]) -> str:
    """Return XXH64 of a header, with zeros in place of its digest, and of the arrays behind it.

    It tells accidents, not forgeries: whoever can write a model can write its digest.
    """
    blank = header.replace(digest_there.encode(), NO_DIGEST.encode(), 1)
    return f"{digest([np.frombuffer(blank, np.uint8), *data]):016x}"
