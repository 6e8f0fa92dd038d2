"""Rows × weights → scores."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from textbayes._native import Scorer, available_threads
from textbayes.counts import Rows
from textbayes.statistics import ClassStatistics
from textbayes.weights import LinearWeights


class LinearScorer:
    """Scores rows by linear weights and the statistics they were computed from."""

    def __init__(self, weights: LinearWeights, statistics: ClassStatistics) -> None:
        self.weights = weights
        self.statistics = statistics
        self._scorer = Scorer(weights.to_core(statistics), statistics.sums, statistics.order)

    def scores(self, rows: Rows) -> NDArray[np.float64]:
        """Score every row in every class: shape (documents, classes), classes sorted."""
        flat = self._scorer.scores(rows, available_threads())
        return flat.reshape(len(rows), len(self.statistics.order))

    def best(self, rows: Rows, k: int) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
        """Return the ``k`` best classes of each row and their scores, best first, in blocks of rows."""
        k = min(k, len(self.statistics.order))
        best, scores = self._scorer.best(rows, k, available_threads())
        return best.reshape(len(rows), k).astype(np.intp), scores.reshape(len(rows), k)

    def first(self, rows: Rows) -> NDArray[np.intp]:
        """Return the best class of each row: the same as ``best``, but faster, without exact scores."""
        return self._scorer.first(rows, available_threads()).astype(np.intp)
