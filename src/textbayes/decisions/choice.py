"""Picking and ranking classes."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textbayes.errors import TopKError

Reals = NDArray[np.float64]


def check_k(k: Any) -> int:
    """Check a number of best classes."""
    if not isinstance(k, Integral) or isinstance(k, bool) or int(k) < 1:
        raise TopKError(k)
    return int(k)


def top_positions(scores: Reals, k: int) -> tuple[NDArray[np.intp], Reals]:
    """Find each row's ``k`` best positions and their scores; of equal ones the first comes first."""
    k = min(k, scores.shape[1])
    if k == 1:
        best = np.argmax(scores, axis=1, keepdims=True)
        return best, np.take_along_axis(scores, best, axis=1)
    best = np.argsort(-scores, axis=1, kind="stable")[:, :k]
    return best, np.take_along_axis(scores, best, axis=1)
