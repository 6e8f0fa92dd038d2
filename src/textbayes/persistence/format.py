"""The layout of a model file: safetensors, with our metadata in its header.

A file is eight bytes of length, a JSON header, then the arrays. The widest types come first, so that every
array is aligned and can be read in place. The header gives the type, shape and offsets of each array, and
five strings of ours: the format version, the package version, the configuration as JSON, the digests of the
arrays, and the digest of the header itself. docs/guide/model_files.md describes them.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

Arrays = dict[str, NDArray[Any]]
FORMAT = 3

# The safetensors names of the types that we write.
DTYPES: dict[str, np.dtype[Any]] = {
    "F64": np.dtype("<f8"),
    "F32": np.dtype("<f4"),
    "I64": np.dtype("<i8"),
    "I32": np.dtype("<i4"),
    "U32": np.dtype("<u4"),
    "U16": np.dtype("<u2"),
    "U8": np.dtype("u1"),
    "I8": np.dtype("i1"),
}
LENGTH_BYTES = 8
ALIGNMENT = 8
# Labels and terms are arrays, so a header is short. Parsing a huge one could exhaust memory.
LONGEST_HEADER = 1 << 20


@cache
def package_version() -> str:
    """Return the version of textbayes; "0" if it runs from a folder and was never installed."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("textbayes")
    except PackageNotFoundError:
        return "0"


def dtype_name(array: NDArray[Any]) -> str:
    """Return the safetensors name of an array's type."""
    return next(name for name, dtype in DTYPES.items() if dtype == array.dtype)


def ordered(arrays: Arrays) -> Arrays:
    """Sort arrays by width, widest first, so that all are aligned without gaps."""
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
    """Return the header, padded with spaces to a multiple of eight bytes."""
    header = json.dumps({"__metadata__": metadata, **tensor_table(arrays)}, separators=(",", ":")).encode()
    return header + b" " * (-len(header) % ALIGNMENT)
