"""Laws of scoring: the result does not depend on the method of computation or the batch."""

import copy
import io
import pickle
import threading

import joblib
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.special import log_expit, logsumexp
from sklearn.base import clone

from examples import examples
from reference.variants import LINEAR, POISSON, VARIANTS, all_scores, documents
from textbayes import CentroidClassifier, ComplementNB, MultinomialNB, PoissonNB

per_variant = pytest.mark.parametrize("variant", VARIANTS, ids=repr)
per_linear = pytest.mark.parametrize("variant", LINEAR, ids=repr)
per_kind = pytest.mark.parametrize("multilabel", [False, True], ids=["labels", "indicator"])
# Few classes lead to a dense table, many classes to postings, and a single row to neither.
SHAPES = {"dense": (300, 60, 5), "postings": (400, 300, 120), "two": (50, 30, 2), "one": (10, 8, 1)}
per_shape = pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)


def one_at_a_time(variant, X, y, method, rows):
    """Score each row with a fresh model, which has not prepared a table."""
    learned = clone(variant).fit(X, y)
    return [getattr(copy.deepcopy(learned), method)(X[[row]]) for row in rows]


@per_shape
@per_kind
@per_variant
def test_the_method_of_scoring_changes_no_bit(variant, multilabel, shape):
    X, y = documents(*shape, seed=3, real=True, multilabel=multilabel)
    if y.shape[1:] == (1,):
        pytest.skip("one column is labels, not an indicator")
    model = clone(variant).fit(X, y)
    whole = model.decision_function(X)
    rows = (0, 1, 7, X.shape[0] - 1)
    alone = one_at_a_time(variant, X, y, "decision_function", rows)
    for row, scores in zip(rows, alone, strict=True):
        assert scores.tobytes() == whole[row].tobytes()
    # Again, when there may be a table; then row by row, until the model builds one.
    assert model.decision_function(X).tobytes() == whole.tobytes()
    busy = clone(variant).fit(X, y)
    for _ in range(3):
        for row in range(40):
            at = row % X.shape[0]
            assert busy.decision_function(X[[at]]).tobytes() == whole[at].tobytes()
    heavy = clone(variant).fit(X, y)
    many = sparse.vstack([X] * 60).tocsr()
    assert heavy.decision_function(many).tobytes() == np.concatenate([whole] * 60).tobytes()
    assert heavy.decision_function(X[[1]]).tobytes() == whole[1].tobytes()


@per_kind
@per_variant
def test_blocks_of_rows_give_the_same_scores(variant, multilabel):
    X, y = documents(203, 80, 9, multilabel=multilabel)
    model = clone(variant).fit(X, y)
    for method in ("predict", "predict_proba", "predict_log_proba", "decision_function"):
        whole = getattr(model, method)(X)
        for size in (1, 50, 202):
            parts = [getattr(model, method)(X[at : at + size]) for at in range(0, 203, size)]
            assert np.array_equal(np.concatenate(parts), whole), method
    labels, scores = model.top_k(X, 4)
    some_labels, some_scores = model.top_k(X[17:30], 4)
    assert np.array_equal(some_labels, labels[17:30])
    assert some_scores.tobytes() == scores[17:30].tobytes()


@per_variant
def test_blocks_of_classes_give_the_same_scores(variant, monkeypatch):
    X, y = documents(60, 40, 11)
    expected = clone(variant).fit(X, y)
    answers = expected.decision_function(X), expected.predict_log_proba(X), expected.top_k(X, 3)
    monkeypatch.setattr("textbayes.statistics.statistics._CELLS", 90)
    monkeypatch.setattr("textbayes.scores.poisson._KEPT_CELLS", 1)
    monkeypatch.setattr("textbayes.decisions.choice._BLOCK_SCORES", 50)
    model = clone(variant).fit(X, y)
    assert model.decision_function(X).tobytes() == answers[0].tobytes()
    assert model.predict_log_proba(X).tobytes() == answers[1].tobytes()
    assert np.array_equal(model.top_k(X, 3)[0], answers[2][0])
    assert np.array_equal(model.predict(X), expected.predict(X))


