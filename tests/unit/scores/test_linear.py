"""Scores of linear weights, and what the core refuses."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse

from reference.cases import assert_close
from reference.variants import documents
from textbayes.counts import Rows, as_rows
from textbayes.scores import LinearScorer
from textbayes.statistics import ClassStatistics, LabelledRows, as_targets
from textbayes.weights import LinearWeights


def learned(classes=4, columns=20):
    X, y = documents(max(50, 2 * classes), columns, classes, real=True)
    statistics = ClassStatistics(columns, multilabel=False)
    statistics.add(LabelledRows(as_rows(X), as_targets(y)))
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


def rows_of_any_size(X):
    """Rows of values that as_rows would refuse, too."""
    X = sparse.csr_matrix(X)
    return Rows(X.indptr.astype(np.int64), X.indices.astype(np.int32), X.data.astype(float), X.shape[1])


def assert_first_is_best(weights, statistics, X):
    scorer = LinearScorer(weights, statistics)
    rows = rows_of_any_size(X)
    # The second time rough sums have been made ready; asked for one by one, they are not at first.
    expected = np.argmax(scorer.scores(rows), axis=1)
    assert np.array_equal(scorer.first(rows), expected)
    assert np.array_equal(scorer.first(rows), expected)
    alone = LinearScorer(weights, statistics)
    assert np.array_equal([alone.first(rows_of_any_size(X[[row]]))[0] for row in range(X.shape[0])], expected)


@pytest.mark.parametrize("classes", [1, 2, 20, 48, 60])
@pytest.mark.parametrize("signs", ["positive", "mixed"])
def test_the_first_class_is_the_best(classes, signs):
    X, statistics = learned(classes, columns=30)
    weights = all_parts(statistics)
    if signs == "positive":
        weights = replace(weights, linear_factors=np.abs(weights.linear_factors))
    assert_first_is_best(weights, statistics, X)
    assert_first_is_best(replace(weights, scale=np.empty(0)), statistics, X)


@pytest.mark.parametrize("size", [1e-320, 1e-42, 1e-9, 1.0, 1e9, 1e36, 1e300])
def test_ties_and_close_calls_are_decided_exactly(size):
    # Six classes of the same sums, so that all scores tie but for a bias in the last bits of a double.
    columns = 40
    X, _ = documents(60, columns, 2, real=True)
    statistics = ClassStatistics(columns, multilabel=False)
    for label in range(6):
        statistics.add(LabelledRows(as_rows(X), as_targets(np.full(X.shape[0], label))))
    rows = sparse.csr_matrix(X) * size
    bias = 3.0 + np.array([0, 1, 0, 4, 4, 2]) * np.spacing(3.0)
    factors = np.full(6, 0.3)
    for each in (np.zeros(6), bias, bias * size):
        assert_first_is_best(LinearWeights(bias=each, class_factors=factors), statistics, rows)
    nearly = factors * (1 + np.arange(6) * 1e-9)
    assert_first_is_best(LinearWeights(bias=bias, class_factors=nearly), statistics, rows)


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


def test_a_scorer_keeps_the_statistics_it_was_made_from():
    X, statistics = learned()
    scorer, rows = LinearScorer(all_parts(statistics), statistics), as_rows(X)
    before = scorer.scores(rows)
    statistics.add(LabelledRows(rows, as_targets(statistics.classes[np.arange(X.shape[0]) % 4])))
    statistics.sums.grow(40, 9)
    assert np.array_equal(scorer.scores(rows), before)
    assert np.array_equal(scorer.first(rows), np.argmax(before, axis=1))
