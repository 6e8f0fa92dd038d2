"""What PoissonMixtureNB chooses by documents left out, beside refits done by hand."""

import json

import numpy as np
import pytest
from sklearn.base import clone

import textbayes
from reference.leave_one_out import scores_by_refits
from reference.mixtures import sparse_documents
from reference.variants import documents
from textbayes import PoissonMixtureNB, TextClassifier, TextCounter
from textbayes._native import MixtureSettings
from textbayes.counts import as_rows
from textbayes.datasets import load_docstrings
from textbayes.errors import ModelDamagedError, ParameterConflictError, ParameterError
from textbayes.estimators.models import mixture_choice
from textbayes.estimators.models.mixture_choice import (
    FOLDS,
    KEEPS,
    STRENGTHS,
    Losses,
    best_share,
    best_strength,
)
from textbayes.measures import deal_folds, strata
from textbayes.persistence import Stored
from textbayes.scores import mixture_odds_scorer, mixture_scorer
from textbayes.scores.leave_one_out import mixture_scores_without
from textbayes.statistics import ClassStatistics, LabelledRows, as_targets
from textbayes.statistics.document_order import in_order

CANDIDATES = [(kind, strength) for kind, strengths in STRENGTHS.items() for strength in strengths]


def scores_without(X, y, weights, candidates):
    """Return the scores of every document and class without the document, by candidate."""
    learned = LabelledRows(as_rows(X), as_targets(y), weights)
    statistics = ClassStatistics(X.shape[1], learned.targets.multilabel)
    statistics.add(learned)
    settings = [MixtureSettings(kind, strength, 1.0, None, 1, 0.0, 1) for kind, strength in candidates]
    return np.concatenate(list(mixture_scores_without(statistics, learned, settings)))


def scores_of(model, X):
    scorer = mixture_scorer(model.model_)
    return (mixture_odds_scorer(model.model_, scorer) or scorer).scores(as_rows(X))


@pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
@pytest.mark.parametrize("multilabel", [False, True], ids=["labels", "indicator"])
def test_leave_one_out_scores_are_those_of_refits(multilabel, weighted):
    X, y = documents(40, 25, 4, real=weighted, multilabel=multilabel)
    y = y if multilabel else np.array([*y[:-1], "alone"])
    weights = np.tile([1.0, 0.5, 2.0, 3.0], 10) if weighted else None
    candidates = [("mix", 0.02), ("mix", 0.9), ("prior", 10.0)]
    found = scores_without(X, y, weights, candidates)
    for at, (kind, strength) in enumerate(candidates):
        model = PoissonMixtureNB(smoothing=kind, background=strength)
        expected = scores_by_refits(model, X, y, weights, scores_of)
        np.testing.assert_allclose(found[:, :, at], expected, rtol=1e-9, atol=1e-9)


def test_leave_one_out_scores_of_large_and_small_counts():
    X, y = documents(30, 12, 3)
    for scale in (1e-9, 1.0, 1e9):
        found = scores_without(X * scale, y, None, [("mix", 0.1), ("prior", 30.0 * scale)])
        for at, one in enumerate([("mix", 0.1), ("prior", 30.0 * scale)]):
            model = PoissonMixtureNB(smoothing=one[0], background=one[1])
            np.testing.assert_allclose(found[:, :, at], scores_by_refits(model, X * scale, y), rtol=1e-7)


def losses_of(scores, y):
    """Return the losses of candidates: scores of shape (candidates, documents, classes)."""
    classes, codes = np.unique(y, return_inverse=True)
    errors = (classes[scores.argmax(axis=2)] != y).astype(float)
    log_losses = np.logaddexp.reduce(scores, axis=2) - scores[:, np.arange(len(y)), codes]
    return Losses(errors, log_losses, np.ones(len(y)))


@pytest.mark.parametrize(("kind", "seed"), [("auto", 0), ("auto", 1), ("mix", 2), ("prior", 3)])
def test_the_default_is_the_best_of_refits_without_each_document(kind, seed):
    X, y = sparse_documents(seed, documents=15)
    model = PoissonMixtureNB(smoothing=kind).fit(X, y)
    candidates = [one for one in CANDIDATES if kind in ("auto", one[0])]
    refits = [
        scores_by_refits(PoissonMixtureNB(smoothing=kind, background=strength), X, y)
        for kind, strength in candidates
    ]
    best = best_strength(losses_of(np.array(refits), y))
    assert (model.smoothing_, model.strength_) == candidates[best]
    assert model.keep_ == 1.0
    given = PoissonMixtureNB(smoothing=model.smoothing_, background=model.strength_).fit(X, y)
    assert model.decision_function(X).tobytes() == given.decision_function(X).tobytes()


