"""Ranking classes, picking the best, and refusing to decide."""

import numpy as np
import pytest

from textbayes.decisions import reject_unsure, top_positions
from textbayes.errors import ParameterError


def test_of_equal_positions_the_first():
    best, scores = top_positions(np.array([[1.0, 3.0, 3.0, -1.0], [0.0, 0.0, 0.0, 0.0]]), 3)
    assert best.tolist() == [[1, 2, 0], [0, 1, 2]]
    assert scores.tolist() == [[3.0, 3.0, 1.0], [0.0, 0.0, 0.0]]


def test_no_more_than_there_are():
    best, scores = top_positions(np.array([[1.0, 2.0]]), 9)
    assert best.tolist() == [[1, 0]]
    assert scores.shape == (1, 2)
    assert top_positions(np.empty((0, 3)), 2)[0].shape == (0, 2)


def test_unsure_decisions_are_masked():
    labels, probabilities = np.array(["밀", "🌾"]), np.array([[0.7, 0.3], [0.05, 0.95]])
    answer = reject_unsure(labels, probabilities, 0.9, multilabel=False)
    assert answer.tolist() == [None, "🌾"]
    indicator = np.array([[1, 0], [0, 1]])
    answer = reject_unsure(indicator, probabilities, 0.9, multilabel=True)
    assert answer.tolist() == [[None, None], [0, 1]]
    assert reject_unsure(labels, probabilities, 0, multilabel=False).tolist() == ["밀", "🌾"]
    for bad in (-0.1, 1.1, True, "0.5", np.nan):
        with pytest.raises(ParameterError, match="reject_below"):
            reject_unsure(labels, probabilities, bad, multilabel=False)


def test_the_least_probability_itself_is_sure_enough():
    labels, probabilities = np.array(["밀", "🌾"]), np.array([[0.75, 0.25], [0.5, 0.5]])
    assert reject_unsure(labels, probabilities, 0.75, multilabel=False).tolist() == ["밀", None]
    indicator = np.array([[1, 0], [0, 1]])
    assert reject_unsure(indicator, probabilities, 0.75, multilabel=True).tolist() == [[1, 0], [None, None]]
    assert reject_unsure(labels, np.eye(2), 1, multilabel=False).tolist() == ["밀", "🌾"]
