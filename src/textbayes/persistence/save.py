"""Write model files atomically: after a crash the file is either the old or the new one."""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textbayes.errors import FileWriteError, ModelUnsavableError
from textbayes.persistence.digests import NO_DIGEST, block_digests, digest_of
from textbayes.persistence.format import (
    DTYPES,
    FORMAT,
    LENGTH_BYTES,
    LONGEST_HEADER,
    header_bytes,
    ordered,
)
from textbayes.persistence.stored import Arrays, Stored


def write_model(stored: Stored, path: str | os.PathLike[str]) -> None:
    """Write a model to a temporary file in the same folder, flush it to disk and rename it.

    Arrays of a loaded file are verified first, so that damage never gets a valid digest.

    Parameters
    ----------
    stored : Stored
        The configuration and arrays.
    path : path
        The file; an existing one is replaced atomically.

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes.persistence import Stored, read_model, write_model
    >>> write_model(Stored({"kind": "numbers"}, {"x": np.arange(3)}), "numbers.tb")
    >>> read_model("numbers.tb").array("x", np.int64)
    array([0, 1, 2])
    """
    if stored.file is not None:
        stored.file.verify_all()
    import secrets

    arrays = {name: _plain(name, array) for name, array in stored.arrays.items()}
    arrays = ordered(arrays)
    header = _header(stored, arrays)
    place = Path(path)
    temporary = place.with_name(f".{place.name}.{secrets.token_hex(6)}.part")
    try:
        _write(temporary, header, arrays)
        os.replace(temporary, place)
        flush_folder(place.parent)
    except OSError as error:
        raise FileWriteError(os.fspath(path), error.errno, error.strerror or str(error)) from error
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink()


def model_file_size(stored: Stored) -> int:
    """Return the number of bytes of the file that ``write_model`` would write.

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes.persistence import Stored, model_file_size, write_model
    >>> stored = Stored({"kind": "numbers"}, {"x": np.arange(3)})
    >>> write_model(stored, "numbers.tb")
    >>> with open("numbers.tb", "rb") as file:
    ...     len(file.read()) == model_file_size(stored)
    True
    """
    arrays = ordered({name: _plain(name, array) for name, array in stored.arrays.items()})
    return LENGTH_BYTES + len(_header(stored, arrays)) + sum(array.nbytes for array in arrays.values())


def _plain(name: str, array: NDArray[Any]) -> NDArray[Any]:
    if array.ndim != 1 or array.dtype not in DTYPES.values():
        raise ModelUnsavableError(f"the array {name!r}", array)
    return np.ascontiguousarray(array)


def _header(stored: Stored, arrays: Arrays) -> bytes:
    from importlib.metadata import version

    metadata = {
        "format": str(FORMAT),
        "package": f"textbayes {version('textbayes')}",
        "configuration": json.dumps(stored.configuration, allow_nan=False, separators=(",", ":")),
        "digests": block_digests(arrays.values()),
        "digest": NO_DIGEST,
    }
    metadata["digest"] = digest_of(np.frombuffer(header_bytes(metadata, arrays), np.uint8))
    header = header_bytes(metadata, arrays)
    if len(header) > LONGEST_HEADER:
        raise ModelUnsavableError("the configuration", metadata["configuration"])
    return header


def _write(path: Path, header: bytes, arrays: Arrays) -> None:
    with open(path, "xb") as file:
        file.write(len(header).to_bytes(LENGTH_BYTES, "little"))
        file.write(header)
        for array in arrays.values():
            file.write(array.data)
        file.flush()
        os.fsync(file.fileno())


def flush_folder(folder: Path) -> None:
    """Flush a folder to disk, so that a rename survives a power failure; no effect on Windows."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
