"""Classifying a stream: in batches, without waiting, with and without probabilities."""

import numpy as np
import pytest

from textbayes import TextClassifier
from textbayes.cli import predicting as module
from textbayes.cli.predicting import predict
from textbayes.datasets import Document

TEXTS = ["wheat corn", "corn rice 밀", "crude oil", "oil gas", "gold mine", "mine"]
LABELS = ["grain", "grain", "oil", "oil", "gold", "gold"]
DOCUMENTS = [Document(text, id=f"d{number}") for number, text in enumerate([*TEXTS, "", "zzz", "oil corn"])]


@pytest.fixture(scope="module")
def classifier():
    return TextClassifier("multinomial").fit(TEXTS, LABELS)


def flat(batches):
    return [prediction for some in batches for _, prediction in some]


@pytest.mark.parametrize(("documents", "characters"), [(1, 10**6), (4, 10**6), (100, 10**6), (100, 12)])
def test_batch_sizes_do_not_matter(classifier, monkeypatch, documents, characters):
    monkeypatch.setattr(module, "_DOCUMENTS", documents)
    monkeypatch.setattr(module, "_CHARACTERS", characters)
    batches = list(predict(classifier, iter(DOCUMENTS), top=2, proba=True))
    found = flat(batches)
    texts = [document.text for document in DOCUMENTS]
    probabilities = classifier.predict_proba(texts)
    assert [id for some in batches for id, _ in some] == [document.id for document in DOCUMENTS]
    assert [each.label for each in found] == classifier.predict(texts).tolist()
    assert [each.probability for each in found] == probabilities.max(axis=1).tolist()
    labels, _ = classifier.top_k(texts, 2)
    assert [[label for label, _ in each.top] for each in found] == labels.tolist()


def test_predict_does_not_wait_for_more_input(classifier):
    read = []

    def slowly():
        for document in DOCUMENTS:
            read.append(document)
            yield document

    batches = predict(classifier, slowly(), more=lambda: False)
    assert [id for id, _ in next(batches)] == ["d0"]
    assert len(read) == 1


def test_rejection(classifier):
    probabilities = classifier.predict_proba([document.text for document in DOCUMENTS]).max(axis=1)
    least = float(np.median(probabilities))
    found = flat(predict(classifier, DOCUMENTS, reject_below=least))
    assert [each.label is None for each in found] == (probabilities < least).tolist()
    assert any(each.label is None for each in found)


def test_rejection_of_some_of_several_labels():
    lists = [["grain"], ["grain", "밀"], ["oil"], ["oil"], [], ["mine"]]
    classifier = TextClassifier("multinomial").fit(TEXTS, lists)
    free = flat(predict(classifier, DOCUMENTS, proba=True))
    assert [each.label for each in free] == classifier.predict([document.text for document in DOCUMENTS])
    bound = 0.9
    strict = flat(predict(classifier, DOCUMENTS, reject_below=bound))
    for one, other in zip(free, strict, strict=True):
        pairs = zip(one.label, one.probability, strict=True)
        assert other.label == [label for label, probability in pairs if probability >= bound]
    assert [each.label for each in free] != [each.label for each in strict]
