"""Bytes that are written once and then read: in memory while they are few, else in a temporary file."""

from __future__ import annotations

import mmap
import os
import tempfile
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from textbayes.errors import FileWriteError

_IN_MEMORY = 1 << 24


class TemporaryBytes:
    """Bytes appended to a temporary file, and read as a mapped array.

    The file has no name where the system allows that, and is deleted with this object elsewhere. So none is
    left behind, whatever happens to the process.

    Parameters
    ----------
    folder : path, optional
        The folder of the file; that of the system for temporary files by default.
    in_memory : int, default=2**24
        Write no file up to this many bytes.

    Examples
    --------
    >>> from textbayes.persistence.temporary import TemporaryBytes
    >>> written = TemporaryBytes(in_memory=1)
    >>> written.append(b"abc")
    >>> written.append(b"d")
    >>> written.array().tobytes()
    b'abcd'
    """

    def __init__(self, folder: str | os.PathLike[str] | None = None, in_memory: int = _IN_MEMORY) -> None:
        self._file: BinaryIO | None = None
        self._folder = folder
        self._in_memory = in_memory
        self._few = bytearray()

    def append(self, data: bytes | memoryview) -> None:
        """Append bytes."""
        if self._file is None and len(self._few) + len(data) <= self._in_memory:
            self._few += data
            return
        try:
            if self._file is None:
                self._file = tempfile.TemporaryFile(dir=self._folder)  # noqa: SIM115
                self._file.write(self._few)
                self._few = bytearray()
            self._file.write(data)
        except OSError as error:
            raise self._unwritable(error) from error

    def array(self) -> NDArray[np.uint8]:
        """Return all bytes as a read-only array, once; the map keeps the file."""
        if self._file is None:
            return np.frombuffer(bytes(self._few), np.uint8)
        try:
            with self._file as file:
                file.flush()
                return np.frombuffer(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ), np.uint8)
        except OSError as error:
            raise self._unwritable(error) from error

    def __del__(self) -> None:
        if self._file is not None:
            self._file.close()

    def _unwritable(self, error: OSError) -> FileWriteError:
        name = os.fspath(Path(self._folder or tempfile.gettempdir(), "a temporary file"))
        return FileWriteError(name, error.errno, error.strerror or str(error))
