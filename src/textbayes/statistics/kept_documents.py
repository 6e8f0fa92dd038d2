"""Labelled documents, kept: for what cannot be worked out from sums."""

from __future__ import annotations

import copy
from collections import defaultdict
from dataclasses import dataclass
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from textbayes._native import Statistics
from textbayes.counts import Rows
from textbayes.errors import DocumentsNotKeptError, NotLearnedError
from textbayes.statistics.starts import joined_starts
from textbayes.statistics.statistics import ClassStatistics
from textbayes.statistics.targets import Targets

Reals = NDArray[np.float64]
Batch = tuple[Rows, Targets, Reals]
Starts = NDArray[np.int64]
# Rows; labels: starts, slots; weights.
LabelledRows = tuple[Rows, tuple[Starts, NDArray[np.uint32]], Reals]


class Unread(Protocol):
    """Documents that are read when they are first needed."""

    @property
    def targets(self) -> Targets:
        """Their labels."""

    def read(self) -> Batch:
        """Read them."""


@dataclass(frozen=True)
class Elsewhere:
    """Documents whose rows somebody else keeps, who has not said yet how to read them."""

    targets: Targets

    def read(self) -> Batch:
        """Refuse: only labels are here."""
        raise DocumentsNotKeptError("learning anew", "The model learns from all documents at once")


class KeptDocuments:
    """Documents with their labels and weights: others can be added, and those there are taken out.

    They are kept as compressed rows, sixteen bytes and less a count. A document of weight 0 is not kept.
    """

    def __init__(self, unread: Unread | None = None) -> None:
        self._batches: list[Batch] = []
        # Those of a model file come first; a prediction needs their labels only.
        self._unread = unread

    def add(self, rows: Rows, targets: Targets, weights: Reals | None = None) -> None:
        """Keep more documents."""
        weights = np.ones(len(rows)) if weights is None else np.asarray(weights, dtype=np.float64)
        self._batches.append(_chosen((rows, targets, weights), np.flatnonzero(weights > 0)))

    def merge(
        self, other: KeptDocuments, column_of: NDArray[np.uint32] | None = None, width: int = 0
    ) -> None:
        """Keep another's documents too; its columns have these numbers here, among ``width``."""
        rows, targets, weights = other.batch
        if len(rows):
            rows = rows if column_of is None else _renumbered(rows, column_of, width)
            self._batches.append((rows, targets, weights))

    def remove(self, rows: Rows, targets: Targets, weights: Reals | None = None) -> None:
        """Let documents go; raise NotLearnedError and change nothing when one of them is not kept."""
        given = KeptDocuments()
        given.add(rows, targets, weights)
        kept = self.batch
        places: dict[Any, list[int]] = defaultdict(list)
        for place, key in enumerate(_keys(kept)):
            places[key].append(place)
        gone = []
        for key in _keys(given.batch):
            if not places[key]:
                raise NotLearnedError(key[2][0] if key[2] else None, None)
            gone.append(places[key].pop())
        left = np.delete(np.arange(len(kept[0])), gone)
        self._batches = [_chosen(kept, left)]

    def copy(self) -> Self:
        """Return the same documents, to go their own way."""
        twin = copy.copy(self)
        twin._batches = list(self._batches)
        return twin

    @property
    def batch(self) -> Batch:
        """All documents, in the order they came in: rows, targets and weights."""
        if self._unread is not None:
            self._batches, self._unread = [self._unread.read(), *self._batches], None
        if len(self._batches) != 1:
            self._batches = [_joined(self._batches)]
        return self._batches[0]

    @property
    def are_elsewhere(self) -> bool:
        """Whether only the labels are here."""
        return isinstance(self._unread, Elsewhere)

    @property
    def targets(self) -> Targets:
        """All documents' labels."""
        return self._unread.targets if self._unread is not None and not self._batches else self.batch[1]


def _renumbered(rows: Rows, column_of: NDArray[np.uint32], width: int) -> Rows:
    columns = column_of[rows.columns].astype(np.int32)
    matrix: Any = sparse.csr_matrix((rows.values, columns, rows.starts), shape=(len(rows), width), copy=True)
    matrix.sort_indices()
    return Rows(rows.starts, matrix.indices.astype(np.int32, copy=False), matrix.data, width)


def labels_of(targets: Targets) -> Any:
    """Labels as an estimator takes them: one a document, or a sparse indicator."""
    if not targets.multilabel:
        return targets.classes[targets.codes]
    ones = np.ones(len(targets.codes), dtype=np.int64)
    shape = (len(targets), len(targets.classes))
    return sparse.csr_matrix((ones, targets.codes, targets.starts), shape=shape)


