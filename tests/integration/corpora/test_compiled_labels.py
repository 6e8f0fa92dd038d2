"""On real corpora, the compiled table of the default model gives the labels of its members one by one."""

import numpy as np
import pytest

from textbayes import TextClassifier
from textbayes.datasets import load_newsgroups, read_documents
from textbayes.datasets.corpus import Corpus
from textbayes.estimators.auto.members import MemberBlend


def check_labels(corpus):
    classifier = TextClassifier().fit(corpus.train.texts, corpus.train.label)
    model, texts = classifier.model_, corpus.test.texts
    one_by_one = MemberBlend(model.recipe_, model._seed)
    one_by_one.fit(classifier._learned.represented(), model._pair_mask())
    best = one_by_one.scorer().first(classifier._learned.read(texts))
    expected = one_by_one.classes[best]
    differ = np.flatnonzero(classifier.predict(texts) != expected)
    assert not len(differ), f"{len(differ)} of {len(texts)} labels differ, such as that of text {differ[0]}"


def stored(path):
    return Corpus(path.name, list(read_documents(path)))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["r8-all-terms", "webkb-stemmed"])
def test_labels(shared_data, name):
    check_labels(stored(shared_data(f"{name}.jsonl.zst")))


@pytest.mark.slow
def test_labels_of_newsgroups(shared_data):
    check_labels(load_newsgroups(shared_data("20news-bydate.tar.xz")))
