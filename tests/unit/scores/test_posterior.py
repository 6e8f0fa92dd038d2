"""Scores → log probabilities, where exp would overflow or underflow."""

import numpy as np
from scipy.special import log_expit, logsumexp

from textbayes.scores import log_logistic, log_softmax, log_sum_exp


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


def test_log_sum_exp_has_the_bits_of_scipy():
    random = np.random.default_rng(0)
    for shape in ((300, 2), (200, 20), (5, 1000), (1, 1), (0, 3), (2, 0)):
        values = random.normal(size=shape) * 40
        values[random.random(shape) < 0.2] = -np.inf
        values[::3] = np.round(values[::3] / 40)  # ties
        np.testing.assert_array_equal(log_sum_exp(values), logsumexp(values, axis=1))
    extremes = np.array([[np.inf, 1.0], [-np.inf, -np.inf], [np.nan, 1.0], [-1e300, -1e300]])
    np.testing.assert_array_equal(log_sum_exp(extremes), logsumexp(extremes, axis=1))


def test_log_logistic_agrees_with_scipy_over_all_odds():
    odds = np.concatenate([np.linspace(-800, 800, 10_001), [-np.inf, np.inf, 0.0, 1e-300]])
    np.testing.assert_allclose(log_logistic(odds), log_expit(odds), rtol=1e-15, atol=0)
