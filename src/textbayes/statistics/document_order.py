"""An order of documents that depends only on which documents there are.

Documents are a multiset. What is computed from them in this order, and the file they are stored in, does not
depend on the order in which they were learned.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textbayes.statistics.labelled_rows import LabelledRows
from textbayes.statistics.targets import Targets

Keys = NDArray[np.uint64]

# Rows and entries that are hashed at once, so that they stay in the processor's cache.
_BLOCK = 1 << 15
# The kind of columns whose kind is not known.
_UNKNOWN = 255
_COLUMN, _WEIGHT = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F], dtype=np.uint64)


@dataclass(frozen=True, eq=False)
class OrderColumns:
    """How columns count in the order of documents, if they are of several kinds.

    Documents are then ordered by the columns of the first kind, so that the order does not depend on which
    other kinds are counted.

    Parameters
    ----------
    numbers : array of int
        A number for each column, which does not depend on the columns of other kinds.
    is_first : array of bool
        Whether a column is of the first kind.
    """

    numbers: NDArray[np.uint64]
    is_first: NDArray[np.bool_]

    @classmethod
    def of_kinds(cls, kinds: NDArray[np.uint8]) -> OrderColumns | None:
        """Number columns of these kinds; None if all are of one kind, or none is of the first kind, 0."""
        is_first = kinds == 0
        if is_first.all() or not is_first.any():
            return None
        numbers = np.empty(len(kinds), dtype=np.uint64)
        for kind in np.unique(kinds).tolist():
            own = np.flatnonzero(kinds == kind)
            numbers[own] = np.arange(len(own), dtype=np.uint64) + np.uint64(kind << 32)
        return cls(numbers, is_first)

    def widened(self, width: int) -> OrderColumns:
        """Return the same for more columns, which are of no known kind yet."""
        known = len(self.numbers)
        new = np.arange(known, max(width, known), dtype=np.uint64) + np.uint64(_UNKNOWN << 32)
        return OrderColumns(
            np.concatenate([self.numbers, new]), np.concatenate([self.is_first, np.zeros(len(new), bool)])
        )


def in_order(documents: LabelledRows, columns: OrderColumns | None = None) -> LabelledRows:
    """Return documents sorted by their contents; themselves if they are so already."""
    order = order_of(order_keys(documents, columns))
    return documents if is_identity(order) else documents.take(order)


def order_keys(documents: LabelledRows, columns: OrderColumns | None = None) -> Keys:
    """Return three numbers for each document.

    They are hashes of its counts in columns of the first kind, of its labels and weight, and of all its
    counts. Documents with the same numbers are equal, but for a chance of 2⁻⁶⁴. The order of a document's
    entries, counts of 0, and classes that no document has do not matter.
    """
    labels = label_hashes(documents.targets)
    columns = None if columns is None else columns.widened(documents.rows.width)
    blocks = (_hashes(block, labels, columns) for block in documents.blocks(_BLOCK))
    return np.concatenate([np.empty((0, 3), dtype=np.uint64), *blocks])


def order_of(keys: Keys) -> NDArray[np.intp]:
    """Return the places of documents with these keys, in order."""
    return np.lexsort(keys.T[::-1])


def is_identity(order: NDArray[np.intp]) -> bool:
    """Return whether an order leaves everything where it is."""
    return bool(np.all(order[1:] > order[:-1]))


def _hashes(documents: LabelledRows, labels: Keys, columns: OrderColumns | None) -> Keys:
    rows, targets = documents.rows, documents.targets
    values = rows.values.astype(np.float64)
    numbers = rows.columns.astype(np.uint64) if columns is None else columns.numbers[rows.columns]
    entries = _mixed(numbers * _COLUMN + values.view(np.uint64))
    entries[values == 0] = 0
    all_counts = first = _mixed(_sums(entries, rows.starts))
    if columns is not None:
        first = _mixed(_sums(np.where(columns.is_first[rows.columns], entries, 0), rows.starts))
    others = _sums(labels[targets.codes], targets.starts)
    if documents.weights is not None:
        # A weight of 1 counts as no weight.
        others += (documents.weights - 1.0).view(np.uint64) * _WEIGHT
    return np.column_stack([first, _mixed(others), all_counts])


def label_hashes(targets: Targets) -> Keys:
    """Return a number for each class, by its label."""
    texts = (repr(label).encode("utf-8", "surrogatepass") for label in targets.classes.tolist())
    return np.array(
        [int.from_bytes(blake2b(text, digest_size=8).digest(), "little") for text in texts], dtype=np.uint64
    )


def _sums(values: Keys, starts: NDArray[np.int64]) -> Keys:
    """Return the sum of the values of each row, modulo 2⁶⁴."""
    ends: Keys = np.concatenate([np.zeros(1, np.uint64), np.cumsum(values, dtype=np.uint64)])[starts]
    return ends[1:] - ends[:-1]


def _mixed(numbers: Keys) -> Keys:
    """Mix the bits of numbers: the last steps of SplitMix64."""
    shifts: Any = np.array([30, 27, 31], dtype=np.uint64)
    factors: Any = np.array([0xBF58476D1CE4E5B9, 0x94D049BB133111EB], dtype=np.uint64)
    for shift, factor in zip(shifts[:2], factors, strict=True):
        numbers ^= numbers >> shift
        numbers *= factor
    numbers ^= numbers >> shifts[2]
    return numbers
