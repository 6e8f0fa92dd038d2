import dataclasses

import pytest

from textbayes.datasets import Corpus, Document

DOCUMENTS = [
    Document("하나", ("x", "y"), "train", "1"),
    Document("two", (), "test", "2"),
    Document("ثلاثة", ("z",), None, "3"),
]


def test_a_corpus_is_a_sequence_of_documents():
    corpus = Corpus.of("tiny", iter(DOCUMENTS))
    assert list(corpus) == DOCUMENTS
    assert (len(corpus), corpus[-1], corpus[1:].name, list(corpus[1:])) == (
        3,
        DOCUMENTS[2],
        "tiny",
        DOCUMENTS[1:],
    )
    assert repr(corpus) == "Corpus('tiny': 3 documents, 3 classes, 1 train, 1 test)"


def test_columns_and_splits():
    corpus = Corpus("tiny", DOCUMENTS)
    assert corpus.texts == ["하나", "two", "ثلاثة"]
    assert corpus.label == ["x", None, "z"]
    assert corpus.labels == [("x", "y"), (), ("z",)]
    assert corpus.splits == ["train", "test", None]
    assert corpus.classes == ["x", "y", "z"]
    assert (corpus.train.texts, corpus.test.texts) == (["하나"], ["two"])
    assert corpus.where(lambda document: not document.labels).texts == ["two"]


def test_documents_are_immutable():
    with pytest.raises(dataclasses.FrozenInstanceError):
        DOCUMENTS[0].text = "other"
