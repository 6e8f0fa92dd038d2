"""Leave-one-out scores of a mixture, by folds, beside refits done by hand."""

import numpy as np
import pytest
from sklearn.base import clone

import textbayes
from reference.variants import documents
from textbayes import MultinomialNB, PoissonMixtureNB, TunedClassifier
from textbayes.errors import (
    LabelsError,
    MergeError,
    NotLearnedError,
    ParameterError,
    UnfittedError,
)
from textbayes.measures import deal_folds, strata
from textbayes.statistics import as_targets

MODEL = PoissonMixtureNB(2, keep=0.5, smoothing="prior", background=30.0, random_state=3)


@pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
@pytest.mark.parametrize("multilabel", [False, True], ids=["labels", "indicator"])
@pytest.mark.parametrize("folds", [2, 10])
def test_scores_are_those_of_refits(folds, multilabel, weighted):
    X, y = documents(60, 25, 4, real=weighted, multilabel=multilabel)
    weights = np.tile([1.0, 0.5, 2.0], 20) if weighted else None
    model = clone(MODEL).fit(X, y, weights)
    found = model.fold_scores(X, y, weights, folds=folds)
    dealt = deal_folds(strata(as_targets(y), by="first"), folds)
    for fold in range(folds):
        out = dealt == fold
        refit = clone(MODEL).fit(X[~out], y[~out], None if weights is None else weights[~out])
        assert found[out].tobytes() == refit.decision_function(X[out]).tobytes()
    if folds == 10:
        assert model.loo_scores(X, y, weights).tobytes() == found.tobytes()


def test_ten_documents_of_one_class_and_ten_of_another_are_left_out_one_by_one_of_each():
    X, y = documents(20, 12, 2)
    y = np.repeat(["b", "a"], 10)
    model = PoissonMixtureNB().fit(X, y)
    dealt = deal_folds(strata(as_targets(y), by="first"), 10)
    assert sorted(dealt.tolist()) == sorted([*range(10)] * 2)
    assert [sorted(y[dealt == fold]) for fold in range(10)] == [["a", "b"]] * 10
    assert model.loo_scores(X, y).shape == (20,)


def test_a_class_of_one_document_and_components_by_label():
    X, y = documents(30, 12, 3)
    y[y == y[0]] = "common"
    y[0] = "alone"
    model = PoissonMixtureNB({"alone": 1, "common": 2}, random_state=0).fit(X, y)
    scores = model.loo_scores(X, y)
    alone = model.classes_.tolist().index("alone")
    assert scores[0, alone] == -np.inf
    assert np.isfinite(np.delete(scores[0], alone)).all()
    together = (
        deal_folds(strata(as_targets(y), by="first"), 10)
        == deal_folds(strata(as_targets(y), by="first"), 10)[0]
    )
    assert np.isneginf(scores[together, alone]).all()
    assert np.isfinite(scores[~together]).all()
    assert model.n_components == {"alone": 1, "common": 2}
    two = PoissonMixtureNB().fit(X[:3], ["alone", "b", "b"])
    assert two.loo_scores(X[:3], ["alone", "b", "b"])[0] == np.inf


def test_held_out_scores_are_honest():
    # Labels without meaning: training documents are told apart, held-out ones are not.
    rng = np.random.default_rng(0)
    X, y = rng.poisson(0.3, (120, 400)), np.tile(["a", "b"], 60)
    model = PoissonMixtureNB(background=1.0).fit(X, y)
    assert np.mean((model.decision_function(X) > 0) == (y == "b")) > 0.95
    assert 0.3 < np.mean((model.loo_scores(X, y) > 0) == (y == "b")) < 0.7


def test_other_documents_are_refused():
    X, y = documents(30, 12, 3)
    model = PoissonMixtureNB().fit(X, y)
    with pytest.raises(UnfittedError):
        PoissonMixtureNB().loo_scores(X, y)
    with pytest.raises(NotLearnedError, match=r"class 'class 0' has \d+ documents, not \d+"):
        model.loo_scores(X[1:], y[1:])
    with pytest.raises(NotLearnedError, match="class 'new' has 1 documents, not 0"):
        model.loo_scores(X, np.array([*y[:-3], "new", *y[-2:]], dtype=object))
    other = X.copy()
    other.data[:5] += 1
    with pytest.raises(NotLearnedError, match=r"column \d+ is .* of all words"):
        model.loo_scores(other, y)
    with pytest.raises(LabelsError, match="and the model has learned"):
        model.loo_scores(X, np.eye(3, dtype=int)[np.arange(30) % 3])
    for folds in (0, 1, 2.5, True):
        with pytest.raises(ParameterError, match="folds="):
            model.fold_scores(X, y, folds=folds)


def test_a_model_from_a_file_has_the_same(tmp_path):
    X, y = documents(30, 12, 3)
    model = clone(MODEL).fit(X, y)
    textbayes.save(model, tmp_path / "model.tb")
    assert (
        textbayes.load(tmp_path / "model.tb").loo_scores(X, y).tobytes() == model.loo_scores(X, y).tobytes()
    )


@pytest.mark.parametrize("multilabel", [False, True], ids=["labels", "indicator"])
def test_decisions_are_tuned_on_them_and_learned_again(multilabel):
    X, y = documents(60, 25, 3, multilabel=multilabel)
    fresh = TunedClassifier(clone(MODEL)).fit(X, y)
    grown = TunedClassifier(clone(MODEL)).fit(X[:50], y[:50]).partial_fit(X[50:], y[50:])
    joined = TunedClassifier(clone(MODEL)).fit(X[:30], y[:30])
    joined.merge(TunedClassifier(clone(MODEL)).fit(X[30:], y[30:]))
    shrunk = TunedClassifier(clone(MODEL)).fit(X, y).partial_fit(X[:5], y[:5]).forget(X[:5], y[:5])
    for other in (grown, joined):
        assert other.decision_function(X).tobytes() == fresh.decision_function(X).tobytes()
        assert other.predict_proba(X).tobytes() == fresh.predict_proba(X).tobytes()
    assert len(shrunk._documents) == 60
    with pytest.raises(NotLearnedError):
        fresh.forget(X[:1] * 7, y[:1])
    with pytest.raises(MergeError):
        fresh.merge(TunedClassifier(PoissonMixtureNB(3)).fit(X, y))


def test_folds_of_the_others_leave_them_as_they_are():
    X, y = documents(40, 12, 3)
    model = MultinomialNB().fit(X, y)
    before = model.decision_function(X)
    model.fold_scores(X, y)
    assert model.decision_function(X).tobytes() == before.tobytes()
