"""MultinomialNB: its parameters, and scikit-learn's beside it."""

import json
from functools import cache

import numpy as np
import pyarrow as pa
import pytest
from scipy import sparse
from sklearn import naive_bayes

from reference.cases import assert_close
from textbayes import ComplementNB, MultinomialNB, TextCounter
from textbayes.errors import ParameterError

X = np.array([[3, 0, 1], [1, 1, 0], [0, 2, 1], [0, 0, 2]])
Y = np.array(["a", "a", "b", "c"])


@cache
def counted(path):
    """A corpus with a split as (train, labels, test)."""
    with pa.input_stream(str(path), compression="zstd") as stream:
        records = [json.loads(line) for line in stream.read().splitlines()]
    split = {part: [record for record in records if record["split"] == part] for part in ("train", "test")}
    counter = TextCounter()
    train = counter.fit_transform([record["text"] for record in split["train"]])
    labels = np.array([record["labels"][0] for record in split["train"]])
    return train, labels, counter.transform([record["text"] for record in split["test"]])


CORPORA = ["r8-all-terms.jsonl.zst", "20news-bydate.jsonl.zst"]
PAIRS = {
    "multinomial": (MultinomialNB(), naive_bayes.MultinomialNB()),
    "flat prior": (MultinomialNB(fit_prior=False), naive_bayes.MultinomialNB(fit_prior=False)),
    "complement": (ComplementNB(), naive_bayes.ComplementNB()),
    "complement, norm": (ComplementNB(norm=True), naive_bayes.ComplementNB(norm=True)),
}


per_corpus = pytest.mark.parametrize("corpus", CORPORA)
per_pair = pytest.mark.parametrize(("ours", "theirs"), PAIRS.values(), ids=PAIRS)


@per_corpus
@pytest.mark.parametrize("alpha", [1.0, 1e-3, 1e-10])
@per_pair
def test_scikit_learns_scores_on_real_texts(ours, theirs, alpha, corpus, shared_data):
    train, labels, test = counted(shared_data(corpus))
    ours.set_params(alpha=alpha).fit(train, labels)
    theirs.set_params(alpha=alpha).fit(train, labels)
    expected = theirs.predict_joint_log_proba(test)
    # Their complement is (n_t + α) − n_ct, which loses α's digits when it is small: see the next test.
    rounded = alpha < 1e-9 and isinstance(ours, ComplementNB)
    tolerance = 1e-4 if rounded else 1e-12
    assert_close(ours.decision_function(test), expected, tolerance)
    ranked = np.sort(expected, axis=1)
    clear = ranked[:, -1] - ranked[:, -2] > 10 * tolerance * np.abs(ranked[:, -1])
    assert np.array_equal(ours.predict(test)[clear], theirs.predict(test)[clear])
    assert clear.mean() > (0.5 if rounded else 0.99)
    if isinstance(ours, MultinomialNB):
        assert_close(ours.predict_log_proba(test), theirs.predict_log_proba(test))
        assert_close(ours.weights_, theirs.feature_log_prob_)


@per_corpus
@pytest.mark.parametrize("norm", [False, True])
def test_a_small_alpha_keeps_its_digits(norm, corpus, shared_data):
    train, labels, test = counted(shared_data(corpus))
    classes = np.unique(labels)
    own = np.array([np.asarray(train[labels == label].sum(axis=0)).ravel() for label in classes])
    rest = (own.sum(axis=0) - own) + 1e-10  # whole numbers are subtracted exactly, then α is added
    weights = -np.log(rest / ((own.sum() - own.sum(axis=1))[:, None] + 1e-10 * train.shape[1]))
    weights /= np.abs(weights).sum(axis=1, keepdims=True) if norm else 1.0
    ours = ComplementNB(alpha=1e-10, norm=norm).fit(train, labels)
    assert_close(ours.decision_function(test), test @ weights.T)


@per_pair
def test_scikit_learns_scores_with_weights(ours, theirs):
    rng = np.random.default_rng(1)
    X = sparse.random(80, 40, 0.2, format="csr", random_state=1)
    y = rng.integers(0, 5, 80)
    weights = rng.uniform(0, 3, 80)
    ours.set_params(alpha=0.3).fit(X, y, sample_weight=weights)
    theirs.set_params(alpha=0.3).fit(X, y, sample_weight=weights)
    assert_close(ours.decision_function(X), theirs.predict_joint_log_proba(X))


