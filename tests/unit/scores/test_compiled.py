"""Scores of a compiled blend against dense tables."""

import numpy as np
import pytest
from scipy import sparse

from reference.cases import assert_close
from reference.compiled import RandomBlend
from textbayes._native import CompiledScorer, CompiledWeights
from textbayes.counts import as_rows


def compiled(blend, threads=1):
    return CompiledWeights.compile(
        blend.settings(), blend.native_forms(), blend.counted(), blend.learned(), threads
    )


def scores(scorer, X, threads=1):
    rows = as_rows(sparse.csr_matrix(X))
    return scorer.scores(rows, threads).reshape(len(rows), -1)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("classes", "slots"), [(1, 1), (2, 2), (5, 7), (40, 40), (200, 300)])
@pytest.mark.parametrize("defaults", [True, False])
def test_scores_are_those_of_dense_tables(seed, classes, slots, defaults):
    blend = RandomBlend(seed, classes=classes, slots=slots, defaults=defaults)
    X = blend.counts()
    scorer = CompiledScorer(compiled(blend))
    assert_close(scores(scorer, X), blend.dense().scores(X))
    assert np.array_equal(scores(scorer, X), scores(scorer, X.astype(float)))


def test_real_values_are_scored():
    blend = RandomBlend(1)
    X = blend.counts() * 0.75
    assert_close(scores(CompiledScorer(compiled(blend)), X), blend.dense().scores(X))


def test_classes_of_four_bytes():
    blend = RandomBlend(2, columns=6, classes=3, slots=70_000)
    blend.order = np.array([69_999, 3, 65_536], dtype=np.uint32)
    X = blend.counts(5)
    assert_close(scores(CompiledScorer(compiled(blend)), X), blend.dense().scores(X))


def test_the_best_classes_are_those_of_the_scores():
    blend = RandomBlend(3)
    scorer, rows = CompiledScorer(compiled(blend)), as_rows(sparse.csr_matrix(blend.counts()))
    all_scores = scorer.scores(rows, 1).reshape(-1, 5)
    best, best_scores = scorer.best(rows, 3, 1)
    expected = np.argsort(-all_scores, axis=1, kind="stable")[:, :3]
    assert np.array_equal(best.reshape(-1, 3), expected)
    assert np.array_equal(best_scores.reshape(-1, 3), np.take_along_axis(all_scores, expected, axis=1))
    assert np.array_equal(scorer.first(rows, 1), expected[:, 0])
    assert len(scorer.best(rows, 99, 1)[0]) == 5 * len(rows)


def test_threads_change_no_bit():
    blend = RandomBlend(4)
    X = np.tile(blend.counts(), (400, 1))
    scorer = CompiledScorer(compiled(blend))
    assert np.array_equal(scores(scorer, X, 1), scores(scorer, X, 3))
    rows = as_rows(sparse.csr_matrix(X))
    assert np.array_equal(scorer.first(rows, 1), scorer.first(rows, 3))


def test_contributions_sum_to_the_scores():
    blend = RandomBlend(5)
    scorer, dense = CompiledScorer(compiled(blend)), blend.dense()
    for counts in blend.counts(8):
        row = as_rows(sparse.csr_matrix(counts[None]))
        bias, entries = scorer.contributions(row)
        entries = entries.reshape(-1, 5)
        assert np.array_equal(bias, blend.bias)
        assert_close(entries, dense.contributions(counts)[row.columns])
        assert_close(bias + entries.sum(axis=0), scorer.scores(row, 1))
        some = np.array([3, 1], dtype=np.uint32)
        bias, picked = scorer.contributions(row, some)
        assert np.array_equal(bias, blend.bias[some])
        assert np.array_equal(picked.reshape(-1, 2), entries[:, some])


def test_the_part_of_one_table():
    blend = RandomBlend(6)
    scorer, dense = CompiledScorer(compiled(blend)), blend.dense()
    for counts in blend.counts(5):
        row = as_rows(sparse.csr_matrix(counts[None]))
        for table in range(5):
            assert_close(scorer.table_scores(row, table), dense.table_scores(counts, table))
        for form in range(4):
            values, factor = dense.values(counts, form)
            assert_close(scorer.form_values(row, form), (factor * values)[row.columns])


def test_what_does_not_exist_is_refused():
    scorer = CompiledScorer(compiled(RandomBlend(7)))
    one = as_rows(sparse.csr_matrix(np.ones((1, 40))))
    two = as_rows(sparse.csr_matrix(np.ones((2, 40))))
    wide = as_rows(sparse.csr_matrix(([1.0], ([0], [40])), shape=(1, 41)))
    for call in (
        lambda: scorer.scores(wide, 1),
        lambda: scorer.table_scores(one, 5),
        lambda: scorer.form_values(one, 4),
        lambda: scorer.contributions(two),
        lambda: scorer.contributions(one, np.array([5], dtype=np.uint32)),
    ):
        with pytest.raises(ValueError, match=r"no such|not one row|sound"):
            call()
