"""Documents that are kept."""

import numpy as np
import pytest
from scipy import sparse

from textbayes.counts import as_rows
from textbayes.errors import NotLearnedError
from textbayes.statistics import KeptDocuments, as_targets, labels_of

X = sparse.csr_matrix(np.array([[1, 0, 2], [0, 3, 0], [1, 0, 2], [0, 0, 0]], dtype=float))
LABELS = ["밀", "oil", "밀", "🌾"]


def kept(rows=slice(None), weights=None):
    documents = KeptDocuments()
    documents.add(as_rows(X[rows]), as_targets(LABELS[rows]), weights)
    return documents


def shown(documents):
    rows, targets, weights = documents.batch
    return rows.matrix.toarray().tolist(), labels_of(targets).tolist(), weights.tolist()


def test_batches_are_one():
    one = kept(slice(0, 1))
    one.merge(kept(slice(1, 4)))
    assert shown(one) == shown(kept())
    wide = kept(slice(0, 1))
    wide.add(as_rows(sparse.csr_matrix([[0.0, 0, 0, 7]])), as_targets(["gold"]))
    assert shown(wide)[0] == [[1, 0, 2, 0], [0, 0, 0, 7]]
    assert wide.batch[1].classes.tolist() == ["gold", "밀"]


def test_what_is_removed_goes_once():
    documents = kept()
    documents.remove(as_rows(X[:1]), as_targets(["밀"]))
    assert shown(documents)[1].count("밀") == 1
    documents.remove(as_rows(X[:1]), as_targets(["밀"]))
    before = shown(documents)
    with pytest.raises(NotLearnedError, match="밀"):
        documents.remove(as_rows(X[:1]), as_targets(["밀"]))
    for wrong in ((X[1:2] * 2, ["oil"]), (X[1:2], ["gold"])):
        with pytest.raises(NotLearnedError):
            documents.remove(as_rows(wrong[0]), as_targets(wrong[1]))
    assert shown(documents) == before


def test_weights_are_part_of_a_document():
    documents = kept(weights=np.array([1.0, 2.0, 0.0, 0.5]))
    assert shown(documents)[2] == [1.0, 2.0, 0.5]  # of weight 0: as if it were not there
    with pytest.raises(NotLearnedError):
        documents.remove(as_rows(X[1:2]), as_targets(["oil"]))
    documents.remove(as_rows(X[1:2]), as_targets(["oil"]), np.array([2.0]))
    assert shown(documents)[1] == ["밀", "🌾"]


def test_copies_go_their_own_way_and_nothing_is_a_batch():
    documents = kept()
    twin = documents.copy()
    twin.remove(as_rows(X), as_targets(LABELS))
    assert len(twin.batch[0]) == 0
    assert len(documents.batch[0]) == 4
    assert len(KeptDocuments().batch[0]) == 0


def test_indicators():
    indicator = np.array([[1, 0, 1], [0, 0, 0]])
    documents = KeptDocuments()
    documents.add(as_rows(X[:2]), as_targets(indicator))
    assert labels_of(documents.batch[1]).toarray().tolist() == indicator.tolist()
    documents.remove(as_rows(X[1:2]), as_targets(indicator[1:]))
    assert labels_of(documents.batch[1]).toarray().tolist() == [[1, 0, 1]]
