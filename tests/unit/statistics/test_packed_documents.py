"""Documents that are packed as they come equal documents that were added at once."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import examples
from textbayes.counts import Rows, as_rows
from textbayes.errors import LabelsError
from textbayes.persistence import Stored
from textbayes.statistics import Documents, LabelledRows, PackedDocuments, as_label_targets

LABELS = st.sampled_from([["b"], ["a"], ["밀"]])
LISTS = st.lists(st.sampled_from([3, 1, 2]), unique=True, max_size=3)
COUNTS = st.lists(st.sampled_from([0, 0, 1, 2, 300, 70_000]), min_size=5, max_size=5)


def labelled(rows, labels):
    rows = as_rows(np.array(rows, dtype=np.int64).reshape(-1, 5))
    rows = Rows(rows.starts, rows.columns, rows.values.astype(np.float64), rows.width)
    single = all(len(own) == 1 and isinstance(own[0], str) for own in labels)
    return LabelledRows(rows, as_label_targets([own[0] for own in labels] if single else labels))


def same_stored(one: Stored, other: Stored):
    return (
        one.configuration == other.configuration
        and one.arrays.keys() == other.arrays.keys()
        and all(np.array_equal(array, other.arrays[name]) for name, array in one.arrays.items())
    )


@pytest.mark.parametrize("labels", [LABELS, LISTS], ids=["one label", "lists"])
@given(data=st.data())
@settings(deadline=None, max_examples=examples(60))
def test_any_batches(labels, data):
    documents = data.draw(st.lists(st.tuples(COUNTS, labels), min_size=1, max_size=12))
    size = data.draw(st.integers(1, 5))
    packed = PackedDocuments()
    kind = data.draw(st.sampled_from(["as they are", "renumbered"]))
    at_once = labelled(*zip(*documents, strict=True))
    for start in range(0, len(documents), size):
        some = documents[start : start + size]
        part = labelled(*zip(*some, strict=True))
        # A batch of lists that are all empty, or of one label each, is still one of lists.
        targets = at_once.targets.take(np.arange(start, start + len(some))).of_used_classes()
        packed.add(LabelledRows(part.rows, targets))
    expected = Documents(at_once.targets.multilabel)
    expected.add(at_once)
    expected.drop_unused_classes()
    if kind == "renumbered":
        column_of = np.array([4, 2, 0, 1, 3])
        packed.renumber(column_of, 5)
        expected.renumber(column_of, 5)
    found = packed.documents(5)
    assert len(packed) == len(found) == len(documents)
    assert same_stored(found.store(), expected.store())
    blocks = list(found.blocks(size=data.draw(st.integers(1, 20))))
    everything = LabelledRows.joined(blocks)
    assert everything.rows.matrix.toarray().tolist() == expected.labelled().rows.matrix.toarray().tolist()
    assert everything.targets.label_lists() == expected.labelled().targets.label_lists()


def test_documents_can_be_changed_like_others(tmp_path):
    packed = PackedDocuments(tmp_path)
    packed.add(labelled([[1, 0, 2, 0, 0], [0, 0, 0, 0, 1]], [["b"], ["a"]]))
    documents = packed.documents(5)
    documents.add(labelled([[0, 3, 0, 0, 0]], [["c"]]))
    documents.remove(documents.find(labelled([[0, 0, 0, 0, 1]], [["a"]])))
    found = documents.labelled()
    rows = found.rows.matrix.toarray().tolist()
    assert sorted(zip(rows, found.targets.label_lists(), strict=True)) == [
        ([0, 3, 0, 0, 0], ["c"]),
        ([1, 0, 2, 0, 0], ["b"]),
    ]


def test_labels_of_two_kinds():
    packed = PackedDocuments()
    packed.add(labelled([[1, 0, 2, 0, 0]], [["b"]]))
    with pytest.raises(LabelsError):
        packed.add(labelled([[1, 0, 2, 0, 0]], [["b", "c"]]))
