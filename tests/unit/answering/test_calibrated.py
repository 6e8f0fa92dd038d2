"""Answers with calibrated probabilities."""

import numpy as np
import pytest

from textbayes.answering import CalibratedAnswers, ScorerAnswers
from textbayes.counts import as_rows
from textbayes.decisions import Calibration, SharedOdds, Tuned
from textbayes.decisions.isotonic import IsotonicMap

ROWS = as_rows(np.array([[3.0, 1.0], [0.0, 2.0]]))


class Linear:
    """Scores are the values of a row."""

    def scores(self, rows):
        return rows.matrix.toarray().astype(float)

    def first(self, rows):
        return self.scores(rows).argmax(axis=1)

    def best(self, rows, k):
        order = np.argsort(-self.scores(rows), axis=1)[:, :k]
        return order, np.take_along_axis(self.scores(rows), order, axis=1)


def answers(multilabel, tuned):
    model = ScorerAnswers(np.array(["a", "나"]), multilabel, Linear, Linear)
    return CalibratedAnswers(model, tuned, np.array([4.0, 2.0]))


def test_one_label_changes_only_probabilities():
    best = IsotonicMap(np.array([0.5, 1.0]), np.array([0.5, 0.9]))
    found = answers(False, Tuned(np.empty(0), np.zeros(2), Calibration(1.0, 0.5, best), SharedOdds.none(0)))
    assert found.predict(ROWS).tolist() == ["a", "나"]
    assert found.decision_function(ROWS).tolist() == [-2.0, 2.0]
    assert found.top_k(ROWS, 1)[0].tolist() == [["a"], ["나"]]
    # Scores are divided by 0.5 · (1 + length), here 2.5 and 1.5; then the map.
    shares = 1 / (1 + np.exp(-2.0 / np.array([2.5, 1.5])))
    expected = np.interp(shares, [0.5, 1.0], [0.5, 0.9])
    assert found.predict_proba(ROWS).max(axis=1) == pytest.approx(expected)
    assert found.predict_proba(ROWS).sum(axis=1) == pytest.approx(1.0)
    assert (found.multilabel, found.classes.tolist()) == (False, ["a", "나"])


def test_several_labels_are_decided_by_thresholds():
    odds = SharedOdds(np.array([1.0, 1.0]), np.ones(2), 1.0, 0.0)
    found = answers(True, Tuned(np.array([1.0, 1.5]), np.empty(0), Calibration(0.0, 1.0), odds))
    assert found.decision_function(ROWS).tolist() == [[2.0, -0.5], [-1.0, 0.5]]
    assert found.predict(ROWS).tolist() == [[1, 0], [0, 1]]
    assert found.predict_proba(ROWS) == pytest.approx(1 / (1 + np.exp(-(ROWS.matrix.toarray() - 1.0))))
