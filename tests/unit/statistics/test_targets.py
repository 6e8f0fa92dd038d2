"""Labels and indicators as the sums read them."""

import numpy as np
import pytest
from scipy import sparse

from textbayes.errors import LabelsError
from textbayes.statistics import as_label_targets, as_targets


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


# Labels of texts, in every form.


def lists(targets):
    ends = zip(targets.starts[:-1], targets.starts[1:], strict=True)
    return [targets.classes[targets.codes[start:end]].tolist() for start, end in ends]


@pytest.mark.parametrize("labels", [["b", "a", "b"], ("b", "a", "b"), np.array(["b", "a", "b"])], ids=repr)
def test_one_label_a_text(labels):
    targets = as_label_targets(labels)
    assert not targets.multilabel
    assert targets.classes.tolist() == ["a", "b"]
    assert targets.codes.tolist() == [1, 0, 1]


def test_columns_and_generators():
    pd = pytest.importorskip("pandas")
    assert as_label_targets(pd.Series(["b", "a"])).codes.tolist() == [1, 0]
    assert as_label_targets(label for label in "ba").codes.tolist() == [1, 0]


@pytest.mark.parametrize(
    "labels",
    [
        [["b", "a", "b"], [], ("a",)],
        [{"a": 1, "b": 2}.keys() and {"a", "b"}, frozenset(), np.array(["a"])],
        np.array([["a", "b"], [], ["a"]], dtype=object),
    ],
    ids=["lists", "sets", "array"],
)
def test_lists(labels):
    targets = as_label_targets(labels)
    assert targets.multilabel
    assert [sorted(own) for own in lists(targets)] == [["a", "b"], [], ["a"]]


def test_an_indicator():
    targets = as_label_targets(sparse.csr_matrix([[1, 0], [1, 1]]))
    assert targets.multilabel
    assert lists(targets) == [[0], [0, 1]]


def test_nothing():
    assert len(as_label_targets([])) == 0
    assert len(as_label_targets([[], []])) == 2


@pytest.mark.parametrize(
    "labels", ["spam", ["a", ["b"]], [["a"], "b"], [["a", 1]], ["a", 1], [0.5, 1.5]], ids=repr
)
def test_labels_that_cannot_be(labels):
    with pytest.raises((LabelsError, ValueError)):
        as_label_targets(labels)
