"""Write model files atomically: after a crash the file is either the old or the new one."""

from __future__ import annotations

import io
import json
import os
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from textbayes.errors import ModelChangedError, ModelUnsavableError
from textbayes.persistence.digests import NO_DIGEST, block_digests, digest_of
from textbayes.persistence.format import (
    DTYPES,
    FORMAT,
    LENGTH_BYTES,
    LONGEST_HEADER,
    header_bytes,
    ordered,
    package_version,
)
from textbayes.persistence.lock import write_lock
from textbayes.persistence.origin import Origin
from textbayes.persistence.replacing import replacing
from textbayes.persistence.stored import Arrays, Stored


def write_model(stored: Stored, path: str | os.PathLike[str]) -> Origin:
    """Write a model to a temporary file in the same folder, flush it to disk and rename it.

    Arrays of a loaded file are verified first, so that damage never gets a valid digest. The lock of the file
    is held: see :func:`write_lock`.

    Parameters
    ----------
    stored : Stored
        The configuration and arrays.
    path : path
        The file; an existing one is replaced atomically: see :func:`replacing`.

    Returns
    -------
    Origin
        That of a model that is loaded from the new file.

    Raises
    ------
    FileWriteError, ModelLockedError
        If the file cannot be written, or another writer has it.
    ModelChangedError
        If the contents were loaded from this file, and it has other contents now.

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes.persistence import Stored, read_model, write_model
    >>> _ = write_model(Stored({"kind": "numbers"}, {"x": np.arange(3)}), "numbers.tb")
    >>> read_model("numbers.tb").array("x", np.int64)
    array([0, 1, 2])
    """
    header, arrays = _verified(stored)
    with write_lock(path):
        origin = stored.origin
        if origin is not None and origin.is_at(path) and origin.changed(path):
            raise ModelChangedError(os.fspath(path))
        with replacing(path) as file:
            _write(file, header, arrays)
    return Origin.of(path, _size(header, arrays), header)


def model_bytes(stored: Stored) -> bytes:
    """Return the contents of the file that ``write_model`` would write.

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes.persistence import Stored, model_bytes, read_model_bytes
    >>> contents = model_bytes(Stored({"kind": "numbers"}, {"x": np.arange(3)}))
    >>> read_model_bytes(contents).array("x", np.int64)
    array([0, 1, 2])
    """
    header, arrays = _verified(stored)
    file = io.BytesIO()
    _write(file, header, arrays)
    return file.getvalue()


def _verified(stored: Stored) -> tuple[bytes, Arrays]:
    """Return the header and the arrays of a file; those of a loaded file are verified first."""
    if stored.file is not None:
        stored.file.verify_all()
    arrays = ordered({name: _plain(name, array) for name, array in stored.arrays.items()})
    return _header(stored, arrays), arrays


def model_file_size(stored: Stored) -> int:
    """Return the number of bytes of the file that ``write_model`` would write.

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes.persistence import Stored, model_file_size, write_model
    >>> stored = Stored({"kind": "numbers"}, {"x": np.arange(3)})
    >>> _ = write_model(stored, "numbers.tb")
    >>> with open("numbers.tb", "rb") as file:
    ...     len(file.read()) == model_file_size(stored)
    True
    """
    arrays = ordered({name: _plain(name, array) for name, array in stored.arrays.items()})
    return _size(_header(stored, arrays), arrays)


def _size(header: bytes, arrays: Arrays) -> int:
    return LENGTH_BYTES + len(header) + sum(array.nbytes for array in arrays.values())


def _plain(name: str, array: NDArray[Any]) -> NDArray[Any]:
    if array.ndim != 1 or array.dtype not in DTYPES.values():
        raise ModelUnsavableError(f"the array {name!r}", array)
    return np.ascontiguousarray(array)


def _header(stored: Stored, arrays: Arrays) -> bytes:
    metadata = {
        "format": str(FORMAT),
        "package": f"textbayes {package_version()}",
        "configuration": json.dumps(stored.configuration, allow_nan=False, separators=(",", ":")),
        "digests": block_digests(arrays.values()),
        "digest": NO_DIGEST,
    }
    metadata["digest"] = digest_of(np.frombuffer(header_bytes(metadata, arrays), np.uint8))
    header = header_bytes(metadata, arrays)
    if len(header) > LONGEST_HEADER:
        raise ModelUnsavableError("the configuration", metadata["configuration"])
    return header


def _write(file: BinaryIO, header: bytes, arrays: Arrays) -> None:
    file.write(len(header).to_bytes(LENGTH_BYTES, "little"))
    file.write(header)
    for array in arrays.values():
        file.write(array.data)
