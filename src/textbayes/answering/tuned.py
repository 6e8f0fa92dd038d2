"""Answers with tuned decisions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textbayes.decisions import Tuned, best_labels, top_positions
from textbayes.errors.checks import check_whole
from textbayes.measures import second_lead, two_columns

Reals = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class TunedAnswers:
    """Answers by the scores of a model, with tuned thresholds, biases and probabilities.

    Parameters
    ----------
    classes : array
        The labels, sorted; of a label indicator, its columns.
    multilabel : bool
        Whether a row may have several labels.
    score : function
        Scores rows, as the decision_function of the model.
    lengths : function
        Returns the length of each row.
    tuned : Tuned
        Thresholds or biases, and calibrated probabilities.
    best : int or None
        For several labels: the number of classes that each row gets, the best ones; None to use thresholds.
    """

    classes: NDArray[Any]
    multilabel: bool
    score: Callable[[Any], Reals]
    lengths: Callable[[Any], Reals]
    tuned: Tuned
    best: int | None = None

    def decision_function(self, rows: Any) -> Reals:
        """Return the scores of the model, plus the biases or minus the thresholds."""
        scores = self._tuned_scores(rows)
        return scores if self.multilabel else second_lead(scores)

    def predict_log_proba(self, rows: Any) -> Reals:
        """Return the log of the calibrated probability of each class."""
        scores = two_columns(self.score(rows))
        if self.multilabel:
            return self.tuned.odds.log_probabilities(scores)
        return self.tuned.calibration.log_probabilities(scores + self.tuned.biases, self.lengths(rows))

    def predict(self, rows: Any) -> NDArray[Any]:
        """Return the label of each row, or a label indicator."""
        scores = two_columns(self.score(rows))
        if not self.multilabel:
            return np.asarray(self.classes[np.argmax(scores + self.tuned.biases, axis=1)])
        if self.best is not None:
            return best_labels(scores, self.best).astype(np.int64)
        return (scores > self.tuned.thresholds).astype(np.int64)

    def top_k(self, rows: Any, k: int) -> tuple[NDArray[Any], Reals]:
        """Return each row's ``k`` best labels and their scores, best first."""
        best, found = top_positions(self._tuned_scores(rows), check_whole("k", k))
        return np.asarray(self.classes[best]), found

    def _tuned_scores(self, rows: Any) -> Reals:
        scores = two_columns(self.score(rows))
        return scores - self.tuned.thresholds if self.multilabel else scores + self.tuned.biases


def checked_best(value: Any) -> int:
    """Return the number of classes that the rule "rcut" gives each document: ``value``, or 1."""
    return check_whole("value", 1 if value is None else value)
