"""Answers for rows of counts: labels, probabilities, the best classes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from textbayes.counts import Rows
from textbayes.errors.checks import check_whole
from textbayes.measures import second_lead
from textbayes.scores import log_logistic, log_softmax

Reals = NDArray[np.float64]


class Scores(Protocol):
    """Scores of rows, for a model that does not change."""

    def scores(self, rows: Rows) -> Reals:
        """Score every row in every class."""


class Scorer(Scores, Protocol):
    """Scores of rows, or only the best of them."""

    def best(self, rows: Rows, k: int) -> tuple[NDArray[np.intp], Reals]:
        """Find each row's ``k`` best classes."""

    def first(self, rows: Rows) -> NDArray[np.intp]:
        """Find each row's best class."""


class RowAnswerer(Protocol):
    """What answers for rows of counts."""

    @property
    def classes(self) -> NDArray[Any]:
        """The labels, sorted; of a label indicator, its columns."""

    @property
    def multilabel(self) -> bool:
        """Whether a row may have several labels."""

    def decision_function(self, rows: Rows) -> Reals:
        """Score rows: with two classes and one label per row, one score for the second class."""

    def predict_log_proba(self, rows: Rows) -> Reals:
        """Return the log of the probability of each class."""

    def predict(self, rows: Rows) -> NDArray[Any]:
        """Return the label of each row, or a label indicator."""

    def top_k(self, rows: Rows, k: int) -> tuple[NDArray[Any], Reals]:
        """Return each row's ``k`` best labels and their scores, best first."""


@dataclass(frozen=True, eq=False)
class ScorerAnswers:
    """Answers by the scorers of a model.

    Parameters
    ----------
    classes : array
        The labels, sorted; of a label indicator, its columns.
    multilabel : bool
        Whether a row may have several labels.
    scorer : function without arguments
        Returns the scorer of rows, for one label per row and for ``top_k``.
    odds : function without arguments
        Returns the scorer for several labels: a class is predicted if its score is above 0.
    """

    classes: NDArray[Any]
    multilabel: bool
    scorer: Callable[[], Scorer]
    odds: Callable[[], Scores]

    def scoring_once(self) -> ScorerAnswers:
        """Return answers that score the same rows once, whatever they are asked."""
        scorer, odds = cache(lambda: _KeptScores(self.scorer())), cache(lambda: _KeptScores(self.odds()))
        return replace(self, scorer=scorer, odds=odds)

    def scores(self, rows: Rows) -> Reals:
        """Score every row in every class, as decision_function does."""
        return self.scorer().scores(rows)

    def deciding_scores(self, rows: Rows) -> Reals:
        """Score every row in every class by the scorer that decides."""
        return self.odds().scores(rows) if self.multilabel else self.scores(rows)

    def shaped(self, scores: Reals) -> Reals:
        """Give the scores of all classes the shape of decision_function."""
        return scores if self.multilabel else second_lead(scores)

    def decision_function(self, rows: Rows) -> Reals:
        """Score rows: the larger, the better. With two classes, the lead of the second over the first."""
        return self.shaped(self.scores(rows))

    def predict_log_proba(self, rows: Rows) -> Reals:
        """Return the log of the probability of each class.

        One label per row: the scores are normalised over the classes. Several: each class separately.
        """
        if self.multilabel:
            return log_logistic(self.odds().scores(rows))
        return log_softmax(self.scorer().scores(rows))

    def predict(self, rows: Rows) -> NDArray[Any]:
        """Return the best label of each row, or a label indicator."""
        if self.multilabel:
            return np.asarray(self.odds().scores(rows) > 0, dtype=np.int64)
        return np.asarray(self.classes[self.scorer().first(rows)])

    def top_k(self, rows: Rows, k: int) -> tuple[NDArray[Any], Reals]:
        """Return each row's ``k`` best labels and their scores, best first."""
        best, scores = self.scorer().best(rows, check_whole("k", k))
        return np.asarray(self.classes[best]), scores


class _KeptScores:
    """A scorer that keeps the scores of the last rows."""

    def __init__(self, scorer: Any) -> None:
        self._scorer = scorer
        self._rows: Rows | None = None
        self._scores: Reals = np.empty((0, 0))

    def scores(self, rows: Rows) -> Reals:
        if rows is not self._rows:
            self._rows, self._scores = rows, self._scorer.scores(rows)
        return self._scores

    def first(self, rows: Rows) -> NDArray[np.intp]:
        return np.asarray(self.scores(rows).argmax(axis=1))

    def best(self, rows: Rows, k: int) -> tuple[NDArray[np.intp], Reals]:
        found: tuple[NDArray[np.intp], Reals] = self._scorer.best(rows, k)
        return found
