"""AutoNB: what it tries, chooses, shows, keeps and refuses."""

import json
import pickle

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.metrics import f1_score

from reference.variants import documents
from textbayes import AutoNB, ComplementNB, MultinomialNB, PoissonNB, TextCounter
from textbayes.errors import (
    LabelsError,
    NotLearnedError,
    ParameterConflictError,
    ParameterError,
)
from textbayes.estimators.auto import Candidate, Recipe, Representation
from textbayes.estimators.auto.choosing import prior_weights
from textbayes.estimators.auto.held_out import TrainingSet
from textbayes.estimators.models.poisson_by_class import ClasswisePoissonNB
from textbayes.measures import deal_folds, shuffled_strata
from textbayes.statistics import as_targets


def topics(count=120, classes=4, seed=0, multilabel=False):
    """Documents whose words tell their class, more or less."""
    random = np.random.default_rng(seed)
    columns = 60
    truth = np.eye(classes, dtype=int)[np.arange(count) % classes]
    if multilabel:
        truth |= random.random(truth.shape) < 0.15
    means = random.gamma(0.3, size=(classes, columns))
    rates = 0.3 + truth @ means
    return sparse.csr_matrix(random.poisson(rates)), truth if multilabel else np.array(
        [f"과목 {code}" for code in truth.argmax(axis=1)]
    )


X, y = topics()
indicator = topics(multilabel=True)


@pytest.fixture(scope="module")
def model():
    return AutoNB(random_state=0).fit(X, y)


def test_it_learns(model):
    X_new, y_new = topics(400)
    assert f1_score(y_new, model.predict(X_new), average="macro") > 0.85
    assert model.best_score_ == max(entry.score for entry in model.leaderboard_)
    assert model.predict_proba(X_new).sum(axis=1) == pytest.approx(np.ones(400))
    labels, scores = model.top_k(X_new, 2)
    assert np.array_equal(labels[:, 0], model.predict(X_new))
    assert np.all(scores[:, 0] >= scores[:, 1])


def test_the_leaderboard_is_sorted_and_prints(model):
    board = model.leaderboard_
    scores = [entry.score for entry in board]
    assert scores == sorted(scores, reverse=True)
    assert len({entry.name for entry in board}) == len(board)
    for entry in board:
        assert entry.interval[0] <= entry.score <= entry.interval[1]
        assert entry.seconds >= 0
    lines = repr(board).splitlines()
    assert lines[0].split() == ["macro_f1", "95", "%", "interval", "documents", "seconds"]
    if board.compared is not None:
        assert lines.pop() == str(board.compared)
    assert len(lines) == len(board) + 1
    assert repr(board[:2]).splitlines()[1:3] == lines[1:3]
    assert any(line.startswith("*") for line in lines)
    assert json.dumps(board.to_dicts())


def test_the_recipe_can_be_read_stored_and_learned_again(model):
    stored = json.loads(json.dumps(model.recipe_.to_dict()))
    recipe = Recipe.from_dict(stored)
    assert recipe == model.recipe_
    assert str(recipe) == str(model.recipe_)
    again = recipe.fit(X, y, random_state=0)
    assert np.array_equal(again.decision_function(X), model.decision_function(X))
    assert not hasattr(again, "leaderboard_")
    for member in recipe.members:
        pipeline = member.pipeline(width=X.shape[1]).fit(X, y)
        assert pipeline.predict(X).shape == y.shape


def test_one_seed_one_result(model):
    twin = AutoNB(random_state=0).fit(X, y)
    assert twin.recipe_ == model.recipe_
    assert twin.decision_function(X).tobytes() == model.decision_function(X).tobytes()
    assert [entry.name for entry in twin.leaderboard_] == [entry.name for entry in model.leaderboard_]


def test_without_a_blend_it_is_the_best_candidate():
    model = AutoNB(updates="any", blend=False, random_state=0).fit(X, y)
    (member,) = model.recipe_.members
    assert model.leaderboard_[0].candidate == member
    plain = member.pipeline(width=X.shape[1]).fit(X, y)
    assert np.array_equal(plain.predict(X), model.predict(X))


