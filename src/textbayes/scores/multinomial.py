"""Scores of a multinomial model for several labels per document."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from textbayes.counts import Rows
from textbayes.scores.linear import LinearScorer
from textbayes.weights import rest_weights

Reals = NDArray[np.float64]


class MultinomialOddsScorer:
    """log P(x|c)P(c) − log P(x|c̄)P(c̄), each class against the documents without it."""

    def __init__(self, own: LinearScorer, alpha: float, class_length: float | str | None) -> None:
        self.own = own
        self.blocks = rest_weights(own.statistics, alpha, class_length, own.weights.bias)

    def scores(self, rows: Rows) -> Reals:
        """Return the log odds of every row and class."""
        matrix = rows.matrix
        rest = [bias + matrix @ table.T for bias, table in self.blocks()]
        return np.asarray(self.own.scores(rows) - np.concatenate(rest, axis=1))
