"""Sums by document length, for Poisson models."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import NDArray

from textbayes._native import NotLearnedAt, Statistics
from textbayes.counts import Rows
from textbayes.errors import NotLearnedError
from textbayes.persistence import Stored
from textbayes.statistics.labelled_rows import LabelledRows
from textbayes.statistics.splitting import split_sums, sums_of_classes
from textbayes.statistics.statistics import ClassStatistics, Columns, restore_sums, stored_sums
from textbayes.statistics.targets import Targets

if TYPE_CHECKING:
    from scipy import sparse

Reals = NDArray[np.float64]

# The number that stands for all documents, in place of a class.
EVERYTHING = -1


class LengthStatistics(ClassStatistics):
    """Sums of labelled documents, and the same sums for each (class, document length).

    Kim's weight of a document depends on its length and on |V| (Kim 2003, eq. 7). Sums by length are whole
    numbers that add and subtract exactly, and give every mean for any |V| and θ, so they stay valid when
    columns are added.
    """

    def __init__(self, columns: int, multilabel: bool) -> None:
        super().__init__(columns, multilabel)
        self.by_length = Statistics(columns)
        self._keys: list[tuple[int, float]] = []
        self._place_of: dict[tuple[int, float], int] = {}
        # Copies have the same origin: their groups have the same numbers, as far as both have them.
        self.origin = object()

    def add(self, documents: LabelledRows) -> None:
        """Add documents; new classes and columns are appended."""
        super().add(documents)
        labels = self._length_labels(documents.rows, documents.targets)
        self.by_length.grow(self.columns, len(self._keys))
        self.by_length.add((documents.rows, labels, documents.weights))

    def subtract(self, documents: LabelledRows) -> None:
        """Remove documents; if one was never added, raise NotLearnedError and change nothing."""
        self._check_known(documents.targets)
        labels = self._length_labels(documents.rows, documents.targets, known=True)
        try:
            self.by_length.subtract((documents.rows, labels, documents.weights))
        except NotLearnedAt as error:
            place, term = error.args
            slot = EVERYTHING if place is None else self._keys[place][0]
            raise NotLearnedError.of_class(None if slot == EVERYTHING else self._labels[slot], term) from None
        super().subtract(documents)

    def merge(self, other: ClassStatistics, column_of: NDArray[np.uint32] | None = None) -> None:
        """Add the documents of other statistics; ``column_of`` maps its columns to ours."""
        super().merge(other, column_of)
        assert isinstance(other, LengthStatistics)
        slot_of = {slot: self._slot_of[label] for slot, label in enumerate(other._labels)}
        slot_of[EVERYTHING] = EVERYTHING
        places = self._places([(slot_of[slot], length) for slot, length in other._keys])
        self.by_length.grow(self.columns, len(self._keys))
        self.by_length.merge(other.by_length, places, column_of)

    def copy(self) -> Self:
        """Return an independent copy."""
        twin = super().copy()
        twin.by_length = self.by_length.copy()
        return twin

    def widen(self, columns: int) -> None:
        """Have at least this many columns."""
        super().widen(columns)
        self.by_length.grow(self.columns, len(self._keys))

    def in_order(self, columns: NDArray[np.uint32]) -> Self:
        """Return the same sums with the columns in this order, and classes and lengths sorted."""
        twin = super().in_order(columns)
        slot_of = {slot: twin._slot_of[label] for slot, label in enumerate(self._labels)}
        slot_of[EVERYTHING] = EVERYTHING
        keys = [(slot_of[slot], length) for slot, length in self._keys]
        order = sorted(range(len(keys)), key=keys.__getitem__)
        twin.by_length = self.by_length.renumbered(columns, np.array(order, dtype=np.uint32))
        twin._keys = [keys[place] for place in order]
        twin._place_of = {key: place for place, key in enumerate(twin._keys)}
        twin.origin = object()
        return twin

    def parts(self, part_of: NDArray[np.integer], parts: int) -> Iterator[tuple[int, Columns, Self]]:
        """Yield the sums of the terms by parts: see :meth:`ClassStatistics.parts`."""
        by_length = split_sums(self.by_length, part_of, parts)
        for (number, columns, twin), part in zip(super().parts(part_of, parts), by_length, strict=True):
            keys = [self._keys[place] for place in part.classes.tolist()]
            twin.by_length = part.sums
            twin._keys = [(self._slot_in(twin, slot), length) for slot, length in keys]
            twin._place_of = {key: place for place, key in enumerate(twin._keys)}
            yield number, columns, twin

    def _slot_in(self, twin: Self, slot: int) -> int:
        return slot if slot == EVERYTHING else twin._slot_of[self._labels[slot]]

    def of_classes(self) -> Self:
        """Return the totals of the classes, of the lengths and of all documents, over no columns."""
        twin = super().of_classes()
        twin.by_length = sums_of_classes(self.by_length)
        return twin

    def in_file_order(self) -> Self:
        """Return the same sums with classes and lengths sorted, without those that lost their documents."""
        twin = super().in_file_order()
        slots = {EVERYTHING: EVERYTHING, **dict(enumerate(self._places_in(twin).tolist()))}
        keys = [(slots[slot], length) for slot, length in self._keys]
        live = self.by_length.classes()[2] > 0
        kept = sorted(key for key, lives in zip(keys, live, strict=True) if lives)
        if kept == twin._keys:
            return twin
        twin = twin.copy() if twin is self else twin
        twin._keys, twin._place_of = kept, {key: place for place, key in enumerate(kept)}
        twin.origin = object()
        twin.by_length = Statistics(self.columns)
        twin.by_length.grow(self.columns, len(kept))
        if kept:
            places = np.array([twin._place_of.get(key, 0) for key in keys], dtype=np.uint32)
            twin.by_length.merge(self.by_length, places, None)
        return twin

    def classes_by_length(self) -> tuple[NDArray[np.int64], Reals, Reals, sparse.csr_matrix]:
        """Return the sums of each (class, length), ordered by class, then length.

        Returns
        -------
        slots : array
            The slot of the class; the number of slots means all documents.
        lengths, documents : array
            The length, and the (weighted) number of documents of that class and length.
        values : csr_matrix of shape (len(slots), terms)
            The sums of their values.
        """
        from scipy import sparse

        keys = np.array(self._keys, dtype=np.float64).reshape(-1, 2)
        slots = keys[:, 0].astype(np.int64)
        slots[slots == EVERYTHING] = len(self._labels)
        order = np.lexsort((keys[:, 1], slots))
        terms, places, values, _ = self.by_length.pairs()
        shape = (len(keys), self.columns)
        matrix = sparse.csr_matrix((values, (places, terms)), shape=shape)[order]
        return slots[order], keys[order, 1], self.by_length.classes()[1][order], matrix

    @property
    def groups(self) -> int:
        """The number of (class, length) groups."""
        return len(self._keys)

    def groups_from(self, known: int) -> tuple[NDArray[np.uint32], Reals]:
        """Return classes (2**32 − 1 for everything) and lengths of the groups after the first ``known``."""
        keys = np.array(self._keys[known:], dtype=np.float64).reshape(-1, 2)
        return keys[:, 0].astype(np.int64).astype(np.uint32), np.ascontiguousarray(keys[:, 1])

    def store(self) -> Stored:
        """Return the sums, and those by length, as a configuration and arrays."""
        keys = np.array(self._keys, dtype=np.float64).reshape(-1, 2)
        arrays = {"slots": keys[:, 0].astype(np.int64), "lengths": keys[:, 1].copy()}
        by_length = Stored({}, arrays).with_part("sums", Stored({}, stored_sums(self.by_length)))
        return super().store().with_part("by_length", by_length)

    def _load(self, stored: Stored, columns: int) -> None:
        super()._load(stored, columns)
        stored = stored.part("by_length")
        slots = stored.array("slots", np.int64)
        lengths = stored.array("lengths", np.float64, len(slots))
        known = np.all((slots >= EVERYTHING) & (slots < len(self._labels)))
        stored.check(known, "it has document lengths of an unknown class")
        in_range = (lengths == 0) | ((lengths >= 1e-150) & (lengths <= 1e150))
        stored.check(np.all(in_range), "a document's length is out of range")
        self.by_length = restore_sums(stored.part("sums"), columns, len(slots))
        self._keys = list(zip(slots.tolist(), lengths.tolist(), strict=True))
        self._place_of = {key: place for place, key in enumerate(self._keys)}
        stored.check(len(self._place_of) == len(slots), "it has a class and length twice")

    def _length_labels(
        self, rows: Rows, targets: Targets, known: bool = False
    ) -> tuple[NDArray[np.int64], NDArray[np.uint32]]:
        """Return the (class, length) places of each document: one for each class, and one for all documents.

        With ``known``, a missing place raises NotLearnedError instead of being added.
        """
        slots = self._slots(targets.classes).astype(np.int64)
        per_row = np.diff(targets.starts)
        row_of = np.repeat(np.arange(len(rows)), per_row + 1)
        classes = np.insert(slots[targets.codes], targets.starts[1:], EVERYTHING)
        lengths, length_codes = np.unique(rows.sums(), return_inverse=True)
        combined = (classes + 1) * len(lengths) + length_codes[row_of]
        distinct, inverse = np.unique(combined, return_inverse=True)
        found = [(int(key // len(lengths)) - 1, float(lengths[key % len(lengths)])) for key in distinct]
        starts = targets.starts + np.arange(len(targets.starts))
        if known:
            self._check_known_keys(found)
        return starts, self._places(found)[inverse]

    def _check_known_keys(self, keys: list[tuple[int, float]]) -> None:
        for key in keys:
            if key not in self._place_of:
                slot = key[0]
                raise NotLearnedError.of_class(None if slot == EVERYTHING else self._labels[slot])

    def _places(self, keys: list[tuple[int, float]]) -> NDArray[np.uint32]:
        new = [key for key in dict.fromkeys(keys) if key not in self._place_of]
        if new:
            # Copies share the keys until one of them has more.
            first = len(self._keys)
            self._place_of = {**self._place_of, **{key: first + at for at, key in enumerate(new)}}
            self._keys = [*self._keys, *new]
        return np.array([self._place_of[key] for key in keys], dtype=np.uint32)
