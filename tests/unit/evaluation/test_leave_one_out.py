"""leave_one_out, against taking each document out of the model and putting it back."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.metrics import f1_score
from sklearn.naive_bayes import MultinomialNB as PeerNB

from textbayes import TextClassifier
from textbayes.errors import ShapeError
from textbayes.estimators.models import left_out
from textbayes.estimators.models.variants import NAMED
from textbayes.evaluation import leave_one_out
from textbayes.measures import deal_folds, strata
from textbayes.statistics import as_label_targets

WORDS = ["wheat", "corn", "밀", "oil", "gas", "gold", "mine", "price", "rose", "fell"]
BY_FOLDS = ["mixture", "linear-svm"]
ONE_BY_ONE = [name for name in NAMED if name not in BY_FOLDS]
LIKELY = {"grain": WORDS[:4], "oil": WORDS[3:6], "금": WORDS[5:8]}


def texts_and_labels(classes, documents=24):
    rng = np.random.default_rng(7)
    labels = [classes[number % len(classes)] for number in range(documents)]
    texts = [" ".join([*rng.choice(LIKELY[label], 3), *rng.choice(WORDS, 4)]) for label in labels]
    return texts, labels


def by_hand(classifier, texts, labels):
    """Classify each row by the model from which it was taken out."""
    X = classifier.counter_.transform(texts)
    X = X if classifier.transform_ is None else classifier.transform_.transform(X)
    decided = []
    for at in range(len(texts)):
        row, own = X[at : at + 1], as_label_targets(labels[at : at + 1])
        classifier.model_.forget(row, own)
        decided.append(classifier.model_.predict(row)[0])
        classifier.model_.partial_fit(row, own)
    return np.array(decided)


@pytest.mark.parametrize("classes", [["grain", "oil"], ["grain", "oil", "금"]], ids=["two", "three"])
@pytest.mark.parametrize("recipe", ONE_BY_ONE)
def test_one_label_a_text(recipe, classes):
    texts, labels = texts_and_labels(classes)
    classifier = TextClassifier(recipe).fit(texts, labels)
    found = leave_one_out(classifier, texts, labels)
    decided = by_hand(classifier, texts, labels)
    assert found.accuracy == np.mean(decided == np.array(labels))
    assert found.macro_f1 == pytest.approx(f1_score(labels, decided, average="macro"))
    assert found.majority == 1 / len(classes)


@pytest.mark.parametrize("recipe", ONE_BY_ONE)
def test_several_labels_a_text(recipe):
    texts, names = texts_and_labels(["grain", "oil", "금"])
    labels = [
        [name, "grain"] if number % 4 == 0 and name != "grain" else [name]
        for number, name in enumerate(names)
    ]
    labels[5] = []
    classifier = TextClassifier(recipe, calibrate=False).fit(texts, labels)
    found = leave_one_out(classifier, texts, labels)
    decided = by_hand(classifier, texts, labels)
    classes = classifier.classes_.tolist()
    truth = np.array([[name in own for name in classes] for own in labels], dtype=int)
    assert found.accuracy == np.mean((decided == truth).all(axis=1))
    assert found.macro_f1 == pytest.approx(f1_score(truth, decided, average="macro"))


@pytest.mark.parametrize("several", [False, True], ids=["labels", "lists"])
def test_blocks_do_not_matter(monkeypatch, several):
    texts, labels = texts_and_labels(["grain", "oil", "금"])
    labels = [[label] for label in labels] if several else labels
    classifier = TextClassifier("twcnb").fit(texts, labels)
    whole = leave_one_out(classifier, texts, labels)
    monkeypatch.setattr(left_out, "_CELLS", 15)
    assert leave_one_out(classifier, texts, labels) == whole


def test_none_without_a_choice():
    texts, labels = texts_and_labels(["grain", "oil"])
    assert (
        leave_one_out(TextClassifier("complement").fit(texts, ["a"] * len(texts)), texts, ["a"] * len(texts))
        is None
    )
    assert leave_one_out(TextClassifier(PeerNB()).fit(texts, labels), texts, labels) is None
    one = [["grain", "oil"]]
    assert leave_one_out(TextClassifier("complement").fit(texts[:1], one), texts[:1], one) is None


@pytest.mark.parametrize("several", [False, True], ids=["labels", "lists"])
def test_many_documents_are_left_out_by_folds_where_each_takes_a_model(monkeypatch, several):
    texts, labels = texts_and_labels(["grain", "oil", "금"])
    labels = [[label] for label in labels] if several else labels
    classifier = TextClassifier("poisson", calibrate=False).fit(texts, labels)
    monkeypatch.setattr(left_out, "ONE_BY_ONE", 5)
    found = leave_one_out(classifier, texts, labels)
    X = classifier.counter_.transform(texts)
    fold_of = deal_folds(strata(as_label_targets(labels), by="first"), 10)
    right = 0
    for fold in range(10):
        rest = clone(classifier.model_)
        others, chosen = np.flatnonzero(fold_of != fold), np.flatnonzero(fold_of == fold)
        rest.fit(X[others], as_label_targets([labels[at] for at in others]))
        for answer, at in zip(rest.predict(X[chosen]), chosen, strict=True):
            answer = rest.classes_[np.flatnonzero(answer)].tolist() if several else answer
            right += answer == labels[at]
    assert (found.documents, found.folds) == (24, 10)
    assert found.accuracy == right / 24 < 1
    assert found.majority == 8 / 24


@pytest.mark.parametrize("several", [False, True], ids=["labels", "lists"])
@pytest.mark.parametrize("recipe", BY_FOLDS)
def test_models_not_from_sums_are_left_out_by_folds(recipe, several):
    texts, labels = texts_and_labels(["grain", "oil", "금"])
    labels = [[label] for label in labels] if several else labels
    found = leave_one_out(TextClassifier(recipe).fit(texts, labels), texts, labels)
    assert (found.documents, found.folds) == (24, 10)
    assert str(found).startswith("Left out by 10 folds: accuracy ")
    assert 0.5 < found.macro_f1 <= 1


def test_as_many_labels_as_texts():
    texts, labels = texts_and_labels(["grain", "oil"])
    with pytest.raises(ShapeError, match=r"texts has .* items, and labels has"):
        leave_one_out(TextClassifier("complement").fit(texts, labels), texts, labels[:-1])


@pytest.mark.parametrize("recipe", ["complement", "mixture"])
def test_steps_change_nothing(recipe, monkeypatch):
    texts = ["wheat corn", "corn wheat 밀", "wheat rose", "crude oil", "oil crude قمح", "oil fell"] * 4
    labels = (["grain"] * 3 + ["oil"] * 3) * 4
    classifier = TextClassifier(recipe).fit(texts, labels)
    whole = leave_one_out(classifier, texts, labels)
    assert whole.accuracy > 0.9
    assert whole.majority == 0.5
    # The mixture is refitted without each fold, so its documents are never split.
    monkeypatch.setattr(left_out, "_CELLS", 8)
    assert leave_one_out(classifier, texts, labels) == whole
