"""Input types that hold texts: lists, generators, arrays, data frame columns, Arrow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import pyarrow as pa

from textbayes._native import Counting, NotTextAt, NotUtf8At
from textbayes.errors import TextsError

# Texts are read in batches of about this many characters, so that a generator never fills memory.
_BATCH_CHARACTERS = 1 << 24


class ListSource:
    """Texts in a list."""

    def __init__(self, texts: list[Any], first: int = 0) -> None:
        self.texts = texts
        self.first = first

    def add_to(self, counting: Counting) -> None:
        """Count every text."""
        start = 0
        while start < len(self.texts):
            try:
                start = counting.add_list(self.texts, start)
            except NotTextAt as error:
                (position,) = error.args
                raise TextsError.of_item(self.first + position, self.texts[position]) from None


class StreamSource:
    """Texts from an iterator, read in batches; only one batch is in memory at a time."""

    def __init__(self, texts: Iterable[Any]) -> None:
        self.texts = texts

    def add_to(self, counting: Counting) -> None:
        """Count every text."""
        first = 0
        for batch in _batches(self.texts):
            ListSource(batch, first).add_to(counting)
            first += len(batch)


def _batches(texts: Iterable[Any]) -> Iterator[list[Any]]:
    batch: list[Any] = []
    characters = 0
    for text in texts:
        batch.append(text)
        # An item that is not a string is reported when the batch is counted.
        characters += 64 + (len(text) if isinstance(text, str) else 0)
        if characters >= _BATCH_CHARACTERS:
            yield batch
            batch, characters = [], 0
    if batch:
        yield batch


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
    batch = np.cumsum(sizes + 64) // _BATCH_CHARACTERS
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


Source = ListSource | StreamSource | ArrowSource


def as_source(texts: Any) -> Source:
    """Wrap texts of any supported type, without copying them.

    Parameters
    ----------
    texts : iterable of str, or column
        A list, tuple, generator or other iterable; a one-dimensional numpy array; a pandas, polars or pyarrow
        column of strings.

    Raises
    ------
    TextsError
        For a single string, which is an iterable of characters.
    TextsError
        For a data frame, or an array that is not one-dimensional.
    TextsError
        For a mapping, a value that is not iterable, or a column that does not hold strings.
    """
    if isinstance(texts, str | bytes | bytearray):
        raise TextsError.of_collection(texts)
    if isinstance(texts, list):
        return ListSource(texts)
    if nw.dependencies.is_into_dataframe(texts) or isinstance(texts, pa.Table | pa.RecordBatch):
        raise TextsError.of_table(f"a table of type {type(texts).__name__}")
    if isinstance(texts, np.ndarray):
        if texts.ndim != 1:
            raise TextsError.of_table(f"an array of shape {texts.shape}")
        return ListSource(texts.tolist())
    arrow = _as_arrow(texts)
    if arrow is not None:
        return ArrowSource(arrow)
    if nw.dependencies.is_into_series(texts):
        return ListSource(list(texts))
    if not isinstance(texts, Iterable) or isinstance(texts, Mapping):
        raise TextsError.of_collection(texts)
    return StreamSource(texts)


def _as_arrow(texts: Any) -> pa.ChunkedArray | None:
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
