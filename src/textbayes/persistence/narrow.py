"""Whole numbers in as few bytes as the largest needs."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from textbayes.persistence.stored import Stored

_TYPES = (np.uint8, np.uint16, np.uint32)


def narrowed(numbers: NDArray[Any]) -> NDArray[Any]:
    """Return whole numbers from 0 to 2³² - 1 in the narrowest type.

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes.persistence import narrowed
    >>> narrowed(np.array([0, 255])).dtype, narrowed(np.array([256])).dtype
    (dtype('uint8'), dtype('uint16'))
    """
    largest = int(numbers.max(initial=0))
    return numbers.astype(next(kind for kind in _TYPES if largest <= np.iinfo(kind).max), copy=False)


def widened(stored: Stored, name: str, length: int | None = None) -> NDArray[np.uint32]:
    """Return an array that :func:`narrowed` made as uint32; refuse the file if it has another type."""
    kinds = {np.dtype(kind): kind for kind in _TYPES}
    kind = kinds.get(stored.arrays[name].dtype, np.uint8) if name in stored.arrays else np.uint8
    return stored.array(name, kind, length).astype(np.uint32)