def _chosen(batch: Batch, places: NDArray[np.intp]) -> Batch:
    rows, targets, weights = batch
    if len(places) == len(rows):
        return batch
    return rows.take(places), targets.take(places), weights[places]


def _joined(batches: list[Batch]) -> Batch:
    if not batches:
        nothing = Rows(np.zeros(1, np.int64), np.empty(0, np.int32), np.empty(0), 0)
        none = Targets(np.empty(0), np.zeros(1, np.int64), np.empty(0, np.uint32), False)
        return nothing, none, np.empty(0)
    rows, targets, weights = zip(*batches, strict=True)
    classes = np.unique(np.concatenate([one.classes for one in targets]))
    codes = [np.searchsorted(classes, one.classes)[one.codes] for one in targets]
    joined = Targets(
        classes,
        joined_starts([one.starts for one in targets]),
        np.concatenate(codes).astype(np.uint32),
        targets[0].multilabel,
    )
    return (
        Rows(
            joined_starts([one.starts for one in rows]),
            np.concatenate([one.columns for one in rows]),
            np.concatenate([one.values for one in rows]),
            max(one.width for one in rows),
        ),
        joined,
        np.concatenate(weights),
    )


def _keys(batch: Batch) -> list[tuple[bytes, bytes, tuple[Any, ...], float]]:
    """What makes documents equal: entries that are not zero, labels, weight."""
    rows, targets, weights = batch
    labels = targets.classes.tolist()
    keys = []
    for row in range(len(rows)):
        entries = slice(rows.starts[row], rows.starts[row + 1])
        # Whole counts and the same counts as doubles are equal.
        values = rows.values[entries].astype(np.float64)
        # In whatever order they were given.
        own = np.sort(targets.codes[targets.starts[row] : targets.starts[row + 1]])
        key = rows.columns[entries][values != 0].tobytes(), values[values != 0].tobytes()
        keys.append((*key, tuple(labels[code] for code in own), float(weights[row])))
    return keys


class DocumentStatistics(ClassStatistics):
    """Sums of labelled documents, and the documents: for a model that is no function of the sums."""

    def __init__(self, columns: int, multilabel: bool) -> None:
        super().__init__(columns, multilabel)
        self.kept = KeptDocuments()

    def add(self, rows: Rows, targets: Targets, weights: Reals | None = None) -> None:
        """Add documents."""
        super().add(rows, targets, weights)
        self.kept.add(rows, targets, weights)

    def subtract(self, rows: Rows, targets: Targets, weights: Reals | None = None) -> None:
        """Take documents out; raise NotLearnedError and change nothing when they are not in."""
        self._check_known(targets)
        kept = self.kept.copy()
        kept.remove(rows, targets, weights)
        super().subtract(rows, targets, weights)
        self.kept = kept

    def merge(self, other: ClassStatistics, column_of: NDArray[np.uint32] | None = None) -> None:
        """Add another's documents; its columns have these numbers here, their own unless given."""
        super().merge(other, column_of)
        assert isinstance(other, DocumentStatistics)
        self.kept.merge(other.kept, column_of, self.columns)

    def copy(self) -> Self:
        """Return sums of the same documents that change on their own."""
        twin = super().copy()
        twin.kept = self.kept.copy()
        return twin

    @property
    def labelled_rows(self) -> LabelledRows:
        """The documents as the core learns from them: rows, labels and weights."""
        rows, targets, weights = self.kept.batch
        return rows, (targets.starts, self.slots_of(targets)), weights

    def with_values(self, pairs: Reals, classes: Reals) -> ClassStatistics:
        """The same with other sums of values: of the pairs, by term, then class; of the classes, by slot."""
        state = self.sums.state()
        nothing = np.empty(0)
        state |= {"pair_values": pairs, "pair_values_low": nothing}
        state |= {"class_values": classes, "class_values_low": nothing}
        twin = ClassStatistics.copy(self)
        twin.sums = Statistics.from_state(state)
        return twin

    def with_pairs(
        self, starts: NDArray[np.int64], classes: NDArray[np.uint32], values: Reals
    ) -> ClassStatistics:
        """The same classes with other pairs, by term, then class, and values that need be no sums."""
        twin = ClassStatistics.copy(self)
        twin.sums = self.sums.with_pair_values(starts, classes, values)
        return twin
