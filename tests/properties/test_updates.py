"""Cached numbers: a model that predicts between updates still equals a fresh fit."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone

from reference.cases import assert_close
from reference.variants import documents
from textbayes import ComplementNB, PoissonNB
from textbayes.counts import as_rows
from textbayes.errors import NotLearnedError
from textbayes.scores import poisson as poisson_scores
from textbayes.statistics import LabelledRows, LengthStatistics, as_targets
from textbayes.weights import poisson_blocks

NORMALISED = [ComplementNB(norm=True, against=against) for against in ("complement", "class", "all")]
SERIES = [PoissonNB(), PoissonNB(theta=0.5, alpha=0.0), PoissonNB(theta=0.01, alpha=1.0)]
per_variant = pytest.mark.parametrize("variant", [*NORMALISED, *SERIES], ids=repr)
per_kind = pytest.mark.parametrize("multilabel", [False, True], ids=["labels", "indicator"])


@pytest.fixture(autouse=True)
def _always_series(monkeypatch):
    """Score every Poisson model as if it were too large for a table."""
    monkeypatch.setattr(poisson_scores, "_KEPT_CELLS", -1)


def assert_same_bits(model, fresh, X):
    assert model.classes_.tolist() == fresh.classes_.tolist()
    assert model.decision_function(X).tobytes() == fresh.decision_function(X).tobytes()
    assert model.predict_log_proba(X).tobytes() == fresh.predict_log_proba(X).tobytes()


@per_kind
@per_variant
def test_learning_and_forgetting_one_by_one(variant, multilabel):
    X, y = documents(90, 60, 12, seed=1, multilabel=multilabel)
    model = clone(variant).fit(X[:60], y[:60])
    for at in range(60, 90):
        model.partial_fit(X[at], y[at : at + 1]).predict(X[:1])
    assert_same_bits(model, clone(variant).fit(X, y), X)
    for at in range(10, 40):
        model.forget(X[at], y[at : at + 1]).predict(X[:1])
    remain = np.r_[0:10, 40:90]
    assert_same_bits(model, clone(variant).fit(X[remain], y[remain]), X)


@per_variant
def test_pairs_that_outgrow_their_place(variant):
    # Each document adds a class for the same terms, so their pairs outgrow their place again and again.
    rng = np.random.default_rng(2)
    X = sparse.csr_matrix(rng.poisson(0.6, size=(400, 30)))
    y = np.array([f"분류 {number % 200}" for number in range(400)])
    model = clone(variant).fit(X[:2], y[:2])
    for first in range(2, 400, 7):
        model.partial_fit(X[first : first + 7], y[first : first + 7]).predict(X[:1])
    assert_same_bits(model, clone(variant).fit(X, y), X[:50])


@per_variant
def test_merging_growing_and_other_settings(variant):
    X, y = documents(60, 40, 8, seed=3)
    narrow = sparse.csr_matrix(X[:20, :25])
    model = clone(variant).fit(narrow, y[:20])
    model.predict(narrow)
    model.partial_fit(X[20:40], y[20:40]).predict(X)
    model.merge(clone(variant).fit(X[40:], y[40:]))
    padded = sparse.csr_matrix((narrow.data, narrow.indices, narrow.indptr), shape=(20, 40))
    everything = sparse.vstack([padded, X[20:]]).tocsr()
    assert_same_bits(model, clone(variant).fit(everything, y), X)
    model.set_params(alpha=0.3)
    assert_same_bits(model, clone(variant).set_params(alpha=0.3).fit(everything, y), X)
    model.fit(X[:30], y[:30])  # other documents, the same number of groups
    assert_same_bits(model, clone(variant).set_params(alpha=0.3).fit(X[:30], y[:30]), X)


@per_kind
@pytest.mark.parametrize("classes", [3, 400])
@pytest.mark.parametrize("variant", SERIES, ids=repr)
def test_the_series_equals_the_table(variant, classes, multilabel):
    # Three classes are too large for the series; four hundred, with one label per document, are not.
    X, y = documents(1200, 150, classes, seed=4, multilabel=multilabel)
    model = clone(variant).fit(X, y)
    statistics = LengthStatistics(X.shape[1], multilabel)
    statistics.add(LabelledRows(as_rows(X), as_targets(y)))
    blocks = list(poisson_blocks(statistics, variant.theta, variant.alpha, None))
    test = X[:40]
    lengths = test.sum(axis=1) + variant.theta * X.shape[1]
    expected = np.hstack([np.asarray((block.lead + test @ block.table.T) / lengths) for block in blocks])
    assert_close(model.decision_function(test), expected)


def test_a_class_with_every_document_and_one_with_none():
    X, _ = documents(30, 20, 2)
    y = np.zeros((30, 3), dtype=int)
    y[:, 0] = 1
    y[3:9, 1] = 1
    model = PoissonNB().fit(X, y)
    scores = model.decision_function(X)
    assert np.isfinite(scores).all()
    # With a table, which a few rows of a small model do not get.
    statistics = LengthStatistics(20, multilabel=True)
    statistics.add(LabelledRows(as_rows(X), as_targets(y)))
    (block,) = poisson_blocks(statistics, model.theta, model.alpha, None)
    expected = (block.lead + X @ block.table.T) / (X.sum(axis=1) + model.added_words_)
    assert_close(scores, np.asarray(expected))


@pytest.mark.parametrize("theta", [1e-200, 1e-30, 1e6])
def test_theta_of_any_size(theta):
    X, y = documents(50, 30, 5)
    assert np.isfinite(PoissonNB(theta=theta).fit(X, y).decision_function(X)).all()


def test_a_failed_forget_leaves_no_groups_behind():
    X, y = documents(20, 12, 3)
    model = PoissonNB().fit(X, y)
    groups = len(model._statistics.by_length.classes()[0])
    for words in range(100, 110):
        with pytest.raises(NotLearnedError):
            model.forget([[words] + [0] * 11], y[:1])
    assert len(model._statistics.by_length.classes()[0]) == len(model._statistics._keys) == groups
