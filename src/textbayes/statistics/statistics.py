"""Sums of labelled documents."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from textbayes._native import NotLearnedAt, Statistics
from textbayes.errors import ModelDamagedError, NotLearnedError
from textbayes.persistence import Stored
from textbayes.statistics.labelled_rows import LabelledRows
from textbayes.statistics.splitting import SumsPart, split_sums, sums_of_classes
from textbayes.statistics.stored_labels import restore_labels, store_labels
from textbayes.statistics.targets import Targets, check_labels_kind, check_mergeable_labels

if TYPE_CHECKING:
    from scipy import sparse

Columns = NDArray[np.uint32]
Reals = NDArray[np.float64]

# The largest number of cells of a block of classes.
_CELLS = 1 << 22


class ClassStatistics:
    """Sums of values and documents: of each class, each term, and each (class, term) pair seen.

    A document counts once in the totals and once in each of its classes, so the complement of a class is the
    documents without it. ``stats(A) + stats(B) == stats(A ∪ B)``, exactly for whole numbers; real ones are
    summed in two doubles, so that documents added and then removed leave no trace.

    Arrays over classes are by slot: the order in which classes were first seen. ``order`` lists the slots of
    ``classes``. A class without documents keeps its slot and is in neither.
    """

    def __init__(self, columns: int, multilabel: bool) -> None:
        self.sums = Statistics(columns)
        self.multilabel = multilabel
        self.columns = columns
        self._labels: list[Any] = []
        self._slot_of: dict[Any, int] = {}
        self._dtype: np.dtype[Any] | None = None
        self._live: NDArray[np.bool_] | None = None
        self.classes: NDArray[Any]
        self.order: NDArray[np.uint32]
        self._update_order()

    def add(self, documents: LabelledRows) -> None:
        """Add documents, which may have new classes and columns."""
        rows, targets = documents.rows, documents.targets
        targets.check_like(self._labels, self.multilabel)
        slots = self._slots(targets.classes)
        self.columns = max(self.columns, rows.width)
        self.sums.grow(self.columns, len(self._labels))
        self.sums.add(documents.by_slots(slots[targets.codes]))
        self._update_order()

    def subtract(self, documents: LabelledRows) -> None:
        """Remove documents; raise NotLearnedError and change nothing when one was never added."""
        targets = documents.targets
        self._check_known(targets)
        slots = self._slots(targets.classes)
        try:
            self.sums.subtract(documents.by_slots(slots[targets.codes]))
        except NotLearnedAt as error:
            slot, term = error.args
            raise NotLearnedError.of_class(None if slot is None else self._labels[slot], term) from None
        self._update_order()

    def merge(self, other: ClassStatistics, column_of: NDArray[np.uint32] | None = None) -> None:
        """Add the documents of other statistics; ``column_of`` maps its columns to ours."""
        check_labels_kind(other.multilabel, self.multilabel)
        check_mergeable_labels(self._labels, other._labels)
        labels = np.empty(len(other._labels), dtype=other._dtype or self._dtype)
        labels[:] = other._labels
        slots = self._slots(labels)
        needed = other.columns if column_of is None else int(column_of.max(initial=0)) + (column_of.size > 0)
        self.columns = max(self.columns, needed)
        self.sums.grow(self.columns, len(self._labels))
        self.sums.merge(other.sums, slots, column_of)
        self._update_order()

    def copy(self) -> Self:
        """Return an independent copy."""
        return self._with_sums(self.sums.copy())

    def fork(self) -> Self:
        """Return a copy that is to be changed in place of these; caches of these move to it."""
        return self.copy()

    def _with_sums(self, sums: Statistics) -> Self:
        twin = copy.copy(self)
        twin.sums = sums
        return twin

    def reserve(self, other: ClassStatistics) -> None:
        """Give the classes of other statistics the slots that they have there; there must be none yet."""
        labels = np.empty(len(other._labels), dtype=other._dtype or np.float64)
        labels[:] = other._labels
        self._slots(labels)
        self.sums.grow(self.columns, len(self._labels))

    def widen(self, columns: int) -> None:
        """Have at least this many columns."""
        self.columns = max(self.columns, columns)
        self.sums.grow(self.columns, len(self._labels))

    def in_order(self, columns: NDArray[np.uint32]) -> Self:
        """Return the same sums with the columns in this order and the classes sorted.

        They equal sums of the same documents that were added at once, to the bit if all counts are whole.
        """
        labels = np.empty(len(self._labels), dtype=self._dtype or np.float64)
        labels[:] = self._labels
        order = np.argsort(labels, kind="stable").astype(np.uint32)
        twin = self._with_sums(self.sums.renumbered(columns, order))
        twin._labels = [self._labels[slot] for slot in order]
        twin._slot_of = {label: slot for slot, label in enumerate(twin._labels)}
        twin._live = None
        twin._update_order()
        return twin

    def parts(self, part_of: NDArray[np.integer], parts: int) -> Iterator[tuple[int, Columns, Self]]:
        """Yield the sums of the terms by parts: the number of a part, its columns here, and their sums.

        Totals of classes are in none of them, but in ``of_classes``. Merged into empty sums, with their
        columns, all of them are these sums again.

        Parameters
        ----------
        part_of : array of int
            For each column the number of its part, below ``parts``.
        parts : int
            The number of parts.
        """
        for part in split_sums(self.sums, part_of, parts):
            yield part.number, part.columns, self._part(part)

    def of_classes(self) -> Self:
        """Return the totals of the classes and of all documents, over no columns."""
        twin = self._with_sums(sums_of_classes(self.sums))
        twin.columns = 0
        return twin

    def _part(self, part: SumsPart) -> Self:
        twin = type(self)(0, self.multilabel)
        twin._labels = [self._labels[slot] for slot in part.classes.tolist()]
        twin._slot_of = {label: slot for slot, label in enumerate(twin._labels)}
        twin._dtype, twin.sums, twin.columns = self._dtype, part.sums, len(part.columns)
        twin._update_order()
        return twin

    def in_file_order(self) -> Self:
        """Return the same sums with the classes sorted, without those that lost their documents.

        So a file depends on the documents, not on the order in which they were learned. These sums are
        returned themselves if they are so already.
        """
        labels = self.classes.tolist()
        if labels == self._labels:
            return self
        twin = type(self)(self.columns, self.multilabel)
        twin._slots(self.classes)
        twin.sums.grow(self.columns, len(labels))
        if labels:
            twin.sums.merge(self.sums, self._places_in(twin), None)
        twin._update_order()
        return twin

    def _places_in(self, other: ClassStatistics) -> NDArray[np.uint32]:
        """Return for each class its slot in other sums; 0 for one that is not there, and has no documents."""
        return np.array([other._slot_of.get(label, 0) for label in self._labels], dtype=np.uint32)

    def sums_only(self) -> ClassStatistics:
        """Return the sums without documents: these."""
        return self

    def indicator_of(self, targets: Targets) -> NDArray[np.bool_]:
        """Return which of the classes documents have, shape (documents, classes)."""
        slots = self.slots_of(targets)
        truth = np.zeros((len(targets), len(self._labels)), dtype=bool)
        truth[np.repeat(np.arange(len(targets)), np.diff(targets.starts)), slots] = True
        return truth[:, self.order]

    def slots_of(self, targets: Targets) -> NDArray[np.uint32]:
        """Return the slot of each document's classes; raise NotLearnedError for a class not seen before."""
        self._check_known(targets)
        return self._slots(targets.classes)[targets.codes]

    def label_of(self, slot: int) -> Any:
        """Return the label of a slot."""
        return self._labels[slot]

    def has_all(self, columns: NDArray[np.integer]) -> bool:
        """Return whether every class, and each of these terms, has a document."""
        return bool(self.sums.classes()[2].all() and self.sums.terms()[2][columns].all())

    def with_values(self, pairs: Reals, classes: Reals) -> ClassStatistics:
        """Return a copy with other sums: of the pairs, by term, then class; and of the classes, by slot."""
        state = self.sums.state()
        nothing = np.empty(0)
        state |= {"pair_values": pairs, "pair_values_low": nothing}
        state |= {"class_values": classes, "class_values_low": nothing}
        return self._with_sums(Statistics.from_state(state))

    def with_pairs(
        self, starts: NDArray[np.int64], classes: NDArray[np.uint32], values: Reals
    ) -> ClassStatistics:
        """Return a copy with other pairs, by term, then class; their values need not be sums."""
        return self._with_sums(self.sums.with_pair_values(starts, classes, values))

    # In a model file.

    def store(self) -> Stored:
        """Return the sums as a configuration and arrays."""
        stored = Stored({"multilabel": self.multilabel}, stored_sums(self.sums))
        return stored.with_part("labels", store_labels(self._labels, self._dtype))

    @classmethod
    def restore(cls, stored: Stored, columns: int) -> Self:
        """Load sums over ``columns`` columns."""
        made = cls(0, stored.value("multilabel", bool))
        made._load(stored, columns)
        return made

    def _load(self, stored: Stored, columns: int) -> None:
        self.columns = columns
        self._labels, self._dtype = restore_labels(stored.part("labels"))
        self._slot_of = {label: slot for slot, label in enumerate(self._labels)}
        stored.check(len(self._slot_of) == len(self._labels), "it has a label twice")
        self.sums = restore_sums(stored, columns, len(self._labels))
        self._live = None
        self._update_order()

    # Arrays. Values are sums of counts, documents are sums of sample weights.

    @property
    def class_values(self) -> Reals:
        """The sum of the values of each class's documents, by slot."""
        return self.sums.classes()[0]

    @property
    def class_documents(self) -> Reals:
        """The (weighted) number of each class's documents, by slot."""
        return self.sums.classes()[1]

    @property
    def class_shares(self) -> Reals:
        """Each class's share of all documents, by slot."""
        return self.class_documents / max(self.documents, np.finfo(np.float64).tiny)

    @property
    def pair_values(self) -> sparse.csr_matrix:
        """The sums of the values of the pairs seen, shape (slots, terms)."""
        return self._pair_matrix(2)

    @property
    def pair_documents(self) -> sparse.csr_matrix:
        """The (weighted) numbers of documents of the pairs seen, shape (slots, terms)."""
        return self._pair_matrix(3)

    def _pair_matrix(self, column: int) -> sparse.csr_matrix:
        from scipy import sparse

        pairs = self.sums.pairs()
        shape = (len(self._labels), self.columns)
        return sparse.csr_matrix((pairs[column], (pairs[1], pairs[0])), shape=shape)

    @property
    def term_values(self) -> Reals:
        """The sum of the values of each term, each document counted once."""
        return self.sums.terms()[0]

    @property
    def term_documents(self) -> Reals:
        """The (weighted) number of documents with each term."""
        return self.sums.terms()[1]

    @property
    def values(self) -> float:
        """The sum of all values, each document counted once."""
        return self.sums.all()[0]

    @property
    def documents(self) -> float:
        """The (weighted) number of documents."""
        return self.sums.all()[1]

    def _check_known(self, targets: Targets) -> None:
        targets.check_like(self._labels, self.multilabel)
        for label in targets.classes.tolist():
            if label not in self._slot_of:
                raise NotLearnedError.of_class(label)

    def _slots(self, classes: NDArray[Any]) -> NDArray[np.uint32]:
        """Return the slots of classes, with new ones for classes not seen before."""
        labels = classes.tolist()
        new = [label for label in labels if label not in self._slot_of]
        # An empty array of classes may have any dtype, and would change that of the others.
        if self._dtype is None or not self._labels:
            self._dtype = classes.dtype
        elif labels:
            self._dtype = np.result_type(self._dtype, classes.dtype)
        if new:
            # Copies share the labels until one of them has more.
            first = len(self._labels)
            self._slot_of = {**self._slot_of, **{label: first + at for at, label in enumerate(new)}}
            self._labels = [*self._labels, *new]
        return np.array([self._slot_of[label] for label in labels], dtype=np.uint32)

    def _update_order(self) -> None:
        """List the classes that have documents (in multi-label data: all), sorted, and their slots."""
        live = self.sums.classes()[2] > 0
        if self.multilabel:
            live[:] = True
        if self._live is not None and np.array_equal(live, self._live):
            return
        slots = np.flatnonzero(live)
        classes = np.empty(len(slots), dtype=self._dtype or np.float64)
        classes[:] = [self._labels[slot] for slot in slots]
        ranks = np.argsort(classes, kind="stable")
        self.classes = classes[ranks]
        self.order = slots[ranks].astype(np.uint32)
        self._live = live


