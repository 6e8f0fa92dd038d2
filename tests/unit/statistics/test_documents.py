"""Documents that are kept: added, found by content, taken out, renumbered."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from textbayes.counts import Rows, as_rows
from textbayes.errors import ModelDamagedError
from textbayes.persistence import Stored
from textbayes.statistics import Documents, as_label_targets

ROWS = [[1, 0, 3, 0], [0, 0, 0, 0], [0, 2, 0, 70_000], [1, 0, 3, 0]]
LABELS = ["a", "b", "a", "b"]


def kept(rows=ROWS, labels=LABELS):
    documents = Documents(as_label_targets(labels).multilabel)
    documents.add(as_rows(np.array(rows)), as_label_targets(labels))
    return documents


def dense(documents, width=4):
    return documents.rows(width).matrix.toarray().tolist()


def labels_of(documents):
    targets = documents.targets()
    ends = zip(targets.starts[:-1], targets.starts[1:], strict=True)
    return [targets.classes[targets.codes[start:end]].tolist() for start, end in ends]


def test_what_was_added_is_there():
    documents = kept()
    documents.add(as_rows(np.array([[0, 0, 0, 0, 5]])), as_label_targets(["c"]))
    assert len(documents) == 5
    assert dense(documents, 5) == [[*row, 0] for row in ROWS] + [[0, 0, 0, 0, 5]]
    assert labels_of(documents) == [["a"], ["b"], ["a"], ["b"], ["c"]]


def test_counts_take_as_few_bytes_as_they_need():
    assert kept([[1, 200]], ["a"])._joined().counts.dtype == np.uint8
    assert kept()._joined().counts.dtype == np.uint32


def test_documents_are_told_apart_by_counts_and_labels():
    documents = kept()
    one = as_rows(np.array([[1, 0, 3, 0]]))
    assert documents.find(one, as_label_targets(["b"])) == [(0, 3)]
    for rows, labels in [([[1, 0, 3, 0]], ["c"]), ([[1, 0, 2, 0]], ["a"]), ([[1, 0, 3, 0]] * 2, ["a", "a"])]:
        with pytest.raises(LookupError):
            documents.find(as_rows(np.array(rows)), as_label_targets(labels))
    documents.remove(documents.find(one, as_label_targets(["a"])))
    with pytest.raises(LookupError):
        documents.find(one, as_label_targets(["a"]))
    assert dense(documents) == ROWS[1:]


def test_the_order_of_a_rows_entries_does_not_matter():
    swapped = Rows(np.array([0, 2]), np.array([2, 0], np.int32), np.array([3.0, 1.0]), 4)
    assert kept().find(swapped, as_label_targets(["a"])) == [(0, 0)]


def test_new_numbers_for_columns():
    documents = kept()
    documents.renumber(np.array([3, 0, 1, 2]), 4)
    assert dense(documents) == [[0, 3, 0, 1], [0, 0, 0, 0], [2, 0, 70_000, 0], [0, 3, 0, 1]]
    assert documents.find(as_rows(np.array([[0, 3, 0, 1]])), as_label_targets(["b"])) == [(0, 3)]


def test_joined():
    documents = kept()
    documents.join(kept([[9, 8]], ["z"]), np.array([3, 4], np.uint32), 5)
    assert dense(documents, 5)[-1] == [0, 0, 0, 9, 8]
    assert labels_of(documents)[-1] == ["z"]


def test_lists_of_labels():
    documents = kept(ROWS[:3], [["b", "a"], [], ["b"]])
    assert documents.find(as_rows(np.array(ROWS[:1])), as_label_targets([["a", "b"]])) == [(0, 0)]
    documents.remove([(0, 0)])
    assert documents.targets().classes.tolist() == ["b"]


COUNTS = st.lists(st.lists(st.integers(0, 3), min_size=3, max_size=3), min_size=1, max_size=6)


@settings(max_examples=60, deadline=None)
@given(rows=COUNTS, gone=st.sets(st.integers(0, 5)), stored=st.booleans())
def test_taking_out_leaves_the_others(rows, gone, stored):
    labels = ["ab"[sum(row) % 2] for row in rows]
    documents = kept(rows, labels)
    if stored:
        documents = Documents.restore(documents.store())
    gone = [number for number in sorted(gone) if number < len(rows)]
    if gone:
        some, theirs = [rows[number] for number in gone], [labels[number] for number in gone]
        documents.remove(documents.find(as_rows(np.array(some)), as_label_targets(theirs)))
    left = sorted(
        (row, [label])
        for number, (row, label) in enumerate(zip(rows, labels, strict=True))
        if number not in gone
    )
    assert sorted(zip(dense(documents, 3), labels_of(documents), strict=True)) == left


@pytest.mark.parametrize(
    ("name", "array"),
    [
        ("columns", np.array([0, 9, 1, 3, 0, 2], np.int32)),
        ("columns", np.array([0, -1, 1, 3, 0, 2], np.int32)),
        ("starts", np.array([0, 2, 1, 4, 6])),
        ("label_numbers", np.array([0, 1, 7, 0], np.uint32)),
        ("label_starts", np.array([0, 2, 2, 3, 4])),
    ],
    ids=["column", "negative", "starts", "label", "label_starts"],
)
def test_forged_documents(name, array):
    stored = kept().store()
    forged = Stored(stored.configuration, {**stored.arrays, name: array})
    documents = Documents.restore(forged)
    with pytest.raises(ModelDamagedError):
        documents.check(forged, 4)


def test_the_same_documents_are_stored_as_the_same_arrays():
    rows = as_rows(np.array([[1, 0, 2], [0, 3, 0]]))
    documents = Documents(multilabel=True)
    documents.add(rows, as_label_targets([["밀", "oil"], ["oil"]]))
    before = documents.store()
    more = as_rows(np.array([[70_000, 0, 0]]))  # does not fit the bytes of the others
    documents.add(more, as_label_targets([["금"]]))
    documents.remove(documents.find(more, as_label_targets([["금"]])))
    after = documents.store()
    assert after.configuration == before.configuration
    assert after.arrays.keys() == before.arrays.keys()
    for name, array in before.arrays.items():
        assert after.arrays[name].dtype == array.dtype
        assert after.arrays[name].tobytes() == array.tobytes()
