"""Documents: added, found by content, removed, renumbered, joined, stored."""

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from examples import examples
from textbayes.counts import Rows, as_rows
from textbayes.errors import LabelsError, ModelDamagedError, NotLearnedError
from textbayes.persistence import Stored
from textbayes.statistics import Documents, LabelledRows, as_label_targets, as_targets

ROWS = [[1, 0, 3, 0], [0, 0, 0, 0], [0, 2, 0, 70_000], [1, 0, 3, 0]]
LABELS = ["a", "b", "a", "b"]
REAL = [[0.5, 0, 2], [0, 3, 0], [0.5, 0, 2], [0, 0, 0]]
SCRIPTS = ["밀", "oil", "밀", "🌾"]


@pytest.fixture(autouse=True)
def in_the_order_given(monkeypatch):
    """Keep documents as they come, so that bytes and places are known: see test_document_order.py."""
    monkeypatch.setattr("textbayes.statistics.document_batch.in_order", lambda documents, _: documents)


def labelled(rows=ROWS, labels=LABELS, weights=None):
    counts = rows if isinstance(rows, Rows) else as_rows(np.array(rows))
    return LabelledRows(counts, as_label_targets(labels), None if weights is None else np.array(weights))


def kept(rows=ROWS, labels=LABELS, weights=None):
    added = labelled(rows, labels, weights)
    documents = Documents(added.targets.multilabel)
    documents.add(added)
    return documents


def dense(documents, width=None):
    return documents.labelled(width).rows.matrix.toarray().tolist()


def labels_of(documents):
    return documents.targets.label_lists()


def shown(documents):
    found = documents.labelled()
    return dense(documents), labels_of(documents), found.sample_weight.tolist()


# Adding.


def test_added_documents_are_there():
    documents = kept()
    documents.add(labelled([[0, 0, 0, 0, 5]], ["c"]))
    assert len(documents) == 5
    assert dense(documents, 5) == [[*row, 0] for row in ROWS] + [[0, 0, 0, 0, 5]]
    assert labels_of(documents) == [["a"], ["b"], ["a"], ["b"], ["c"]]


def test_several_batches_are_as_one():
    one = kept(REAL[:1], SCRIPTS[:1])
    one.join(kept(REAL[1:], SCRIPTS[1:]))
    assert shown(one) == shown(kept(REAL, SCRIPTS))
    wide = kept(REAL[:1], SCRIPTS[:1])
    wide.add(labelled([[0.0, 0, 0, 7]], ["gold"]))
    assert dense(wide) == [[0.5, 0, 2, 0], [0, 0, 0, 7]]
    assert wide.targets.classes.tolist() == ["gold", "밀"]


def test_counts_take_as_few_bytes_as_they_need():
    assert len(kept([[1, 200]], ["a"]).store().arrays["entries"]) == 1 + 1 + 2
    assert len(kept().store().arrays["entries"]) == 3 + (2 + 4) + 3
    assert kept(REAL, SCRIPTS).store().arrays["counts"].dtype == np.float64


def test_a_label_takes_as_few_bytes_as_the_classes_need():
    for classes, width in [(2, 1), (256, 1), (257, 2), (65_537, 4)]:
        stored = kept([[1]] * classes, list(range(classes))).store()
        assert stored.arrays["label_numbers"].nbytes == width * classes
        assert set(stored.arrays) == {"row_index", "entries", "label_numbers", "labels/labels"}
        assert labels_of(Documents.restore(stored, 1)) == [[label] for label in range(classes)]
    several = kept(ROWS, [["a"], [], ["b"], ["a", "b"]]).store()
    assert several.arrays["label_counts"].tolist() == [1, 0, 1, 2]
    assert several.arrays["label_counts"].dtype == np.uint8


@pytest.mark.parametrize("values", [[0.5, 3.0], [2.0**40, 1.0], [7, 2**40], [0, 255], [1.0, 0.0]], ids=str)
def test_values_of_every_kind_come_back(values):
    added = labelled([values, values[::-1]], ["a", "b"])
    documents = kept(added.rows, ["a", "b"])
    for found in (documents, Documents.restore(documents.store(), 2)):
        rows = found.labelled().rows
        assert rows.values.dtype == added.rows.values.dtype
        assert rows.matrix.toarray().tolist() == [values, values[::-1]]


