"""Scores of a Poisson model without term weights, without a table of classes × terms."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from textbayes._native import PoissonScorer as CoreScorer
from textbayes._native import available_threads
from textbayes.counts import Rows
from textbayes.statistics import LengthStatistics
from textbayes.terms import PoissonSumsCache
from textbayes.terms.means import MeansSettings


class PoissonSeries:
    """z* of eq. 15, as long as the statistics do not change.

    Over the terms that a class lacks, Σ x log μ′ comes from a power series around the mean of all documents;
    over the pairs seen it is computed pair by pair.

    Parameters
    ----------
    statistics : LengthStatistics
        The statistics of the training documents.
    theta, alpha : float
        θ of eq. 7 and α of eq. 9.
    cache : PoissonSumsCache
        Cached sums; updated here.
    """

    def __init__(
        self, statistics: LengthStatistics, theta: float, alpha: float, cache: PoissonSumsCache
    ) -> None:
        self.statistics = statistics
        cache.refresh(statistics, theta)
        mixings = cache.mixings(statistics, MeansSettings(theta, alpha, statistics.columns))
        self._scorer = CoreScorer(statistics.sums, cache.sums, mixings, statistics.order, theta)

    def ranking(self, rows: Rows) -> NDArray[np.float64]:
        """z* of every row and class: shape (documents, classes), classes sorted."""
        flat = self._scorer.scores(rows, available_threads())
        return flat.reshape(len(rows), len(self.statistics.order))
