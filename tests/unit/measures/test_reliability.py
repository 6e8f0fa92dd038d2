"""Reliability and calibration error, beside scikit-learn's curve and by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn import metrics
from sklearn.calibration import calibration_curve

from examples import examples
from textbayes.errors import (
    NoDocumentsError,
    ParameterError,
    ShapeError,
)
from textbayes.evaluation import calibration_error, reliability_curve
from textbayes.measures import log_loss

LAW = settings(max_examples=examples(60), deadline=None)
CASES = st.lists(st.tuples(st.integers(0, 1), st.floats(0, 1)), min_size=2, max_size=40)


@LAW
@given(CASES, st.integers(1, 20))
def test_the_curve_is_scikit_learns(cases, bins):
    y, said = map(np.array, zip(*cases, strict=True))
    if len(set(y)) < 2:
        return
    found = reliability_curve(y, said, bins)
    frequency, probability = calibration_curve(y, said, n_bins=bins)
    np.testing.assert_allclose(found.frequency, frequency)
    np.testing.assert_allclose(found.probability, probability, atol=1e-12)
    assert found.cases.sum() == len(y)


def test_by_hand():
    # .9 twice, right once: .4 off; .3 once, wrong: .3 off.
    assert calibration_error([1, 0, 0], [0.9, 0.9, 0.3]) == pytest.approx((2 * 0.4 + 0.3) / 3)


def test_the_best_class_is_the_case():
    said = [[0.7, 0.2, 0.1], [0.1, 0.3, 0.6]]
    assert calibration_error(["밀", "oil"], said, classes=["밀", "🌾", "oil"]) == pytest.approx(0.35)
    assert reliability_curve(["밀", "밀"], said, classes=["밀", "🌾", "oil"]).frequency.tolist() == [0.0, 1.0]


def test_every_cell_is_a_case():
    truth, said = np.array([[1, 0], [1, 1]]), np.array([[0.8, 0.4], [0.6, 0.2]])
    assert calibration_error(truth, said) == calibration_error(truth.ravel(), said.ravel())


def test_chances_that_come_true():
    random = np.random.default_rng(3)
    said = random.random(20_000)
    assert calibration_error(random.random(20_000) < said, said) < 0.02
    assert calibration_error(random.random(20_000) < said**3, said) > 0.1


@pytest.mark.parametrize(
    ("y", "said", "error", "message"),
    [
        ([0, 1], [0.5, 1.5], ParameterError, r"^probabilities\[1\]=1.5"),
        ([0, 1], [0.5, np.nan], ParameterError, r"^probabilities\[1\]=nan"),
        ([0, 1], [0.5], ShapeError, "^probabilities has 1 item, and y has"),
        (["a", "b"], [[0.2, 0.3, 0.5]] * 2, ShapeError, r"^probabilities has shape \(2, 3\), and y"),
        (np.empty(0), np.empty(0), NoDocumentsError, "truth holds no documents"),
    ],
    ids=["above-1", "nan", "fewer", "classes", "none"],
)
def test_what_cannot_be_measured(y, said, error, message):
    with pytest.raises(error, match=message):
        calibration_error(y, said)


@pytest.mark.parametrize("bins", [0, 2.5, True])
def test_invalid_bins(bins):
    with pytest.raises(ParameterError, match=r"^bins="):
        reliability_curve([0, 1], [0.1, 0.9], bins)


def test_rounding_above_one_is_forgiven():
    assert calibration_error([1], [1 + 1e-12]) == 0


@pytest.mark.parametrize("multilabel", [False, True])
def test_log_loss_is_that_of_scikit_learn(multilabel):
    random = np.random.default_rng(0)
    codes, chances = random.integers(3, size=50), random.dirichlet(np.ones(3), size=50)
    chances[0] = [0.0, 0.0, 1.0]
    truth = np.eye(3, dtype=int)[codes]
    expected = (
        metrics.log_loss(truth.ravel(), chances.ravel()) if multilabel else metrics.log_loss(codes, chances)
    )
    assert log_loss(sparse.csr_array(truth), chances, multilabel) == pytest.approx(expected)
