"""Some columns of rows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from textbayes.counts.rows import Rows
from textbayes.persistence import Stored


def select_columns(rows: Rows, mask: NDArray[np.bool_]) -> Rows:
    """Keep the entries of some columns, and renumber these from 0.

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes.counts import as_rows, select_columns
    >>> rows = as_rows(np.array([[1, 2, 0], [0, 3, 4]]))
    >>> select_columns(rows, np.array([False, True, True])).matrix.toarray().tolist()
    [[2, 0], [3, 4]]
    """
    return move_columns(rows, column_places(mask)[rows.columns], int(mask.sum()))


def known_entries(rows: Rows, known: NDArray[np.bool_]) -> Rows:
    """Drop the entries of unknown columns; the others keep their numbers.

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes.counts import as_rows
    >>> from textbayes.counts.selection import known_entries
    >>> rows = as_rows(np.array([[1, 2, 0], [0, 3, 4]]))
    >>> known_entries(rows, np.array([False, True, True])).matrix.toarray().tolist()
    [[0, 2, 0], [0, 3, 4]]
    """
    return move_columns(rows, np.where(known[rows.columns], rows.columns, np.int32(-1)), rows.width)


def column_places(mask: NDArray[np.bool_]) -> NDArray[np.int32]:
    """Return the number of each column among those of the mask; −1 for the others."""
    return np.where(mask, np.cumsum(mask) - 1, -1).astype(np.int32)


def places_in(order: NDArray[np.integer], width: int) -> NDArray[np.int64]:
    """Return the place of each of ``width`` columns in an order; 0 for a column that is not in it.

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes.counts.selection import places_in
    >>> places_in(np.array([2, 0, 1]), 3).tolist()
    [1, 2, 0]
    """
    places = np.zeros(width, dtype=np.int64)
    places[order] = np.arange(len(order))
    return places


def move_columns(rows: Rows, columns: NDArray[np.int32], width: int) -> Rows:
    """Give each entry a new column, and drop those whose new column is −1."""
    keep = columns >= 0
    kept_before = np.concatenate([np.zeros(1, np.int64), np.cumsum(keep, dtype=np.int64)])
    return Rows(kept_before[rows.starts], columns[keep], rows.values[keep], width)


def restore_mask(stored: Stored, columns: int) -> NDArray[np.bool_]:
    """Load a mask of ``columns`` columns, or refuse the file."""
    mask = stored.array("mask", np.uint8, columns)
    stored.check(np.all(mask <= 1), "its mask of terms has values other than 0 and 1")
    return mask.astype(bool)
