"""F1 of decisions, beside scikit-learn's."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse
from sklearn.metrics import accuracy_score, f1_score

from examples import examples
from textbayes.errors import ShapeError
from textbayes.evaluation import f1, thresholded_f1

LAW = settings(max_examples=examples(60), deadline=None)
LABELS = st.lists(st.tuples(*[st.sampled_from(["oil", "밀", "🌾", "قمح"])] * 2), min_size=1, max_size=30)
CELLS = st.tuples(st.integers(1, 20), st.integers(2, 5)).flatmap(
    lambda shape: st.tuples(*[arrays(np.int8, shape, elements=st.integers(0, 1))] * 2)
)


@LAW
@given(LABELS)
def test_labels(pairs):
    truth, decided = zip(*pairs, strict=True)
    found = f1(truth, decided)
    assert found.macro == pytest.approx(f1_score(truth, decided, average="macro"))
    assert found.micro == pytest.approx(accuracy_score(truth, decided))
    np.testing.assert_allclose(found.per_class, f1_score(truth, decided, average=None))


@LAW
@given(CELLS)
def test_indicators(cells):
    truth, decided = cells
    found = f1(sparse.csr_matrix(truth), decided)
    for average in ("micro", "macro"):
        expected = f1_score(truth, decided, average=average, zero_division=np.nan)
        assert getattr(found, average) == pytest.approx(expected, nan_ok=True)


@LAW
@given(CELLS)
def test_thresholds_are_reached(cells):
    truth, decided = cells
    limits = np.arange(truth.shape[1]) / 4
    scores = np.where(decided, limits, limits - 1e-9)
    found, expected = thresholded_f1(truth, iter([scores[:3], scores[3:]]), limits), f1(truth, decided)
    np.testing.assert_array_equal(found.per_class, expected.per_class)
    assert found.micro == pytest.approx(expected.micro, nan_ok=True)


def test_none_is_no_class():
    assert f1(["a", "b", "a"], ["a", None, "a"]).per_class.tolist() == [1.0, 0.0]


def test_one_threshold_for_all():
    assert thresholded_f1([[1, 0], [0, 1]], [[0.9, 0.1], [0.4, 0.4]], 0.5).per_class.tolist() == [1.0, 0.0]


def test_decided_but_never_true_is_zero():
    assert f1([[1, 0, 0]], [[1, 1, 0]]).macro == 0.5
    assert np.isnan(f1([[1, 0, 0]], [[1, 1, 0]]).per_class[2])


@pytest.mark.parametrize("decided", [["a"], [[1, 0], [0, 1]]], ids=["fewer", "indicator"])
def test_shapes(decided):
    with pytest.raises(ShapeError, match=r"^decisions has .*, and truth has"):
        f1([1, 0], decided)


def test_thresholds_of_other_classes():
    with pytest.raises(ShapeError, match="thresholds"):
        thresholded_f1([[1, 0]], [[0.1, 0.2]], [0.1, 0.2, 0.3])
