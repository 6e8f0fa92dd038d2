"""Scores → log probabilities, where exp would overflow or underflow."""

import numpy as np

from textbayes.scores import log_logistic, log_softmax


def test_softmax_of_large_scores():
    scores = np.array([[-1e6, -1e6 + 1, -2e6], [1e300, 0.0, 0.0], [0.0, 0.0, 0.0]])
    found = log_softmax(scores)
    np.testing.assert_allclose(found[0], [-np.log1p(np.e), 1 - np.log1p(np.e), -1e6], rtol=1e-5)
    assert found[1].tolist() == [0.0, -1e300, -1e300]
    np.testing.assert_allclose(found[2], -np.log(3))
    assert log_softmax(np.array([[5.0]])).tolist() == [[0.0]]


def test_logistic_of_large_odds():
    found = log_logistic(np.array([[-1e5, 0.0, 1e5, 40.0]]))
    np.testing.assert_allclose(found, [[-1e5, -np.log(2), 0.0, -np.exp(-40.0)]])
