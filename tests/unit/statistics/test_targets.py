"""Labels and indicators as the sums read them."""

import numpy as np
import pytest
from scipy import sparse

from textbayes.errors import LabelsError
from textbayes.statistics import as_targets


def test_labels_are_numbered_in_sorted_order():
    targets = as_targets(["밀", "oil", "밀", "🌾"])
    assert targets.classes.tolist() == ["oil", "밀", "🌾"]
    assert targets.codes.tolist() == [1, 0, 1, 2]
    assert targets.starts.tolist() == [0, 1, 2, 3, 4]
    assert len(targets) == 4
    assert not targets.multilabel


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix, sparse.coo_array, sparse.csc_matrix])
@pytest.mark.parametrize("dtype", [bool, int, float, np.uint8])
def test_an_indicators_rows(form, dtype):
    targets = as_targets(form(np.array([[0, 1, 1], [0, 0, 0], [1, 0, 0]], dtype=dtype)))
    assert targets.multilabel
    assert targets.classes.tolist() == [0, 1, 2]
    assert targets.starts.tolist() == [0, 2, 2, 3]
    assert targets.codes.tolist() == [1, 2, 0]


def test_stored_zeros_are_no_classes():
    stored = sparse.csr_matrix((np.array([0, 1, 1]), np.array([2, 0, 1]), np.array([0, 2, 3])), shape=(2, 3))
    assert as_targets(stored).codes.tolist() == [0, 1]
    assert stored.nnz == 3


@pytest.mark.parametrize(
    "labels",
    [
        ["a", 1],
        [["a", "b"]] * 2,
        np.array([[0, 2], [1, 0]]),
        np.array([["0", "1"]]),
        [["a"], ["b", "c"]],
        [None, "a"],
    ],
    ids=str,
)
def test_what_is_neither(labels):
    with pytest.raises(LabelsError):
        as_targets(labels)
