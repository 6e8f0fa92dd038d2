"""A model file that is mapped into memory, and watched for changes."""

from __future__ import annotations

import contextlib
import mmap
import os
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from textbayes.errors import ModelChangedError


class MappedFile:
    """The bytes of an open file, mapped into memory.

    A file that is renamed or deleted stays as it was, and so does one that ``save`` replaces. But a program
    that writes into the file, such as ``cp new.tb live.tb``, changes the memory of all processes that have
    mapped it, and if it makes the file shorter, a process that reads the end is killed (SIGBUS). So the size
    of the file and the time of its last change are compared before it is used.

    Notes
    -----
    A change between this check and the use, or one that sets the time back, is not noticed. Only a
    copy is safe from it, which is why mapping has to be asked for.

    Parameters
    ----------
    file : binary file
        The open file, which can be closed after this.
    path : str
        Its name, for messages.
    """

    def __init__(self, file: BinaryIO, path: str) -> None:
        self._path = path
        # The file of a map cannot be asked for the time of its last change.
        self._descriptor = os.dup(file.fileno())
        self._state = self._now()
        self.data: NDArray[np.uint8] = np.frombuffer(
            mmap.mmap(self._descriptor, self._state[0], access=mmap.ACCESS_READ), np.uint8
        )

    def check(self) -> None:
        """Raise ModelChangedError if the file was changed in place."""
        if self._now() != self._state:
            raise ModelChangedError(self._path, saving=False)

    def _now(self) -> tuple[int, int]:
        status = os.fstat(self._descriptor)
        return status.st_size, status.st_mtime_ns

    def __reduce__(self) -> Any:
        raise TypeError("a pickle has copies of arrays, not the file that they are mapped from")

    def __del__(self) -> None:
        with contextlib.suppress(OSError, AttributeError):
            os.close(self._descriptor)
