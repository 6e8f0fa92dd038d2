"""Weights from documents that count by what they fall short of a margin."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from textbayes._native import available_threads
from textbayes._native import margin_weights as _margin_weights
from textbayes.statistics import ClassStatistics, DocumentStatistics
from textbayes.weights.linear import LinearWeights, weights_of_pairs


def margin_weights(
    statistics: DocumentStatistics, cost: float, tolerance: float, visits: NDArray[np.uint32]
) -> tuple[LinearWeights, ClassStatistics, int]:
    """Sum a class's documents, and subtract the others, each times what it falls short of a margin.

    f_c(d) = b_c + Σ_t w_ct x_dt should be 1 or more for documents of class c and −1 or less for the others. A
    document falls short by s_cd = max(0, 1 ∓ f_c(d)), and w_c = Σ ±2 · cost · s_cd · x_d; b_c likewise.

    Parameters
    ----------
    statistics : DocumentStatistics
        The training documents and their sums.
    cost : float
        What a document counts for falling short by 1, divided by 2.
    tolerance : float
        When what documents count agrees so well with what they fall short, no more rounds are made.
    visits : array of int, shape (rounds, documents)
        Documents, by their number, in the order in which each round counts them anew.

    Returns
    -------
    weights : LinearWeights
        That take the second's values as they are.
    values : ClassStatistics
        The pairs' weights, where other statistics have the pairs' sums.
    needed : int
        How many rounds were needed; one more than were given where these did not suffice.
    """
    found, needed = _margin_weights(
        *statistics.lessons,
        visits.ravel(),
        np.sort(statistics.order).astype(np.uint32),
        cost,
        tolerance,
        available_threads(),
    )
    return *weights_of_pairs(statistics, *found), needed