def test_whole_counts_beside_real_values_are_real():
    documents = kept([[1, 200]], ["a"])
    assert documents.labelled().rows.values.dtype == np.int64
    documents.add(labelled([[0.5, 0.0]], ["a"]))
    assert documents.labelled().rows.values.dtype == np.float64
    assert dense(documents) == [[1, 200], [0.5, 0]]


def test_nothing_is_an_empty_batch():
    for multilabel in (False, True):
        nothing = Documents(multilabel)
        assert len(nothing) == len(nothing.labelled()) == 0
        assert nothing.targets.multilabel is multilabel
        assert len(Documents.restore(nothing.store(), 4)) == 0
        nothing.join(Documents(multilabel))
        nothing.add(labelled(ROWS[:1], [["a"]] if multilabel else ["a"]))
        assert dense(nothing) == ROWS[:1]


def test_labels_of_another_type_are_refused():
    documents = kept()
    with pytest.raises(LabelsError, match="has learned strings"):
        documents.add(labelled(ROWS[:1], [1]))
    assert shown(documents) == shown(kept())
    several = kept(ROWS[:1], [[]])
    several.add(labelled(ROWS[:1], [["a"]]))
    with pytest.raises(LabelsError, match="has learned strings"):
        several.add(labelled(ROWS[:1], [[1]]))


def test_a_document_without_labels_leaves_their_type():
    documents = kept(ROWS[:2], [[1, 2], [2]])
    documents.add(labelled(ROWS[2:3], [[]]))
    documents.add(labelled(ROWS[3:], [[3]]))
    assert documents.targets.classes.tolist() == [1, 2, 3]
    assert labels_of(documents) == [[1, 2], [2], [], [3]]


# Finding and removing.


def test_documents_are_told_apart_by_counts_and_labels():
    documents = kept()
    one = ROWS[:1]
    assert documents.find(labelled(one, ["b"])) == [(0, 3)]
    for rows, labels in [(one, ["c"]), ([[1, 0, 2, 0]], ["a"]), (one * 2, ["a", "a"])]:
        with pytest.raises(LookupError):
            documents.find(labelled(rows, labels))
    documents.remove(documents.find(labelled(one, ["a"])))
    with pytest.raises(LookupError):
        documents.find(labelled(one, ["a"]))
    assert dense(documents) == ROWS[1:]


def test_the_order_of_entries_and_labels_does_not_matter():
    swapped = Rows(np.array([0, 2]), np.array([2, 0], np.int32), np.array([3.0, 1.0]), 4)
    assert kept().find(labelled(swapped, ["a"])) == [(0, 0)]
    assert kept(swapped, ["a"]).find(labelled(ROWS[:1], ["a"])) == [(0, 0)]
    several = kept(ROWS[:3], [["b", "a"], [], ["b"]])
    assert several.find(labelled(ROWS[:1], [["a", "b"]])) == [(0, 0)]
    assert several.find(labelled(ROWS[:1], [["b", "a"]])) == [(0, 0)]


def test_entries_keep_their_order_until_they_are_stored():
    swapped = Rows(np.array([0, 2]), np.array([2, 0], np.int32), np.array([3.0, 1.0]), 4)
    documents = kept(swapped, ["a"])
    assert documents.labelled().rows.columns.tolist() == [2, 0]
    rows = Documents.restore(documents.store(), 4).labelled().rows
    assert rows.columns.tolist() == [0, 2]
    assert rows.values.tolist() == [1, 3]


def test_zeros_and_the_type_of_counts_do_not_matter():
    zeros = Rows(np.array([0, 3]), np.array([0, 1, 2], np.int32), np.array([1, 0, 3]), 4)
    assert kept().find(labelled(zeros, ["a"])) == [(0, 0)]
    assert kept(zeros, ["a"]).find(labelled([[1.0, 0, 3.0, 0]], ["a"])) == [(0, 0)]


