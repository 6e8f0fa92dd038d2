"""Rank classes, pick the best, or reject unsure decisions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textbayes.counts import Rows
from textbayes.errors.checks import check_number

Reals = NDArray[np.float64]

# Number of scores held at once when only the best are needed.
_BLOCK_SCORES = 1 << 22


def top_positions(scores: Reals, k: int) -> tuple[NDArray[np.intp], Reals]:
    """Find the ``k`` best positions of each row and their scores; among equal scores, the first wins."""
    k = min(k, scores.shape[1])
    if k == 1:
        best = np.argmax(scores, axis=1, keepdims=True)
        return best, np.take_along_axis(scores, best, axis=1)
    best = np.argsort(-scores, axis=1, kind="stable")[:, :k]
    return best, np.take_along_axis(scores, best, axis=1)


def top_classes(
    score: Callable[[Rows], Reals], rows: Rows, classes: int, k: int
) -> tuple[NDArray[np.intp], Reals]:
    """Find the ``k`` best classes of each row and their scores, scoring some rows at a time."""
    step = max(1, _BLOCK_SCORES // max(classes, 1))
    blocks = (rows.block(at, min(at + step, len(rows))) for at in range(0, len(rows), step))
    parts = [top_positions(score(block), k) for block in blocks]
    if not parts:
        return top_positions(np.empty((0, max(classes, 1))), k)
    return np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts])


def reject_unsure(
    decisions: NDArray[Any], probabilities: Reals, reject_below: Any, multilabel: bool
) -> np.ma.MaskedArray[Any, Any]:
    """Mask decisions whose probability is too low.

    Parameters
    ----------
    decisions : array of shape (documents,) or (documents, classes)
        Labels, or an indicator, in which every cell is a decision.
    probabilities : array of shape (documents, classes)
        The probability of each class.
    reject_below : float
        The smallest probability of an accepted decision, from 0 to 1.
    multilabel : bool
        Whether the decisions are an indicator.

    Returns
    -------
    masked array
        The decisions; a rejected one is masked (``None`` in ``tolist()``).

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes.decisions import reject_unsure
    >>> labels, probabilities = np.array(["ham", "spam"]), np.array([[0.6, 0.4], [0.1, 0.9]])
    >>> reject_unsure(labels, probabilities, 0.8, multilabel=False).tolist()
    [None, 'spam']
    """
    least = check_number("reject_below", reject_below, least=0, most=1, allowed="a probability, or None")
    if multilabel:
        sure = np.where(np.asarray(decisions) > 0, probabilities, 1.0 - probabilities)
    else:
        sure = probabilities.max(axis=1, initial=0.0)
    return np.ma.masked_array(decisions, mask=sure < least)
