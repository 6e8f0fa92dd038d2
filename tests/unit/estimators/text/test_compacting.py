"""Compacting: what is kept, what is measured, and what cannot be compacted."""

import numpy as np
import pytest

from textbayes import (
    AutoNB,
    CentroidClassifier,
    ComplementNB,
    FrequencyTransform,
    LinearSVM,
    MultinomialNB,
    TermSelector,
    TextClassifier,
    TextCounter,
    TunedClassifier,
)
from textbayes.datasets import load_docstrings
from textbayes.errors import (
    DocumentsNotKeptError,
    ParameterConflictError,
    ParameterError,
    UnfittedError,
)
from textbayes.estimators import VARIANTS
from textbayes.estimators.auto import Candidate, Representation
from textbayes.estimators.text.compact_source import COMPACTED
from textbayes.estimators.text.compacting import bytes_of
from textbayes.evaluation import f1

CANDIDATES = [
    Candidate("complement", Representation(log=True, idf=True, length="mean")),
    Candidate("linear-svm", Representation(log=True, idf="smooth", length="unit", columns="words")),
]


@pytest.fixture(scope="module")
def corpus():
    corpus = load_docstrings().train
    few = set(corpus.classes[:5])
    return corpus.where(lambda document: document.label in few)


@pytest.fixture(scope="module")
def whole(corpus):
    return TextClassifier(AutoNB(candidates=CANDIDATES, random_state=0)).fit(corpus.texts, corpus.label)


# The loss.


def test_a_larger_loss_gives_a_smaller_model_within_it(whole):
    sizes = []
    for allowed in (0.0, 0.02, 0.1):
        small = whole.compact(max_loss=allowed)
        assert small.compaction_.loss + small.compaction_.error <= allowed
        sizes.append(small.nbytes)
    assert sizes[0] >= sizes[1] > sizes[2]


def test_the_measure_is_that_of_a_fit_on_four_fifths(whole, corpus):
    made = whole.compact(max_loss=0.02).compaction_
    assert made.held_out == pytest.approx(len(corpus) / 5, rel=0.1)
    assert 0.3 < made.whole_score < 1
    assert made.loss == made.whole_score - made.score


def test_the_default_is_a_loss_of_two_thousandths(whole):
    assert whole.compact().summary() == whole.compact(max_loss=0.002).summary()


