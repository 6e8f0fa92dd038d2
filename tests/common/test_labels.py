"""Every model takes labels by one rule: a wrong one is refused before anything changes."""

import numpy as np
import pytest
from sklearn.base import clone

from textbayes import AutoNB, CompactClassifier, MultinomialNB, TextClassifier, TunedClassifier
from textbayes.errors import LabelsError, MergeError, NoDocumentsError, ParameterError, UnfittedError
from textbayes.estimators.models.variants import NAMED, VARIANTS

X = np.array([[3, 0, 1], [2, 1, 0], [0, 2, 1], [1, 3, 0], [4, 0, 0], [0, 1, 2]])
Y = ["ham", "ham", "spam", "spam", "ham", "spam"]
NUMBERS = [7, 7, 9, 9, 7, 9]
TEXTS = ["win win win now", "win win a prize", "lunch at noon", "lunch lunch today", "win it", "noon today"]

# PNB* has no predict.
COUNTS = [
    *(variant.make_model() for variant in VARIANTS.values() if hasattr(variant.estimator, "predict")),
    AutoNB(candidates=["complement"], random_state=0),
    AutoNB(candidates=["linear-svm"], random_state=0),
    TunedClassifier(MultinomialNB()),
]
BAD = {"numbers": [3, 4], "none": ["ham", None], "empty": ["spam", ""], "bool": [True, False]}


def kept(model):
    return model.predict_proba(X).tobytes(), model.classes_.tolist()


@pytest.mark.parametrize("labels", BAD.values(), ids=BAD)
@pytest.mark.parametrize("method", ["fit", "partial_fit", "forget"])
@pytest.mark.parametrize("model", COUNTS, ids=repr)
def test_models_of_counts_refuse_before_they_change(model, method, labels):
    if not hasattr(model, method):
        pytest.skip("it refits")
    if method == "fit" and all(label in (3, 4, True, False) for label in labels):
        pytest.skip("fit learns any kind")
    fitted = clone(model).fit(X, Y)
    before = kept(fitted)
    with pytest.raises(LabelsError, match=r"labels\[[01]\] is "):
        getattr(fitted, method)(X[:2], labels)
    assert kept(fitted) == before


@pytest.mark.parametrize("model", COUNTS, ids=repr)
def test_models_of_counts_of_other_kinds_do_not_merge(model):
    if not hasattr(model, "merge"):
        pytest.skip("it does not merge")
    fitted, other = clone(model).fit(X, Y), clone(model).fit(X, NUMBERS)
    before, others = kept(fitted), kept(other)
    with pytest.raises(MergeError, match="the kind of their labels: 'ham' and 7"):
        fitted.merge(other)
    assert (kept(fitted), kept(other)) == (before, others)


@pytest.mark.parametrize("model", COUNTS, ids=repr)
def test_numbers_stay_numbers(model):
    fitted = clone(model).fit(X, np.array(NUMBERS, dtype=np.float32))
    assert fitted.predict(X).dtype.kind == "i"
    assert fitted.classes_.tolist() == [7, 9]


# Texts.


CLASSIFIERS = {
    **{
        f"{name}-{keep}": TextClassifier(name, keep_documents=keep)
        for name in NAMED
        for keep in (True, False)
    },
    "auto": TextClassifier(),
    "tuned": TextClassifier(TunedClassifier(MultinomialNB())),
}


def state(classifier):
    documents = classifier.class_documents_.tolist()
    return classifier.predict_proba(TEXTS).tobytes(), classifier.classes_.tolist(), documents


@pytest.mark.parametrize("several", [False, True], ids=["label", "lists"])
@pytest.mark.parametrize("template", CLASSIFIERS.values(), ids=CLASSIFIERS)
def test_classifiers_of_texts_refuse_before_they_change(template, several, tmp_path):
    def listed(labels):
        return [[label] for label in labels] if several else labels

    classifier = clone(template).fit(TEXTS, listed(Y))
    before = state(classifier)
    classifier.save(tmp_path / "before")
    for labels in BAD.values():
        for method in (classifier.teach, classifier.forget, classifier.score):
            with pytest.raises(LabelsError, match=r"labels\[[01]\](\[0\])? is "):
                method(["win a new word", TEXTS[0]], listed(labels))
    other = clone(template).fit(["win", "lunch lunch", "noon noon"], listed([7, 9, 9]))
    with pytest.raises(MergeError, match="the kind of their labels: 'ham' and 7"):
        classifier.merge(other)
    assert state(classifier) == before
    classifier.save(tmp_path / "after")
    assert (tmp_path / "after").read_bytes() == (tmp_path / "before").read_bytes()


@pytest.mark.parametrize("template", CLASSIFIERS.values(), ids=CLASSIFIERS)
def test_nothing_to_learn(template):
    for method in ("fit", "teach"):
        classifier = clone(template)
        with pytest.raises(NoDocumentsError, match="texts holds no documents"):
            getattr(classifier, method)([], [])
        assert not classifier.__sklearn_is_fitted__()
    with pytest.raises(NoDocumentsError):
        clone(template).fit_batches([([], [])])


def test_learning_nothing_more_changes_nothing():
    classifier = TextClassifier("complement").fit(TEXTS, Y)
    before = state(classifier)
    classifier.teach([], []).forget([], [])
    assert state(classifier) == before


def test_the_separator_of_labels_stays_with_the_model(tmp_path):
    with pytest.raises(UnfittedError):
        TextClassifier().label_separator  # noqa: B018
    classifier = TextClassifier("complement").fit(TEXTS, Y)
    assert classifier.label_separator is None
    classifier.label_separator = "; "
    for bad in ("", 5):
        with pytest.raises(ParameterError, match="label_separator"):
            classifier.label_separator = bad
    classifier.teach(["a new text"], ["new"]).save(tmp_path / "model.tb")
    loaded = TextClassifier.load(tmp_path / "model.tb")
    assert loaded.label_separator == loaded.compact().label_separator == "; "
    loaded.compact().save(tmp_path / "small.tb")
    assert CompactClassifier.load(tmp_path / "small.tb").label_separator == "; "
    loaded.label_separator = None
    assert loaded.label_separator is None
    assert classifier.fit(TEXTS, Y).label_separator is None
