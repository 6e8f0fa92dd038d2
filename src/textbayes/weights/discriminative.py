"""Multinomial naive Bayes from the discriminative frequency estimate (Su, Zhang, Ling and Matwin 2008)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from textbayes._native import available_threads, discriminative_counts
from textbayes.statistics import ClassStatistics, DocumentStatistics

Reals = NDArray[np.float64]


def discriminative_statistics(
    statistics: DocumentStatistics, alpha: float, prior: Reals, visits: NDArray[np.uint32], block_size: int
) -> ClassStatistics:
    """Sum counts weighted by 1 − P(c|d) under the model so far.

    Parameters
    ----------
    statistics : DocumentStatistics
        The training documents and their sums.
    alpha : float
        The count every term starts with.
    prior : array of shape (slots,)
        log P(c); that of a class without documents is ignored.
    visits : array of int
        Documents, by their number, in the order in which they are learned: each several times.
    block_size : int
        So many visits in a row are judged by the same model.

    Returns
    -------
    ClassStatistics
        The sums of the weighted counts, from which weights come as from any others.
    """
    rows, targets, weights = statistics.kept.batch
    live = np.full(len(prior), -np.inf)
    live[statistics.order] = prior[statistics.order]
    pairs, classes = discriminative_counts(
        statistics.sums,
        *rows.triple,
        statistics.slots_of(targets),
        weights,
        visits,
        alpha,
        live,
        block_size,
        available_threads(),
    )
    return statistics.with_values(pairs, classes)
