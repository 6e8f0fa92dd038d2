"""Some classes at a time, where a table of all would be too large."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

# So many cells of a table of classes × terms are held at once.
_CELLS = 1 << 22


def class_blocks(slots: NDArray[np.integer], columns: int) -> Iterator[NDArray[np.int64]]:
    """Cut classes into blocks whose rows of a table of so many columns can be held at once."""
    step = max(1, _CELLS // max(columns, 1))
    for first in range(0, len(slots), step):
        yield slots[first : first + step].astype(np.int64)
