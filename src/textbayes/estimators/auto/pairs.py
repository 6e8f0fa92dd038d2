"""Which columns are word pairs."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from textbayes.errors import ParameterError


def check_pair_columns(pair_columns: Any, width: int | None = None) -> None:
    """Raise ParameterError unless there is an entry for each column; without ``width``, for any number."""
    if pair_columns is None:
        return
    given = np.asarray(pair_columns)
    if given.ndim != 1 or given.dtype.kind not in "bOU" or (width is not None and len(given) != width):
        columns = "every column" if width is None else f"{width} columns"
        allowed = f"a mask of bool for {columns}, or their terms: TextCounter's get_feature_names_out()"
        raise ParameterError("pair_columns", given, allowed)


def pair_mask(pair_columns: Any, width: int) -> NDArray[np.bool_]:
    """Return the mask of word pairs among the columns; columns added later are words.

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
