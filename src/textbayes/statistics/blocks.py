"""Blocks of classes, for tables that would be too large as a whole."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

# The largest number of cells of a block.
_CELLS = 1 << 22


def class_blocks(slots: NDArray[np.integer], columns: int) -> Iterator[NDArray[np.int64]]:
    """Split classes into blocks whose rows of a table with ``columns`` columns fit in memory."""
    step = max(1, _CELLS // max(columns, 1))
    for first in range(0, len(slots), step):
        yield slots[first : first + step].astype(np.int64)
