"""LinearSVM: it ends where the linear support vector machine does, on the documents it has."""

import copy
import pickle

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.preprocessing import normalize
from sklearn.svm import LinearSVC

from reference.cases import LABELS, assert_close
from reference.hsieh2008 import counted_documents, one_against_the_rest
from reference.variants import all_scores, documents
from textbayes import (
    DiscriminativeNB,
    FrequencyTransform,
    LinearSVM,
    TextClassifier,
    TunedClassifier,
    load,
    save,
)
from textbayes.counts import as_rows
from textbayes.errors import (
    InfiniteCountError,
    NegativeCountError,
    NotLearnedError,
    ParameterError,
    UnfittedError,
)
from textbayes.weights import linear_svm_weights

# The core computes in single precision, whose last digit is 1e-7.
CLOSE = 2e-5


def settled(C=0.7, seed=0, **settings):
    """A model that goes on until nothing moves that single precision can tell."""
    return LinearSVM(C, max_iter=3000, tol=1e-5, random_state=seed, **settings)


def unit_documents(*shape, **settings):
    X, y = documents(*shape, real=True, **settings)
    return normalize(X), y


def machine(X, signs, cost, weights=None):
    """Weights and bias of scikit-learn's machine for one class."""
    svm = LinearSVC(C=cost, loss="squared_hinge", dual=True, tol=1e-9, max_iter=200_000, intercept_scaling=1)
    svm.fit(X, signs, sample_weight=weights)
    return svm.coef_[0], svm.intercept_[0]


def machines(X, truth, cost, weights=None):
    found = [machine(X, np.where(own, 1, -1), cost, weights) for own in truth.T]
    return np.array([w for w, _ in found]), np.array([b for _, b in found])


def indicator(model, y):
    return np.asarray(y)[:, None] == model.classes_


def biases_of(model):
    """The scores of a document without words."""
    empty = as_rows(sparse.csr_matrix((1, model.n_features_in_)))
    return model._scorer("test").scores(empty)[0]


# Where it ends.


@pytest.mark.parametrize("C", [0.1, 1.0, 10.0])
@pytest.mark.parametrize("classes", [2, 3, 16, 17, 40])
def test_it_is_the_linear_machine(classes, C):
    X, y = unit_documents(120, 40, classes, entries=5)
    model = settled(C).fit(X, y)
    table, biases = machines(X, indicator(model, y), C)
    assert model.n_iter_ <= model.max_iter
    close = CLOSE * max(2.0, C)  # where falling short counts more, so does what is left of it
    assert_close(model.weights_, table, close)
    assert_close(biases_of(model), biases, close)
    scores = X @ table.T + biases
    assert_close(model.decision_function(X), scores[:, 1] - scores[:, 0] if classes == 2 else scores, close)
    assert_close(all_scores(model, X), scores, close)
    best = np.sort(scores, axis=1)
    clear = best[:, -1] - best[:, -2] > 10 * close
    assert clear.mean() > 0.9
    assert (model.predict(X) == model.classes_[scores.argmax(axis=1)])[clear].all()


def test_two_classes_lead_by_twice_the_score():
    X, y = unit_documents(60, 20, 2)
    svm = LinearSVC(C=0.7, dual=True, tol=1e-9, max_iter=100_000).fit(X, y)
    model = settled().fit(X, y)
    assert_close(model.decision_function(X), 2 * svm.decision_function(X), 2 * CLOSE)
    assert (model.predict(X) == svm.predict(X)).all()


@pytest.mark.parametrize("classes", [3, 20])
def test_several_labels_are_a_machine_a_column(classes):
    X, Y = unit_documents(80, 30, classes, multilabel=True)
    Y[4], Y[5] = 0, 1
    model = settled().fit(X, Y)
    table, biases = machines(X, Y, 0.7)
    assert_close(model.weights_, table, CLOSE)
    scores = X @ table.T + biases
    assert_close(model.decision_function(X), scores, 2 * CLOSE)
    clear = np.abs(scores) > 1e-3
    assert (model.predict(X) == (scores > 0))[clear].all()


