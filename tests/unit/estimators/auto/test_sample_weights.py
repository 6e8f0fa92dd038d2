"""AutoNB with weights: 2 is two documents, 0 is none."""

import numpy as np
import pytest
from scipy import sparse

from textbayes import AutoNB, TextClassifier
from textbayes.estimators.auto import Candidate, Representation
from textbayes.estimators.auto.held_out import TrainingSet
from textbayes.statistics import as_targets

KINDS = ["multinomial", "complement", "one-vs-all", "centroid", "linear-svm"]
MANY_KINDS = ["one-vs-all", "complement-all", "centroid", "linear-svm"]


def topics(documents=90, terms=45, classes=3, seed=0):
    """Documents of noisy topics, and weights of 1, 2 and 3."""
    random = np.random.default_rng(seed)
    codes = np.arange(documents) % classes
    own = (np.arange(terms) % classes == codes[:, None]) * 0.5
    return random.poisson(0.3 + own), np.array(list("abc"))[codes], random.integers(1, 4, documents)


X, y, weights = topics()
several = np.column_stack([y == "a", y != "b", X[:, 0] > 0]).astype(int)


def same_scores(one, other, X):
    np.testing.assert_array_equal(one.decision_function(X), other.decision_function(X))


@pytest.mark.parametrize("labels", [y, several], ids=["labels", "indicator"])
def test_weight_zero_is_absence(labels):
    kinds = KINDS if labels is y else MANY_KINDS
    some = np.where(np.arange(len(y)) % 5 == 0, 0.0, weights)
    kept = some > 0
    weighted = AutoNB(candidates=kinds, random_state=0).fit(X, labels, some)
    absent = AutoNB(candidates=kinds, random_state=0).fit(X[kept], labels[kept], some[kept])
    assert weighted.recipe_ == absent.recipe_
    assert [entry.score for entry in weighted.leaderboard_] == [entry.score for entry in absent.leaderboard_]
    same_scores(weighted, absent, X)


@pytest.mark.parametrize("labels", [y, several], ids=["labels", "indicator"])
@pytest.mark.parametrize("updates", ["exact", "any"])
def test_weight_one_is_no_weight(labels, updates):
    kinds = KINDS if labels is y else MANY_KINDS
    if updates == "exact":
        kinds = kinds[:-1]
    model = AutoNB(candidates=kinds, updates=updates, random_state=0)
    plain, ones = model.fit(X, labels).recipe_, model.fit(X, labels, np.ones(len(X))).recipe_
    assert plain.members == ones.members
    np.testing.assert_allclose(plain.weights, ones.weights, rtol=1e-3)
    np.testing.assert_allclose(plain.biases, ones.biases, atol=1e-3)


def test_a_fitted_recipe_counts_a_weight_as_repetitions():
    members = ["multinomial", "complement", "centroid"]
    recipe = AutoNB(candidates=members, random_state=0).fit(X, y).recipe_
    repeated = np.repeat(np.arange(len(X)), weights)
    weighted = AutoNB(candidates=recipe, random_state=0).fit(X, y, weights)
    twice = recipe.fit(X[repeated], y[repeated], random_state=0)
    np.testing.assert_allclose(
        weighted.decision_function(X), twice.decision_function(X), rtol=1e-9, atol=1e-9
    )


def test_a_search_with_weights_finds_nearly_what_repetitions_do():
    """A weighted document is left out whole; of a repeated one, a twin stays: scores differ a little."""
    repeated = np.repeat(np.arange(len(X)), weights)
    kinds = ["multinomial", "complement"]
    weighted = AutoNB(candidates=kinds, random_state=0).fit(X, y, weights)
    twice = AutoNB(candidates=kinds, random_state=0).fit(X[repeated], y[repeated])
    assert {one.kind for one in weighted.recipe_.members} == {one.kind for one in twice.recipe_.members}
    given = weighted.predict(X)
    assert np.mean(given == twice.predict(X)) > 0.9


@pytest.mark.parametrize("kind", ["multinomial", "one-vs-all", "centroid"])
def test_leave_one_out_takes_the_whole_weight(kind):
    candidate = Candidate(kind, Representation(log=True))
    training = TrainingSet(
        sparse.csr_matrix(X),
        y,
        as_targets(y),
        np.zeros(45, bool),
        np.arange(len(y)),
        0,
        weights.astype(float),
    )
    (found,) = training.held_out_scores(candidate, [None])
    row, others = 7, np.arange(len(y)) != 7
    pipeline = candidate.pipeline()
    name = pipeline.steps[-1][0]
    pipeline.fit(X[others], y[others], **{f"{name}__sample_weight": weights[others]})
    np.testing.assert_allclose(found.scores[row], pipeline.decision_function(X[[row]])[0])


def test_updates_with_weights_equal_a_fresh_fit():
    recipe = AutoNB(candidates=["multinomial", "complement"], random_state=0).fit(X, y).recipe_
    fresh = AutoNB(candidates=recipe, random_state=0).fit(X[10:], y[10:], weights[10:])
    model = AutoNB(candidates=recipe, random_state=0).fit(X[:60], y[:60], weights[:60])
    model.partial_fit(X[60:], y[60:], sample_weight=weights[60:]).forget(X[:10], y[:10], weights[:10])
    np.testing.assert_allclose(model.decision_function(X), fresh.decision_function(X), rtol=1e-12, atol=1e-12)


def test_a_text_classifier_takes_them():
    texts = ["wheat corn", "corn rice", "wheat rice", "crude oil", "oil gas", "gas crude"] * 2
    labels = (["grain"] * 3 + ["oil"] * 3) * 2
    given = np.array([2.0, 1.0, 1.0] * 4)
    classifier = TextClassifier(AutoNB(candidates=["multinomial"], random_state=0)).fit(texts, labels, given)
    assert classifier.predict(["wheat", "oil"]).tolist() == ["grain", "oil"]
    plain = TextClassifier(AutoNB(candidates=["multinomial"], random_state=0)).fit(texts, labels)
    assert not np.array_equal(classifier.decision_function(["wheat"]), plain.decision_function(["wheat"]))
