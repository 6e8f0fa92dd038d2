"""PoissonNB: its parameters, τ, and the shapes of its scores."""

import numpy as np
import pytest
from scipy.special import expit

from reference.cases import assert_close
from reference.variants import POISSON, documents
from textbayes import PoissonNB, TextCounter
from textbayes.errors import ParameterError

X = np.array([[3, 0, 1], [1, 1, 0], [0, 2, 1], [0, 0, 2]])
Y = np.array(["a", "a", "b", "c"])
BAD = {"theta": [0, -1, np.nan, np.inf, "1", None, True], "alpha": [-0.1, 1.1, np.nan, "1", None, True, 1j]}


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, values in BAD.items() for value in values]
)
def test_parameters_out_of_range(name, value):
    with pytest.raises(ParameterError, match=f"{name}="):
        PoissonNB(**{name: value}).fit(X, Y)


@pytest.mark.parametrize("weighting", ["IG", "chi", 1, True, ["ig"], ""])
def test_weighting_out_of_range(weighting):
    with pytest.raises(ParameterError, match="ratio"):
        PoissonNB(weighting=weighting).fit(X, Y)


@pytest.mark.parametrize("tau", [0, -1, np.nan, np.inf, "1", None])
def test_tau_out_of_range(tau):
    with pytest.raises(ParameterError, match="tau="):
        PoissonNB().fit(X, Y).log_odds(X, tau=tau)


@pytest.mark.parametrize("alpha", [0, 1, 0.0, 1.0, np.float32(0.5), np.int64(1)])
def test_the_ends_of_alpha_are_allowed(alpha):
    model = PoissonNB(alpha=alpha).fit(X, Y)
    assert np.isfinite(model.decision_function(X)).all()
    assert_close(model.decision_function(X), PoissonNB(alpha=float(alpha)).fit(X, Y).decision_function(X))


def test_theta_of_numpy_is_a_number():
    expected = PoissonNB(theta=float(np.float32(0.01))).fit(X, Y).predict_log_proba(X)
    assert PoissonNB(theta=np.float32(0.01)).fit(X, Y).predict_log_proba(X).tobytes() == expected.tobytes()


def test_tau_and_added_words():
    model = PoissonNB(theta=0.5).fit(X, Y)
    assert model.added_words_ == 1.5
    assert model.tau_ == 3 * (11 / 4 + 1.5)
    model.partial_fit([[0, 0, 0, 7]], ["a"])
    assert model.added_words_ == 2.0
    assert model.tau_ == pytest.approx(4 * (18 / 5 + 2.0))


@pytest.mark.parametrize("variant", POISSON, ids=repr)
def test_probabilities_are_eq_3(variant):
    counts, labels = documents(50, 20, 3, multilabel=True)
    model = variant.fit(counts, labels)
    share = labels.mean(axis=0)
    odds = model.log_odds(counts, tau=model.tau_) + np.log(share / (1 - share))
    assert_close(model.predict_proba(counts), expit(odds))
    assert np.array_equal(model.predict(counts), (odds > 0).astype(int))


@pytest.mark.parametrize("variant", POISSON, ids=repr)
def test_predictions_and_probabilities_agree(variant, shared_data):
    counts, labels = documents(200, 60, 5)
    model = variant.fit(counts, labels)
    best = model.predict_proba(counts)
    chosen = best[np.arange(200), np.searchsorted(model.classes_, model.predict(counts))]
    np.testing.assert_allclose(chosen, best.max(axis=1), rtol=1e-9)


def test_it_classifies():
    counter = TextCounter()
    counts = counter.fit_transform(
        ["밀 wheat wheat", "wheat rose", "oil rose", "crude oil", "gold", "gold fell"] * 3
    )
    topics = ["grain", "grain", "oil", "oil", "gold", "gold"] * 3
    for variant in POISSON:
        assert variant.fit(counts, topics).predict(counts).tolist() == topics


def test_its_weights_are_finite_where_class_and_term_are_alike():
    # Every term in every document, alike: information gain and χ² are 0 everywhere, W_c is 0.
    for variant in POISSON:
        model = variant.fit(np.ones((6, 3)), ["a", "b", "c"] * 2)
        assert np.isfinite(model.decision_function(np.eye(3))).all()
        assert_close(model.predict_proba(np.eye(3)), np.full((3, 3), 1 / 3))
