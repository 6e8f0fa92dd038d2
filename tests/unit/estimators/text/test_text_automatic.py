"""TextClassifier(model="auto"): a search once, and from then on the recipe that it found."""

import copy
import pickle

import numpy as np
import pytest

import textbayes
from textbayes import AutoNB, ComplementNB, TextClassifier, TextCounter
from textbayes.errors import (
    DocumentsNotKeptError,
    LabelsError,
    MergeError,
    ParameterConflictError,
    ParameterError,
    UnfittedError,
)
from textbayes.estimators.auto.column_kinds import column_kinds
from textbayes.estimators.auto.search import Search

TEXTS = [
    "wheat and corn, wheat harvest",
    "wheat harvest 밀가루",
    "corn harvest قمح",
    "crude oil output",
    "oil output 東京都 oil",
    "crude output of oil 🛢",
    "gold mine of गेहूँ",
    "a gold mine",
]
LABELS = ["grain", "grain", "grain", "oil", "oil", "oil", "metal", "metal"]
LISTS = [["grain", "food"], ["grain"], ["food"], ["oil"], ["oil", "energy"], ["oil"], ["metal"], []]
MORE = ["aardvarks eat corn", "aardvarks mine", "zebra crude corn"]
MORE_LABELS = {"labels": ["animal", "animal", "oil"], "lists": [["animal", "food"], ["animal"], []]}
BOTH = pytest.mark.parametrize("kind", ["labels", "lists"])


def learned(kind, **settings):
    return TextClassifier(**settings).fit(TEXTS, LABELS if kind == "labels" else LISTS)


def by_its_recipe(classifier, texts, labels):
    """The same recipe, on other texts: no search, and nothing of what was learned before."""
    model = AutoNB(candidates=classifier.model_.recipe_, random_state=0)
    return TextClassifier(model).fit(texts, labels)


@pytest.fixture
def searches(monkeypatch):
    """How often something was searched."""
    done, run = [], Search.run
    monkeypatch.setattr(Search, "run", lambda self: (done.append(1), run(self))[1])
    return done


# What it counts.


def columns_of(candidates):
    return {candidate.representation.columns for candidate in candidates}


def test_auto_is_a_search_among_words_pairs_and_characters():
    classifier = learned("labels")
    assert repr(classifier.model_) == "AutoNB(random_state=0)"
    tried = [entry.candidate for entry in classifier.model_.leaderboard_ if entry.candidate is not None]
    assert columns_of(tried) == {"words", "pairs", "characters"}
    # Only what the recipe uses is counted.
    used, counter = columns_of(classifier.model_.recipe_.members), classifier.counter_
    assert (counter.characters == (2, 5)) == ("characters" in used)
    assert (counter.ngram_range == (1, 2)) == ("pairs" in used)
    kinds = column_kinds(counter.get_feature_names_out(), classifier.model_.n_features_in_)
    assert classifier.model_._column_kinds().tolist() == kinds.tolist()
    # Given as an object it is the same.
    twin = TextClassifier(AutoNB(random_state=0)).fit(TEXTS, LABELS)
    assert twin.predict_proba(TEXTS).tobytes() == classifier.predict_proba(TEXTS).tobytes()


def test_scripts_without_spaces_have_pairs_of_their_tokens():
    texts = ["東京都の天気", "東京都の朝", "北京大学", "北京大学的学生"]
    counter = TextCounter(tokens="unicode", ngram_range=(1, 2))
    classifier = TextClassifier(counter=counter).fit(texts, ["ja", "ja", "zh", "zh"])
    terms = classifier.counter_.get_feature_names_out().tolist()
    mask = dict(zip(terms, classifier.model_._column_kinds().tolist(), strict=True))
    assert mask["北京 京大"]
    assert not mask["北京"]
    assert classifier.predict(["東京都の夜", "大学"]).tolist() == ["ja", "zh"]