def test_survives_pickling_and_cloning(model):
    other = pickle.loads(pickle.dumps(model))
    assert np.array_equal(other.decision_function(X), model.decision_function(X))
    assert clone(model).get_params() == model.get_params()


@pytest.mark.parametrize("metric", ["micro_f1", "accuracy", "log_loss"])
@pytest.mark.parametrize("data", [(X, y), indicator], ids=["labels", "indicator"])
def test_every_metric(metric, data):
    model = AutoNB(metric, candidates=["one-vs-all", "centroid"], random_state=0).fit(*data)
    assert model.leaderboard_.metric == metric
    assert np.isfinite(model.best_score_)


def test_several_labels_a_document():
    X, Y = indicator
    model = AutoNB(random_state=0).fit(X, Y)
    assert model.decision_function(X).shape == Y.shape
    assert set(np.unique(model.predict(X))) <= {0, 1}
    assert f1_score(Y, model.predict(X), average="micro") > 0.8
    assert np.all((model.predict_proba(X) > 0.5) == model.predict(X))
    single = AutoNB(random_state=0).fit(X, sparse.csr_matrix(Y))
    assert np.array_equal(single.predict(X), model.predict(X))


def test_two_classes():
    two = np.where(y < "과목 2", "ja", "nein")
    model = AutoNB(random_state=0).fit(X, two)
    assert model.decision_function(X).shape == (len(two),)
    assert np.array_equal(model.classes_[(model.decision_function(X) > 0).astype(int)], model.predict(X))
    assert (model.predict(X) == two).mean() > 0.9


@pytest.mark.parametrize("each", [1, 2])
def test_classes_of_one_or_two_documents(each):
    few = np.concatenate([np.flatnonzero(y == label)[:each] for label in np.unique(y)])
    model = AutoNB(random_state=0).fit(X[few], y[few])
    assert (model.predict(X) == y).mean() > 0.5
    assert (model.predict(X[few]) == y[few]).all()


def test_a_class_of_one_document_among_large_ones():
    labels = y.copy()
    labels[0] = "🌾"
    own_words = sparse.csr_matrix(([5.0, 5.0], ([0, 0], [0, 1])), shape=(len(y), 2))
    counts = sparse.hstack([X, own_words], format="csr")
    model = AutoNB(random_state=0).fit(counts, labels)
    assert model.predict(counts[:1]).tolist() == ["🌾"]
    # Left out, it leaves no class behind: nothing speaks for a bias, so there is none.
    assert model.recipe_.blend(["🌾"]).biases == pytest.approx(0.0, abs=1e-6)


def test_one_class_only():
    assert AutoNB(random_state=0).fit(X, ["a"] * len(y)).predict(X[:2]).tolist() == ["a", "a"]


def test_word_pairs():
    texts = [
        f"{a} {b} {c}" for a in ("crude", "sweet") for b in ("oil", "wine") for c in ["tea", "rice", "corn"]
    ]
    labels = [f"{text.split()[0]} {text.split()[1]}" for text in texts]
    counter = TextCounter(ngram_range=(1, 2))
    counts = counter.fit_transform(texts * 3)
    terms = counter.get_feature_names_out()
    by_name = AutoNB(terms=terms, random_state=0).fit(counts, labels * 3)
    by_mask = AutoNB(terms=[" " in term for term in terms], random_state=0).fit(counts, labels * 3)
    assert by_name.recipe_ == by_mask.recipe_
    columns = {entry.candidate.representation.columns for entry in by_name.leaderboard_ if entry.candidate}
    assert columns == {"words", "pairs"}
    assert by_name.predict(counter.transform(["sweet wine"])).tolist() == ["sweet wine"]


