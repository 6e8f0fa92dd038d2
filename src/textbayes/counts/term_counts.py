"""How often terms occur, summed over batches of documents."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textbayes.counts.rows import Rows


def _zeros() -> NDArray[np.int64]:
    return np.zeros(0, dtype=np.int64)


@dataclass(eq=False)
class TermCounts:
    """The numbers of documents, of documents with each term, and of occurrences of each term.

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes.counts import TermCounts, as_rows
    >>> counts = TermCounts()
    >>> counts.add(as_rows(np.array([[1, 0], [3, 0]])))
    >>> counts.add(as_rows(np.array([[0, 1, 2]])))
    >>> counts.documents, counts.documents_with.tolist(), counts.occurrences.tolist()
    (3, [2, 1, 1], [4, 1, 2])
    """

    documents: int = 0
    documents_with: NDArray[np.int64] = field(default_factory=_zeros)
    occurrences: NDArray[np.int64] = field(default_factory=_zeros)

    def add(self, rows: Rows) -> None:
        """Add documents of counts, none of them 0; they may have more columns than those before."""
        self.documents += len(rows)
        self.documents_with = _added(self.documents_with, rows, np.ones(len(rows.columns), np.int64))
        self.occurrences = _added(self.occurrences, rows, rows.values.astype(np.int64, copy=False))

    def merge(self, other: TermCounts, columns: NDArray[np.integer]) -> None:
        """Add other counts; ``columns`` are the columns here of its columns, each once."""
        self.documents += other.documents
        width = int(columns.max()) + 1 if len(columns) else 0
        for name in ("documents_with", "occurrences"):
            sums = _widened(getattr(self, name), width)
            sums[columns] += getattr(other, name)
            setattr(self, name, sums)

    def spread(self, columns: NDArray[np.integer], width: int) -> TermCounts:
        """Return the counts with each at its column of ``width``; the others are 0."""
        spread = TermCounts(0, np.zeros(width, dtype=np.int64), np.zeros(width, dtype=np.int64))
        spread.merge(self, columns)
        return spread

    def take(self, columns: NDArray[Any]) -> TermCounts:
        """Return the counts of some columns, in the given order or by a mask."""
        return TermCounts(self.documents, self.documents_with[columns], self.occurrences[columns])


def _added(sums: NDArray[np.int64], rows: Rows, values: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return sums with the values of the entries of rows added to their columns."""
    sums = _widened(sums, rows.width)
    np.add.at(sums, rows.columns, values)
    return sums


def _widened(sums: NDArray[np.int64], width: int) -> NDArray[np.int64]:
    if width <= len(sums):
        return sums
    return np.concatenate([sums, np.zeros(width - len(sums), dtype=np.int64)])