def test_of_equal_documents_the_last_goes_first():
    documents = kept()
    documents.add(labelled(ROWS[:1], ["a"]))
    documents.remove(documents.find(labelled(ROWS[:1], ["a"])))
    assert shown(documents) == shown(kept())
    both = kept()
    both.add(labelled(ROWS[:1], ["a"]))
    assert both.find(labelled(ROWS[:1] * 2, ["a", "a"])) == [(0, 4), (0, 0)]


def test_a_removed_document_is_gone_once():
    documents, one = kept(REAL, SCRIPTS), labelled(REAL[:1], ["밀"])
    documents.remove(documents.find_learned(one))
    assert labels_of(documents).count(["밀"]) == 1
    documents.remove(documents.find_learned(one))
    before = shown(documents)
    with pytest.raises(NotLearnedError, match="밀"):
        documents.find_learned(one)
    for wrong in (([[0, 6, 0]], ["oil"]), (REAL[1:2], ["gold"]), ([[0, 0, 0]], ["oil"])):
        with pytest.raises(NotLearnedError):
            documents.find_learned(labelled(*wrong))
    assert shown(documents) == before


def test_the_error_has_the_position():
    given_ = labelled([*ROWS[:2], [9, 9, 9, 9]], ["a", "b", "a"], [1.0, 0.0, 1.0])
    with pytest.raises(LookupError) as caught:
        kept().find(given_)
    assert caught.value.args == (2,)


def test_weights_are_part_of_a_document():
    documents = kept(REAL, SCRIPTS, [1.0, 2.0, 0.0, 0.5])
    assert documents.weights.tolist() == [1.0, 2.0, 0.5]  # of weight 0: as if it were not there
    with pytest.raises(NotLearnedError):
        documents.find_learned(labelled(REAL[1:2], ["oil"]))
    documents.remove(documents.find_learned(labelled(REAL[1:3], ["oil", "밀"], [2.0, 0.0])))
    assert labels_of(documents) == [["밀"], ["🌾"]]
    documents.remove(documents.find_learned(labelled(REAL[3:], ["🌾"], [0.5])))
    assert documents.weights is None
    assert documents.find(labelled(REAL[:1], ["밀"])) == documents.find(labelled(REAL[:1], ["밀"], [1.0]))


def test_lists_of_labels():
    documents = kept(ROWS[:3], [["b", "a"], [], ["b"]])
    documents.remove([(0, 0)])
    assert labels_of(documents) == [[], ["b"]]
    assert documents.targets.classes.tolist() == ["a", "b"]
    documents.drop_unused_classes()
    assert documents.targets.classes.tolist() == ["b"]
    assert labels_of(documents) == [[], ["b"]]


def test_indicators_keep_their_columns():
    indicator = np.array([[1, 0, 1], [0, 0, 0]])
    documents = Documents(multilabel=True)
    documents.add(LabelledRows(as_rows(np.array(REAL[:2])), as_targets(indicator)))
    assert documents.targets.labels().toarray().tolist() == indicator.tolist()
    documents.remove(documents.find(LabelledRows(as_rows(np.array(REAL[1:2])), as_targets(indicator[1:]))))
    assert documents.targets.labels().toarray().tolist() == [[1, 0, 1]]
    restored = Documents.restore(documents.store(), 3)
    assert restored.targets.labels().toarray().tolist() == [[1, 0, 1]]


COUNTS = st.lists(st.lists(st.sampled_from([0, 1, 3, 0.5]), min_size=3, max_size=3), min_size=1, max_size=6)


@settings(max_examples=examples(60), deadline=None)
@given(rows=COUNTS, gone=st.sets(st.integers(0, 5)), stored=st.booleans())
def test_removing_leaves_the_others(rows, gone, stored):
    labels = ["ab"[int(2 * sum(row)) % 2] for row in rows]
    documents = kept(rows, labels)
    if stored:
        documents = Documents.restore(documents.store(), 3)
    gone = [number for number in sorted(gone) if number < len(rows)]
    if gone:
        some, theirs = [rows[number] for number in gone], [labels[number] for number in gone]
        documents.remove(documents.find(labelled(some, theirs)))
    left = sorted(
        (row, [label])
        for number, (row, label) in enumerate(zip(rows, labels, strict=True))
        if number not in gone
    )
    assert sorted(zip(dense(documents, 3), labels_of(documents), strict=True)) == left