def test_multilabel_odds_in_blocks_of_classes(monkeypatch):
    X, y = documents(60, 40, 11, multilabel=True)
    for variant in (MultinomialNB(), MultinomialNB(class_length="min")):
        expected = clone(variant).fit(X, y).predict_log_proba(X)
        with monkeypatch.context() as patched:
            patched.setattr("textbayes.statistics.statistics._CELLS", 90)
            assert clone(variant).fit(X, y).predict_log_proba(X).tobytes() == expected.tobytes()


@per_variant
@given(
    count=st.integers(1, 30),
    columns=st.integers(1, 12),
    classes=st.integers(1, 6),
    seed=st.integers(0, 999),
    real=st.booleans(),
)
@settings(max_examples=examples(15), deadline=None)
def test_predictions_are_the_best_scores(variant, count, columns, classes, seed, real):
    X, y = documents(max(count, classes), columns, classes, seed, entries=2, real=real)
    model = clone(variant).fit(X, y)
    test = sparse.random(9, columns, 0.4, format="csr", random_state=seed)
    scores = all_scores(model, test)
    assert np.isfinite(scores).all()
    assert np.array_equal(model.predict(test), model.classes_[np.argmax(scores, axis=1)])
    probabilities = model.predict_proba(test)
    assert probabilities.shape == (9, len(model.classes_))
    np.testing.assert_allclose(probabilities.sum(axis=1), 1.0, rtol=1e-9)
    if isinstance(model, PoissonNB):
        scores = log_expit(scores)
    else:
        decisions = model.decision_function(test)
        if len(model.classes_) == 2:
            assert decisions.shape == (9,)
            np.testing.assert_allclose(decisions, scores[:, 1] - scores[:, 0], rtol=1e-12)
        else:
            assert decisions.tobytes() == scores.tobytes()
    expected = scores - logsumexp(scores, axis=1, keepdims=True)
    np.testing.assert_allclose(model.predict_log_proba(test), expected, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(probabilities, np.exp(expected), rtol=1e-9, atol=1e-12)


@per_variant
def test_indicators_are_decided_class_by_class(variant):
    X, y = documents(60, 30, 4, multilabel=True)
    model = clone(variant).fit(X, y)
    probabilities, decided = model.predict_proba(X), model.predict(X)
    assert decided.shape == probabilities.shape == model.decision_function(X).shape == (60, 4)
    assert set(np.unique(decided)) <= {0, 1}
    clear = np.abs(probabilities - 0.5) > 1e-9
    assert np.array_equal(decided[clear], (probabilities > 0.5)[clear])
    np.testing.assert_allclose(np.exp(model.predict_log_proba(X)), probabilities)
    # The model learned something: predictions are more frequent on documents of the class.
    for column in range(4):
        own = y[:, column] == 1
        assert probabilities[own, column].mean() > probabilities[~own, column].mean()


@per_variant
def test_two_columns_of_an_indicator_are_two_scores(variant):
    X, y = documents(30, 12, 2, multilabel=True)
    assert clone(variant).fit(X, y).decision_function(X).shape == (30, 2)


@per_linear
@pytest.mark.parametrize("k", [1, 2, 5, 24, 25, 26, 1000])
def test_top_k_is_a_stable_sort(variant, k):
    X, y = documents(200, 60, 25)
    model = clone(variant).fit(X, y)
    scores = model.decision_function(X)
    best = np.argsort(-scores, axis=1, kind="stable")[:, : min(k, 25)]
    labels, ours = model.top_k(X, k)
    assert np.array_equal(labels, model.classes_[best])
    assert np.array_equal(ours, np.take_along_axis(scores, best, axis=1))


@per_variant
def test_ties_go_to_the_first_class(variant):
    # Twelve identical classes, learned in another order than the sorted one.
    labels = [f"c{number:02}" for number in (7, 3, 11, 0, 5, 9, 1, 10, 2, 8, 4, 6)]
    model = clone(variant).fit(np.tile([[1, 2, 0]], (12, 1)), labels)
    test = [[1, 0, 0], [0, 0, 0], [0, 0, 4], [2, 1, 1]]
    ranked, scores = model.top_k(test, 12)
    assert (scores == scores[:, :1]).all()
    assert ranked.tolist() == [sorted(labels)] * 4
    assert model.top_k(test, 3)[0].tolist() == [sorted(labels)[:3]] * 4
    assert model.predict(test).tolist() == ["c00"] * 4


def joblib_copy(model):
    file = io.BytesIO()
    joblib.dump(model, file)
    file.seek(0)
    return joblib.load(file)


COPIES = {
    "pickle": lambda model: pickle.loads(pickle.dumps(model)),
    "pickle-2": lambda model: pickle.loads(pickle.dumps(model, protocol=2)),
    "deepcopy": copy.deepcopy,
    "joblib": joblib_copy,
}


@pytest.mark.parametrize("how", COPIES.values(), ids=COPIES)
@per_kind
@per_variant
def test_copies_are_identical_and_independent(variant, multilabel, how):
    X, y = documents(60, 30, 5, real=True, multilabel=multilabel)
    weights = np.linspace(0.1, 3.0, 60)
    model = clone(variant).fit(X[:40], y[:40], sample_weight=weights[:40])
    model.predict(X)  # so that there is a cache, which a copy drops
    before = model.decision_function(X).tobytes()
    twin = how(model)
    assert twin.decision_function(X).tobytes() == before
    assert twin.predict_proba(X).tobytes() == model.predict_proba(X).tobytes()
    twin.partial_fit(X[40:], y[40:], sample_weight=weights[40:]).forget(
        X[:9], y[:9], sample_weight=weights[:9]
    )
    assert model.decision_function(X).tobytes() == before
    model.partial_fit(X[40:], y[40:], sample_weight=weights[40:]).forget(
        X[:9], y[:9], sample_weight=weights[:9]
    )
    assert twin.decision_function(X).tobytes() == model.decision_function(X).tobytes()
    assert not hasattr(clone(model), "classes_")


CHANGES = [
    (MultinomialNB(), {"alpha": 0.01}),
    (MultinomialNB(), {"class_length": "min"}),
    (MultinomialNB(), {"fit_prior": False}),
    (MultinomialNB(), {"class_prior": [0.1, 0.2, 0.3, 0.4]}),
    (ComplementNB(), {"alpha": 0.01, "norm": True}),
    (ComplementNB(), {"against": "class"}),
    (PoissonNB(), {"theta": 0.5}),
    (PoissonNB(), {"alpha": 0.1, "weighting": "ratio"}),
    (CentroidClassifier(), {"norm": "l1"}),
]


@pytest.mark.parametrize(("variant", "change"), CHANGES, ids=str)
@per_kind
def test_a_parameter_set_after_learning_takes_effect(variant, change, multilabel):
    X, y = documents(40, 20, 4, multilabel=multilabel)
    model = clone(variant).fit(X, y)
    before = model.decision_function(X), model.predict_proba(X)
    model.set_params(**change)
    fresh = clone(variant).set_params(**change).fit(X, y)
    assert model.decision_function(X).tobytes() == fresh.decision_function(X).tobytes()
    assert model.predict_proba(X).tobytes() == fresh.predict_proba(X).tobytes()
    assert not np.allclose(before[0], model.decision_function(X)) or not np.allclose(
        before[1], model.predict_proba(X)
    )


@per_variant
def test_many_threads_can_share_a_model(variant):
    X, y = documents(400, 200, 30)
    model = clone(variant).fit(X, y)
    expected = clone(variant).fit(X, y).predict(X).tolist()
    failures = []

    def ask():
        try:
            for _ in range(6):
                assert model.predict(X).tolist() == expected
                model.decision_function(X[:5])
                model.top_k(X[:50], 3)
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=ask) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


@per_variant
def test_scoring_does_not_change_its_input(variant):
    X, y = documents(30, 15, 3)
    X.sort_indices()
    arrays = [array.copy() for array in (X.data, X.indices, X.indptr)]
    model = clone(variant).fit(X, y)
    model.predict(X)
    model.partial_fit(X, y)
    model.forget(X, y)
    assert all(np.array_equal(a, b) for a, b in zip(arrays, (X.data, X.indices, X.indptr), strict=True))


@pytest.mark.parametrize("variant", POISSON, ids=repr)
def test_log_odds_are_proportional_to_tau(variant):
    X, y = documents(30, 15, 4)
    model = clone(variant).fit(X, y)
    one = model.log_odds(X)
    assert one.shape == (30, 4)
    np.testing.assert_allclose(model.log_odds(X, tau=model.tau_), model.tau_ * one, rtol=1e-12)
    two = clone(variant).fit(X, np.where(y == "class 0", "a", "b"))
    assert two.log_odds(X).shape == two.decision_function(X).shape == (30,)