def test_only_what_is_asked_for_is_tried():
    kinds = AutoNB(candidates=["multinomial"], random_state=0).fit(X, y)
    assert {entry.candidate.kind for entry in kinds.leaderboard_ if entry.candidate} == {"multinomial"}
    given = [
        Candidate("multinomial", Representation(log=True), (("alpha", 0.5),)),
        Candidate("complement", Representation(), (("alpha", 2.0),)),
    ]
    model = AutoNB(candidates=given, blend=False).fit(X, y)
    assert {entry.candidate for entry in model.leaderboard_} == set(given)


def test_scores_of_the_leaderboard_are_those_of_refits():
    """Each document by a fresh fit without it; its terms that no other document has are unknown then."""
    X, y = documents(24, 15, 3, seed=4, entries=4)
    candidates = [
        Candidate("multinomial", Representation(log=True, length="unit"), (("alpha", 0.5),)),
        Candidate("complement", Representation(), (("alpha", 2.0),)),
        Candidate("one-vs-all", Representation(), (("alpha", 0.3),)),
        Candidate("centroid", Representation()),
    ]
    board = AutoNB(candidates=candidates, blend=False).fit(X, y).leaderboard_
    alone = np.asarray((X > 0).sum(axis=0)).ravel() == 1
    for candidate in candidates:
        given = []
        for row in range(len(y)):
            keep = np.arange(len(y)) != row
            represented = candidate.pipeline()[:-1].fit(X) if candidate.representation.log else None
            rows = X if represented is None else represented.transform(X)
            document = rows[[row]].toarray() * ~alone
            given.append(candidate.model().fit(rows[keep], y[keep]).predict(document)[0])
        expected = f1_score(y, given, average="macro")
        (entry,) = [entry for entry in board if entry.candidate == candidate]
        assert entry.score == pytest.approx(expected, abs=1e-12), str(candidate)


@pytest.mark.parametrize("seed", range(3))
def test_labels_that_say_nothing_are_not_foretold(seed):
    random = np.random.default_rng(seed)
    labels = random.choice(["a", "b", "c"], len(y))
    model = AutoNB(random_state=0).fit(X, labels)
    # A third is chance; the best of many candidates is a little above it.
    assert model.best_score_ < 1 / 3 + 0.12


def test_a_budget_ends_the_search():
    model = AutoNB(budget=1e-9, random_state=0).fit(X, y)
    first = AutoNB(random_state=0).fit(X, y)
    assert len(model.leaderboard_) < len(first.leaderboard_)
    assert {entry.name for entry in model.leaderboard_} <= {entry.name for entry in first.leaderboard_}
    assert (model.predict(X) == y).mean() > 0.8


def test_progress_is_shown_when_asked(capsys):
    AutoNB(candidates=["centroid"], verbose=True, random_state=0).fit(X, y)
    assert "Leaving one out" in capsys.readouterr().err
    AutoNB(candidates=["centroid"], random_state=0).fit(X, y)
    assert capsys.readouterr().err == ""


# Learning more, and forgetting.


def test_exact_updates_add():
    model = AutoNB(updates="exact", random_state=0).fit(X[:80], y[:80])
    assert model.recipe_.additive
    assert all(entry.candidate.additive for entry in model.leaderboard_ if entry.candidate)
    groups = list(model._fitted._groups)
    model.partial_fit(X[80:], y[80:])
    assert model.is_settled_
    fresh = model.recipe_.fit(X, y, random_state=0)
    assert model.decision_function(X).tobytes() == fresh.decision_function(X).tobytes()
    model.forget(X[:10], y[:10])
    assert model.is_settled_
    # Nothing was fitted again: a fit counts documents with each term.
    for now, before in zip(model._fitted._groups, groups, strict=True):
        assert now.frequencies is before.frequencies
    fresh = model.recipe_.fit(X[10:], y[10:], random_state=0)
    assert model.decision_function(X).tobytes() == fresh.decision_function(X).tobytes()


