"""Intervals stay within the range of their figure."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.stats import binomtest

from textbayes.measures import loss_interval, objective, quality, share_interval
from textbayes.measures.costs import CostMatrix


@pytest.mark.parametrize(("right", "documents"), [(0, 7), (1, 7), (39, 40), (40, 40), (500, 1000)])
def test_an_accuracy_has_wilsons_interval(right, documents):
    value = right / documents
    error = np.sqrt(value * (1 - value) / documents)
    expected = binomtest(right, documents).proportion_ci(method="wilson")
    found = share_interval(value, error, documents, width=1.959963984540054)
    assert found == pytest.approx((expected.low, expected.high))


@example(5e-324, 2.0, 1, 1.0)
@given(st.floats(0, 1), st.floats(0, 10), st.integers(0, 10**9), st.floats(0.1, 100))
def test_shares_stay_from_0_to_1(value, error, documents, width):
    low, high = share_interval(value, error, documents, width)
    assert 0 <= low <= value <= high <= 1


@given(st.floats(0, 1e9), st.floats(0, 1e9))
def test_losses_stay_above_0(value, error):
    low, high = loss_interval(value, error)
    assert 0 <= low <= value <= high


def test_a_larger_error_widens_the_interval():
    ends = np.array([share_interval(0.9, error, 10_000) for error in (0.001, 0.01, 0.05, 0.2)])
    assert (np.diff(ends[1:, 0]) < 0).all()
    assert (np.diff(ends[1:, 1]) > 0).all()


@pytest.mark.parametrize("metric", ["macro_f1", "micro_f1", "accuracy"])
@pytest.mark.parametrize("wrong", [0, 1, 39, 40])
def test_qualities_of_few_documents(metric, wrong):
    truth = np.eye(2, dtype=bool)[np.arange(40) % 2]
    scores = np.where(np.arange(40)[:, None] < wrong, ~truth, truth).astype(float)
    found = quality(scores, truth, metric, multilabel=False)
    low, high = found.interval
    assert 0 <= low <= found.value <= high <= 1
    # Forty documents prove nothing for certain.
    assert high - low > 0.05


def test_losses_are_not_below_none():
    truth = np.eye(2, dtype=bool)[[0, 1, 0, 1]]
    scores = np.where(truth, 3.0, -3.0)
    scores[0] = -scores[0]
    low, high = quality(scores, truth, "log_loss", multilabel=False).interval
    assert low < high <= 0
    costs = objective(CostMatrix([[0, 20], [1, 0]], ["ham", "spam"]), ["ham", "spam"])
    found = quality(scores, truth, costs, multilabel=False)
    assert (found.value, found.interval[1]) == (-5.0, 0.0)
    assert found.interval[0] < -10