@pytest.mark.parametrize("several", [False, True], ids=["labels", "indicator"])
def test_weights_of_documents(several):
    X, y = unit_documents(60, 20, 3, multilabel=several)
    weights = np.random.default_rng(1).uniform(0.1, 3.0, 60)
    weights[::7] = 0
    model = settled().fit(X, y, weights)
    truth = y if several else indicator(model, y)
    table, biases = machines(X, truth, 0.7, weights)
    assert_close(model.weights_, table, CLOSE)
    assert_close(biases_of(model), biases, CLOSE)
    without = settled().fit(X[weights > 0], y[weights > 0], weights[weights > 0])
    assert_close(model.decision_function(X), without.decision_function(X), CLOSE)


def test_a_document_of_weight_2_is_two():
    X, y = unit_documents(40, 20, 3)
    twice = settled().fit(sparse.vstack([X, X[:15]]), [*y, *y[:15]])
    weighted = settled().fit(X, y, np.where(np.arange(40) < 15, 2.0, 1.0))
    assert_close(weighted.decision_function(X), twice.decision_function(X), CLOSE)


@pytest.mark.parametrize("weight", [1e-20, 1e-50])
def test_next_to_no_weight_keeps_nobody_waiting(weight):
    X, y = unit_documents(40, 20, 3)
    weights = np.where(np.arange(40) == 20, weight, 1.0)
    model = LinearSVM(random_state=0).fit(X, y, weights)
    assert model.n_iter_ <= 100
    others = np.arange(40) != 20
    assert_close(
        settled().fit(X, y, weights).decision_function(X),
        settled().fit(X[others], y[others]).decision_function(X),
        CLOSE,
    )


@pytest.mark.parametrize("several", [False, True], ids=["labels", "indicator"])
@pytest.mark.parametrize("weighted", [False, True], ids=["unweighted", "weighted"])
def test_what_a_document_counts_is_what_it_falls_short(several, weighted):
    X, y = unit_documents(50, 15, 4, multilabel=several)
    weights = np.linspace(0.2, 2.0, 50) if weighted else None
    model = settled().fit(X, y, weights)
    truth = y if several else indicator(model, y)
    own = np.column_stack([model.weights_, biases_of(model)])
    found = counted_documents(X.toarray(), truth, 0.7, own[:, :-1], own[:, -1], weights)
    assert_close(found, own, 1e-3)  # sums of rounded shortfalls


@pytest.mark.parametrize("classes", [2, 3])
def test_the_paper_s_algorithm_ends_there_too(classes):
    X, y = unit_documents(25, 8, classes, entries=3)
    weights = np.linspace(0.0, 2.0, 25)
    model = settled(2.0).fit(X, y, weights)
    table, biases = one_against_the_rest(X.toarray(), indicator(model, y), 2.0, weights)
    assert_close(model.weights_, table, CLOSE)
    assert_close(biases_of(model), biases, CLOSE)


def test_counts_that_are_not_of_length_1_will_do():
    X, y = documents(50, 15, 3, entries=3)
    model = LinearSVM(0.01, max_iter=10_000, tol=1e-4, random_state=0).fit(X, y)
    table, _ = machines(X, indicator(model, y), 0.01)
    assert_close(model.weights_, table, 1e-3)


# Order, seed and threads.


def test_any_order_ends_there():
    X, y = unit_documents(80, 30, 4)
    first = settled(seed=1).fit(X, y).decision_function(X)
    order = np.random.default_rng(0).permutation(80)
    assert_close(settled(seed=2).fit(X, y).decision_function(X), first, CLOSE)
    assert_close(settled(seed=1).fit(X[order], y[order]).decision_function(X), first, CLOSE)
    loose = LinearSVM(0.7, random_state=1).fit(X, y).decision_function(X)
    assert 0 < np.abs(loose - first).max() < 0.2


@pytest.mark.parametrize("classes", [3, 50])
def test_a_seed_gives_the_same_bits_on_any_number_of_threads(monkeypatch, classes):
    X, y = unit_documents(200, 60, classes)
    found = []
    for threads in (1, 5):
        monkeypatch.setattr("textbayes.weights.linear_svm.available_threads", lambda threads=threads: threads)
        model = LinearSVM(random_state=3).fit(X, y)
        found.append((model.decision_function(X).tobytes(), model.n_iter_))
    assert found[0] == found[1]
    other = LinearSVM(random_state=4).fit(X, y)
    assert other.decision_function(X).tobytes() != found[0][0]