def class_blocks(slots: NDArray[np.integer], columns: int) -> Iterator[NDArray[np.int64]]:
    """Split classes into blocks whose rows of a table with ``columns`` columns fit in memory."""
    step = max(1, _CELLS // max(columns, 1))
    for first in range(0, len(slots), step):
        yield slots[first : first + step].astype(np.int64)


def stored_sums(sums: Statistics) -> dict[str, NDArray[Any]]:
    """Return the arrays of sums for a file, without second parts that are all zero."""
    arrays = sums.state()
    return {
        name: array if array.any() or not name.endswith("_low") else array[:0]
        for name, array in arrays.items()
    }


def restore_sums(stored: Stored, columns: int, classes: int) -> Statistics:
    """Load sums over ``columns`` columns and ``classes`` classes."""
    arrays = {name: array for name, array in stored.arrays.items() if "/" not in name}
    for name, array in arrays.items():
        # The pairs are most of a file; the core checks those of a term when it first reads them.
        if not name.startswith("pair_"):
            stored.array(name, array.dtype)
    try:
        sums = Statistics.from_state(arrays, stored.path)
    except ModelDamagedError:
        raise
    except (KeyError, TypeError, ValueError) as error:
        stored.refuse(f"its sums cannot be used ({error})")
    fit = len(arrays["term_documents"]) == columns and len(arrays["class_documents"]) == classes
    stored.check(fit, "its sums do not have the classes of its labels and the terms of its vocabulary")
    return sums