# Other columns, others' documents, copies.


def test_columns_with_other_numbers():
    documents = kept()
    documents.renumber(np.array([3, 0, 1, 2]), 4)
    assert dense(documents) == [[0, 3, 0, 1], [0, 0, 0, 0], [2, 0, 70_000, 0], [0, 3, 0, 1]]
    assert documents.find(labelled([[0, 3, 0, 1]], ["b"])) == [(0, 3)]
    real = kept(REAL, SCRIPTS)
    real.renumber(np.array([1, 0, 2]), 3)
    assert dense(real) == [[0, 0.5, 2], [3, 0, 0], [0, 0.5, 2], [0, 0, 0]]


def test_joined():
    documents = kept()
    documents.join(kept([[9, 8]], ["z"]), np.array([4, 3], np.uint32), 5)
    assert dense(documents, 5)[-1] == [0, 0, 0, 8, 9]
    assert labels_of(documents)[-1] == ["z"]
    assert documents.find(labelled([[0, 0, 0, 8, 9]], ["z"])) == [(0, 4)]
    documents.join(kept([[1]], ["z"], [2.5]))
    assert documents.weights.tolist() == [1, 1, 1, 1, 1, 2.5]


@pytest.mark.parametrize(
    "copied", [Documents.copy, copy.deepcopy, lambda documents: pickle.loads(pickle.dumps(documents))]
)
def test_copies_change_on_their_own(copied):
    documents = kept()
    documents.find(labelled(ROWS[:1], ["a"]))  # makes the index
    twin = copied(documents)
    twin.remove(twin.find(labelled()))
    assert len(twin.labelled()) == 0
    assert shown(documents) == shown(kept())
    twin.add(labelled([[7, 7, 7, 7]], ["c"]))
    assert shown(documents) == shown(kept())
    documents.remove(documents.find(labelled()))
    assert dense(twin) == [[7, 7, 7, 7]]


# In a model file.


@pytest.mark.parametrize("weights", [None, [1.0, 2.0, 0.25, 1.0]], ids=["once", "weights"])
@pytest.mark.parametrize("labels", [SCRIPTS, [["밀", "oil"], [], ["밀"], ["🌾"]]], ids=["labels", "lists"])
@pytest.mark.parametrize("rows", [ROWS, REAL], ids=["whole", "real"])
def test_stored_and_restored(rows, labels, weights):
    documents = kept(rows, labels, weights)
    twin = Documents.restore(documents.store(), 4)
    assert twin.labelled(9).rows.width == 9
    assert dense(twin, 4) == dense(documents, 4)
    assert shown(twin)[1:] == shown(documents)[1:]
    assert len(twin) == 4
    for either in (documents, twin):
        either.add(labelled([[5, 0, 0]], [["gold"]] if documents.multilabel else ["gold"]))
        place = either.find(labelled(rows[:1], labels[:1], None if weights is None else weights[:1]))
        either.remove(place)
    assert dense(twin, 4) == dense(documents, 4)
    assert shown(twin)[1:] == shown(documents)[1:]


def test_the_same_documents_are_stored_as_the_same_arrays():
    documents = kept([[1, 0, 2], [0, 3, 0]], [["밀", "oil"], ["oil"]])
    before = documents.store()
    more = labelled([[70_000, 0, 0]], [["금"]])  # does not fit the bytes of the others
    documents.add(more)
    documents.remove(documents.find(more))
    documents.drop_unused_classes()
    after = documents.store()
    assert after.configuration == before.configuration
    assert after.arrays.keys() == before.arrays.keys()
    for name, array in before.arrays.items():
        assert after.arrays[name].dtype == array.dtype
        assert after.arrays[name].tobytes() == array.tobytes()


