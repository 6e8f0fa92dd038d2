"""Leave-one-out from the sums equals leave-one-out by refits, for all models, labels and weights."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.base import clone

from examples import examples
from reference.leave_one_out import scores_by_refits, shaped
from reference.variants import VARIANTS, documents, state
from textbayes import CentroidClassifier, ComplementNB, MultinomialNB, PoissonNB
from textbayes.errors import NotLearnedError, ParameterError

MODELS = [
    *VARIANTS,
    *(PoissonNB(theta=0.1, alpha=0.3, weighting=weighting) for weighting in (None, "chi2")),
    MultinomialNB(alpha=1e-3, class_length="min"),
    MultinomialNB(class_length=1.0, fit_prior=False),
    ComplementNB(alpha=1e-2, against="all", norm=True),
    ComplementNB(alpha=1e-2, against="class", norm=True),
]
per_model = pytest.mark.parametrize("model", MODELS, ids=repr)
per_kind = pytest.mark.parametrize("multilabel", [False, True], ids=["labels", "indicator"])


def assert_same(actual, expected):
    """Assert equality up to 1e-9 of the largest score; infinities must be the same."""
    assert actual.shape == expected.shape
    finite = np.isfinite(expected)
    assert np.array_equal(actual[~finite], expected[~finite])
    scale = max(1.0, np.abs(expected[finite]).max(initial=0.0))
    np.testing.assert_allclose(actual[finite], expected[finite], rtol=0, atol=1e-9 * scale)


@st.composite
def training_sets(draw, classes=4):
    """Draw few documents, so that classes of one document, empty and equal documents are common."""
    count = draw(st.integers(2, 9))
    columns = draw(st.integers(2, 6))
    real = draw(st.booleans())
    value = st.floats(0.01, 20.0) if real else st.integers(1, 9).map(float)
    cell = st.one_of(st.just(0.0), st.just(0.0), value)
    X = np.array([[draw(cell) for _ in range(columns)] for _ in range(count)])
    if draw(st.booleans()):
        y = np.array([[draw(st.integers(0, 1)) for _ in range(classes)] for _ in range(count)])
    else:
        y = np.array([f"class {draw(st.integers(0, classes - 1))}" for _ in range(count)])
    weight = st.one_of(st.just(1.0), st.floats(0.05, 4.0), st.just(0.0))
    weights = np.array([draw(weight) for _ in range(count)]) if draw(st.booleans()) else None
    # scikit-learn refuses weights that are all 0, and a refit leaves one more out.
    assume(weights is None or (weights > 0).sum() >= 2)
    return sparse.csr_matrix(X), y, weights


@per_model
@given(training_sets())
@settings(max_examples=examples(8), deadline=None)
def test_equals_refits(model, data):
    check_refits(model, data)


@pytest.mark.slow
@per_model
@given(training_sets())
@settings(max_examples=150, deadline=None)
def test_equals_refits_on_many_sets(model, data):
    check_refits(model, data)


def check_refits(model, data):
    X, y, weights = data
    fitted = clone(model).fit(X, y, sample_weight=weights)
    expected = scores_by_refits(model, X, y, weights, scores=class_scores)
    assert_same(fitted.loo_scores(X, y, sample_weight=weights), shape(model, expected, y))


def class_scores(model, X):
    """Return the score of each class, also for two classes, where decision_function gives a difference."""
    if isinstance(model, PoissonNB):
        return model._poisson_scorer().ranking(model._rows(X))
    return model._make_scorer().scores(model._rows(X))


def shape(model, expected, y):
    """Return scores in the shape of decision_function: for two-class Poisson models z* of the second."""
    if isinstance(model, PoissonNB) and expected.shape[1] == 2 and y.ndim == 1:
        return expected[:, 1]
    return shaped(expected, y.ndim == 2)


@per_kind
@per_model
@pytest.mark.parametrize("classes", [2, 12])
def test_equals_refits_on_larger_sets(model, multilabel, classes):
    X, y = documents(24, 30, classes, seed=7, real=True, multilabel=multilabel)
    weights = np.random.default_rng(3).uniform(0.1, 3.0, 24)
    fitted = clone(model).fit(X, y, sample_weight=weights)
    before = state(fitted)
    actual = fitted.loo_scores(X, y, sample_weight=weights)
    expected = scores_by_refits(model, X, y, weights, scores=class_scores)
    assert_same(actual, shape(model, expected, y))
    assert state(fitted) == before
    some = fitted.loo_scores(X[7:20], y[7:20], sample_weight=weights[7:20])
    assert some.tobytes() == actual[7:20].tobytes()


@pytest.mark.parametrize("model", [m for m in MODELS if m._smoothing], ids=repr)
def test_a_path_equals_its_values_one_by_one(model):
    X, y = documents(80, 30, 6, seed=1)
    fitted = clone(model).fit(X, y)
    values = [0.01, 0.5, 2.0]
    path = fitted.loo_score_path(X, y, values)
    assert path.shape == (3, 80, 6)
    for value, scores in zip(values, path, strict=True):
        assert (
            scores.tobytes()
            == clone(model).set_params(**{model._smoothing: value}).fit(X, y).loo_scores(X, y).tobytes()
        )


@per_model
@pytest.mark.parametrize("shape", [(200, 150, 60), (500, 100, 4)], ids=["many", "few"])
def test_threads_change_no_bit(model, shape, monkeypatch):
    X, y = documents(*shape, seed=5, entries=40, real=True)
    fitted = clone(model).fit(X, y)
    found = []
    for threads in (1, 2, 5):
        monkeypatch.setattr("textbayes.scores.leave_one_out.removal.available_threads", lambda n=threads: n)
        found.append(fitted.loo_scores(X, y).tobytes())
    assert found[0] == found[1] == found[2]


def test_leaving_out_the_only_document_removes_the_class():
    X, y = np.array([[1, 0], [2, 1], [0, 3]]), np.array(["밀", "밀", "🌾"])
    scores = MultinomialNB().fit(X, y).loo_scores(X, y)
    assert scores[2] == -np.inf  # "🌾" sorts last: without its document "밀" leads by ∞
    assert np.isfinite(scores[:2]).all()
    indicator = np.array([[1, 0], [1, 0], [0, 1]])
    assert np.isfinite(MultinomialNB().fit(X, indicator).loo_scores(X, indicator)).all()


def test_documents_that_were_not_learned():
    X, y = documents(30, 10, 3)
    model = MultinomialNB().fit(X, y)
    with pytest.raises(NotLearnedError, match="class 9"):
        model.loo_scores(X[:1], ["class 9"])
    with pytest.raises(NotLearnedError, match="class 0"):
        model.loo_scores(X[:1] * 1000, ["class 0"])
    with pytest.raises(ParameterError, match="alpha=-1"):
        model.loo_score_path(X, y, [1.0, -1])
    with pytest.raises(AttributeError, match="has no smoothing"):
        CentroidClassifier().fit(X, y).loo_score_path(X, y, [1.0])
