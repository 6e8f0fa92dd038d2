"""Documents that another estimator keeps."""

import copy
import pickle

import numpy as np
import pytest

import textbayes
from textbayes import AutoNB, TextClassifier, TextCounter
from textbayes.counts import as_rows
from textbayes.errors import DocumentsNotKeptError, ModelDamagedError
from textbayes.estimators.base.borrowed import BorrowedDocuments, restore_documents
from textbayes.persistence import Stored
from textbayes.statistics import Documents, LabelledRows, as_targets

ROWS = as_rows(np.array([[1, 0, 2], [0, 3, 0]]))
TARGETS = as_targets(["밀", "oil"])
TEXTS = ["wheat and corn", "wheat harvest", "crude oil", "oil output"]
LABELS = ["grain", "grain", "oil", "oil"]


def read():
    return LabelledRows(ROWS, TARGETS)


def test_rows_are_read_when_they_are_needed():
    reads = []
    borrowed = BorrowedDocuments(lambda: reads.append(1) or read())
    assert borrowed.are_kept
    assert not reads
    assert borrowed.labelled().rows is ROWS
    assert borrowed.labelled(7).rows.width == 7
    assert len(reads) == 2


def test_a_copy_can_be_changed():
    own = BorrowedDocuments(read).owned()
    own.remove(own.find(read()))
    assert len(own) == 0
    assert own.owned() is own


def test_documents_that_were_not_kept():
    borrowed = BorrowedDocuments()
    assert not borrowed.are_kept
    for use in (borrowed.labelled, borrowed.owned):
        with pytest.raises(DocumentsNotKeptError):
            use()
    restored = restore_documents(borrowed.store(), 3)
    assert not restored.are_kept
    with pytest.raises(DocumentsNotKeptError):
        restored.labelled()


def test_stored_alone_they_are_whole():
    restored = restore_documents(BorrowedDocuments(read).store(), 3)
    assert type(restored) is Documents
    assert restored.labelled().rows.matrix.toarray().tolist() == [[1, 0, 2], [0, 3, 0]]


def test_forged_labels_are_refused():
    stored = BorrowedDocuments(read).store()
    forged = Stored(stored.configuration, {**stored.arrays, "label_numbers": np.array([0, 9], np.uint8)})
    with pytest.raises(ModelDamagedError, match="labels do not fit"):
        restore_documents(forged, 3).labelled()


@pytest.fixture
def classifier():
    model = AutoNB(candidates=["complement", "centroid"], random_state=0)
    return TextClassifier(model).fit(TEXTS, LABELS)


def test_a_text_classifier_adds_its_documents_once(monkeypatch):
    added = []
    add = Documents.add
    monkeypatch.setattr(
        Documents, "add", lambda self, documents: added.append(len(documents)) or add(self, documents)
    )
    model = AutoNB(candidates=["complement"], random_state=0)
    # Without a counter, the search would look at a sample first.
    classifier = TextClassifier(model, TextCounter(ngram_range=(1, 2))).fit(TEXTS, LABELS)
    classifier.teach(["gold"], ["metal"]).predict(TEXTS)
    assert added == [4, 1]


def test_a_model_that_learns_on_its_own_takes_a_copy(classifier):
    before = classifier.predict_proba(TEXTS)
    counts = classifier.counter_.transform(["oil and corn"])
    model = classifier.model_.partial_fit(counts, ["food"])
    assert model.classes_.tolist() == ["food", "grain", "oil"]
    assert classifier.documents_ == 4
    model.forget(counts, ["food"])
    assert classifier.predict_proba(TEXTS).tobytes() == before.tobytes()


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_a_copy_borrows_from_the_copy(classifier, copied):
    twin = copied(classifier)
    learned = twin._learned
    assert twin.model_._documents.read.args == (learned.representation, learned.documents)
    assert learned.documents is not classifier._learned.documents
    assert twin.model_.reconsider().predict_proba(twin.counter_.transform(TEXTS)).shape == (4, 2)


def test_loaded_it_borrows_again(classifier, tmp_path):
    classifier.save(tmp_path / "model.tb")
    twin = textbayes.load(tmp_path / "model.tb")
    assert type(twin.model_._documents) is BorrowedDocuments
    assert twin.reconsider().predict_proba(TEXTS).tobytes() == classifier.predict_proba(TEXTS).tobytes()
