"""Poisson means in blocks, and with nothing to average."""

import numpy as np

from reference.cases import assert_close
from reference.variants import documents
from textbayes.counts import as_rows
from textbayes.statistics import LabelledRows, LengthStatistics, as_targets
from textbayes.terms import PoissonMeans, best_terms, sums_of_statistics

THETA, ALPHA = 0.3, 0.8


def means_of(X, y, theta=THETA, alpha=ALPHA):
    targets = as_targets(y)
    statistics = LengthStatistics(X.shape[1], targets.multilabel)
    statistics.add(LabelledRows(as_rows(X), targets))
    blocks = list(PoissonMeans(sums_of_statistics(statistics, theta), theta, alpha).blocks(statistics.order))
    return np.concatenate([block.of_class for block in blocks]), np.concatenate(
        [block.of_complement for block in blocks]
    )


def literal(X, member):
    scaled = (X + THETA) / (X.sum(axis=1, keepdims=True) + THETA * X.shape[1])
    own, lengths = scaled[member], X[member].sum(axis=1)
    uniform = np.full(len(own), 1 / len(own))
    by_length = lengths / lengths.sum() if lengths.sum() else uniform
    return (ALPHA * uniform + (1 - ALPHA) * by_length) @ own


def test_the_means_by_the_definition():
    X, y = documents(40, 10, 3)
    of_class, of_complement = means_of(X, y)
    for place, label in enumerate(np.unique(y)):
        assert_close(of_class[place], literal(X.toarray(), y == label))
        assert_close(of_complement[place], literal(X.toarray(), y != label))


def test_means_are_shares():
    X, y = documents(40, 10, 3, multilabel=True)
    for means in means_of(X, y):
        np.testing.assert_allclose(means.sum(axis=1), 1)


def test_nothing_to_average():
    only = np.ones((3, 2), dtype=int)
    only[:, 1] = 0
    X = np.array([[1.0, 0, 0, 3], [0, 1, 0, 0], [0, 0, 0, 0]])
    of_class, of_complement = means_of(X, only)
    np.testing.assert_allclose(of_class[1], 0.25)  # no document has the class
    np.testing.assert_allclose(of_complement[0], 0.25)  # no document lacks it
    of_class, _ = means_of(np.zeros((2, 4)), ["a", "b"])  # documents without words
    np.testing.assert_allclose(of_class, 0.25)


def test_best_terms_are_stable_and_rising():
    assert best_terms(np.array([1.0, 3.0, 3.0, 2.0, 3.0]), 2, per_class=False).tolist() == [1, 2]
    table = np.array([[5.0, 0, 0, 1], [0, 0, 2, 1]])
    assert best_terms(table, 2, per_class=False).tolist() == [0, 2]
    assert best_terms(table, 1, per_class=True).tolist() == [0, 2]
    assert best_terms(table, 2, per_class=True).tolist() == [0, 2, 3]