HALVES = [[0.5 if count == 1 else count for count in row] for row in ROWS]
FORGED = [
    ("columns", np.array([0, 9, 1, 3, 0, 2], np.int32)),
    ("columns", np.array([0, -1, 1, 3, 0, 2], np.int32)),
    ("columns", np.array([2, 0, 1, 3, 0, 2], np.int32)),
    ("starts", np.array([0, 2, 1, 4, 6])),
    ("counts", np.array([1.0, 3, 2, np.inf, 1, 3])),
    ("counts", np.array([1.0, 3, 2, -1, 1, 3])),
    ("row_index", np.array([2, 1, 0, 0, 2, 4, 2, 2], np.uint8)),
    ("row_index", np.array([2, 1, 0, 0, 2, 4, 1, 2], np.uint8)),
    ("row_index", np.array([2, 1, 0, 0, 2, 4, 2, 1, 0x80], np.uint8)),
    ("entries", np.array([0, 3, 3, 3, 2, 3, 0xF0, 0xA2, 4, 0, 3], np.uint8)),
    ("entries", np.array([0, 3, 3, 5, 2, 3, 0xF0, 0xA2, 4, 0, 3, 3], np.uint8)),
    ("entries", np.array([0, 3, 3, 3, 2, 3, 0xF0, 0xA2, 0, 0, 3, 3], np.uint8)),
    ("entries", np.array([0, 3, 1, 3, 2, 3, 0xF0, 0xA2, 4, 0, 3, 3], np.uint8)),
]
FORGED_LABELS = [
    ("label_numbers", np.array([0, 1, 7, 0], np.uint32)),
    ("label_starts", np.array([0, 2, 2, 3, 4])),
    ("label_numbers", np.array([0, 1, 7, 0], np.uint8)),
    ("weights", np.array([1.0, 0.0, 1.0, 1.0])),
    ("weights", np.array([1.0, np.nan, 1.0, 1.0])),
]


def test_forgeries_start_from_valid_arrays():
    arrays = kept().store().arrays
    assert arrays["row_index"].tolist() == [2, 1, 0, 0, 2, 4, 2, 1]
    assert arrays["entries"].tolist() == [0, 3, 3, 3, 2, 3, 0xF0, 0xA2, 4, 0, 3, 3]
    assert kept(HALVES).store().arrays["columns"].tolist() == [0, 2, 1, 3, 0, 2]


def forged(name, array):
    stored = kept(ROWS if name in ("row_index", "entries") else HALVES).store()
    assert name in {*stored.arrays, "label_starts", "weights"}
    return Documents.restore(Stored(stored.configuration, {**stored.arrays, name: array}), 4)


@pytest.mark.parametrize(("name", "array"), FORGED + FORGED_LABELS, ids=str)
@pytest.mark.parametrize(
    "use",
    [
        Documents.labelled,
        Documents.store,
        lambda documents: documents.add(labelled(ROWS[:1], ["a"])),
        lambda documents: documents.find(labelled(ROWS[:1], ["a"])),
        lambda documents: documents.renumber(np.arange(4), 4),
        lambda documents: kept().join(documents),
    ],
    ids=["labelled", "store", "add", "find", "renumber", "join"],
)
def test_forged_documents_are_refused_before_use(name, array, use):
    documents = forged(name, array)
    for either in (documents, documents.copy(), documents):  # not only the first time
        with pytest.raises(ModelDamagedError):
            use(either)


@pytest.mark.parametrize(("name", "array"), FORGED, ids=str)
def test_labels_are_read_without_the_entries(name, array):
    documents = forged(name, array)
    assert labels_of(documents) == [[label] for label in LABELS]
    assert documents.weights is None


@pytest.mark.parametrize(("name", "array"), FORGED_LABELS, ids=str)
def test_forged_labels(name, array):
    for use in (lambda one: one.targets, lambda one: one.weights, Documents.drop_unused_classes):
        with pytest.raises(ModelDamagedError):
            use(forged(name, array))


