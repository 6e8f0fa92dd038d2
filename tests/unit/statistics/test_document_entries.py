"""Packed entries: they come back, and no other bytes are read as rows."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import examples
from textbayes._native import pack_rows, unpack_rows
from textbayes.counts import Rows
from textbayes.errors import ModelDamagedError
from textbayes.persistence import Stored
from textbayes.statistics.document_entries import restore_entries, store_entries, without_entries

LAST = 2**31 - 1
COLUMNS = st.one_of(st.integers(0, 300), st.integers(0, LAST))
COUNTS = st.one_of(st.integers(0, 4), st.integers(0, 2**32 - 1))
ROWS = st.lists(st.dictionaries(COLUMNS, COUNTS, max_size=12), max_size=8)


def as_csr(rows):
    """Return starts, columns and counts of rows, each a dictionary of counts by column."""
    starts = np.cumsum([0, *map(len, rows)], dtype=np.int64)
    pairs = [pair for row in rows for pair in sorted(row.items())]
    return starts, np.array([c for c, _ in pairs], np.int32), np.array([n for _, n in pairs], np.uint32)


def as_stored(index, entries):
    return Stored({"values": "whole"}, {"row_index": index, "entries": entries})


@given(rows=ROWS)
@settings(max_examples=examples(300), deadline=None)
def test_unpacking_is_the_inverse_of_packing(rows):
    given_ = as_csr(rows)
    index, entries = pack_rows(*given_)
    for found, expected in zip(unpack_rows(index, entries, len(rows), 2**31), given_, strict=True):
        assert found.dtype == expected.dtype
        assert found.tolist() == expected.tolist()


@given(rows=ROWS)
@settings(max_examples=examples(100), deadline=None)
def test_stored_rows_are_the_rows(rows):
    starts, columns, counts = as_csr(rows)
    stored = Stored({"values": "whole"}, store_entries(Rows(starts, columns, counts.astype(np.int64), 2**31)))
    found = restore_entries(stored, without_entries(stored, len(rows), 2**31))
    assert found.starts.tolist() == starts.tolist()
    assert found.columns.tolist() == columns.tolist()
    assert found.values.tolist() == counts.tolist()


@given(
    rows=ROWS.filter(any),
    place=st.integers(0, 2**32),
    bit=st.integers(0, 7),
    which=st.booleans(),
    change=st.sampled_from(["flip", "cut", "insert", "swap"]),
)
@settings(max_examples=examples(400), deadline=None)
def test_other_bytes_are_refused_or_are_other_rows(rows, place, bit, which, change):
    parts = [part.tolist() for part in pack_rows(*as_csr(rows))]
    part = parts[which]
    place %= len(part)
    match change:
        case "flip":
            part[place] ^= 1 << bit
        case "cut":
            del part[place:]
        case "insert":
            part.insert(place, 0xFF >> bit)
        case "swap":
            part[place], part[-1] = part[-1], part[place]
    index, entries = (np.array(part, np.uint8) for part in parts)
    stored = as_stored(index, entries)
    try:
        found = restore_entries(stored, without_entries(stored, len(rows), 1000))
    except ModelDamagedError:
        return
    # What is accepted is valid, and is packed to the same bytes.
    assert len(found) == len(rows)
    assert found.columns.max(initial=0) < 1000
    again = pack_rows(found.starts, found.columns, found.values.astype(np.uint32))
    assert [part.tolist() for part in again] == parts


@given(index=st.binary(max_size=40), entries=st.binary(max_size=40), rows=st.integers(0, 2**62))
@settings(max_examples=examples(300), deadline=None)
def test_any_bytes_are_safe(index, entries, rows):
    arrays = [np.frombuffer(part, np.uint8) for part in (index, entries)]
    for documents in (rows, rows % 8):
        try:
            starts, columns, counts = unpack_rows(*arrays, documents, 100)
        except ValueError:
            continue
        again = pack_rows(starts, columns, counts)
        assert [part.tobytes() for part in again] == [index, entries]


def test_frequent_counts_take_few_bytes():
    counts = np.ones(1000, np.int64)
    rows = Rows(np.array([0, 1000]), np.arange(0, 50_000, 50, dtype=np.int32), counts, 50_000)
    assert len(store_entries(rows)["entries"]) == 1000
    assert len(store_entries(rows)["row_index"]) == 3


@pytest.mark.parametrize("values", [np.array([0.5, 1.0]), np.array([2**32, 1])], ids=str)
def test_other_values_are_arrays(values):
    rows = Rows(np.array([0, 2]), np.array([0, 3], np.int32), values, 4)
    assert set(store_entries(rows)) == {"starts", "columns", "counts"}
    assert store_entries(rows)["counts"].dtype == values.dtype


def test_rows_that_are_not_sorted_are_not_packed():
    with pytest.raises(ValueError, match="not sorted"):
        pack_rows(np.array([0, 2]), np.array([3, 0], np.int32), np.ones(2, np.uint32))
