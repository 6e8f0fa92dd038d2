"""The file that a model was loaded from, to notice that it changed."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

import numpy as np

from textbayes.errors import ModelForeignError
from textbayes.persistence.digests import digest_of
from textbayes.persistence.format import LENGTH_BYTES, LONGEST_HEADER
from textbayes.persistence.target import open_regular, real_file


@dataclass(frozen=True)
class Origin:
    """The file that a model was loaded from, and what its contents were.

    The header of a model file has the digests of all its arrays, so two files with the same header have the
    same contents. A file that was only copied or touched has not changed.

    Parameters
    ----------
    path : str
        The absolute path that was given.
    target : str
        The file that it led to, through symbolic links.
    contents : str
        The size of the file and the digest of its header.

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes.persistence import Stored, read_model, write_model
    >>> _ = write_model(Stored({"kind": "numbers"}, {"x": np.arange(3)}), "numbers.tb")
    >>> origin = read_model("numbers.tb").origin
    >>> origin.changed("numbers.tb")
    False
    >>> _ = write_model(Stored({"kind": "numbers"}, {"x": np.arange(4)}), "numbers.tb")
    >>> origin.changed("numbers.tb")
    True
    """

    path: str
    target: str
    contents: str

    @classmethod
    def of(cls, path: str | os.PathLike[str], size: int, header: bytes) -> Self:
        """Return the origin of a file of this size with this header."""
        contents = f"{size}:{digest_of(np.frombuffer(header, np.uint8))}"
        return cls(os.path.abspath(path), os.fspath(real_file(path)), contents)

    def is_at(self, path: str | os.PathLike[str]) -> bool:
        """Return whether a path is that of this file; also a link that was this file when it was loaded."""
        return os.path.abspath(path) == self.path or os.fspath(real_file(path)) == self.target

    def changed(self, path: str | os.PathLike[str]) -> bool:
        """Return whether the file at a path now has other contents; False if there is none."""
        try:
            return _contents(real_file(path)) != self.contents
        except FileNotFoundError:
            return False
        except (OSError, ModelForeignError):
            return True

    def saved(self, path: str | os.PathLike[str], new: Origin) -> Origin:
        """Return the origin of a model after it was saved to a path."""
        return replace(new, path=self.path) if self.is_at(path) else self


def _contents(target: Path) -> str:
    with open_regular(target) as file:
        length = int.from_bytes(file.read(LENGTH_BYTES), "little")
        header = file.read(min(length, LONGEST_HEADER))
        size = os.fstat(file.fileno()).st_size
    return Origin.of(target, size, header).contents