def test_how_many_rounds_were_needed():
    X, y = unit_documents(80, 30, 4)
    model = LinearSVM(tol=1e-4, random_state=0).fit(X, y)
    needed = model.n_iter_
    assert 2 < needed <= 100
    scores = model.decision_function(X).tobytes()
    enough = LinearSVM(tol=1e-4, max_iter=needed, random_state=0).fit(X, y)
    assert (enough.n_iter_, enough.decision_function(X).tobytes()) == (needed, scores)
    short = LinearSVM(tol=1e-4, max_iter=needed - 2, random_state=0).fit(X, y)
    assert short.n_iter_ == short.max_iter + 1
    assert model.set_params(tol=10.0).n_iter_ == 1
    with pytest.raises(UnfittedError):
        LinearSVM().n_iter_  # noqa: B018


# Documents that come and go.


@pytest.mark.parametrize("several", [False, True], ids=["labels", "indicator"])
def test_learning_on_and_forgetting_count_anew(several):
    X, y = unit_documents(60, 30, 4, multilabel=several)
    fresh = LinearSVM(random_state=1).fit(X[:40], y[:40]).decision_function(X)
    model = LinearSVM(random_state=1).fit(X[:25], y[:25])
    model.predict(X)
    model.partial_fit(X[25:], y[25:]).forget(X[40:], y[40:])
    assert model.decision_function(X).tobytes() == fresh.tobytes()
    joined = LinearSVM(random_state=1).fit(X[:25], y[:25])
    joined.merge(LinearSVM(random_state=1).fit(X[25:40], y[25:40]))
    assert joined.decision_function(X).tobytes() == fresh.tobytes()
    before = model.decision_function(X).tobytes()
    with pytest.raises(NotLearnedError):
        model.forget(X[50:51], y[50:51])
    assert model.decision_function(X).tobytes() == before


def test_what_was_forgotten_leaves_no_trace():
    X, y = unit_documents(60, 30, 4)
    fresh = settled().fit(X[20:], y[20:])
    model = settled().fit(X, y).forget(X[:20], y[:20])
    assert_close(model.decision_function(X), fresh.decision_function(X), CLOSE)
    # A term that only forgotten documents had has no weight, not a small one.
    only = X.toarray()[:20].any(axis=0) & ~X.toarray()[20:].any(axis=0)
    model = settled().fit(sparse.hstack([X, sparse.csr_matrix(np.eye(60)[:, :3])]), y)
    model.forget(sparse.hstack([X[:3], sparse.csr_matrix(np.eye(3))]), y[:3])
    assert not model.weights_[:, 30:].any()
    assert not fresh.weights_[:, only].any()


def test_columns_and_classes_may_come_later():
    X, y = unit_documents(40, 20, 3)
    labels = [*y[:20], *["new 밀"] * 20]
    model = settled().fit(X[:20, :10], labels[:20]).partial_fit(X[20:], labels[20:])
    assert model.classes_.tolist() == ["class 0", "class 1", "class 2", "new 밀"]
    narrow = sparse.vstack([sparse.hstack([X[:20, :10], sparse.csr_matrix((20, 10))]), X[20:]])
    fresh = settled().fit(narrow, labels)
    assert_close(model.decision_function(X), fresh.decision_function(X), CLOSE)
    gone = model.forget(X[20:], labels[20:])
    assert gone.classes_.tolist() == ["class 0", "class 1", "class 2"]
    assert_close(gone.weights_[:, :10], settled().fit(X[:20, :10], labels[:20]).weights_, CLOSE)


def test_leave_one_out_is_by_folds():
    X, y = unit_documents(60, 30, 4)
    model = LinearSVM(random_state=1).fit(X, y)
    assert model.loo_scores(X, y).tobytes() == model.fold_scores(X, y, folds=10).tobytes()
    path = model.loo_score_path(X, y, [0.1, 1.0])
    assert path[1].tobytes() == model.loo_scores(X, y).tobytes()
    other = LinearSVM(0.1, random_state=1).fit(X, y)
    assert path[0].tobytes() == other.loo_scores(X, y).tobytes()
    assert model.C == 1.0


# What is kept of it.


