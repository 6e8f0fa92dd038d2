"""TunedClassifier."""

import copy
import pickle

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone

from reference.variants import documents
from textbayes import CentroidClassifier, ComplementNB, MultinomialNB, PoissonNB, TunedClassifier
from textbayes.decisions import class_biases, proportional_thresholds, scut_thresholds
from textbayes.errors import (
    MergeError,
    NotLearnedError,
    ParameterError,
    UnfittedError,
)

MODELS = [
    MultinomialNB(alpha=0.5),
    ComplementNB(against="all"),
    CentroidClassifier(),
    PoissonNB(weighting="ratio"),
]
per_model = pytest.mark.parametrize("model", MODELS, ids=repr)


@per_model
def test_biases_come_from_leave_one_out(model):
    X, y = documents(80, 30, 4)
    tuned = TunedClassifier(model).fit(X, y)
    plain = clone(model).fit(X, y)
    codes = np.searchsorted(plain.classes_, y)
    assert tuned.biases_.tolist() == class_biases(plain.loo_scores(X, y), codes).tolist()
    expected = plain.decision_function(X) + tuned.biases_
    assert np.array_equal(tuned.predict(X), plain.classes_[np.argmax(expected, axis=1)])
    np.testing.assert_allclose(tuned.predict_proba(X).sum(axis=1), 1.0)
    assert np.array_equal(tuned.classes_[tuned.predict_proba(X).argmax(axis=1)], tuned.predict(X))
    labels, scores = tuned.top_k(X, 2)
    assert np.array_equal(labels[:, 0], tuned.predict(X))
    assert (scores[:, 0] >= scores[:, 1]).all()


@per_model
def test_thresholds_come_from_leave_one_out(model):
    X, y = documents(80, 30, 4, multilabel=True)
    plain = clone(model).fit(X, y)
    left_out = plain.loo_scores(X, y)
    tuned = TunedClassifier(model).fit(X, y)
    assert tuned.thresholds_.tolist() == scut_thresholds(left_out, y > 0).thresholds.tolist()
    assert np.array_equal(tuned.predict(X), plain.decision_function(X) > tuned.thresholds_)
    shares = TunedClassifier(model, rule="pcut", value=2.0).fit(X, y).thresholds_
    assert shares.tolist() == proportional_thresholds(left_out, y > 0, 2.0).tolist()
    assert TunedClassifier(model, rule="rcut", value=2).fit(X, y).predict(X).sum(axis=1).tolist() == [2] * 80
    fixed = TunedClassifier(model, rule="fixed", value=[0.1, 0.2, 0.3, 0.4]).fit(X, y)
    assert np.array_equal(fixed.predict(X), plain.decision_function(X) > [0.1, 0.2, 0.3, 0.4])
    probabilities = tuned.predict_proba(X)
    assert probabilities.shape == (80, 4)
    assert ((probabilities >= 0) & (probabilities <= 1)).all()


@pytest.mark.parametrize("multilabel", [False, True], ids=["labels", "indicator"])
def test_learning_and_forgetting_tune_again(multilabel):
    X, y = documents(60, 20, 3, multilabel=multilabel)
    fresh = TunedClassifier(MultinomialNB()).fit(X[:40], y[:40])
    changed = TunedClassifier(MultinomialNB()).fit(X[:30], y[:30])
    changed.predict(X)
    changed.partial_fit(X[30:], y[30:]).forget(X[40:], y[40:])
    assert changed.predict_proba(X).tobytes() == fresh.predict_proba(X).tobytes()
    joined = TunedClassifier(MultinomialNB()).fit(X[:15], y[:15])
    joined.merge(TunedClassifier(MultinomialNB()).fit(X[15:40], y[15:40]))
    assert joined.predict_proba(X).tobytes() == fresh.predict_proba(X).tobytes()


def test_what_was_not_learned_changes_nothing():
    X, y = documents(30, 10, 3)
    model = TunedClassifier(MultinomialNB()).fit(X, y)
    before = model.predict_proba(X).tobytes()
    with pytest.raises(NotLearnedError):
        model.forget(X[:1] * 2, y[:1])
    with pytest.raises(NotLearnedError):
        model.forget(sparse.vstack([X[:1]] * 2), [y[0]] * 2)
    assert model.predict_proba(X).tobytes() == before
    with pytest.raises(MergeError):
        model.merge(MultinomialNB().fit(X, y))


def test_two_classes_one_of_one_document():
    X, y = np.array([[3, 0], [2, 1], [1, 2], [0, 3]]), np.array(["a", "a", "a", "b"])
    model = TunedClassifier(MultinomialNB()).fit(X, y)
    assert model.decision_function(X).shape == (4,)
    assert np.isfinite(model.predict_proba(X)).all()


def test_do_not_know():
    rng = np.random.default_rng(4)
    y = rng.integers(0, 3, 90)
    X = rng.poisson(0.4 + 0.8 * np.eye(3)[y].repeat(2, axis=1))
    model = TunedClassifier(MultinomialNB()).fit(X, y)
    answer = model.predict(X, reject_below=0.6)
    unsure = model.predict_proba(X).max(axis=1) < 0.6
    assert 0 < unsure.sum() < 90
    assert np.array_equal(answer.mask, unsure)
    assert np.array_equal(answer.data, model.predict(X))
    plain = MultinomialNB().fit(X, y)
    assert np.ma.isMaskedArray(plain.predict(X, reject_below=0.99))
    indicator = np.eye(3, dtype=int)[y]
    for learned in (TunedClassifier(MultinomialNB()).fit(X, indicator), plain.fit(X, indicator)):
        answer = learned.predict(X, reject_below=0.7)
        chances = learned.predict_proba(X)
        sure = np.where(answer.data > 0, chances, 1 - chances)
        assert np.array_equal(answer.mask, sure < 0.7)


def test_copies():
    X, y = documents(30, 10, 3)
    model = TunedClassifier(MultinomialNB()).fit(X, y)
    for twin in (copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
        assert twin.predict_proba(X).tobytes() == model.predict_proba(X).tobytes()
        twin.forget(X[:3], y[:3])
    assert model.estimator_.class_documents_.sum() == 30


@pytest.mark.parametrize(
    ("settings", "error", "says"),
    [
        ({"rule": "cut"}, ParameterError, "rule"),
        ({"calibration": "platt"}, ParameterError, "calibration"),
        ({"biases": 1}, ParameterError, "biases"),
        ({"shrinkage": -1}, ParameterError, "shrinkage"),
        ({"rule": "pcut", "value": 0}, ParameterError, "value"),
        ({"estimator": "MultinomialNB"}, ParameterError, "estimator"),
    ],
    ids=str,
)
def test_parameters_are_checked(settings, error, says):
    model = TunedClassifier(**({"estimator": MultinomialNB()} | settings))
    with pytest.raises(error, match=says):
        model.fit(np.eye(3), [0, 1, 0])


def test_not_fitted():
    model = TunedClassifier(MultinomialNB())
    for method in ("predict", "predict_proba", "decision_function"):
        with pytest.raises(UnfittedError):
            getattr(model, method)(np.eye(2))
    assert not hasattr(model, "classes_")
