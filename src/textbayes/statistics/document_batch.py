"""A batch of documents, with counts packed into as few bytes as possible."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textbayes.counts import Rows
from textbayes.statistics.document_order import OrderColumns, in_order
from textbayes.statistics.labelled_rows import LabelledRows
from textbayes.statistics.starts import are_rows_sorted
from textbayes.statistics.targets import Targets

# Columns, values, labels and weight: what makes documents equal.
Content = tuple[bytes, bytes, tuple[Any, ...], float]


@dataclass(eq=False)
class DocumentBatch:
    """A batch of documents that does not change; some may have been removed.

    Parameters
    ----------
    documents : LabelledRows
        The documents, with packed values.
    whole : bool
        Whether unpacked values are int64 instead of float64.
    alive : array of bool, optional
        A mask of the documents that were not removed; all by default.
    """

    documents: LabelledRows
    whole: bool
    alive: NDArray[np.bool_] = field(default_factory=lambda: np.empty(0, dtype=bool))

    def __post_init__(self) -> None:
        if len(self.alive) != len(self.documents):
            self.alive = np.ones(len(self.documents), dtype=bool)

    @classmethod
    def of(cls, documents: LabelledRows) -> DocumentBatch:
        """Pack documents."""
        rows = documents.rows
        small = Rows(rows.starts, rows.columns, packed(rows.values), rows.width)
        targets = documents.targets.in_order()
        return cls(LabelledRows(small, targets, documents.weights), rows.values.dtype == np.int64)

    @classmethod
    def joined(cls, batches: Sequence[DocumentBatch], multilabel: bool) -> DocumentBatch:
        """Concatenate batches, without removed documents."""
        if not batches:
            rows = Rows(np.zeros(1, np.int64), np.empty(0, np.int32), np.empty(0), 0)
            targets = Targets(np.empty(0), np.zeros(1, np.int64), np.empty(0, np.uint32), multilabel)
            return cls(LabelledRows(rows, targets), whole=False)
        documents = LabelledRows.joined([batch.living() for batch in batches])
        return cls(documents, all(batch.whole for batch in batches))

    def in_order(self, columns: OrderColumns | None) -> DocumentBatch:
        """Return the documents, none of which was removed, in the order of their contents."""
        documents = in_order(self.documents, columns)
        return self if documents is self.documents else DocumentBatch(documents, self.whole)

    def __len__(self) -> int:
        return int(self.alive.sum())

    def without(self, rows: Sequence[int]) -> DocumentBatch:
        """Return the batch without some documents; what is known of the others is kept."""
        twin = copy.copy(self)
        twin.alive = self.alive.copy()
        twin.alive[rows] = False
        return twin

    def living(self) -> LabelledRows:
        """Return the documents that were not removed."""
        return self.documents if self.alive.all() else self.documents.take(np.flatnonzero(self.alive))

    @cached_property
    def labels(self) -> list[Any]:
        """The labels of the classes."""
        return list(self.documents.targets.classes.tolist())

    @cached_property
    def is_sorted(self) -> bool:
        """Whether the columns of every row are sorted."""
        return are_rows_sorted(self.documents.rows.starts, self.documents.rows.columns)

    @cached_property
    def _has_zeros(self) -> bool:
        return not self.documents.rows.values.all()

    def content(self, row: int) -> Content:
        """Return the content of a document, for comparison: sorted entries, labels and weight."""
        rows, targets, weights = self.documents.rows, self.documents.targets, self.documents.weights
        entries = slice(rows.starts[row], rows.starts[row + 1])
        columns, values = rows.columns[entries], rows.values[entries].astype(np.float64)
        if not self.is_sorted:
            order = np.argsort(columns, kind="stable")
            columns, values = columns[order], values[order]
        if self._has_zeros:
            columns, values = columns[values != 0], values[values != 0]
        codes = targets.codes[targets.starts[row] : targets.starts[row + 1]].tolist()
        weight = 1.0 if weights is None else float(weights[row])
        return columns.tobytes(), values.tobytes(), tuple(self.labels[code] for code in codes), weight


def packed(values: NDArray[Any]) -> Any:
    """Pack whole numbers below 2³² into as few bytes as the largest needs; return others unchanged."""
    largest = values.max(initial=0)
    if largest >= 2**32 or (values.dtype.kind == "f" and not np.all(values == np.floor(values))):
        return values
    return values.astype(np.min_scalar_type(int(largest)), copy=False)


def renumbered(rows: Rows, column_of: NDArray[np.integer], width: int) -> Rows:
    """Renumber the columns, and sort the entries of each row."""
    from scipy import sparse

    columns = column_of[rows.columns].astype(np.int32)
    shape = (len(rows), width)
    matrix: Any = sparse.csr_matrix((rows.values, columns, rows.starts), shape=shape, copy=True)
    matrix.sort_indices()
    return Rows(rows.starts, matrix.indices.astype(np.int32, copy=False), matrix.data, width)
