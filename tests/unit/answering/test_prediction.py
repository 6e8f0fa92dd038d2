"""Predictions with as much as was asked for, and as JSON."""

import json

import numpy as np
import pytest

from textbayes import TextClassifier
from textbayes.answering import Layout, predict_texts

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
