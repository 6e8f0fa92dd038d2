"""The sums themselves, against sums by hand."""

import mmap
import pickle

import numpy as np
import pytest
from scipy import sparse

from reference import multilabel
from reference.variants import documents
from textbayes._native import Statistics
from textbayes.counts import Rows, as_rows
from textbayes.errors import LabelsError, NotLearnedError
from textbayes.statistics import ClassStatistics, LabelledRows, LengthStatistics, as_label_targets, as_targets


def summed(X, y, weights=None, kind=ClassStatistics):
    targets = as_targets(y)
    statistics = kind(X.shape[1], targets.multilabel)
    statistics.add(LabelledRows(as_rows(X), targets, weights))
    return statistics


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("several", [False, True])
def test_the_sums_by_hand(weighted, several):
    X, y = documents(40, 12, 4, multilabel=several)
    weights = np.arange(40) % 4 + 1.0 if weighted else None
    dense = X.toarray()
    Y = y if several else np.array(multilabel.indicator(list(y))[1])
    found = summed(X, y, weights)
    order = found.order
    assert found.class_documents[order].tolist() == multilabel.class_documents(dense, Y, weights)
    assert found.documents == multilabel.all_documents(dense, weights)
    assert found.term_values.tolist() == multilabel.all_counts(dense, weights)
    assert found.term_documents.tolist() == multilabel.document_frequencies(dense, weights)
    assert found.values == np.sum(multilabel.all_counts(dense, weights))
    table, having = np.zeros((2, len(order), 12))
    terms, slots, values, documents_with = found.sums.pairs()
    table[slots, terms], having[slots, terms] = values, documents_with
    assert table[order].tolist() == multilabel.class_counts(dense, Y, weights)
    assert having[order].tolist() == multilabel.class_document_frequencies(dense, Y, weights)
    assert found.class_values[order].tolist() == table[order].sum(axis=1).tolist()


def test_pairs_are_those_seen():
    found = summed(sparse.csr_matrix([[1, 0, 0], [0, 0, 2]]), ["a", "b"])
    assert len(found.sums) == 2
    assert found.sums.pairs()[0].tolist() == [0, 2]


def test_a_copy_goes_its_own_way():
    X, y = documents(20, 8, 3)
    for kind in (ClassStatistics, LengthStatistics):
        found = summed(X, y, kind=kind)
        twin = found.copy()
        twin.subtract(LabelledRows(as_rows(X[:5]), as_targets(y[:5])))
        assert found.documents == 20
        assert twin.documents == 15
        again = pickle.loads(pickle.dumps(found))
        assert all(np.array_equal(a, b) for a, b in zip(again.sums.pairs(), found.sums.pairs(), strict=True))


def test_lengths_sum_to_the_whole():
    X, y = documents(40, 12, 4, multilabel=True)
    found = summed(X, y, kind=LengthStatistics)
    slots, lengths, documents_of, values = found.classes_by_length()
    assert (np.diff(slots) >= 0).all()
    everything = slots == 4
    assert documents_of[everything].sum() == 40
    assert np.array_equal(np.asarray(values[everything].sum(axis=0)).ravel(), found.term_values)
    assert set(lengths[everything]) == set(np.asarray(X.sum(axis=1)).ravel())
    for slot in range(4):
        assert documents_of[slots == slot].sum() == found.class_documents[slot]


def test_kinds_of_labels_do_not_meet():
    X, y = documents(10, 5, 2)
    found = summed(X, y)
    with pytest.raises(LabelsError, match="label indicators, and the model has learned"):
        found.add(LabelledRows(as_rows(X), as_targets(np.ones((10, 2), dtype=int))))
    with pytest.raises(LabelsError, match="label indicators, and the model has learned"):
        found.merge(summed(X, np.ones((10, 2), dtype=int)))


def test_the_error_names_class_and_column():
    found = summed(sparse.csr_matrix([[2, 1], [2, 1]]), ["밀", "밀"])
    with pytest.raises(NotLearnedError, match="class '밀' has less of column 0"):
        found.subtract(LabelledRows(as_rows(np.array([[5.0, 0.0]])), as_targets(["밀"])))