@pytest.mark.parametrize(
    "counter",
    [
        TextCounter(),
        TextCounter(dimensions=64, ngram_range=(1, 2)),
        TextCounter(unit="char_wb", ngram_range=(1, 3)),
        TextCounter(ngram_range=(2, 2)),
    ],
    ids=repr,
)
def test_a_counter_of_ones_own_may_have_no_pairs(counter):
    classifier = TextClassifier(counter=counter).fit(TEXTS, LABELS)
    assert not classifier.model_._column_kinds().any()
    assert repr(classifier.counter_) == repr(counter)
    assert classifier.predict(["gold mine", "crude oil"]).tolist() == ["metal", "oil"]


def test_pairs_after_cuts_and_a_transform():
    counter = TextCounter(ngram_range=(1, 2), min_df=2)
    classifier = TextClassifier(AutoNB(random_state=0), counter, textbayes.TermSelector("chi2", k=6))
    classifier.fit(TEXTS, LABELS)
    names = classifier.transform_.get_feature_names_out(classifier.counter_.get_feature_names_out())
    assert classifier.model_._column_kinds().tolist() == [" " in name for name in names]
    assert any(" " in name for name in names)


def test_terms_are_no_setting_here():
    with pytest.raises(ParameterConflictError, match="terms"):
        TextClassifier(AutoNB(terms=[True])).fit(TEXTS, LABELS)


# Teaching and forgetting.


@BOTH
def test_taught_and_forgotten_it_is_its_recipe_fitted_afresh(kind, searches):
    labels, more = (LABELS if kind == "labels" else LISTS), MORE_LABELS[kind]
    classifier = learned(kind)
    before, recipe = classifier.predict_proba(TEXTS), classifier.model_.recipe_
    assert len(searches) == 1
    classifier.teach(MORE, more)
    assert classifier.is_settled_ is recipe.additive
    assert classifier.classes_[0] == "animal"
    assert classifier.settle().is_settled_
    fresh = by_its_recipe(classifier, TEXTS + MORE, labels + more)
    assert classifier.classes_.tolist() == fresh.classes_.tolist()
    assert classifier.classes_[0] == "animal"  # the new class comes first, and no other has its bias
    assert classifier.predict_proba(TEXTS + MORE).tobytes() == fresh.predict_proba(TEXTS + MORE).tobytes()
    classifier.forget(TEXTS[6:], labels[6:]).forget(MORE[:1], more[:1])
    fresh = by_its_recipe(classifier, TEXTS[:6] + MORE[1:], labels[:6] + more[1:])
    assert "metal" not in classifier.classes_
    assert classifier.predict_proba(TEXTS + MORE).tobytes() == fresh.predict_proba(TEXTS + MORE).tobytes()
    classifier.teach(TEXTS[6:], labels[6:]).forget(MORE[1:], more[1:])
    assert classifier.predict_proba(TEXTS).tobytes() == before.tobytes()
    assert classifier.model_.recipe_ is recipe
    assert len(searches) == 1


def test_the_recipe_of_lists_goes_by_names():
    classifier = learned("lists")
    assert classifier.model_.recipe_.classes == ("energy", "food", "grain", "metal", "oil")
    assert classifier.model_.classes_.tolist() == classifier.classes_.tolist()


def test_choices_by_class_go_by_names():
    classifier = TextClassifier(AutoNB(candidates=["poisson", "poisson-by-class"], random_state=0))
    labels = [[label] for label in LABELS * 3]
    labels[0] = ["grain", "food"]
    classifier.fit([f"{text} {number}" for number, text in enumerate(TEXTS * 3)], labels)
    named = [
        label
        for member in classifier.model_.recipe_.members
        for label, *_ in dict(member.parameters).get("choices", ())
    ]
    assert set(named) <= set(classifier.classes_.tolist())
    classifier.teach(["a gold coin"], [["coin"]])
    assert classifier.predict_proba(TEXTS).shape == (8, 5)


