"""Linear scores divided by the sum of the row."""

import numpy as np

from textbayes import MultinomialNB
from textbayes.scores import Contributions, contributions_per_count, scores_per_count

X = np.array([[3, 0, 1], [1, 2, 0], [0, 2, 2], [0, 0, 4]])
Y = ["a", "a", "b", "c"]


def test_a_document_repeated_has_the_same_scores():
    model = MultinomialNB().fit(X, Y)
    bias = model.decision_function(np.zeros((1, 3)))[0]
    once, twice = (
        scores_per_count(model.decision_function(of * X), bias, of * X.sum(axis=1) + 0.0) for of in (1, 5)
    )
    np.testing.assert_allclose(once, twice)
    np.testing.assert_allclose(once[0], model.weights_ @ X[0] / 4)


def test_an_empty_row_scores_nothing_and_an_impossible_class_stays_impossible():
    scores = np.array([[1.0, 2.0], [-np.inf, 3.0]])
    found = scores_per_count(scores, np.array([1.0, 2.0]), np.array([0.0, 2.0]))
    np.testing.assert_array_equal(found, [[0.0, 0.0], [-np.inf, 0.5]])
    # A class without a finite bias has no finite scores either.
    np.testing.assert_array_equal(
        scores_per_count(scores, np.array([-np.inf, 2.0]), np.ones(2))[1, 0], -np.inf
    )


def test_single_precision_stays():
    scores = np.ones((2, 3), dtype=np.float32)
    assert scores_per_count(scores, np.zeros(3), np.ones(2)).dtype == np.float32


def test_contributions_sum_to_the_scores():
    random = np.random.default_rng(0)
    parts = Contributions(random.normal(size=3), random.normal(size=(4, 3)))
    found = contributions_per_count(parts, 2.5)
    expected = scores_per_count(parts.scores[None, :], parts.bias, np.array([2.5]))[0]
    np.testing.assert_allclose(found.scores, expected)
    assert not contributions_per_count(parts, 0.0).scores.any()
    impossible = Contributions(np.array([-np.inf, 1.0, 1.0]), parts.entries)
    assert np.isneginf(contributions_per_count(impossible, 2.5).scores[0])
