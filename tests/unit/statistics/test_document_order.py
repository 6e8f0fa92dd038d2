"""Documents are in an order that depends only on their contents."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import examples
from textbayes._native import pack_rows
from textbayes.counts import Rows, as_rows
from textbayes.persistence import Stored
from textbayes.statistics import Documents, LabelledRows, PackedDocuments, as_label_targets
from textbayes.statistics import packed_documents as module
from textbayes.statistics.document_order import OrderColumns, in_order, order_keys

ROWS = [[1, 0, 3], [0, 0, 0], [0, 2, 0], [1, 0, 3], [0, 7, 1]]
LABELS = ["a", "b", "a", "b", "밀"]


def labelled(rows, labels, weights=None):
    counts = rows if isinstance(rows, Rows) else as_rows(np.array(rows))
    return LabelledRows(counts, as_label_targets(labels), None if weights is None else np.array(weights))


def added(*batches):
    documents = Documents(batches[0].targets.multilabel)
    for batch in batches:
        documents.add(batch)
    return documents


def arrays(stored):
    return stored.configuration, {name: array.tobytes() for name, array in stored.arrays.items()}


def test_keys_tell_documents_apart():
    keys = order_keys(labelled(ROWS, LABELS))
    assert len(set(map(tuple, keys.tolist()))) == 5
    assert len(order_keys(labelled(np.empty((0, 3)), []))) == 0
    lists = order_keys(labelled([[1]] * 5, [[], ["a"], ["b"], ["a", "b"], ["a", "c"]]))
    assert len(set(map(tuple, lists.tolist()))) == 5
    weights = order_keys(labelled([[1]] * 3, ["a"] * 3, [1.0, 2.0, 0.5]))
    assert len(set(map(tuple, weights.tolist()))) == 3
    numbers, texts = order_keys(labelled([[1]], [5])), order_keys(labelled([[1]], ["5"]))
    assert numbers.tolist() != texts.tolist()


def test_keys_are_known():
    """They must be the same in every process, on every machine, and in every version: files follow them."""
    keys = order_keys(labelled([[1, 0], [0, 3]], ["a", "밀"], [1.0, 0.5]))
    assert keys.tolist() == [
        [8873853812651464650, 8949032452137329280, 8873853812651464650],
        [2352316479682986933, 8299668603048941318, 2352316479682986933],
    ]


def test_keys_depend_on_contents_only():
    keys = order_keys(labelled(ROWS, LABELS))
    assert np.array_equal(order_keys(labelled(np.array(ROWS, dtype=float), LABELS)), keys)
    assert np.array_equal(order_keys(labelled(ROWS, LABELS, [1.0] * 5)), keys)
    other = labelled([*ROWS, [1, 1, 1]], [*LABELS, "0"])  # all classes have other numbers
    assert np.array_equal(order_keys(other)[:5], keys)
    entries = Rows(np.array([0, 3]), np.array([2, 1, 0], np.int32), np.array([3, 0, 1]), 3)
    assert np.array_equal(order_keys(labelled(entries, ["a"]))[0], keys[0])
    several = [order_keys(labelled([[1]], [labels])) for labels in (["a", "b"], ["b", "a"])]
    assert np.array_equal(*several)


def test_many_documents_are_hashed_in_blocks():
    rows = np.random.default_rng(0).integers(0, 3, (5_000, 20))
    labels = [f"{number % 7}" for number in range(5_000)]
    whole = order_keys(labelled(rows, labels))
    assert np.array_equal(whole[4_000:], order_keys(labelled(rows[4_000:], labels[4_000:])))


@pytest.mark.parametrize("several", [False, True], ids=["label", "lists"])
@settings(max_examples=examples(40), deadline=None)
@given(data=st.data())
def test_documents_are_a_multiset(several, data):
    counts = st.lists(st.sampled_from([0, 1, 2, 0.5]), min_size=3, max_size=3)
    labels = st.sampled_from("abc")
    if several:
        labels = st.lists(labels, max_size=3, unique=True)
    some = data.draw(st.lists(st.tuples(counts, labels, st.sampled_from([1.0, 2.5])), min_size=1, max_size=8))
    other = data.draw(st.permutations(some))
    cut = data.draw(st.integers(0, len(some)))
    extra = data.draw(st.sampled_from(some))

    def batch(items):
        rows, own, weights = zip(*items, strict=True)
        return labelled(list(map(list, rows)), list(own), weights)

    expected = added(batch(some))
    expected.drop_unused_classes()
    for documents in (
        added(batch(other)),
        added(*(batch(part) for part in (other[:cut], other[cut:]) if part)),
        added(batch([extra]), batch(other)),
    ):
        if len(documents) > len(some):
            documents.remove(documents.find(batch([extra])))
        documents.drop_unused_classes()
        assert arrays(documents.store()) == arrays(expected.store())
        assert in_order(found := documents.labelled()) is found
        documents = Documents.restore(documents.store(), 3)
        documents.add(batch([extra]))
        documents.remove(documents.find(batch([extra])))
        assert arrays(documents.store()) == arrays(expected.store())


def test_documents_of_older_files_keep_their_order_until_they_change():
    documents = added(labelled(ROWS, LABELS))
    stored, sorted_ = documents.store(), documents.labelled()
    older = sorted_.take(np.arange(5)[::-1])
    index, entries = pack_rows(older.rows.starts, older.rows.columns, older.rows.values.astype(np.uint32))
    configuration = {name: value for name, value in stored.configuration.items() if name != "ordered"}
    file = Stored(configuration, {**older.targets.store().arrays, "row_index": index, "entries": entries})
    for read in (Documents.restore(file, 3), Documents.restore(Documents.restore(file, 3).store(), 3)):
        assert np.array_equal(order_keys(read.labelled()), order_keys(older))
        read.renumber(np.arange(3), 3)
        assert np.array_equal(order_keys(read.copy().labelled()), order_keys(older))
        read.remove(read.find(labelled(ROWS[:1], ["a"])))
        assert len(read) == 4
        read.add(labelled(ROWS[:1], ["a"]))
        assert np.array_equal(order_keys(read.labelled()), order_keys(sorted_))
        assert arrays(read.store()) == arrays(stored)
    shorter = Documents.restore(file, 3)
    shorter.remove(shorter.find(labelled(ROWS[:1], ["a"])))
    assert in_order(found := shorter.labelled()) is found


def test_the_names_of_labels_order_only_equal_counts():
    rows = np.random.default_rng(0).integers(0, 9, (50, 9))
    orders = [order_keys(labelled(rows, [name] * 50))[:, 0] for name in ("a", "밀")]
    assert np.array_equal(*orders)


def test_columns_of_other_kinds_do_not_change_the_order():
    random = np.random.default_rng(2)
    words, pairs = random.integers(0, 2, (40, 6)), random.integers(0, 2, (40, 5))
    labels = random.integers(0, 3, 40)
    kinds = np.array([0, 1, 0, 0, 1, 1, 0, 1, 0, 0, 1], dtype=np.uint8)
    both = np.empty((40, 11), dtype=int)
    both[:, kinds == 0], both[:, kinds == 1] = words, pairs
    columns = OrderColumns.of_kinds(kinds)
    alone = order_keys(labelled(words, labels))
    mixed = order_keys(labelled(both, labels), columns)
    assert np.array_equal(alone[:, :2], mixed[:, :2])
    assert len(np.unique(mixed[:, 2])) > len(np.unique(alone[:, 2]))
    assert OrderColumns.of_kinds(np.zeros(3, np.uint8)) is OrderColumns.of_kinds(np.ones(3, np.uint8)) is None
    wider = np.column_stack([both, np.arange(40)])  # a new column, before its kind is known
    assert np.array_equal(order_keys(labelled(wider, labels), columns)[:, :2], mixed[:, :2])
    documents = added(labelled(both, labels))
    documents.order_by(columns)
    assert in_order(found := documents.labelled(), columns) is found
    packed = PackedDocuments()
    packed.add(labelled(both[::-1], labels[::-1]))
    assert np.array_equal(packed.documents(11, columns).targets.codes, documents.targets.codes)


@pytest.mark.parametrize("files", [1, 3, 50])
def test_packed_documents_are_sorted_in_files(monkeypatch, tmp_path, files):
    monkeypatch.setattr(module, "_FILE_BYTES", 1_000 if files > 1 else 1 << 22)
    monkeypatch.setattr(module, "_MOST_FILES", files)
    monkeypatch.setattr(module, "_BUFFER", 0)
    random = np.random.default_rng(1)
    rows, numbers = random.poisson(0.3, (700, 30)), random.integers(0, 5, 700)
    expected = added(labelled(rows, numbers))
    packed = PackedDocuments(tmp_path)
    for start in range(0, 700, 90):
        packed.add(labelled(rows[start : start + 90], numbers[start : start + 90]))
    found = packed.documents(30)
    assert np.array_equal(found.targets.codes, expected.targets.codes)
    assert found.store().arrays["entries"].tobytes() == expected.store().arrays["entries"].tobytes()
    assert found.store().arrays["row_index"].tobytes() == expected.store().arrays["row_index"].tobytes()