def test_a_label_twice():
    stored = kept(ROWS[:1], [["a", "b"]]).store()
    twice = Stored(stored.configuration, {**stored.arrays, "label_numbers": np.zeros(2, np.uint32)})
    with pytest.raises(ModelDamagedError, match="twice"):
        Documents.restore(twice, 4).targets  # noqa: B018


def test_counts_of_labels_that_do_not_fit():
    stored = kept(ROWS[:2], [["a", "b"], ["a"]]).store()
    for counts in ([2, 2], [3, 1], [2], [2, 1, 0]):
        changed = {**stored.arrays, "label_counts": np.array(counts, np.uint8)}
        with pytest.raises(ModelDamagedError):
            Documents.restore(Stored(stored.configuration, changed), 4).labelled()


def test_documents_of_format_1_are_three_arrays():
    stored, (starts, columns) = (
        kept().store(),
        (np.array([0, 2, 2, 4, 6]), np.array([0, 2, 1, 3, 0, 2], np.int32)),
    )
    labels = {name: array for name, array in stored.arrays.items() if name.startswith("label")}
    labels |= {"label_starts": np.arange(5), "label_numbers": labels["label_numbers"].astype(np.uint32)}
    counts = np.array([1, 3, 2, 70_000, 1, 3], np.uint32)
    old = Stored(stored.configuration, {**labels, "starts": starts, "columns": columns, "counts": counts})
    assert shown(Documents.restore(old, 4)) == shown(kept())
    counts = np.array([1, 3, 2, 70, 1, 3], np.uint8)
    small = Documents.restore(Stored(old.configuration, {**old.arrays, "counts": counts}), 4)
    assert dense(small)[2] == [0, 2, 0, 70]


def test_entries_are_read_when_they_are_needed():
    documents = Documents.restore(kept().store(), 4)
    documents._unread_entries.arrays.clear()
    assert len(documents) == 4
    assert labels_of(documents.copy()) == [[label] for label in LABELS]
    documents.drop_unused_classes()
    with pytest.raises((ModelDamagedError, KeyError)):
        documents.labelled()


@pytest.mark.parametrize(
    "change",
    [
        {"row_index": np.zeros(8, np.uint16)},
        {"row_index": np.array([2, 1, 0, 0, 2, 4, 2], np.uint8)},
        {"row_index": np.array([2, 1, 2, 4, 2, 1], np.uint8)},
        {"entries": np.zeros(12)},
    ],
    ids=lambda change: "-".join(change),
)
def test_packed_arrays_that_do_not_fit_are_refused_at_once(change):
    stored = kept().store()
    with pytest.raises(ModelDamagedError):
        Documents.restore(Stored(stored.configuration, {**stored.arrays, **change}), 4)


@pytest.mark.parametrize(
    "change",
    [
        {"counts": np.zeros(3, np.uint8)},
        {"counts": np.zeros(6, np.int64)},
        {"starts": np.zeros(0, np.int64)},
        {"starts": np.array([0, 6])},
        {"weights": np.ones(3)},
        {"labels/labels_ends": np.array([1, 1])},
    ],
    ids=lambda change: "-".join(change),
)
def test_arrays_that_do_not_fit_are_refused_at_once(change):
    stored = kept(HALVES).store()
    with pytest.raises(ModelDamagedError):
        Documents.restore(Stored(stored.configuration, {**stored.arrays, **change}), 4)


def test_values_of_no_known_kind():
    stored = kept().store()
    with pytest.raises(ModelDamagedError, match="kind of counts"):
        Documents.restore(Stored({**stored.configuration, "values": "odd"}, stored.arrays), 4)


def test_entries_of_a_file_are_not_copied():
    stored = kept(np.array(REAL), SCRIPTS).store()
    rows = Documents.restore(stored, 3).labelled().rows
    assert rows.values is stored.arrays["counts"]
    assert rows.columns is stored.arrays["columns"]


def test_a_matrix_with_unsorted_indices():
    matrix = sparse.csr_matrix((np.array([3, 1]), np.array([2, 0]), np.array([0, 2])), shape=(1, 4))
    assert kept().find(LabelledRows(as_rows(matrix), as_label_targets(["a"]))) == [(0, 0)]
