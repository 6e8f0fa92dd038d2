"""Intervals and tests over runs, documents and classes: by brute force, and by what they promise."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse
from sklearn.metrics import accuracy_score, f1_score

from examples import examples
from textbayes.evaluation import sign_test
from textbayes.evaluation.rows import (
    _draws,
    _figures,
    compared_over_classes,
    compared_over_documents,
    compared_over_runs,
    interval_over_documents,
)

LAW = settings(max_examples=examples(60), deadline=None)
CELLS = st.tuples(st.integers(1, 12), st.integers(2, 5)).flatmap(
    lambda shape: st.tuples(*[arrays(np.int8, shape, elements=st.integers(0, 1))] * 3)
)


def indicators(*cells):
    return [sparse.csr_array(each).astype(np.int64) for each in cells]


@LAW
@given(CELLS)
def test_decisions_that_differ(cells):
    truth, decided, other = cells
    won = int(np.sum((decided == truth) & (other != truth)))
    lost = int(np.sum((decided != truth) & (other == truth)))
    found, expected = compared_over_documents(*indicators(*cells), multilabel=True), sign_test(won, lost)
    assert (found.statistic, found.p_value, found.cases) == (won, expected.p_value, won + lost)


@LAW
@given(CELLS)
def test_documents_that_are_right(cells):
    truth, decided, other = cells
    right, other_right = (decided == truth).all(axis=1), (other == truth).all(axis=1)
    won, lost = int(np.sum(right & ~other_right)), int(np.sum(~right & other_right))
    found = compared_over_documents(*indicators(*cells), multilabel=False)
    assert found.p_value == pytest.approx(sign_test(won, lost).p_value)
    assert found.difference == pytest.approx(right.mean() - other_right.mean())


@pytest.mark.parametrize("metric", ["accuracy", "micro_f1", "macro_f1"])
def test_samples_are_measured_as_documents_are(metric):
    random = np.random.default_rng(2)
    truth, decided = random.integers(0, 2, (2, 15, 4))
    draws = next(_draws(15))[:8]
    found = _figures(metric, *indicators(truth, decided), draws)
    for draw, figure in zip(draws, found, strict=True):
        drawn = np.repeat(np.arange(15), draw)
        if metric == "accuracy":
            expected = accuracy_score(truth[drawn], decided[drawn])
        else:
            expected = f1_score(truth[drawn], decided[drawn], average=metric[:5], zero_division=np.nan)
        assert figure == pytest.approx(expected)


def test_the_interval_has_its_confidence():
    random = np.random.default_rng(4)
    held = 0
    for _ in range(60):
        right = random.random(120) < 0.8
        truth = sparse.csr_array(np.eye(2, dtype=np.int64)[np.zeros(120, int)])
        decided = sparse.csr_array(np.eye(2, dtype=np.int64)[(~right).astype(int)])
        low, high = interval_over_documents("accuracy", truth, decided, 0.9)
        held += low <= 0.8 <= high
    assert 46 <= held <= 60  # 54 are expected


def test_scores_are_not_stored():
    truth, decided = indicators(np.eye(2), np.eye(2))
    assert interval_over_documents("macro_auc", truth, decided, 0.95) is None


def test_classes_without_a_figure_and_ties_do_not_count():
    found = compared_over_classes(np.array([0.5, np.nan, 0.3, 0.2]), np.array([0.4, 0.1, np.nan, 0.2]))
    assert (found.cases, found.difference) == (1, 1.0)


def test_runs_without_a_share_are_independent():
    differences = np.array([0.1, 0.2, 0.05])
    assert compared_over_runs(differences, None).p_value < compared_over_runs(differences, 0.2).p_value
