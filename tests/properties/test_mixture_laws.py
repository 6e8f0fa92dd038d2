"""Laws of structural Poisson mixtures: storing, scoring, copying and threads do not change the model."""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.special import logsumexp

from examples import examples
from textbayes import PoissonMixtureNB

SMOOTHINGS = [("prior", 3.0), ("mix", 0.25), (None, None)]
STRUCTURES = [
    {},
    {"keep": 0.7},
    {"keep": 0.3},
    {"keep": 0.05},
    {"keep_threshold": 0.02},
    {"keep_threshold": 0.0},
]
models = st.builds(
    lambda components, smoothing, structure, seed: PoissonMixtureNB(
        components,
        smoothing=smoothing[0],
        background=smoothing[1],
        random_state=seed,
        max_iter=15,
        tol=0.0,
        **structure,
    ),
    st.integers(1, 5),
    st.sampled_from(SMOOTHINGS),
    st.sampled_from(STRUCTURES),
    st.integers(0, 99),
)
seeds = st.integers(0, 10_000)


def drawn(seed, real):
    """Return documents with many terms that a class lacks, some that all lack, and an empty document."""
    rng = np.random.default_rng(seed)
    count, width, classes = rng.integers(6, 40), rng.integers(3, 30), rng.integers(1, 4)
    X = rng.poisson(0.3, (count, width)) * (rng.random(width) < 0.8)
    X = X * rng.uniform(0.1, 3.0, X.shape) if real else X
    X[0] = 0
    y = np.array([f"클래스 {code}" for code in rng.integers(0, classes, count)])
    test = rng.poisson(0.3, (9, width)).astype(float)
    return sparse.csr_matrix(X), y, sparse.csr_matrix(test)


def brute_force(model, X):
    """Return log p(c) + log Σ f(m) G(x|m), from the listed components."""
    X, background = X.toarray(), model.background_
    prior = np.log(model.class_documents_ / model.class_documents_.sum())
    scores = np.full((X.shape[0], len(prior)), -np.inf)
    for at, components in enumerate(model.components_):
        each = []
        for component in components:
            own, base = component.theta, background[component.terms]
            with np.errstate(divide="ignore", invalid="ignore"):
                terms = np.where(X[:, component.terms] > 0, X[:, component.terms] * np.log(own / base), 0.0)
            slope = (base - own).sum() * X.sum(axis=1)
            each.append(np.log(component.weight) + terms.sum(axis=1) + slope)
        scores[:, at] = prior[at] + logsumexp(each, axis=0)
    scores[np.isneginf(scores).all(axis=1)] = prior
    return scores[:, 1] - scores[:, 0] if len(prior) == 2 else scores


@given(models, seeds, st.booleans())
@settings(max_examples=examples(150), deadline=None)
def test_stored_and_listed_components_give_the_same_scores(model, seed, real):
    X, y, test = drawn(seed, real)
    model.fit(X, y)
    for rows in (X, test):
        np.testing.assert_allclose(
            model.decision_function(rows), brute_force(model, rows), rtol=1e-9, atol=1e-9
        )


@given(models, seeds, st.booleans())
@settings(max_examples=examples(80), deadline=None)
def test_the_parameter_count_bounds_the_stored_values(model, seed, real):
    X, y, _ = drawn(seed, real)
    model.fit(X, y)
    own = model.model_.own
    listed = [len(component.terms) for components in model.components_ for component in components]
    assert listed == own.parameters.tolist()
    assert model.n_parameters_ == sum(listed)
    assert len(own.terms) + len(own.bare_terms) <= model.n_parameters_
    terms = np.count_nonzero(model.background_)
    seen = sum(np.count_nonzero(X[y == label].getnnz(axis=0)) * len(own) for label, own in _by_class(model))
    assert len(own.terms) + len(own.bare_terms) <= max(seen, 1)
    if model.keep_threshold is None and not model.dropped_.any():
        budgets = [round(model.keep * size * terms + 1e-9) for size in own.sizes.tolist()]
        assert model.n_parameters_ == pytest.approx(sum(budgets), abs=len(budgets))


def _by_class(model):
    return zip(model.classes_, model.components_, strict=True)


@given(models, seeds, st.booleans())
@settings(max_examples=examples(150), deadline=None)
def test_the_criterion_minus_the_threshold_never_decreases(model, seed, real):
    X, y, _ = drawn(seed, real)
    model.fit(X, y)
    if model.smoothing == "mix":
        return
    own, price = model.model_.own, model.keep_threshold or 0.0
    for history, parameters in zip(own.histories, own.parameter_histories, strict=True):
        steps = np.diff(history - price * parameters.astype(float))
        assert (steps >= -1e-9 * np.maximum(1, np.abs(history[1:]))).all()


@given(models, seeds, st.booleans(), st.booleans())
@settings(max_examples=examples(40), deadline=None)
def test_threads_blocks_and_copies_change_no_bit(model, seed, real, several):
    X, y, test = drawn(seed, real)
    if several:
        y = np.random.default_rng(seed).integers(0, 2, (X.shape[0], 3))
    with pytest.MonkeyPatch.context() as patched:
        fits = []
        for threads in (1, 2, 5):
            patched.setattr("textbayes.weights.mixture.available_threads", lambda threads=threads: threads)
            fits.append(model.fit(X, y).predict_proba(test).tobytes())
        assert len(set(fits)) == 1
    whole = model.decision_function(test)
    assert not np.isnan(whole).any()
    assert not np.isnan(model.predict_log_proba(test)).any()
    one_by_one = np.concatenate([model.decision_function(test[[row]]) for row in range(test.shape[0])])
    assert one_by_one.tobytes() == whole.tobytes()
    twin = pickle.loads(pickle.dumps(model))
    assert twin.decision_function(test).tobytes() == whole.tobytes()
    assert np.array_equal(twin.predict(test), model.predict(test))


@given(models, seeds)
@settings(max_examples=examples(40), deadline=None)
def test_predictions_are_the_best_scores(model, seed):
    X, y, test = drawn(seed, real=False)
    model.fit(X, y)
    labels, scores = model.top_k(test, 99)
    assert (scores[:, 1:] <= scores[:, :-1]).all()
    assert np.array_equal(model.predict(test), labels[:, 0])
    probabilities = model.predict_proba(test)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1.0, rtol=1e-9)
    best = np.take_along_axis(probabilities, np.searchsorted(model.classes_, labels[:, :1]), axis=1)
    np.testing.assert_allclose(best[:, 0], probabilities.max(axis=1))


@given(models, seeds, st.booleans())
@settings(max_examples=examples(40), deadline=None)
def test_documents_of_weight_zero_are_ignored(model, seed, real):
    X, y, test = drawn(seed, real)
    weights = np.random.default_rng(seed).integers(0, 3, X.shape[0]).astype(float)
    weights[0] = 1.0
    some = weights > 0
    expected = model.fit(X[some], y[some], sample_weight=weights[some]).predict_proba(test)
    assert model.fit(X, y, sample_weight=weights).predict_proba(test).tobytes() == expected.tobytes()