BAD = {
    "alpha": [0, -1, np.nan, np.inf, "1", None, True, [1.0]],
    "class_length": [0, -1.0, np.nan, np.inf, "max", True, [1.0]],
    "class_prior": [
        [0.5],
        [0.5, 0.5, -1],
        [np.nan, 1, 1],
        [np.inf, 1, 1],
        "abc",
        [[0.2, 0.3, 0.5]],
        [0, 0, 0],
        1.0,
    ],
}


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, values in BAD.items() for value in values]
)
def test_parameters_out_of_range(name, value):
    def use():
        MultinomialNB(**{name: value}).fit(X, Y).predict(X)

    with pytest.raises(ParameterError, match=f"{name}="):
        use()
    indicator = (Y[:, None] == np.unique(Y)).astype(int)
    with pytest.raises(ParameterError, match=f"{name}="):
        MultinomialNB(**{name: value}).fit(X, indicator).predict(X)


@pytest.mark.parametrize("alpha", [np.float32(0.1), np.float16(0.1), np.int8(1), np.int64(2), 2])
def test_numbers_of_numpy_are_numbers(alpha):
    wide = np.tile(X, 60)
    expected = MultinomialNB(alpha=float(alpha)).fit(wide, Y).decision_function(wide)
    assert MultinomialNB(alpha=alpha).fit(wide, Y).decision_function(wide).tobytes() == expected.tobytes()
    expected = ComplementNB(alpha=float(alpha), norm=True).fit(wide, Y).decision_function(wide)
    ours = ComplementNB(alpha=alpha, norm=True).fit(wide, Y).decision_function(wide)
    assert ours.tobytes() == expected.tobytes()
    expected = MultinomialNB(class_length=float(alpha)).fit(wide, Y).decision_function(wide)
    ours = MultinomialNB(class_length=alpha).fit(wide, Y).decision_function(wide)
    assert ours.tobytes() == expected.tobytes()


def test_a_prior_as_given():
    model = MultinomialNB(class_prior=[0.2, 0.3, 0.5]).fit(X, Y)
    np.testing.assert_allclose(model.predict_proba([[0, 0, 0]]), [[0.2, 0.3, 0.5]])
    theirs = naive_bayes.MultinomialNB(class_prior=[0.2, 0.3, 0.5]).fit(X, Y)
    assert_close(model.decision_function(X), theirs.predict_joint_log_proba(X))
    with pytest.raises(ParameterError, match="4 probabilities"):
        model.partial_fit([[1, 1, 1]], ["d"]).predict(X)
    flat = MultinomialNB(fit_prior=False).fit(X, Y)
    np.testing.assert_allclose(flat.predict_proba([[0, 0, 0]]), np.full((1, 3), 1 / 3))


def test_a_prior_of_zero_is_never_chosen_and_never_nan():
    model = MultinomialNB(class_prior=[0.0, 0.5, 0.5]).fit(X, Y)
    assert np.isfinite(model.decision_function(X)).all()
    assert "a" not in model.predict(X)


def test_weights_are_log_probabilities():
    for settings in ({}, {"class_length": 5.0}, {"class_length": "min"}):
        model = MultinomialNB(alpha=0.3, **settings).fit(X, Y)
        np.testing.assert_allclose(np.exp(model.weights_).sum(axis=1), 1)
        expected = X @ model.weights_.T + np.log([0.5, 0.25, 0.25])
        np.testing.assert_allclose(model.decision_function(X), expected)


def test_min_is_the_shortest_class_that_has_words():
    silent = np.vstack([X, [[0, 0, 0]]])
    labels = [*Y, "silent"]
    expected = MultinomialNB(class_length=2.0).fit(silent, labels).decision_function(X)
    np.testing.assert_array_equal(
        MultinomialNB(class_length="min").fit(silent, labels).decision_function(X), expected
    )


def test_scale_of_a_class_does_not_matter_with_a_class_length():
    scaled = X * np.array([[1.0], [1.0], [100.0], [1.0]])
    for model in (MultinomialNB(class_length=3.0), MultinomialNB(class_length=1)):
        assert_close(model.fit(scaled, Y).decision_function(X), model.fit(X, Y).decision_function(X))


def test_fit_prior_must_be_a_switch():
    with pytest.raises((TypeError, ValueError), match="fit_prior"):
        MultinomialNB(fit_prior="no").fit(X, Y).predict(X)
