"""Predictions with as much as was asked for, and as JSON."""

import json

import numpy as np
import pytest

from textbayes import TextClassifier
from textbayes.answering import Layout, predict_texts
from textbayes.errors import ParameterError

TEXTS = ["wheat corn", "corn rice 밀", "crude oil", "oil gas", "ذهب منجم", "सोना 🙂"]
LABELS = ["grain", "grain", "oil", "oil", "gold", "gold"]
ASKED = [*TEXTS, "", "zzz", "oil corn"]


@pytest.fixture(scope="module")
def classifier():
    return TextClassifier("multinomial").fit(TEXTS, LABELS)


def test_labels_alone(classifier):
    assert [each.label for each in predict_texts(classifier, ASKED)] == classifier.predict(ASKED).tolist()
    assert predict_texts(classifier, []) == []


def test_probabilities_and_the_best(classifier):
    found = predict_texts(classifier, ASKED, top=2, proba=True)
    rows = classifier.predict_proba(ASKED)
    assert [each.probability for each in found] == rows.max(axis=1).tolist()
    labels, _ = classifier.top_k(ASKED, 2)
    assert [[label for label, _ in each.top] for each in found] == labels.tolist()
    assert [[p for _, p in each.top] for each in found] == (-np.sort(-rows))[:, :2].tolist()


def test_what_is_shown(classifier):
    one = predict_texts(classifier, ["corn rice 밀"], top=2, proba=True)[0]
    assert one.to_dict(Layout()) == {"label": "grain"}
    assert list(one.to_dict(Layout(proba=True))) == ["label", "probability"]
    assert one.to_dict(Layout(top=1)) == {"label": "grain", "top": [{"label": "grain"}]}
    shown = one.to_dict(Layout(multilabel=True, top=2, proba=True))
    assert list(shown) == ["labels", "probabilities", "top"]
    assert json.loads(json.dumps(shown)) == shown


def test_numbers_as_labels_are_plain():
    classifier = TextClassifier("multinomial").fit(TEXTS, [1, 1, 2, 2, 3, 3])
    shown = predict_texts(classifier, ["oil"], top=1, proba=True)[0].to_dict(Layout(top=1, proba=True))
    assert json.loads(json.dumps(shown)) == shown
    assert type(shown["label"]) is int


def test_python_rejects_as_the_other_doors(classifier):
    found = [each.label for each in predict_texts(classifier, ASKED, reject_below=0.5)]
    rejected = classifier.predict(ASKED, reject_below=0.5)
    assert rejected.dtype == object
    assert rejected.tolist() == found
    assert None in found
    assert classifier.predict(ASKED, reject_below=0).tolist() == classifier.predict(ASKED).tolist()
    assert classifier.predict([], reject_below=0.5).tolist() == []
    with pytest.raises(ParameterError, match="reject_below"):
        classifier.predict(ASKED, reject_below="half")


def test_lists_without_rejected_labels():
    classifier = TextClassifier("multinomial").fit(TEXTS, [[label] for label in LABELS])
    some, none = classifier.predict(ASKED, reject_below=0.6), classifier.predict(ASKED, reject_below=1)
    assert all(set(kept) <= set(given) for kept, given in zip(some, classifier.predict(ASKED), strict=True))
    assert none == [[]] * len(ASKED)


def test_best_classes_with_probabilities(classifier):
    labels, probabilities = classifier.top_k(ASKED, 2, proba=True)
    found = predict_texts(classifier, ASKED, top=2)
    assert [list(pairs) for pairs in zip(labels.tolist(), probabilities.tolist(), strict=True)] == [
        [list(values) for values in zip(*each.top, strict=True)] for each in found
    ]
    assert classifier.top_k(ASKED, 99, proba=True)[0].shape == (len(ASKED), 3)


def test_the_probability_is_that_of_the_label():
    class Odd:
        """Decides against its probabilities, as tuned biases may."""

        classes_ = np.array(["a", "b"])
        multilabel_ = False

        def answer(self, texts, *methods):
            found = {
                "predict": np.array(["b"] * len(texts)),
                "predict_proba": np.array([[0.6, 0.4]] * len(texts)),
            }
            return [found[method] for method in methods]

    assert predict_texts(Odd(), ["x"], proba=True)[0].probability == 0.4
    assert predict_texts(Odd(), ["x"], reject_below=0.5)[0].label is None
