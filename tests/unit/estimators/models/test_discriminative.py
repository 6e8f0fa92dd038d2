"""DiscriminativeNB."""

import copy
import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.utils import check_random_state

from reference.cases import assert_close
from reference.su2008 import discriminative_counts, one_vs_rest_weights, scores
from reference.variants import documents
from textbayes import DiscriminativeNB, MultinomialNB, load, save
from textbayes.errors import (
    LabelsError,
    ModelDamagedError,
    NotLearnedError,
    ParameterConflictError,
    ParameterError,
)
from textbayes.measures import deal_folds, strata
from textbayes.persistence import Stored
from textbayes.statistics import as_targets


def visits_of(model, count):
    random = check_random_state(model.random_state)
    return np.concatenate([random.permutation(count) for _ in range(model.max_iter)])


@pytest.mark.parametrize("block", [1, 4, 100])
@pytest.mark.parametrize("weighted", [False, True], ids=["unweighted", "weighted"])
@pytest.mark.parametrize("classes", [2, 4])
def test_counts_are_those_of_the_paper(block, weighted, classes):
    X, y = documents(25, 8, classes, entries=3, real=weighted)
    weights = np.linspace(0.2, 2.0, 25) if weighted else None
    model = DiscriminativeNB(alpha=0.3, max_iter=3, block_size=block, random_state=5).fit(X, y, weights)
    codes = np.searchsorted(model.classes_, y)
    counts, priors = discriminative_counts(X.toarray(), codes, visits_of(model, 25), block, 0.3, weights)
    expected = scores(X.toarray(), counts, priors, 0.3)
    expected = expected[:, 1] - expected[:, 0] if classes == 2 else expected
    assert_close(model.decision_function(X), expected, 1e-10)


def test_the_same_seed_gives_the_same_bits(monkeypatch):
    X, y = documents(400, 200, 5, entries=60)
    found = []
    for threads in (1, 2, 5):
        monkeypatch.setattr("textbayes.weights.discriminative.available_threads", lambda n=threads: n)
        model = DiscriminativeNB(block_size=300, random_state=3).fit(X, y)
        found.append(model.decision_function(X).tobytes())
    assert found[0] == found[1] == found[2]
    other = DiscriminativeNB(block_size=300, random_state=4).fit(X, y)
    assert other.decision_function(X).tobytes() != found[0]


def test_words_that_come_together_are_not_counted_twice():
    # One word tells in 95 of 100, and eight that always come together in 65: counting believes the eight.
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 600)
    strong = np.where(rng.random(600) < 0.95, y, 1 - y)
    weak = np.where(rng.random(600) < 0.65, y, 1 - y)
    X = np.column_stack([strong, 1 - strong, *[weak] * 8, *[1 - weak] * 8])
    counted = (MultinomialNB().fit(X, y).predict(X) == y).mean()
    assert counted < 0.8
    assert (DiscriminativeNB(max_iter=10, random_state=0).fit(X, y).predict(X) == y).mean() > 0.9


def test_learning_on_and_forgetting_estimate_anew():
    X, y = documents(60, 30, 4)
    fresh = DiscriminativeNB(random_state=1).fit(X[:40], y[:40]).decision_function(X)
    model = DiscriminativeNB(random_state=1).fit(X[:25], y[:25])
    model.predict(X)
    model.partial_fit(X[25:], y[25:]).forget(X[40:], y[40:])
    assert model.decision_function(X).tobytes() == fresh.tobytes()
    joined = DiscriminativeNB(random_state=1).fit(X[:25], y[:25])
    joined.merge(DiscriminativeNB(random_state=1).fit(X[25:40], y[25:40]))
    assert joined.decision_function(X).tobytes() == fresh.tobytes()
    before = model.decision_function(X).tobytes()
    with pytest.raises(NotLearnedError):
        model.forget(X[50:51], y[50:51])
    assert model.decision_function(X).tobytes() == before


def test_columns_and_classes_may_come_later():
    X, y = documents(40, 20, 3)
    model = DiscriminativeNB(random_state=0).fit(X[:20, :10], y[:20])
    model.partial_fit(X[20:], ["new"] * 20)
    assert "new" in model.classes_
    assert model.decision_function(X).shape == (40, len(model.classes_))


def test_leave_one_out_is_by_folds():
    X, y = documents(60, 30, 4)
    model = DiscriminativeNB(random_state=1).fit(X, y)
    assert model.loo_scores(X, y).tobytes() == model.fold_scores(X, y, folds=10).tobytes()
    path = model.loo_score_path(X, y, [0.1, 1.0])
    assert path[1].tobytes() == model.loo_scores(X, y).tobytes()
    assert model.alpha == 1.0
    for fold in range(3):
        plain = MultinomialNB().fit(X, y)
        dealt = deal_folds(strata(as_targets(y), by="first"), 3) == fold
        refit = MultinomialNB().fit(X[~dealt], y[~dealt])
        found = plain.fold_scores(X, y, folds=3)[dealt]
        np.testing.assert_allclose(found, refit.decision_function(X[dealt]), rtol=1e-12)


