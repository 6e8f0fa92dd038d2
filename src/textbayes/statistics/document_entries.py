"""The entries of documents in a model file.

Counts below 2³² are packed into about two bytes per entry (``rust/core/src/statistics/packed.rs``). Other
values are three arrays, in the form of compressed sparse rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textbayes._native import pack_rows, split_packed, unpack_rows
from textbayes.counts import Rows
from textbayes.persistence import Stored, narrowed
from textbayes.persistence.stored import Arrays
from textbayes.statistics.document_batch import packed
from textbayes.statistics.starts import are_rows_sorted, are_starts

KINDS: dict[str, Any] = {"whole": np.int64, "real": np.float64}
"""The types that values have when they are used, by their names in a file."""
# Rows and entries of packed documents that are unpacked at once: some arrays of 8 MB.
PART = 1 << 20


def store_entries(rows: Rows) -> Arrays:
    """Return the entries of rows, sorted by column, as arrays."""
    values: Any = packed(rows.values)
    if values.dtype.kind != "u":
        return {"starts": rows.starts, "columns": rows.columns, "counts": values}
    index, entries = pack_rows(rows.starts, rows.columns, values.astype(np.uint32, copy=False))
    return {"row_index": index, "entries": entries}


def without_entries(stored: Stored, documents: int, width: int) -> Rows:
    """Return rows of a file, without entries yet; refuse arrays of other types or lengths."""
    if is_packed(stored):
        # A number ends with a byte below 128, and a row has two numbers.
        rows = np.count_nonzero(stored.array("row_index", np.uint8) < 0x80)
        stored.mapped("entries", np.uint8)
        stored.check(rows == 2 * documents, "its documents and their labels do not fit each other")
    else:
        _check_arrays(stored, documents)
    return Rows(np.zeros(documents + 1, np.int64), np.empty(0, np.int32), np.empty(0), width)


def restore_entries(stored: Stored, rows: Rows) -> Rows:
    """Return rows with their entries; refuse columns and values that no document has."""
    if not is_packed(stored):
        return _restore_arrays(stored, rows.width)
    index, entries = stored.array("row_index", np.uint8), stored.array("entries", np.uint8)
    try:
        starts, columns, counts = unpack_rows(index, entries, len(rows), rows.width)
    except ValueError:
        stored.refuse("its documents do not fit its columns")
    return Rows(starts, columns, narrowed(counts), rows.width)


def unpacked_parts(
    index: NDArray[np.uint8], entries: NDArray[np.uint8], width: int, size: int | None = None
) -> Iterator[Rows]:
    """Unpack rows in parts of about ``size`` rows and entries, in order; raise ValueError for other bytes."""
    index_start = start = 0
    for rows, index_bytes, entry_bytes in split_packed(index, PART if size is None else size):
        index_end, end = index_start + index_bytes, start + entry_bytes
        own = unpack_rows(index[index_start:index_end], entries[start:end], rows, width)
        yield Rows(own[0], own[1], narrowed(own[2]), width)
        index_start, start = index_end, end


def is_packed(stored: Stored) -> bool:
    """Return whether the entries of documents are packed."""
    return "row_index" in stored.arrays


def _check_arrays(stored: Stored, documents: int) -> None:
    starts, columns = stored.mapped("starts", np.int64), stored.mapped("columns", np.int32)
    counts, kind = stored.arrays.get("counts", np.empty(0)), KINDS[stored.value("values", str)]
    known = counts.dtype.kind == "u" or counts.dtype == kind  # format 1 has unsigned counts
    fit = known and len(counts) == len(columns)
    stored.check(fit, "its documents have another number of counts than of columns")
    stored.check(len(starts) == documents + 1, "its documents and their labels do not fit each other")


def _restore_arrays(stored: Stored, width: int) -> Rows:
    starts, columns = stored.array("starts", np.int64), stored.array("columns", np.int32)
    values: Any = stored.array("counts", stored.arrays["counts"].dtype)
    sound = (
        are_starts(starts, len(columns))
        and bool(np.all((columns >= 0) & (columns < width)))
        and are_rows_sorted(starts, columns)
    )
    stored.check(sound, "its documents do not fit its columns")
    finite = values.dtype.kind == "u" or bool(np.all((values >= 0) & np.isfinite(values)))
    stored.check(finite, "a count of its documents is out of range")
    return Rows(starts, columns, values, width)
