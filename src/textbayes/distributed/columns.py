"""Batches of Arrow → texts and labels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import pyarrow as pa

from textbayes.distributed.grouping import in_groups
from textbayes.errors import BatchError
from textbayes.statistics import Targets, as_label_targets

# Batches are joined until they have this many bytes or rows: sums of large ones take less time.
_BYTES = 1 << 24
_ROWS = 1 << 16


def text_blocks(
    batches: Iterable[pa.RecordBatch], text: str, label: str
) -> Iterator[tuple[pa.ChunkedArray, Targets]]:
    """Yield the texts of some batches at a time, and their labels."""
    checked = (_checked(batch, text, label) for batch in batches)
    rows = (batch for batch in checked if batch.num_rows)
    for block in in_groups(rows, share=lambda batch: max(batch.nbytes / _BYTES, batch.num_rows / _ROWS)):
        yield _joined(block, text, label)


def _checked(batch: pa.RecordBatch, text: str, label: str) -> pa.RecordBatch:
    for name in (text, label):
        if name not in batch.schema.names:
            raise BatchError.of_column(name, batch.schema.names)
        column = batch.column(name)
        if column.null_count:
            row = int(np.flatnonzero(column.is_null().to_numpy(zero_copy_only=False))[0])
            raise BatchError.of_null(name, row)
    kind = batch.schema.field(text).type
    if not (pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)):
        raise BatchError.of_type(text, kind, "a column of strings")
    return batch


def _joined(batches: list[pa.RecordBatch], text: str, label: str) -> tuple[pa.ChunkedArray, Targets]:
    texts = pa.chunked_array([batch.column(text) for batch in batches])
    return texts, label_targets(pa.chunked_array([batch.column(label) for batch in batches]))


def label_targets(labels: pa.ChunkedArray) -> Targets:
    """Convert a column of labels, or of lists of labels.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from textbayes.distributed.columns import label_targets
    >>> label_targets(pa.chunked_array([["oil", "corn"], ["oil"]])).labels()
    array(['oil', 'corn', 'oil'], dtype='<U4')
    """
    kind = labels.type
    if pa.types.is_dictionary(kind):
        labels = labels.cast(kind.value_type)
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        return as_label_targets(labels.to_pylist())
    # Python looks at each distinct label once.
    encoded: Any = labels.combine_chunks().dictionary_encode()
    distinct = as_label_targets(encoded.dictionary.to_pylist())
    return distinct.take(encoded.indices.to_numpy().astype(np.intp))