def test_pairs_are_those_of_documents_that_count():
    # Ten documents of a class say its word once; a hundred say it ten times, and a few words of their own.
    rng = np.random.default_rng(0)
    codes = np.tile(np.arange(4), 110)
    said = np.eye(4)[codes] * np.where(np.arange(440) < 40, 1.0, 10.0)[:, None]
    rare = (rng.random((440, 300)) < 0.01) * (np.arange(440) >= 40)[:, None]
    X = sparse.csr_matrix(np.column_stack([said, rare]))
    model = LinearSVM(random_state=0).fit(X, codes)
    signs = np.where(indicator(model, codes), 1, -1)
    beyond = signs * (X @ model.weights_.T + biases_of(model)) > 1.2
    assert beyond.mean() > 0.8
    pairs = model._scorer("test").statistics.sums.state()["pair_values"].size
    assert pairs == np.count_nonzero(model.weights_) < 0.5 * model.weights_.size
    for weights, own in zip(model.weights_, beyond.T, strict=True):
        assert not weights[~X.toarray()[~own].any(axis=0)].any()


def test_copies_and_pickles():
    X, y = unit_documents(30, 10, 3)
    model = LinearSVM(random_state=0).fit(X, y)
    scores, needed = model.decision_function(X).tobytes(), model.n_iter_
    for twin in (copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
        assert (twin.decision_function(X).tobytes(), twin.n_iter_) == (scores, needed)
        twin.partial_fit(X[:1], y[:1])
        assert model.decision_function(X).tobytes() == scores
    assert not hasattr(clone(model), "classes_")


@pytest.mark.parametrize("rounds", [2, 100])
@pytest.mark.parametrize("several", [False, True], ids=["labels", "indicator"])
def test_a_file_holds_the_estimate(several, rounds, tmp_path):
    X, y = unit_documents(60, 30, 4, multilabel=several)
    # No seed: nobody could make the same estimate again.
    model = LinearSVM(max_iter=rounds, tol=1e-3).fit(X, y)
    scores, needed = model.decision_function(X).tobytes(), model.n_iter_
    save(model, tmp_path / "model.tb")
    loaded = load(tmp_path / "model.tb")
    assert loaded.n_iter_ == needed
    assert needed == 3 if rounds == 2 else needed <= 100
    assert loaded.decision_function(X).tobytes() == scores
    assert loaded.weights_.tobytes() == model.weights_.tobytes()
    assert repr(loaded) == repr(model)
    loaded.set_params(random_state=1).partial_fit(X[:3], y[:3])
    again = model.set_params(random_state=1).partial_fit(X[:3], y[:3])
    assert loaded.decision_function(X).tobytes() == again.decision_function(X).tobytes()
    assert loaded.n_iter_ == again.n_iter_


def test_one_estimate_decides_and_ranks(monkeypatch):
    X, Y = unit_documents(60, 30, 4, multilabel=True)
    estimates = []
    monkeypatch.setattr(
        "textbayes.estimators.models.linear_svm.linear_svm_weights",
        lambda *given: estimates.append(1) or linear_svm_weights(*given),
    )
    # Without a seed, and far from where it would end, a second estimate would be another.
    model = LinearSVM(max_iter=1).fit(X, Y)
    assert (model.predict(X) == (model.decision_function(X) > 0)).all()
    np.testing.assert_allclose(model.predict_proba(X), 1 / (1 + np.exp(-model.decision_function(X))))
    assert model.n_iter_ == 2
    assert estimates == [1]


@pytest.mark.parametrize(
    "model",
    [LinearSVM(random_state=0), DiscriminativeNB(against="rest", random_state=0)],
    ids=repr,
)
def test_labels_are_forgotten_in_any_order(model):
    texts = ["wheat 밀", "crude oil", "gold mine", "oil and wheat"]
    labels = [["grain", "밀"], ["oil"], [], ["oil", "grain", "both"]]
    classifier = TextClassifier(model).fit(texts, labels)
    classifier.forget(texts[3:], [["both", "grain", "oil"]]).forget(texts[:1], [["밀", "grain"]])
    assert classifier.classes_.tolist() == ["oil"]


# At its edges.


@pytest.mark.parametrize(
    "labels",
    [["grain", "grain", "oil", "oil", "밀"], [["grain"], [], ["oil", "밀"], ["oil"], ["밀"]]],
    ids=["labels", "lists"],
)
def test_what_tokens_say_adds_up_to_the_score(labels):
    texts = ["wheat rose 밀 🌾", "corn and wheat fell", "قمح crude oil", "oil, oil! fell", "गेहूँ rose"]
    model = LinearSVM(random_state=0)
    classifier = TextClassifier(model, transform=FrequencyTransform(idf="smooth")).fit(texts, labels)
    for text in (*texts, "", "unknown 🙂", "oil " * 40):
        explanation = classifier.explain(text)
        total = explanation.bias + explanation.contributions.sum(axis=0)
        np.testing.assert_allclose(total, classifier.decision_function([text])[0], atol=1e-9)


def test_probabilities_rank_as_scores_do():
    X, y = unit_documents(60, 30, 4)
    model = LinearSVM(random_state=0).fit(X, y)
    shares = model.predict_proba(X)
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)
    scores = np.exp(model.decision_function(X))
    np.testing.assert_allclose(shares, scores / scores.sum(axis=1, keepdims=True))
    tuned = TunedClassifier(model).fit(X, y)
    np.testing.assert_allclose(tuned.predict_proba(X).sum(axis=1), 1.0)


