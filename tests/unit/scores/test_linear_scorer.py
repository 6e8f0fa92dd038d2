"""Scores of linear weights, and what the core refuses."""

import numpy as np
import pytest
from scipy import sparse

from reference.cases import assert_close
from reference.variants import documents
from textbayes.counts import as_rows
from textbayes.scores import LinearScorer
from textbayes.statistics import ClassStatistics, as_targets
from textbayes.weights import LinearWeights


def learned(classes=4, columns=20):
    X, y = documents(50, columns, classes, real=True)
    statistics = ClassStatistics(columns, multilabel=False)
    statistics.add(as_rows(X), as_targets(y))
    return X, statistics


def all_parts(statistics):
    rng = np.random.default_rng(0)
    classes, columns = len(statistics.class_values), statistics.columns
    return LinearWeights(
        bias=rng.normal(size=classes),
        slope=rng.normal(size=classes),
        default=rng.normal(size=columns),
        scale=rng.uniform(0.5, 2, size=classes),
        class_factors=rng.uniform(0.1, 3, size=classes),
        complement_alpha=0.7,
        linear_factors=rng.normal(size=classes),
    )


def test_scores_are_bias_and_table():
    X, statistics = learned()
    weights = all_parts(statistics)
    expected = X @ weights.table(statistics).T + weights.bias[statistics.order]
    scorer = LinearScorer(weights, statistics)
    assert_close(scorer.scores(as_rows(X)), expected)
    best, scores = scorer.best(as_rows(X), 2)
    assert np.array_equal(best, np.argsort(-scorer.scores(as_rows(X)), axis=1, kind="stable")[:, :2])
    assert np.array_equal(scores, np.take_along_axis(scorer.scores(as_rows(X)), best, axis=1))


def test_the_table_is_the_definition():
    _, statistics = learned()
    weights = all_parts(statistics)
    terms, slots, values, _ = statistics.sums.pairs()
    table = weights.slope[:, None] + weights.default[None, :]
    total = statistics.term_values
    for term, slot, value in zip(terms, slots, values, strict=True):
        table[slot, term] += (
            np.log1p(value * weights.class_factors[slot])
            + np.log(total[term] + 0.7)
            - np.log(total[term] - value + 0.7)
            + value * weights.linear_factors[slot]
        )
    assert_close(weights.table(statistics), (table * weights.scale[:, None])[statistics.order])


def test_normalised_weights_sum_to_1():
    _, statistics = learned()
    parts = all_parts(statistics)
    weights = LinearWeights(parts.bias, parts.slope, parts.default, complement_alpha=0.7).normalised(
        statistics
    )
    np.testing.assert_allclose(np.abs(weights.table(statistics)).sum(axis=1), 1)


def test_weights_of_other_statistics_are_refused():
    _, few = learned(classes=3)
    _, many = learned(classes=5)
    with pytest.raises(ValueError, match="do not fit"):
        LinearScorer(all_parts(few), many)


def test_columns_that_there_are_not_are_refused():
    _, statistics = learned()
    scorer = LinearScorer(all_parts(statistics), statistics)
    with pytest.raises(ValueError, match="sound"):
        scorer.scores(as_rows(sparse.csr_matrix(([1.0], ([0], [20])), shape=(1, 21))))
