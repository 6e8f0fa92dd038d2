"""Picking and ranking classes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Reals = NDArray[np.float64]


def top_positions(scores: Reals, k: int) -> tuple[NDArray[np.intp], Reals]:
    """Find each row's ``k`` best positions and their scores; of equal ones the first comes first."""
    k = min(k, scores.shape[1])
    if k == 1:
        best = np.argmax(scores, axis=1, keepdims=True)
        return best, np.take_along_axis(scores, best, axis=1)
    best = np.argsort(-scores, axis=1, kind="stable")[:, :k]
    return best, np.take_along_axis(scores, best, axis=1)
