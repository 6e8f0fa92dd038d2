"""Rounds of a search: samples, the columns that pay, and many classes."""

import numpy as np
import pytest

from textbayes import AutoNB, TextClassifier, TextCounter
from textbayes.counts import as_rows
from textbayes.errors import MergeError, ParameterError
from textbayes.estimators.auto import rounds
from textbayes.estimators.auto.choosing_columns import choose_columns
from textbayes.estimators.auto.column_kinds import CHARACTERS, PAIR, WORD, column_kinds
from textbayes.estimators.auto.rounds import Plan, Shortlist, first_round, second_round
from textbayes.estimators.text import narrowing
from textbayes.statistics import LabelledRows, as_targets

PLAN = Plan("macro_f1", "default", True, "any", None, 0)


def topics(count=300, classes=4, terms=60, seed=0):
    """Documents whose words tell their class, more or less."""
    random = np.random.default_rng(seed)
    y = np.arange(count) % classes
    own = (np.arange(terms) % classes == y[:, None]) * 0.5
    return random.poisson(0.3 + own), y


def documents(X, y):
    return LabelledRows(as_rows(X), as_targets(y))


def inflected(count, seed=0):
    """Texts whose words are new each time, but whose endings tell the class: only characters help."""
    random = np.random.default_rng(seed)
    letters = np.array(list("bcdfghjklm"))
    endings = {"a": "ington", "b": "ovskaya", "c": "ümüz"}
    labels = random.choice(list(endings), count)
    stems = ["".join(random.choice(letters, 6)) for _ in range(count)]
    return [f"{stem}{endings[label]} the" for stem, label in zip(stems, labels, strict=True)], labels.tolist()


def test_all_documents_are_searched_in_one_round():
    X, y = topics()
    found = first_round(documents(X, y), np.zeros(60, np.uint8), PLAN)
    assert not isinstance(found, Shortlist)
    assert {entry.documents for entry in found.entries} == {300}


