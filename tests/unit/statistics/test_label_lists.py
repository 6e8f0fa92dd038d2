"""Labels of texts, in every form."""

import numpy as np
import pytest
from scipy import sparse

from textbayes.errors import LabelsError
from textbayes.statistics import as_label_targets


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