def test_one_document_is_not_forgotten_as_two():
    # Every count of the two is there, but the class has only one document.
    found = summed(sparse.csr_matrix([[1, 1, 0], [0, 0, 1], [0, 0, 1]]), ["밀", "oil", "oil"])
    before = found.class_documents.tolist(), found.class_values.tolist()
    with pytest.raises(NotLearnedError, match="밀"):
        found.subtract(LabelledRows(as_rows(np.array([[1, 0, 0], [0, 1, 0]])), as_targets(["밀", "밀"])))
    assert (found.class_documents.tolist(), found.class_values.tolist()) == before


def test_the_core_refuses_arrays_that_do_not_fit():
    statistics = Statistics(3)
    statistics.grow(3, 2)
    ints, columns = np.array([0, 1], dtype=np.int64), np.array([1], dtype=np.int32)
    ones, zero = np.ones(1), np.zeros(1, dtype=np.uint32)
    bad = [
        (ints, columns + 5, ones, ints, zero, None),
        (ints, columns - 2, ones, ints, zero, None),
        (ints[::-1].copy(), columns, ones, ints, zero, None),
        (ints * 9, columns, ones, ints, zero, None),
        (ints, columns, ones, ints, zero + 2, None),
        (ints, columns, ones, ints[:1], zero, None),
        (ints, columns, ones, ints * 4, zero, None),
        (ints, columns, ones, ints, zero, np.ones(2)),
    ]
    for starts, columns, values, label_starts, slots, weights in bad:
        given = Rows(starts, columns, values, 3), (label_starts, slots), weights
        for method in (statistics.add, statistics.subtract):
            with pytest.raises(ValueError, match=r"sound|fit"):
                method(given)
    assert statistics.all() == (0.0, 0.0, 0)


def test_the_core_refuses_a_state_that_does_not_fit():
    X, y = documents(20, 8, 3, real=True)
    state = summed(X, y).sums.state()
    assert Statistics.from_state(dict(state)).all() == summed(X, y).sums.all()
    for name, array in state.items():
        if len(array):
            with pytest.raises(ValueError, match="fit"):
                Statistics.from_state({**state, name: array[:-1].copy()})
    for name in ("pair_starts", "pair_classes"):
        with pytest.raises(ValueError, match="fit"):
            Statistics.from_state({**state, name: state[name] + state[name].dtype.type(2**31)})
    with pytest.raises(KeyError):
        Statistics.from_state({})


def read_only(array):
    array.flags.writeable = False
    return array


def own_array(array):
    """An array that owns its memory, read-only for now."""
    return read_only(array.copy()), lambda shared: shared.setflags(write=True) or shared.fill(7)


def view_of_array(array):
    """A read-only view of an array that can be written to."""
    base = array.copy()
    return read_only(base[:]), lambda _: base.fill(7)


def view_of_view(array):
    base = array.copy()
    return read_only(read_only(base[:])[:]), lambda _: base.fill(7)


def view_of_bytearray(array):
    memory = bytearray(array.tobytes())
    shared = np.frombuffer(memoryview(memory).toreadonly(), array.dtype)
    return shared, lambda _: np.frombuffer(memory, np.uint8).fill(7)


def view_of_copied_map(array):
    memory = mmap.mmap(-1, max(array.nbytes, 1), access=mmap.ACCESS_COPY)
    memory[: array.nbytes] = array.tobytes()
    shared = np.frombuffer(memoryview(memory)[: array.nbytes].toreadonly(), array.dtype)
    return shared, lambda _: np.frombuffer(memory, np.uint8).fill(7)


@pytest.mark.parametrize(
    "made", [own_array, view_of_array, view_of_view, view_of_bytearray, view_of_copied_map]
)
def test_arrays_that_somebody_can_write_to_are_copied(made):
    X, y = documents(20, 8, 3, real=True)
    state = summed(X, y).sums.state()
    shared = {name: made(array) for name, array in state.items()}
    found = Statistics.from_state({name: array for name, (array, _) in shared.items()}, "a file")
    for array, write in shared.values():
        write(array)
    again = found.state()
    assert all(np.array_equal(again[name], array) for name, array in state.items())
    found.add((as_rows(X), (np.arange(21), np.zeros(20, dtype=np.uint32)), None))
    assert found.all()[2] == 40