def test_short_texts_are_smoothed_more():
    corpus = load_docstrings()
    counter = TextCounter()
    lines = [
        [document.text.strip().split("\n")[0] for document in part] for part in (corpus.train, corpus.test)
    ]
    X, test = counter.fit_transform(lines[0]), counter.transform(lines[1])
    model = PoissonMixtureNB().fit(X, corpus.train.label)
    before = PoissonMixtureNB(smoothing="prior", background=30.0).fit(X, corpus.train.label)
    assert (model.smoothing_, model.strength_) > ("mix", 0.4)
    assert model.score(test, corpus.test.label) > before.score(test, corpus.test.label) + 0.005


def ordered(X, y):
    """Return documents in the order in which a model takes them, whatever order they come in."""
    documents = in_order(LabelledRows(as_rows(X), as_targets(y)))
    return documents.rows.matrix.toarray(), documents.targets.labels()


def test_the_order_of_documents_does_not_matter():
    X, y = sparse_documents(8)
    order = np.random.default_rng(0).permutation(len(y))
    one = PoissonMixtureNB(keep="auto").fit(X, y)
    other = PoissonMixtureNB(keep="auto").fit(X[order], y[order])
    assert (one.strength_, one.keep_) == (other.strength_, other.keep_)
    assert one.decision_function(X).tobytes() == other.decision_function(X).tobytes()


def test_a_share_is_the_best_of_folds():
    X, y = ordered(*sparse_documents(3))
    model = PoissonMixtureNB(keep="auto", smoothing="mix", background=0.1).fit(X, y)
    dealt = deal_folds(strata(as_targets(y), by="first"), FOLDS)
    of_keeps = []
    for keep in KEEPS:
        given = PoissonMixtureNB(keep=keep, smoothing="mix", background=0.1).fit(X, y)
        scores = np.empty((len(y), 2))
        for fold in range(FOLDS):
            refit = clone(given).fit(X[dealt != fold], y[dealt != fold])
            scores[dealt == fold] = refit.all_scores(as_rows(X[dealt == fold]))
        of_keeps.append(scores)
    assert model.keep_ == KEEPS[best_share(losses_of(np.array(of_keeps), np.array(y)))]
    assert model.parameter_share_ == pytest.approx(model.keep_, abs=0.03)


@pytest.mark.parametrize("multilabel", [False, True], ids=["labels", "indicator"])
@pytest.mark.parametrize("components", [2, "auto", {"class 0": 2}])
def test_everything_can_be_chosen_at_once(components, multilabel):
    X, y = documents(90, 30, 2, multilabel=multilabel)
    components = 2 if multilabel and isinstance(components, dict) else components
    model = PoissonMixtureNB(components, keep="auto", random_state=0).fit(X, y)
    assert model.keep_ in KEEPS
    assert (model.smoothing_, model.strength_) in CANDIDATES
    again = PoissonMixtureNB(components, keep="auto", random_state=0).fit(X, y)
    assert again.decision_function(X).tobytes() == model.decision_function(X).tobytes()


def test_one_fold_of_very_many_documents_is_enough(monkeypatch):
    X, y = ordered(*sparse_documents(1))
    fits = []
    learn = mixture_choice.learn_mixtures
    monkeypatch.setattr(mixture_choice, "learn_mixtures", lambda *given: fits.append(1) or learn(*given))
    PoissonMixtureNB(keep="auto", background=3.0).fit(X, y)
    assert len(fits) == len(KEEPS) * FOLDS
    monkeypatch.setattr(mixture_choice, "_MOST_DOCUMENTS", 10)
    PoissonMixtureNB(keep="auto", background=3.0).fit(X, y)
    assert len(fits) == len(KEEPS) * FOLDS + len(KEEPS)
    few = PoissonMixtureNB().fit(X, y)
    some = slice(0, None, 6)
    scores = scores_without(X, y, None, CANDIDATES)[some]
    best = best_strength(losses_of(scores.transpose(2, 0, 1), y[some]))
    assert (few.smoothing_, few.strength_) == CANDIDATES[best]


@pytest.mark.parametrize(
    ("X", "y"),
    [
        (np.zeros((4, 3)), ["a", "a", "b", "b"]),
        (np.eye(3), ["a", "a", "a"]),
        (np.eye(1), ["a"]),
        (np.eye(3), np.zeros((3, 2), int)),
    ],
    ids=["no words", "one class", "one document", "no labels"],
)
def test_with_nothing_to_compare_it_is_the_former_default(X, y):
    model = PoissonMixtureNB(keep="auto").fit(X, y)
    if np.asarray(y).ndim == 1:
        assert (model.smoothing_, model.strength_, model.keep_) == ("prior", 30.0, 1.0)
    assert np.isfinite(model.predict_proba(X)).all()


