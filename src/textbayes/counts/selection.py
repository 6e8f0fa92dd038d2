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
    keep = mask[rows.columns]
    kept_before = np.concatenate([[0], np.cumsum(keep)])
    column_of = np.cumsum(mask, dtype=np.int32) - np.int32(1)
    columns = column_of[rows.columns[keep]]
    return Rows(kept_before[rows.starts], columns, rows.values[keep], int(mask.sum()))


def restore_mask(stored: Stored, columns: int) -> NDArray[np.bool_]:
    """Load a mask of ``columns`` columns, or refuse the file."""
    mask = stored.array("mask", np.uint8, columns)
    stored.check(np.all(mask <= 1), "its mask of terms has values other than 0 and 1")
    return mask.astype(bool)
