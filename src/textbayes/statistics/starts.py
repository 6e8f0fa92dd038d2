"""Row starts: the offset of each row in arrays with the entries of all rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]


def joined_starts(parts: Sequence[Ints]) -> Ints:
    """Return the starts of concatenated rows.

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes.statistics.starts import joined_starts
    >>> joined_starts([np.array([0, 2]), np.array([0, 1, 1])])
    array([0, 2, 3, 3])
    """
    lengths = [np.diff(part) for part in parts]
    return np.concatenate(
        [np.zeros(1, np.int64), np.cumsum(np.concatenate([np.empty(0, np.int64), *lengths]))]
    )


def are_starts(starts: Ints, entries: int) -> bool:
    """Return whether these are valid starts of rows with ``entries`` entries in total."""
    return bool(len(starts) and starts[0] == 0 and starts[-1] == entries and np.all(np.diff(starts) >= 0))


def are_rows_sorted(starts: Ints, columns: NDArray[Any]) -> bool:
    """Return whether the columns of every row are sorted and unique."""
    rises = columns[1:] > columns[:-1]
    ends = starts[1:-1]
    rises[ends[(ends > 0) & (ends <= len(rises))] - 1] = True
    return bool(rises.all())
