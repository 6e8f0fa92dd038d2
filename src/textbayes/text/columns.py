"""Texts in Arrow memory and in data frame columns; separate because importing pyarrow takes .1 s."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import pyarrow as pa

from textbayes._native import Counting, NotUtf8At
from textbayes.errors import TextsError

# Texts are read in batches of about this many bytes.
_BATCH_BYTES = 1 << 24


class ArrowSource:
    """Texts in Arrow memory, which the core reads without a copy."""

    def __init__(self, column: pa.ChunkedArray) -> None:
        self.column = column

    def add_to(self, counting: Counting) -> None:
        """Count every text."""
        first = 0
        for chunk in self.column.chunks:
            for start, end in _parts(_sizes(chunk)):
                part = chunk.slice(start, end - start)
                _add_arrow(counting, part, first)
                first += len(part)


def _sizes(chunk: pa.Array) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Return the number of bytes of each text."""
    if pa.types.is_string_view(chunk.type):
        views, _ = _views(chunk)
        return np.ascontiguousarray(views[:, :4]).view(np.int32).ravel().astype(np.int64)
    return np.diff(_offsets(chunk)[1])


def _parts(sizes: np.ndarray[Any, np.dtype[np.int64]]) -> Iterator[tuple[int, int]]:
    """Split texts into batches; Ctrl-C takes effect between two of them."""
    batch = np.cumsum(sizes + 64) // _BATCH_BYTES
    cuts = [0, *(np.flatnonzero(np.diff(batch)) + 1).tolist(), len(sizes)]
    return pairwise(cuts)


def _add_arrow(counting: Counting, part: pa.Array, first: int) -> None:
    if part.null_count:
        position = int(np.flatnonzero(part.is_null().to_numpy(zero_copy_only=False))[0])
        raise TextsError.of_item(first + position, None)
    try:
        if pa.types.is_string_view(part.type):
            counting.add_views(*_views(part))
        else:
            counting.add_offsets(*_offsets(part))
    except NotUtf8At as error:
        (position,) = error.args
        raise TextsError.of_encoding(first + position) from None


def _bytes_of(buffer: pa.Buffer | None) -> np.ndarray[Any, np.dtype[np.uint8]]:
    return np.empty(0, np.uint8) if buffer is None else np.frombuffer(buffer, np.uint8)


def _offsets(part: pa.Array) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    _, offsets, data = part.buffers()
    width = np.int64 if pa.types.is_large_string(part.type) else np.int32
    if offsets is None:
        return _bytes_of(data), np.zeros(1, np.int64)
    ends = np.frombuffer(offsets, width)[part.offset : part.offset + len(part) + 1]
    return _bytes_of(data), ends.astype(np.int64)


def _views(part: pa.Array) -> tuple[np.ndarray[Any, Any], list[np.ndarray[Any, Any]]]:
    _, views, *data = part.buffers()
    rows = _bytes_of(views).reshape(-1, 16)[part.offset : part.offset + len(part)]
    return rows, [_bytes_of(buffer) for buffer in data]


def is_table(texts: Any) -> bool:
    """Return whether this is a data frame or an Arrow table, not one of its columns."""
    return bool(nw.dependencies.is_into_dataframe(texts)) or isinstance(texts, pa.Table | pa.RecordBatch)


def is_column(texts: Any) -> bool:
    """Return whether this is a column of a data frame."""
    return bool(nw.dependencies.is_into_series(texts))


def as_arrow(texts: Any) -> pa.ChunkedArray | None:
    """Return a column's Arrow memory without a copy, or None for a column of Python objects."""
    if isinstance(texts, pa.Array):
        column = pa.chunked_array([texts])
    elif isinstance(texts, pa.ChunkedArray):
        column = texts
    elif hasattr(texts, "__arrow_c_stream__") and getattr(texts, "dtype", None) != np.dtype(object):
        column = pa.chunked_array(texts)
    else:
        return None
    if pa.types.is_dictionary(column.type) and _is_text(column.type.value_type):
        chunks = [chunk.dictionary.cast(pa.large_string()).take(chunk.indices) for chunk in column.chunks]
        column = pa.chunked_array(chunks, pa.large_string())
    if pa.types.is_null(column.type):
        column = column.cast(pa.string())
    if not _is_text(column.type):
        raise TextsError.of_collection(column, f"a column of {column.type}")
    return column


def _is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind))
