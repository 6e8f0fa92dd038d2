"""Documents: their counts, labels and weights in one value."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from textbayes.counts import Rows
from textbayes.statistics.starts import joined_starts
from textbayes.statistics.targets import Targets

Reals = NDArray[np.float64]
# Rows and entries of a block of documents.
_BLOCK = 1 << 20
# Rows; labels: starts, slots; weights.
CoreDocuments = tuple[Rows, tuple[NDArray[np.int64], NDArray[np.uint32]], Reals | None]


@dataclass(frozen=True, slots=True)
class LabelledRows:
    """Documents: rows of counts, their labels, and a weight for each.

    Parameters
    ----------
    rows : Rows
        The counts.
    targets : Targets
        The labels.
    weights : array of shape (documents,), optional
        The weights; None if each document counts once.

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes.counts import as_rows
    >>> from textbayes.statistics import LabelledRows, as_targets
    >>> counts, labels = as_rows(np.array([[1, 0], [0, 2]])), as_targets(["a", "b"])
    >>> documents = LabelledRows(counts, labels, np.array([0.0, 3.0]))
    >>> documents.counted().targets.labels()
    array(['b'], dtype='<U1')
    """

    rows: Rows
    targets: Targets
    weights: Reals | None = None

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def sample_weight(self) -> Reals:
        """The weight of each document, as an array even if each counts once."""
        return np.ones(len(self)) if self.weights is None else self.weights

    def by_slots(self, slots: NDArray[np.uint32]) -> CoreDocuments:
        """Return the documents in the form that the core takes, with the slots of their classes."""
        return self.rows, (self.targets.starts, slots), self.weights

    def take(self, places: NDArray[np.intp]) -> LabelledRows:
        """Return a copy of some documents, in the given order."""
        weights = None if self.weights is None else self.weights[places]
        return LabelledRows(self.rows.take(places), self.targets.take(places), weights)

    def block(self, first: int, last: int) -> LabelledRows:
        """Return documents ``first`` to ``last`` without copying them."""
        weights = None if self.weights is None else self.weights[first:last]
        return LabelledRows(self.rows.block(first, last), self.targets.block(first, last), weights)

    def blocks(self, size: int | None = None) -> Iterator[LabelledRows]:
        """Yield the documents in blocks of about ``size`` rows and entries, in order."""
        size, first = _BLOCK if size is None else size, 0
        ends = self.rows.starts[1:] + np.arange(1, len(self) + 1)
        while first < len(self):
            before = ends[first - 1] if first else 0
            last = min(int(np.searchsorted(ends, before + size)) + 1, len(self))
            yield self.block(first, last)
            first = last

    def counted(self) -> LabelledRows:
        """Return the documents whose weight is not 0."""
        if self.weights is None or self.weights.all():
            return self
        return self.take(np.flatnonzero(self.weights))

    def without_entries(self) -> LabelledRows:
        """Return the documents over no columns: their labels and weights."""
        starts = np.zeros(len(self) + 1, dtype=np.int64)
        return replace(self, rows=Rows(starts, np.empty(0, np.int32), np.empty(0), 0))

    def widened(self, width: int) -> LabelledRows:
        """Return the documents with ``width`` columns."""
        return replace(self, rows=replace(self.rows, width=width))

    @staticmethod
    def joined(parts: Sequence[LabelledRows]) -> LabelledRows:
        """Concatenate one or more batches; the widest sets the width."""
        rows = [part.rows for part in parts]
        weights = None
        if any(part.weights is not None for part in parts):
            weights = np.concatenate([part.sample_weight for part in parts])
        return LabelledRows(
            Rows(
                joined_starts([one.starts for one in rows]),
                np.concatenate([one.columns for one in rows]),
                np.concatenate([one.values for one in rows]),
                max(one.width for one in rows),
            ),
            Targets.joined([part.targets for part in parts]),
            weights,
        )