def test_copies_and_parameters():
    X, y = documents(30, 10, 3)
    model = DiscriminativeNB(random_state=0).fit(X, y)
    for twin in (copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
        assert twin.decision_function(X).tobytes() == model.decision_function(X).tobytes()
    assert model.weights_.shape == (3, 10)
    np.testing.assert_allclose(np.exp(model.weights_).sum(axis=1), 1.0)
    assert not hasattr(clone(model), "classes_")
    for bad in ({"alpha": 0}, {"max_iter": 0}, {"block_size": 1.5}, {"max_iter": True}, {"max_iter": 10**6}):
        with pytest.raises(ParameterError, match=next(iter(bad))):
            DiscriminativeNB(**bad).fit(X, y)


def test_label_indicators_are_refused():
    X, Y = documents(30, 10, 3, multilabel=True)
    with pytest.raises(LabelsError, match="one label per document"):
        DiscriminativeNB().fit(X, Y)


@pytest.mark.parametrize("length", [100, 200, 300, 10_000])
def test_documents_that_leave_no_doubt_add_nothing(length):
    own = np.eye(6, dtype=int)
    counts = np.column_stack([np.repeat([[length, 0], [0, length]], 3, axis=0), own])
    model = DiscriminativeNB(block_size=1, random_state=0).fit(counts, list("aaabbb"))
    assert model.predict(counts).tolist() == list("aaabbb")
    assert np.isfinite(model.weights_).all()


def both_sides(**settings):
    return DiscriminativeNB(
        **({"alpha": 0.1, "against": "rest", "max_iter": 2, "random_state": 3} | settings)
    )


def orders_of(model, count):
    random = check_random_state(model.random_state)
    visits = [random.permutation(count) for _ in range(model.orders * model.max_iter)]
    return np.concatenate(visits).reshape(model.orders, -1)


@pytest.mark.parametrize("orders", [1, 3])
@pytest.mark.parametrize("block", [1, 4, 100])
@pytest.mark.parametrize("fit_prior", [True, False])
@pytest.mark.parametrize("classes", [2, 5])
def test_both_sides_are_those_of_the_reference(orders, block, fit_prior, classes):
    X, y = documents(25, 8, classes, entries=3, real=True)
    weights = np.linspace(0.2, 2.0, 25)
    model = both_sides(orders=orders, block_size=block, fit_prior=fit_prior).fit(X, y, weights)
    truth = y[:, None] == model.classes_
    table, biases = one_vs_rest_weights(
        X.toarray(), truth, orders_of(model, 25), block, 0.1, weights, learn_biases=fit_prior
    )
    assert_close(model.weights_, table, 1e-10)
    expected = X.toarray() @ table.T + biases
    found = model.decision_function(X)
    assert_close(found, expected[:, 1] - expected[:, 0] if classes == 2 else expected, 1e-10)
    assert (model.predict(X) == model.classes_[expected.argmax(axis=1)]).all()


@pytest.mark.parametrize("fit_prior", [True, False])
def test_both_sides_take_several_labels_a_document(fit_prior):
    X, y = documents(30, 8, 4, entries=3, real=True)
    truth = np.column_stack([y == label for label in np.unique(y)] + [X.toarray()[:, 0] > 0]).astype(int)
    model = both_sides(orders=2, fit_prior=fit_prior).fit(X, truth)
    table, biases = one_vs_rest_weights(
        X.toarray(), truth, orders_of(model, 30), 32, 0.1, several=True, learn_biases=fit_prior
    )
    expected = X.toarray() @ table.T + biases
    assert_close(model.decision_function(X), expected, 1e-10)
    assert (model.predict(X) == (expected > 0)).all()
    rest = both_sides(orders=2, fit_prior=fit_prior).fit(X[:20], truth[:20])
    assert_close(model.forget(X[20:], truth[20:]).decision_function(X), rest.decision_function(X), 1e-10)


def test_both_sides_give_the_same_bits_on_any_number_of_threads(monkeypatch):
    X, y = documents(300, 100, 5, entries=30)
    found = []
    for threads in (1, 4):
        monkeypatch.setattr(
            "textbayes.weights.discriminative.available_threads", lambda threads=threads: threads
        )
        found.append(both_sides(orders=4).fit(X, y).decision_function(X))
    assert (found[0] == found[1]).all()


def test_one_class_and_empty_documents_are_learned_on_both_sides():
    model = both_sides().fit([[1, 0], [0, 0]], ["a", "a"])
    assert model.predict([[0, 5]]).tolist() == ["a"]
    model = both_sides(fit_prior=False).fit([[1, 0], [0, 0]], ["a", "b"])
    assert model.predict([[1, 0]]).tolist() == ["a"]


def test_a_file_holds_logarithms_of_both_sides():
    X, y = documents(30, 10, 3)
    model = both_sides().fit(X, y)
    estimate = model._store_weights()
    model._restore_weights(estimate)
    for name in ("pair_values", "biases"):
        forged = Stored({}, {**estimate.arrays, name: estimate.arrays[name] + 2e4})
        with pytest.raises(ModelDamagedError, match="weights are out of range"):
            model._restore_weights(forged)


def test_settings_of_both_sides_are_checked():
    with pytest.raises(ParameterError, match="against"):
        DiscriminativeNB(against="all").fit([[1]], [1])
    with pytest.raises(ParameterConflictError, match="orders"):
        DiscriminativeNB(orders=2).fit([[1], [2]], [1, 2]).predict([[1]])


@pytest.mark.parametrize("several", [False, True], ids=["one label", "several"])
def test_both_sides_are_saved(several, tmp_path):
    X, y = documents(40, 12, 4, entries=4)
    labels = (y[:, None] == np.unique(y)).astype(int) if several else y
    model = DiscriminativeNB(alpha=0.1, against="rest", orders=2).fit(X, labels)
    save(model, tmp_path / "model.tb")
    loaded = load(tmp_path / "model.tb")
    assert loaded.decision_function(X).tobytes() == model.decision_function(X).tobytes()
    loaded.set_params(random_state=1).partial_fit(X[:3], labels[:3])
    again = model.set_params(random_state=1).partial_fit(X[:3], labels[:3])
    assert loaded.decision_function(X).tobytes() == again.decision_function(X).tobytes()