@pytest.mark.parametrize(
    "bad",
    [
        {"C": 0},
        {"C": -1.0},
        {"C": float("inf")},
        {"C": "1"},
        {"max_iter": 0},
        {"max_iter": 1.5},
        {"max_iter": True},
        {"max_iter": 10**6},
        {"tol": 0},
        {"tol": float("nan")},
    ],
    ids=str,
)
def test_parameters_out_of_range(bad):
    with pytest.raises(ParameterError, match=next(iter(bad))):
        LinearSVM(**bad).fit([[1, 0], [0, 1]], ["a", "b"])


def test_bad_input_is_named():
    for value, error in (
        (-1, NegativeCountError),
        (np.nan, InfiniteCountError),
        (np.inf, InfiniteCountError),
    ):
        with pytest.raises(error, match="document 1, column 0"):
            LinearSVM().fit([[1, 0], [value, 1]], ["a", "b"])
    with pytest.raises(ParameterError, match="random_state"):
        LinearSVM(random_state=-1).fit([[1]], ["a"])
    with pytest.raises(UnfittedError):
        LinearSVM().predict([[1]])


def test_one_class_has_every_document():
    model = settled().fit([[1, 0], [0, 0]], ["밀", "밀"])
    assert model.predict([[0, 5], [0, 0]]).tolist() == ["밀", "밀"]
    assert model.predict_proba([[0, 5]]).tolist() == [[1.0]]
    own = np.column_stack([model.weights_, biases_of(model)])
    found = counted_documents([[1, 0], [0, 0]], [[1], [1]], 0.7, own[:, :-1], own[:, -1])
    assert_close(found, own, 1e-4)


def test_empty_documents_move_the_bias_alone():
    X = np.array([[1.0, 0.0], [0.0, 0.0], [0.0, 0.0], [0.0, 1.0]])
    model = settled().fit(X, ["a", "b", "b", "a"])
    table, biases = one_against_the_rest(X, indicator(model, ["a", "b", "b", "a"]), 0.7)
    assert_close(model.weights_, table, CLOSE)
    assert_close(biases_of(model), biases, CLOSE)
    assert model.predict([[0, 0]]).tolist() == ["b"]
    empty = settled().fit(np.zeros((4, 2)), ["a", "b", "b", "b"])
    assert not empty.weights_.any()
    assert empty.predict([[3, 3]]).tolist() == ["b"]


def test_columns_of_an_indicator_without_documents_or_without_others():
    X, Y = unit_documents(20, 10, 3, multilabel=True)
    Y[:, 1], Y[:, 2] = 0, 1
    model = settled().fit(X, Y)
    found = model.predict(X)
    assert found[:, 1].sum() == 0
    assert found[:, 2].all()
    table, biases = one_against_the_rest(X.toarray(), Y, 0.7)
    assert_close(model.decision_function(X), X @ table.T + biases, 2 * CLOSE)


def test_everything_forgotten():
    X, y = unit_documents(10, 5, 2)
    model = LinearSVM(random_state=0).fit(X, y).forget(X, y)
    assert model.classes_.tolist() == []
    assert model.partial_fit(X, y).predict(X).shape == (10,)


def test_labels_of_every_script():
    X, y = unit_documents(30, 12, 5)
    names = np.array(LABELS)[[int(label.split()[1]) for label in y]]
    plain, named = (LinearSVM(random_state=0).fit(X, labels) for labels in (y, names))
    place = [named.classes_.tolist().index(name) for name in LABELS]
    assert_close(named.decision_function(X)[:, place], plain.decision_function(X), 1e-6)
    assert set(named.predict(X)) <= set(LABELS)