def test_a_sample_gives_a_shortlist_for_a_second_round(monkeypatch):
    X, y = topics()
    entries = int(np.count_nonzero(X))
    monkeypatch.setattr(rounds, "FIRST_ENTRIES", -(-entries // 3))
    found = first_round(documents(X, y), np.zeros(60, np.uint8), PLAN)
    assert isinstance(found, Shortlist)
    assert {entry.documents for entry in found.entries} == {100}
    kinds = [candidate.kind for candidate in found.candidates]
    assert sorted(kinds) == ["centroid", "linear-svm", "one-vs-all"]
    chosen = second_round(found, documents(X, y), np.zeros(60, np.uint8), PLAN)
    assert {entry.documents for entry in chosen.entries} == {100, 300}
    # A candidate of both rounds has one line: that of the second.
    names = [entry.candidate for entry in chosen.tried]
    assert len(names) == len(set(names))


def test_a_search_on_samples_fits_all_documents(monkeypatch):
    X, y = topics()
    monkeypatch.setattr(rounds, "FIRST_ENTRIES", 500)
    monkeypatch.setattr(rounds, "SECOND_ENTRIES", 1000)
    model = AutoNB(random_state=0).fit(X, y)
    assert model.class_documents_.tolist() == [75.0] * 4
    again = model.recipe_.fit(X, y, random_state=0)
    assert again.predict_proba(X).tobytes() == model.predict_proba(X).tobytes()
    assert np.mean(model.predict(X) == y) > 0.9


def test_whole_folds_are_evaluated(monkeypatch):
    X, y = topics()
    monkeypatch.setattr(rounds, "_MOST_DOCUMENTS", 100)
    search = PLAN.search(documents(X, y), np.zeros(60, np.uint8))
    evaluated = search.training.evaluated
    assert len(evaluated) == 100
    folds = rounds.dealt_folds(as_targets(y), 0)
    assert set(folds[evaluated]) == {0, 1}


def test_many_classes_take_the_best_candidate_alone(monkeypatch):
    X, y = topics(classes=12)
    monkeypatch.setattr(rounds, "_MOST_BLENDED", 10)
    assert len(AutoNB(random_state=0).fit(X, y).recipe_.members) == 1


def test_models_that_take_too_long_are_not_tried(monkeypatch):
    X, y = topics()
    monkeypatch.setattr("textbayes.estimators.auto.search._MOST_STEPS", 1e5)
    model = AutoNB(random_state=0).fit(X, y)
    assert not any("SVM" in entry.name for entry in model.leaderboard_)


def test_characters_are_counted_if_they_pay():
    texts, labels = inflected(200)
    classifier = TextClassifier().fit(texts, labels)
    assert classifier.counter_.characters == (2, 5)
    assert any(member.representation.columns == "characters" for member in classifier.model_.recipe_.members)
    more, truth = inflected(100, seed=1)
    assert np.mean(classifier.predict(more) == truth) > 0.95
    # Teaching, forgetting and settling go on with the same kinds of terms.
    taught = classifier.teach(["whovington"], ["a"]).settle()
    assert taught.forget(["whovington"], ["a"]).predict([texts[0]])[0] == labels[0]


def test_characters_are_not_counted_if_words_are_enough():
    random = np.random.default_rng(0)
    words = np.array(["corn", "wheat", "rice", "oil", "gas", "coal"])
    labels = [("grain", "energy")[at % 2] for at in range(300)]
    texts = [" ".join(random.choice(words[:3] if label == "grain" else words[3:], 40)) for label in labels]
    classifier = TextClassifier().fit(texts, labels)
    assert classifier.counter_.characters is None
    assert classifier.counter_.ngram_range == (1, 1)
    assert set(classifier.counter_.vocabulary_) == set(words)


@pytest.mark.parametrize("most", [2_000, 10**9], ids=["a sample", "all"])
def test_texts_in_rounds(most, monkeypatch):
    monkeypatch.setattr(narrowing, "_MOST_CHARACTERS", most)
    texts, labels = inflected(400)
    classifier = TextClassifier().fit((text for text in texts), labels)
    assert classifier.documents_ == 400
    evaluated = {entry.documents for entry in classifier.model_.leaderboard_}
    assert 400 in evaluated
    assert (min(evaluated) < 200) == (most == 2_000)


def test_the_columns_that_pay():
    texts, labels = inflected(200)
    counter = TextCounter(ngram_range=(1, 2), characters=(2, 4))
    counts = counter.fit_transform(texts)
    kinds = column_kinds(counter.get_feature_names_out(), counts.shape[1])
    assert set(kinds.tolist()) == {WORD, PAIR, CHARACTERS}
    search = PLAN.search(LabelledRows(as_rows(counts), as_targets(labels)), kinds)
    search.run()
    assert "characters" in choose_columns(search)


def test_without_the_linear_svm():
    X, y = topics()
    model = AutoNB(candidates="bayes", random_state=0).fit(X, y)
    tried = {entry.candidate.kind for entry in model.leaderboard_ if entry.candidate}
    assert "linear-svm" not in tried
    assert {"multinomial", "complement", "discriminative"} <= tried


def test_models_of_one_label_are_refused_for_several():
    X, y = topics()
    several = np.eye(4, dtype=int)[y]
    with pytest.raises(ParameterError, match="several labels"):
        AutoNB(candidates=["complement"], random_state=0).fit(X, several)


def test_models_with_other_kinds_of_terms():
    texts, labels = inflected(200)
    with_characters = TextClassifier().fit(texts, labels)
    words, kinds = ["corn wheat", "wheat rice", "oil gas", "gas oil"] * 9, ["a", "a", "b", "b"] * 9
    plain = TextClassifier().fit(words, kinds)
    assert plain.counter_.characters is None
    before = with_characters.predict_proba(["corn"]).tobytes()
    with pytest.raises(MergeError, match="their searches chose"):
        with_characters.merge(plain)
    assert with_characters.predict_proba(["corn"]).tobytes() == before
    # Terms that the first does not count are left out, so that it is as if it had learned the texts.
    merged = plain.merge(with_characters)
    alone = TextClassifier(AutoNB(candidates=plain.model_.recipe_, random_state=0), plain.counter_)
    alone.fit([*words, *texts], [*kinds, *labels])
    assert np.allclose(merged.predict_proba(texts[:5]), alone.predict_proba(texts[:5]))
    assert merged.forget(texts, labels).classes_.tolist() == ["a", "b"]


def test_both_rounds_share_a_budget(monkeypatch):
    ends = []
    search = Plan.search
    monkeypatch.setattr(Plan, "search", lambda self, *args: (ends.append(self.end), search(self, *args))[1])
    monkeypatch.setattr(narrowing, "_MOST_CHARACTERS", 2_000)
    texts, labels = inflected(400)
    model = TextClassifier(AutoNB(budget=100, random_state=0)).fit(texts, labels).model_
    assert len(ends) == 2
    assert ends[0] == ends[1]
    assert model._raced is None


def test_no_candidates_at_all():
    with pytest.raises(ParameterError, match="candidates"):
        TextClassifier(AutoNB(candidates=[])).fit(["corn", "oil"], ["a", "b"])
