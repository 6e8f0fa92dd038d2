"""The precision-recall break-even of rankings, one category at a time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class BreakEven:
    """Recall where it equals precision: over all decisions, and the mean of the categories' own."""

    micro: float
    macro: float


def break_even(scores: NDArray[np.float64], truth: NDArray[np.bool_]) -> BreakEven:
    """Cut each category's ranking at as many documents as it truly has.

    Precision and recall are equal there: both are the share of true documents above the cut. Of equal scores
    the document that comes first in the collection ranks first.

    Parameters
    ----------
    scores : array of shape (documents, categories)
        The larger, the better.
    truth : array of shape (documents, categories)
        True where a document has the category; every category has one document at least.

    Examples
    --------
    Of category 0's two documents one is among its two best; category 1's only document ranks first.

    >>> scores = np.array([[3.0, 0.1], [2.0, 0.9], [1.0, 0.2]])
    >>> truth = np.array([[True, False], [False, True], [True, False]])
    >>> break_even(scores, truth)
    BreakEven(micro=0.6666666666666666, macro=0.75)
    """
    sizes = truth.sum(axis=0)
    ranking = np.argsort(-scores, axis=0, kind="stable")
    above = np.arange(len(truth))[:, None] < sizes
    hits = (np.take_along_axis(truth, ranking, axis=0) & above).sum(axis=0)
    return BreakEven(float(hits.sum() / sizes.sum()), float(np.mean(hits / sizes)))