def test_a_class_of_one_document_does_not_spoil_the_choice():
    X, y = sparse_documents(2)
    model = PoissonMixtureNB(2, keep="auto", random_state=0).fit(X, ["alone", *y[1:]])
    assert "alone" in model.classes_
    model = PoissonMixtureNB().fit(np.eye(3), ["a", "b", "c"])
    assert np.isfinite(model.predict_proba(np.eye(3))).all()


def test_sample_weights_count_as_copies():
    X, y = sparse_documents(4)
    weights = np.tile([1.0, 2.0, 0.0], 20)
    model = PoissonMixtureNB().fit(X, y, weights)
    without = PoissonMixtureNB().fit(X[weights > 0], y[weights > 0], weights[weights > 0])
    assert model.strength_ == without.strength_
    assert model.decision_function(X).tobytes() == without.decision_function(X).tobytes()


def test_fold_scores_keep_the_choice():
    X, y = sparse_documents(5)
    model = PoissonMixtureNB(keep="auto").fit(X, y)
    given = PoissonMixtureNB(keep=model.keep_, smoothing=model.smoothing_, background=model.strength_).fit(
        X, y
    )
    assert model.loo_scores(X, y).tobytes() == given.loo_scores(X, y).tobytes()
    threshold = PoissonMixtureNB(keep_threshold=0.01).fit(X, y)
    assert np.isfinite(threshold.loo_scores(X, y)).all()


def test_numbers_mean_words_unless_the_kind_is_given():
    X, y = sparse_documents(6)
    model = PoissonMixtureNB(background=5.0).fit(X, y)
    assert (model.smoothing_, model.strength_) == ("prior", 5.0)
    assert PoissonMixtureNB(background=None, smoothing="mix").fit(X, y).strength_ == 0.2
    model = PoissonMixtureNB(smoothing=None).fit(X, y)
    assert (model.smoothing_, model.strength_) == (None, 0.0)


@pytest.mark.parametrize(
    "parameters", [{"background": "best"}, {"keep": "best"}, {"smoothing": "best"}, {"keep": 0.0}]
)
def test_other_names_are_refused(parameters):
    with pytest.raises(ParameterError, match=next(iter(parameters))):
        PoissonMixtureNB(**parameters).fit(np.eye(2), ["a", "b"])


@pytest.mark.parametrize("other", [{"smoothing": None}, {"keep_threshold": 0.1}])
def test_a_share_cannot_be_chosen_with(other):
    with pytest.raises(ParameterConflictError, match="keep='auto'"):
        PoissonMixtureNB(keep="auto", **other).fit(np.eye(2), ["a", "b"])


def test_the_choice_is_in_the_file(tmp_path):
    X, y = sparse_documents(7)
    model = PoissonMixtureNB(keep="auto").fit(X, y)
    textbayes.save(model, tmp_path / "model.tb")
    loaded = textbayes.load(tmp_path / "model.tb")
    assert (loaded.background, loaded.keep) == ("auto", "auto")
    assert (loaded.smoothing_, loaded.strength_, loaded.keep_) == (
        model.smoothing_,
        model.strength_,
        model.keep_,
    )
    assert loaded.loo_scores(X, y).tobytes() == model.loo_scores(X, y).tobytes()


def test_a_file_without_a_choice_has_explicit_parameters():
    X, y = sparse_documents(7)
    model = PoissonMixtureNB(smoothing="prior", background=None).fit(X, y)
    stored = model.store()
    del stored.configuration["parts"]["choice"]
    old = PoissonMixtureNB(smoothing="prior", background=None)
    old.restore(stored)
    assert (old.smoothing_, old.strength_, old.keep_) == ("prior", 30.0, 1.0)
    assert old.loo_scores(X, y).tobytes() == model.loo_scores(X, y).tobytes()


@pytest.mark.parametrize(
    "changed",
    [
        {"smoothing": "other"},
        {"smoothing": 3},
        {"strength": -1.0},
        {"strength": "x"},
        {"keep": 0.0},
        {"keep": 2.0},
    ],
    ids=json.dumps,
)
def test_a_damaged_choice_is_refused(changed):
    sound = {"smoothing": "mix", "strength": 0.2, "keep": 1.0}
    mixture_choice.MixtureChoice.restore(Stored(sound))
    with pytest.raises(ModelDamagedError):
        mixture_choice.MixtureChoice.restore(Stored(sound | changed))


def test_a_text_classifier_chooses_again_when_it_is_taught():
    texts = ["oil rose", "crude oil", "wheat fell", "corn and wheat"] * 5
    labels = ["energy", "energy", "food", "food"] * 5
    taught = TextClassifier("mixture").fit(texts[:12], labels[:12]).teach(texts[12:], labels[12:])
    fresh = TextClassifier("mixture").fit(texts, labels)
    np.testing.assert_array_equal(taught.predict_proba(texts), fresh.predict_proba(texts))