def test_new_columns_and_classes(model):
    wider = sparse.hstack([X[:6], np.arange(6).reshape(-1, 1) % 3], format="csr")
    labels = np.array(["新しい"] * 6)
    grown = pickle.loads(pickle.dumps(model)).partial_fit(wider, labels)
    assert "新しい" in grown.classes_
    assert grown.is_settled_ is model.recipe_.additive
    grown.settle()
    assert grown.n_features_in_ == X.shape[1] + 1
    everything = sparse.vstack([sparse.hstack([X, np.zeros((len(y), 1))]), wider], format="csr")
    fresh = model.recipe_.fit(everything, np.concatenate([y, labels]), random_state=0)
    np.testing.assert_allclose(grown.decision_function(wider), fresh.decision_function(wider), atol=1e-9)
    assert np.array_equal(
        grown.forget(wider, labels).predict(everything), fresh.forget(wider, labels).predict(everything)
    )


def test_reconsider_searches_again():
    model = AutoNB(candidates=["multinomial"], random_state=0).fit(X[:20], y[:20])
    model.partial_fit(X[20:], y[20:])
    before = model.leaderboard_
    model.reconsider()
    assert model.leaderboard_ is not before
    fresh = AutoNB(candidates=["multinomial"], random_state=0).fit(X, y)
    assert model.recipe_ == fresh.recipe_
    assert np.array_equal(model.decision_function(X), fresh.decision_function(X))


def test_what_was_not_learned_cannot_be_forgotten(model):
    other = pickle.loads(pickle.dumps(model))
    before = other.decision_function(X)
    with pytest.raises(NotLearnedError, match="과목 1"):
        other.forget(X[:2], y[1:3])
    with pytest.raises(LabelsError, match="and the model has learned"):
        other.forget(*(part[:2] for part in indicator))
    assert np.array_equal(other.decision_function(X), before)
    assert other.class_documents_.tolist() == [30.0] * 4


def test_everything_forgotten_and_learned_again(model):
    other = pickle.loads(pickle.dumps(model)).forget(X, y)
    with pytest.raises(ValueError, match="not fitted"):
        other.predict(X)
    other.partial_fit(X, y).settle()
    np.testing.assert_allclose(other.decision_function(X), model.decision_function(X), atol=1e-9)


# What it refuses.


@pytest.mark.parametrize(
    ("settings", "error", "words"),
    [
        ({"metric": "makro_f1"}, ParameterError, "macro_f1"),
        ({"candidates": "defaults"}, ParameterError, "default"),
        ({"candidates": ["multinominal"]}, ParameterError, "multinomial"),
        ({"candidates": []}, ParameterError, "candidates"),
        ({"candidates": [MultinomialNB()]}, ParameterError, "MultinomialNB"),
        ({"blend": "no"}, ParameterError, "blend"),
        ({"updates": True}, ParameterError, "updates"),
        ({"budget": 0}, ParameterError, "seconds"),
        ({"terms": [True]}, ParameterError, "60 columns"),
        ({"terms": 3}, ParameterError, "every column"),
        (
            {"updates": "exact", "candidates": [Candidate("multinomial", Representation(idf=True))]},
            ParameterConflictError,
            "statistics add",
        ),
    ],
    ids=lambda value: str(value)[:30] if isinstance(value, dict) else "",
)
def test_refused(settings, error, words):
    with pytest.raises(error, match=words):
        AutoNB(**settings).fit(X, y)


# Parts.


def test_values_of_smoothing_share_what_a_fold_learned():
    training = TrainingSet(X, y, as_targets(y), np.zeros(60, dtype=np.uint8), np.arange(len(y)), 0)
    candidate = Candidate("linear-svm", Representation(log=True, length="unit"))
    together = list(training.held_out_scores(candidate, [0.5, 10.0]))
    for value, found in zip((0.5, 10.0), together, strict=True):
        (alone,) = training.held_out_scores(candidate.with_smoothing(value), [None])
        assert np.array_equal(alone.scores, found.scores)
    assert not np.array_equal(together[0].scores, together[1].scores)


def test_half_of_the_usual_weight_is_the_margins():
    candidates = [
        Candidate(kind) for kind in ("linear-svm", "centroid", "multinomial", "linear-svm", "complement")
    ]
    assert np.allclose(prior_weights(candidates), [1 / 4, 1 / 6, 1 / 6, 1 / 4, 1 / 6])
    assert np.allclose(prior_weights(candidates[1:3]), 0.5)
    assert np.allclose(prior_weights(candidates[:1]), 1.0)