def test_the_same_documents_give_the_same_bytes(whole, tmp_path):
    for name in "ab":
        whole.compact(max_loss=0.02).save(tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_the_classifier_does_not_change(whole, corpus):
    before = whole.predict_proba(corpus.texts[:20])
    whole.compact(max_loss=0.1)
    np.testing.assert_array_equal(whole.predict_proba(corpus.texts[:20]), before)


def test_the_strongest_terms_are_kept(whole, corpus):
    small = whole.compact(max_loss=0.07)
    texts = corpus.texts
    assert small.compaction_.terms < small.compaction_.all_terms / 2
    assert f1(whole.predict(texts), small.predict(texts)).micro > 0.9


def test_few_documents_without_a_change_do_not_show_that_there_is_no_loss():
    texts = [f"{word} number{at}" for word in ("wheat", "oil") for at in range(10)]
    whole = TextClassifier("complement").fit(texts, ["grain"] * 10 + ["oil"] * 10)
    made = whole.compact(max_loss=0.002).compaction_
    assert (made.loss, made.error, made.terms, made.bits) == (0, 0, made.all_terms, 16)
    assert whole.compact(max_loss=0.3).compaction_.terms < made.all_terms


def test_without_two_documents_of_a_class_all_is_kept():
    small = TextClassifier("complement").fit(["wheat corn", "crude oil"], ["grain", "oil"]).compact()
    assert small.compaction_.loss is None
    assert small.compaction_.terms == small.compaction_.all_terms == 4
    assert "no loss was measured" in small.summary()


def test_several_labels_are_measured(corpus):
    labels = [
        [label, "long"] if len(text) > 300 else [label]
        for text, label in zip(corpus.texts, corpus.label, strict=True)
    ]
    model = AutoNB(candidates=[Candidate("complement-all")], random_state=0)
    small = TextClassifier(model).fit(corpus.texts, labels).compact(max_loss=0.02)
    assert small.multilabel_
    assert small.compaction_.loss <= 0.02
    assert small.compaction_.whole_score > 0.2
    assert small.compaction_.terms < small.compaction_.all_terms


# The size.


@pytest.mark.parametrize("size", [20_000, "100kB", "0.1MiB"])
def test_the_file_has_at_most_the_size(whole, size, tmp_path):
    small = whole.compact(size=size)
    small.save(tmp_path / "small.tb")
    assert 0.8 * bytes_of(size) < (tmp_path / "small.tb").stat().st_size <= bytes_of(size)
    assert small.compaction_.loss is not None


def test_a_large_size_keeps_everything(whole, corpus):
    small = whole.compact(size="1GB")
    assert small.compaction_.terms == small.compaction_.all_terms
    assert small.compaction_.loss == 0
    np.testing.assert_array_equal(
        small.predict_proba(corpus.texts[:50]), whole.predict_proba(corpus.texts[:50])
    )


def test_a_size_that_is_too_small_says_what_fits(whole):
    with pytest.raises(ParameterError, match=r"at least [0-9,]+ bytes"):
        whole.compact(size=100)


@pytest.mark.parametrize("size", [0, -5, 2.5, "", "MB", "5 parsecs", "-1MB", True, [], "1e9"])
def test_sizes_that_are_none(whole, size):
    with pytest.raises(ParameterError, match="size="):
        whole.compact(size=size)


@pytest.mark.parametrize(
    ("size", "found"), [("5MB", 5e6), ("5 mb", 5e6), ("300k", 3e5), (".5GiB", 2**29), ("77", 77), (77, 77)]
)
def test_sizes(size, found):
    assert bytes_of(size) == found


@pytest.mark.parametrize("loss", [-0.1, 1.5, np.nan, "small", True])
def test_losses_that_are_none(whole, loss):
    with pytest.raises(ParameterError, match="max_loss="):
        whole.compact(max_loss=loss)


def test_a_loss_and_a_size_exclude_each_other(whole):
    with pytest.raises(ParameterConflictError, match="max_loss"):
        whole.compact(max_loss=0.1, size="1MB")


# Which models.

MODELS = {
    **{name: (name, None) for name in COMPACTED if name != "auto"},
    "alpha": (MultinomialNB(alpha=0.03), None),
    "prior": (MultinomialNB(class_prior=np.full(4, 1 / 4)), None),
    "norm": (ComplementNB(norm=True), FrequencyTransform(length="mean")),
    "selected": (CentroidClassifier(), TermSelector("chi2", k=300)),
    "svm": (LinearSVM(C=0.3, random_state=3), FrequencyTransform(idf="smooth")),
}


@pytest.mark.parametrize("name", MODELS)
def test_models_by_name_answer_as_the_whole_ones(name, corpus):
    model, transform = MODELS[name]
    whole = TextClassifier(model, transform=transform).fit(corpus.texts[:400], corpus.label[:400])
    small = whole.compact(size="1GB")
    ours, theirs = small.decision_function(corpus.texts), whole.decision_function(corpus.texts)
    # A term's part that is the same for all classes is left out, and weights have half precision.
    ours, theirs = (each - each.mean(axis=1, keepdims=True) for each in (ours, theirs))
    np.testing.assert_allclose(ours, theirs, rtol=0.02, atol=0.02 * np.abs(theirs).max())
    assert np.mean(small.predict(corpus.texts) == whole.predict(corpus.texts)) > 0.99
    cut = whole.compact(max_loss=0.05)
    assert cut.compaction_.terms < small.compaction_.terms


def test_after_teaching_and_forgetting(corpus):
    whole = TextClassifier(AutoNB(candidates=CANDIDATES[:1], random_state=0))
    whole.fit(corpus.texts[:300], corpus.label[:300])
    whole.teach(["quuxly zyzzyva aardvark"] * 2, ["zebra"] * 2)
    small = whole.compact(size="1GB")
    assert small.classes_.tolist() == whole.classes_.tolist()
    assert small.predict(["quuxly aardvark"]).tolist() == ["zebra"]
    np.testing.assert_array_equal(
        small.predict_proba(corpus.texts[:50]), whole.predict_proba(corpus.texts[:50])
    )


def test_a_counter_with_cuts(corpus):
    counter = TextCounter(min_df=3, stop_words="english", stemmer="english")
    whole = TextClassifier("complement", counter).fit(corpus.texts, corpus.label)
    small = whole.compact(size="1GB")
    assert small.compaction_.all_terms == len(whole.counter_.vocabulary_)
    assert np.mean(small.predict(corpus.texts) == whole.predict(corpus.texts)) > 0.99


@pytest.mark.parametrize(
    "model",
    [
        "poisson",
        "mixture",
        TunedClassifier(MultinomialNB()),
        AutoNB(candidates=[Candidate("poisson")], random_state=0),
    ],
    ids=str,
)
def test_models_that_do_not_fold_are_refused(model, corpus):
    whole = TextClassifier(model).fit(corpus.texts[:200], corpus.label[:200])
    with pytest.raises(ParameterError, match=r"Pass one of: auto, multinomial, .*complement"):
        whole.compact()


def test_several_labels_need_a_search(corpus):
    whole = TextClassifier("multinomial").fit(corpus.texts[:50], [[label] for label in corpus.label[:50]])
    with pytest.raises(ParameterError, match="Pass one of: auto"):
        whole.compact()


def test_a_search_on_transformed_counts_is_refused(corpus):
    model = AutoNB(candidates=CANDIDATES[:1], random_state=0)
    whole = TextClassifier(model, transform=FrequencyTransform()).fit(corpus.texts[:100], corpus.label[:100])
    with pytest.raises(ParameterConflictError, match="transform"):
        whole.compact()


def test_without_documents_or_a_fit():
    whole = TextClassifier("complement", keep_documents=False).fit(["wheat", "oil"], ["grain", "oil"])
    with pytest.raises(DocumentsNotKeptError, match="compact needs the documents"):
        whole.compact()
    with pytest.raises(UnfittedError):
        TextClassifier("complement").compact()


def test_every_named_model_that_folds_is_listed():
    assert set(COMPACTED) == {"auto"} | {row.name for row in VARIANTS.values() if row.folds and row.by_name}
