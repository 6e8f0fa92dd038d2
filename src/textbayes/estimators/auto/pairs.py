"""Which columns hold word pairs."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from textbayes.errors import PairColumnsError


def check_pair_columns(pair_columns: Any, width: int) -> None:
    """Raise PairColumnsError unless there is an entry for each column."""
    if pair_columns is None:
        return
    given = np.asarray(pair_columns)
    if given.ndim != 1 or len(given) != width or given.dtype.kind not in "bOU":
        raise PairColumnsError(given.shape, given.dtype, width)


def pair_mask(pair_columns: Any, width: int) -> NDArray[np.bool_]:
    """Which of so many columns hold word pairs; those that came later hold none.

    Examples
    --------
    >>> from textbayes.estimators.auto.pairs import pair_mask
    >>> pair_mask(["oil", "crude oil"], 3)
    array([False,  True, False])
    """
    mask = np.zeros(width, dtype=bool)
    if pair_columns is not None:
        given = np.asarray(pair_columns)
        known = (
            given if given.dtype.kind == "b" else np.array([" " in str(term) for term in given], dtype=bool)
        )
        mask[: len(known)] = known[:width]
    return mask
