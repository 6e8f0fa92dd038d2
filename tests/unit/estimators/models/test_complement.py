"""ComplementNB: its parameters and its three ways."""

import numpy as np
import pytest

from reference.cases import assert_close
from textbayes import ComplementNB
from textbayes.errors import ParameterError

X = np.array([[3, 0, 1], [1, 1, 0], [0, 2, 1], [0, 0, 2]])
Y = np.array(["a", "a", "b", "c"])
INDICATOR = np.array([[1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 0]])


@pytest.mark.parametrize("alpha", [0, -1, np.nan, np.inf, "1", None, True])
def test_alpha_out_of_range(alpha):
    with pytest.raises(ParameterError, match="alpha="):
        ComplementNB(alpha=alpha).fit(X, Y)


@pytest.mark.parametrize("against", ["complemnt", "", None, 1, ["all"], "ALL"])
def test_against_something_else(against):
    with pytest.raises(ParameterError, match="complement"):
        ComplementNB(against=against).fit(X, Y)


def test_norm_must_be_a_switch():
    with pytest.raises((TypeError, ValueError), match="norm"):
        ComplementNB(norm="no").fit(X, Y)


@pytest.mark.parametrize("norm", [False, True])
@pytest.mark.parametrize("against", ["complement", "class", "all"])
@pytest.mark.parametrize("labels", [Y, INDICATOR[:, :2]], ids=["labels", "indicator"])
def test_weights_are_what_scores(against, norm, labels):
    model = ComplementNB(alpha=0.4, norm=norm, against=against).fit(X, labels)
    assert_close(model.decision_function(X), X @ model.weights_.T)
    if norm:
        np.testing.assert_allclose(np.abs(model.weights_).sum(axis=1), 1)


def test_all_documents_and_the_complement_differ_by_what_all_classes_share():
    plain = ComplementNB(against="complement").fit(X, Y)
    against_all = ComplementNB(against="all").fit(X, Y)
    share = np.log(X.sum(axis=0) + 1) - np.log(X.sum() + 3)
    assert_close(
        against_all.decision_function(X) - plain.decision_function(X), (X @ share)[:, None] * np.ones(3)
    )
    assert np.array_equal(plain.predict(X), against_all.predict(X))


def test_documents_without_a_class_count_in_every_complement():
    with_them = ComplementNB().fit(X, INDICATOR)
    without = ComplementNB().fit(X[:3], INDICATOR[:3])
    assert not np.allclose(with_them.decision_function(X), without.decision_function(X))
    np.testing.assert_allclose(with_them.weights_[0], -np.log(np.array([0 + 1, 2 + 1, 3 + 1]) / 8))


def test_of_a_class_without_documents_eq_8_knows_nothing():
    for norm in (False, True):
        model = ComplementNB(against="all", norm=norm).fit(X, INDICATOR)
        assert not model.weights_[2].any()
        assert not model.predict(X)[:, 2].any()
