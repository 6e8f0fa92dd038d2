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


def binary_scores(scores: Reals) -> Reals:
    """Give scores the shape scikit-learn expects: with two classes, the second's lead over the first."""
    return scores[:, 1] - scores[:, 0] if scores.shape[1] == 2 else scores


def both_columns(scores: Reals) -> Reals:
    """Scores of every class: of the second's lead over the first, a column for each.

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes.decisions import both_columns
    >>> both_columns(np.array([1.5, -2.0, np.inf])).tolist()
    [[0.0, 1.5], [0.0, -2.0], [-inf, 0.0]]
    """
    if scores.ndim == 2:
        return scores
    first = np.where(np.isposinf(scores), -np.inf, 0.0)
    return np.column_stack([first, np.where(np.isposinf(scores), 0.0, scores)])


def top_positions(scores: Reals, k: int) -> tuple[NDArray[np.intp], Reals]:
    """Find each row's ``k`` best positions and their scores; of equal ones the first comes first."""
    k = min(k, scores.shape[1])
    if k == 1:
        best = np.argmax(scores, axis=1, keepdims=True)
        return best, np.take_along_axis(scores, best, axis=1)
    best = np.argsort(-scores, axis=1, kind="stable")[:, :k]
    return best, np.take_along_axis(scores, best, axis=1)