def test_arrays_of_a_file_mapped_for_reading_are_shared(tmp_path):
    X, y = documents(20, 8, 3, real=True)
    state = summed(X, y).sums.state()
    shared, maps = {}, {}
    for name, array in state.items():
        (tmp_path / name).write_bytes(array.tobytes() or bytes(8))
        with open(tmp_path / name, "rb") as file:
            maps[name] = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        shared[name] = np.frombuffer(maps[name], array.dtype)[: len(array)]
    found = Statistics.from_state(shared, "a file")
    shared.clear()
    with pytest.raises(BufferError):
        maps["pair_values"].close()
    assert all(np.array_equal(found.state()[name], array) for name, array in state.items())
    # Written to, they are copied, and nobody needs the files any more.
    found.add((as_rows(X), (np.arange(21), np.zeros(20, dtype=np.uint32)), None))
    maps["pair_values"].close()


# In order.


@pytest.mark.parametrize("several", [False, True])
@pytest.mark.parametrize("kind", [ClassStatistics, LengthStatistics])
def test_batches_in_order_equal_everything_at_once(kind, several):
    X, y = documents(60, 12, 4, multilabel=several)
    X, columns = X.tocsr(), np.random.default_rng(1).permutation(12).astype(np.uint32)
    names = np.array(["d", "b", "a", "c"])
    labels = [names[row == 1].tolist() for row in y] if several else [label[::-1] for label in y]
    parts = kind(0, several)
    inverse = np.argsort(columns)
    for start in range(0, 60, 7):
        # The columns of the parts have other numbers than those of the whole.
        rows = as_rows(sparse.csr_matrix(X[start : start + 7][:, inverse]))
        parts.add(LabelledRows(rows, as_label_targets(labels[start : start + 7])))
    whole = kind(12, several)
    whole.add(LabelledRows(as_rows(X), as_label_targets(labels)))
    found, expected = parts.in_order(columns).store(), whole.store()
    assert found.configuration == expected.configuration
    assert found.arrays.keys() == expected.arrays.keys()
    for name, array in expected.arrays.items():
        assert found.arrays[name].tobytes() == array.tobytes(), name
    assert parts.in_order(columns).classes.tolist() == whole.classes.tolist()


def test_sums_in_order_can_grow_and_forget():
    X, y = documents(30, 12, 4)
    found = summed(X[:20], y[:20]).in_order(np.arange(12, dtype=np.uint32))
    found.add(LabelledRows(as_rows(X[20:]), as_targets(y[20:])))
    found.subtract(LabelledRows(as_rows(X[:5]), as_targets(y[:5])))
    expected = summed(X[5:], y[5:])
    assert np.array_equal(found.term_values, expected.term_values)
    assert (found.pair_values[found.order] != expected.pair_values[expected.order]).nnz == 0


def test_orders_must_have_everything_once():
    found = summed(*documents(10, 3, 2))
    for columns in ([0, 1], [0, 1, 1], [0, 1, 3]):
        with pytest.raises(ValueError, match="once"):
            found.in_order(np.array(columns, dtype=np.uint32))


def test_documents_without_labels_do_not_change_the_type_of_labels():
    found = ClassStatistics(1, multilabel=True)
    row = as_rows(np.array([[1]]))
    for labels in ([[]], [[3]], [[]], [[1]]):
        found.add(LabelledRows(row, as_label_targets(labels)))
    assert found.classes.tolist() == [1, 3]


def test_labels_alone_of_very_many_classes():
    """A thread for every class would be too many."""
    classes = 200_000
    rows = as_rows(sparse.csr_matrix((classes, 1)))
    labelled = LabelledRows(rows, as_targets(np.arange(classes))).without_entries()
    sums = ClassStatistics(0, multilabel=False)
    sums.add(labelled)
    assert sums.class_documents.sum() == classes
