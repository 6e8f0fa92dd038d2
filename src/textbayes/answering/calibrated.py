"""Answers with calibrated probabilities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textbayes.answering.rows import ScorerAnswers
from textbayes.counts import Rows
from textbayes.decisions import Tuned

Reals = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class CalibratedAnswers:
    """Answers of a model for some rows, with calibrated probabilities and tuned thresholds.

    One label per row: only the probabilities change. Several labels: a class is predicted if its score is
    above its threshold.

    Parameters
    ----------
    model : ScorerAnswers
        The model.
    tuned : Tuned
        How scores become probabilities, and the thresholds of several labels.
    lengths : array
        The sum of the counts of each row.
    """

    model: ScorerAnswers
    tuned: Tuned
    lengths: Reals

    @property
    def classes(self) -> NDArray[Any]:
        """The labels, sorted; of a label indicator, its columns."""
        return self.model.classes

    @property
    def multilabel(self) -> bool:
        """Whether a row may have several labels."""
        return self.model.multilabel

    def predict_log_proba(self, rows: Rows) -> Reals:
        """Return the log of the probability of each class."""
        scores = self.model.deciding_scores(rows)
        if self.model.multilabel:
            return self.tuned.odds.log_probabilities(scores)
        return self.tuned.calibration.log_probabilities(scores, self.lengths)

    def predict_proba(self, rows: Rows) -> Reals:
        """Return the probability of each class."""
        return np.exp(self.predict_log_proba(rows))

    def decision_function(self, rows: Rows) -> Reals:
        """Score rows; for several labels, the scores minus the thresholds."""
        if not self.model.multilabel:
            return self.model.decision_function(rows)
        return self.model.deciding_scores(rows) - self.tuned.thresholds

    def predict(self, rows: Rows) -> NDArray[Any]:
        """Return the label of each row, or a label indicator."""
        if not self.model.multilabel:
            return self.model.predict(rows)
        return np.asarray(self.decision_function(rows) > 0, dtype=np.int64)

    def top_k(self, rows: Rows, k: int) -> tuple[NDArray[Any], Reals]:
        """Return each row's ``k`` best labels and their scores, best first."""
        return self.model.top_k(rows, k)