@BOTH
def test_merged_the_recipe_of_the_first_stays(kind, searches):
    labels, more = (LABELS if kind == "labels" else LISTS), MORE_LABELS[kind]
    one = learned(kind)
    other = TextClassifier(AutoNB(budget=60, random_state=1)).fit(MORE, more)
    recipe = one.model_.recipe_
    one.merge(other)
    assert one.model_.recipe_ is recipe
    fresh = by_its_recipe(one, TEXTS + MORE, labels + more)
    assert one.predict_proba(TEXTS).tobytes() == fresh.predict_proba(TEXTS).tobytes()
    assert len(searches) == 2
    with pytest.raises(MergeError, match="model"):
        one.merge(TextClassifier("complement", TextCounter()).fit(TEXTS, labels))


# Reconsidering.


@BOTH
def test_reconsidered_it_is_a_new_search(kind, searches):
    labels, more = (LABELS if kind == "labels" else LISTS), MORE_LABELS[kind]
    classifier = learned(kind).teach(MORE, more).reconsider()
    fresh = TextClassifier().fit(TEXTS + MORE, labels + more)
    assert len(searches) == 3
    assert classifier.model_.recipe_ == fresh.model_.recipe_
    assert classifier.predict_proba(TEXTS).tobytes() == fresh.predict_proba(TEXTS).tobytes()


def test_a_model_that_was_given_is_not_reconsidered():
    with pytest.raises(ParameterError, match="ComplementNB"):
        TextClassifier("complement").fit(TEXTS, LABELS).reconsider()
    with pytest.raises(UnfittedError):
        TextClassifier().reconsider()


def test_a_search_that_breaks_off_changes_nothing(monkeypatch):
    classifier = learned("labels")
    before = classifier.predict_proba(TEXTS)

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(Search, "run", interrupted)
    for act in (classifier.reconsider, lambda: classifier.fit(TEXTS, LABELS)):
        with pytest.raises(KeyboardInterrupt):
            act()
        assert classifier.predict_proba(TEXTS).tobytes() == before.tobytes()


def test_parameters_of_the_search():
    classifier = TextClassifier().set_params(model__budget=30.0)
    assert repr(classifier.model) == "AutoNB(budget=30.0, random_state=0)"
    assert classifier.fit(TEXTS, LABELS).model_.budget == 30.0


# Few texts.


@pytest.mark.parametrize(
    ("texts", "labels"),
    [
        (["wheat"], ["grain"]),
        (["wheat", "oil"], ["grain", "oil"]),
        (["wheat", "rice", "corn"], ["grain"] * 3),
        (["wheat", "", "oil"], ["grain", "grain", "oil"]),
        (["wheat"], [["grain"]]),
        (["wheat", "oil"], [["grain"], []]),
        (["wheat", "oil"], [["food", "grain"], ["oil"]]),
    ],
    ids=["one", "one each", "one class", "an empty one", "list", "list and none", "lists"],
)
def test_few_texts(texts, labels):
    classifier = TextClassifier().fit(texts, labels)
    assert np.isfinite(classifier.predict_proba([*texts, "unknown", ""])).all()
    assert classifier.predict(["wheat"])[0] == labels[0]
    taught = classifier.teach(["gold"], [["metal"] if isinstance(labels[0], list) else "metal"])
    assert "metal" in taught.classes_
    assert np.isfinite(taught.predict_proba(["gold"])).all()


def test_no_label_at_all():
    with pytest.raises(LabelsError, match="no class"):
        TextClassifier().fit(["wheat", "oil"], [[], []])
    with pytest.raises(LabelsError, match="no class"):
        AutoNB().fit([[1, 0], [0, 1]], np.zeros((2, 2), dtype=int))


def test_everything_forgotten_and_something_else_taught(searches):
    classifier = learned("labels").forget(TEXTS, LABELS)
    with pytest.raises(UnfittedError):
        classifier.predict(["wheat"])
    classifier.teach(MORE, MORE_LABELS["labels"])
    fresh = by_its_recipe(classifier, MORE, MORE_LABELS["labels"])
    assert classifier.predict_proba(MORE).tobytes() == fresh.predict_proba(MORE).tobytes()
    assert len(searches) == 1