def test_one_document_a_class_is_told_by_the_prior_weights():
    found = AutoNB(updates="any", random_state=0).fit(X[[0, 40, 80]], ["a", "b", "c"])
    weights = dict(zip(found.recipe_.members, found.recipe_.weights, strict=True))
    margins = [weight for member, weight in weights.items() if member.kind == "linear-svm"]
    assert sum(margins) == pytest.approx(0.5)
    assert sum(weights.values()) == pytest.approx(1.0)


def test_models_without_a_closed_form_are_judged_by_folds():
    training = TrainingSet(X, y, as_targets(y), np.zeros(60, dtype=np.uint8), np.arange(len(y)), 0)
    candidate = Candidate("one-vs-all", Representation(terms=("chi2", 0.5)), (("alpha", 0.1),))
    ((scores, _, sums),) = training.held_out_scores(candidate, [None])
    fold_of = deal_folds(shuffled_strata(training.targets, 0), 5)
    row = 17
    learned = fold_of != fold_of[row]
    pipeline = candidate.pipeline(width=60).fit(X[learned], y[learned])
    np.testing.assert_allclose(scores[row], pipeline.decision_function(X[[row]])[0])
    assert sums[row] == pipeline[0].transform(X[[row]]).sum()
    assert isinstance(pipeline[-1], ComplementNB)


def test_poisson_by_class_is_each_class_by_its_own_model():
    X, Y = indicator
    model = ClasswisePoissonNB(((1, "chi2", 0.01), (3, "ratio", 0.001)), "ratio", 0.0003).fit(X, Y)
    scores = model.decision_function(X)
    for column, (weighting, theta) in enumerate(model.settings()):
        expected = PoissonNB(theta=theta, weighting=weighting).fit(X, Y).decision_function(X)
        assert np.array_equal(scores[:, column], expected[:, column])
    half = ClasswisePoissonNB(model.choices, "ratio", 0.0003).fit(X[:60], Y[:60]).partial_fit(X[60:], Y[60:])
    assert np.array_equal(half.decision_function(X), scores)
    assert np.array_equal(
        half.forget(X[:9], Y[:9]).decision_function(X), clone(model).fit(X[9:], Y[9:]).decision_function(X)
    )


def test_poisson_by_class_is_tried_stored_and_told():
    X, Y = indicator
    model = AutoNB(candidates=["poisson", "poisson-by-class"], random_state=0).fit(X, Y)
    kinds = {entry.candidate.kind for entry in model.leaderboard_ if entry.candidate}
    assert kinds == {"poisson", "poisson-by-class"}
    (candidate,) = [
        e.candidate for e in model.leaderboard_ if e.candidate and e.candidate.kind == "poisson-by-class"
    ]
    assert str(candidate).startswith("PNB* (")
    assert Candidate.from_dict(json.loads(json.dumps(candidate.to_dict()))) == candidate
    given = AutoNB(candidates=[candidate], blend=False, random_state=0).fit(X, Y)
    assert np.isfinite(given.decision_function(X)).all()


@pytest.mark.parametrize(
    ("kind", "words"), [("discriminative", "against='rest'"), ("linear-svm", "LinearSVM(C=")]
)
def test_what_learns_from_errors_is_among_the_candidates(kind, words):
    X, y = topics()
    found = AutoNB(candidates=[kind], random_state=0).fit(X, y)
    assert {entry.candidate.kind for entry in found.leaderboard_ if entry.candidate} == {kind}
    assert words in str(found.recipe_)
    assert "smooth idf" in str(found.leaderboard_)
    assert (found.predict(X) == y).mean() > 0.9
    X, y = topics(multilabel=True)
    found = AutoNB(candidates=[kind], random_state=0).fit(X, y)
    assert f1_score(y, found.predict(X), average="micro") > 0.8