# In a file.


@BOTH
def test_a_file_holds_the_documents_once(kind, tmp_path):
    classifier = learned(kind)
    classifier.save(tmp_path / "auto.tb")
    twin = TextClassifier.load(tmp_path / "auto.tb")
    for either in (classifier, twin):
        arrays = set(either.store().arrays)
        assert "documents/entries" in arrays
        assert not any(name.startswith("model/documents/") for name in arrays)
    assert twin.predict_proba(TEXTS).tobytes() == classifier.predict_proba(TEXTS).tobytes()
    assert twin.reconsider().model_.recipe_ == classifier.model_.recipe_
    # Its model alone has to have them.
    textbayes.save(classifier.model_, tmp_path / "model.tb")
    alone, counts = textbayes.load(tmp_path / "model.tb"), classifier.counter_.transform(TEXTS)
    assert alone.reconsider().recipe_ == classifier.model_.recipe_
    assert alone.predict_proba(counts).tobytes() == classifier.predict_proba(TEXTS).tobytes()


def test_members_of_one_representation_share_their_sums(tmp_path):
    kinds = ["one-vs-all", "complement", "multinomial"]
    classifier = TextClassifier(AutoNB(candidates=kinds, random_state=0)).fit(TEXTS * 3, LABELS * 3)
    members = classifier.model_._fitted._members
    sums = {id(member.model._statistics) for member in members}
    assert len(sums) == len({member.candidate.representation for member in members}) < len(members)
    classifier.save(tmp_path / "auto.tb")
    twin = TextClassifier.load(tmp_path / "auto.tb")
    assert twin.predict_proba(TEXTS).tobytes() == classifier.predict_proba(TEXTS).tobytes()
    twin.teach(MORE, MORE_LABELS["labels"]).forget(MORE, MORE_LABELS["labels"]).save(tmp_path / "again.tb")
    assert (tmp_path / "again.tb").read_bytes() == (tmp_path / "auto.tb").read_bytes()


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_a_copy_has_documents_of_its_own(copied):
    classifier = learned("labels")
    before = classifier.predict_proba(TEXTS)
    twin = copied(classifier)
    twin.teach(MORE, MORE_LABELS["labels"]).reconsider()
    assert "animal" in twin.classes_
    assert classifier.predict_proba(TEXTS).tobytes() == before.tobytes()


def test_without_documents_it_predicts_and_learns_nothing_more(tmp_path):
    classifier = learned("labels", keep_documents=False)
    expected = learned("labels").predict_proba(TEXTS)
    classifier.save(tmp_path / "small.tb")
    for either in (classifier, TextClassifier.load(tmp_path / "small.tb")):
        assert either.predict_proba(TEXTS).tobytes() == expected.tobytes()
        for act in (lambda one=either: one.teach(MORE, MORE_LABELS["labels"]), either.reconsider):
            with pytest.raises(DocumentsNotKeptError):
                act()
        with pytest.raises(DocumentsNotKeptError):
            either.model_.reconsider()


# Looking inside.


@BOTH
def test_inspected_it_says_what_was_found(kind):
    classifier = learned(kind)
    found = classifier.inspect(2)
    assert found.recipe == str(classifier.model_.recipe_)
    assert len(found.leaderboard) == 5
    told = found.to_dict()
    assert told["leaderboard"] == classifier.model_.leaderboard_[:5].to_dicts()
    assert told["metric"] == "macro_f1"
    assert TextClassifier(ComplementNB()).fit(TEXTS, LABELS).inspect().recipe is None


def test_a_recipe_that_was_given_has_no_leaderboard():
    found = by_its_recipe(learned("labels"), TEXTS, LABELS).inspect(1)
    assert found.leaderboard is None
    assert found.to_dict()["leaderboard"] == []
