"""The removal of single documents from the sums."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from textbayes._native import available_threads
from textbayes.errors import NotLearnedError
from textbayes.statistics import ClassStatistics, LabelledRows
from textbayes.statistics.labelled_rows import CoreDocuments

Reals = NDArray[np.float64]
Places = NDArray[np.intp]

# A difference below this share of the minuend is only rounding.
_NOTHING = 1e-12


def left_of(whole: Reals, part: Reals | float) -> Reals:
    """Subtract a part from a sum; a difference that is only rounding becomes 0."""
    left = whole - part
    return np.where(left > _NOTHING * whole, left, 0.0)


class Removal:
    """Learned documents, and how the sums change if a single one is removed.

    A document x of weight s subtracts y = s·x from the sums of its terms and classes. "Own" arrays have an
    entry for each label of each document, in the order of the documents; the others one for each document.

    Parameters
    ----------
    statistics : ClassStatistics
        Sums that include the documents.
    learned : LabelledRows
        The documents, as they were learned.

    Raises
    ------
    NotLearnedError
        If a class has fewer documents or smaller sums than one of its documents.
    """

    def __init__(self, statistics: ClassStatistics, learned: LabelledRows) -> None:
        self.statistics, self.learned = statistics, learned
        rows, targets = learned.rows, learned.targets
        self.rows, self.weights = rows, learned.weights
        self.own_slots = statistics.slots_of(targets)
        self.own_rows = np.repeat(np.arange(len(rows)), np.diff(targets.starts))
        self._check()

    def _check(self) -> None:
        slack = _NOTHING * self.statistics.class_values[self.own_slots]
        gone = (self.own_values < -slack) | (self._own_count < 0)
        if gone.any():
            raise NotLearnedError.of_class(self.statistics.label_of(int(self.own_slots[np.argmax(gone)])))

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def core_documents(self) -> CoreDocuments:
        """The documents as the core takes them."""
        return self.learned.by_slots(self.own_slots)

    @property
    def threads(self) -> int:
        """The number of threads."""
        return available_threads()

    @cached_property
    def mass(self) -> Reals:
        """Σ x_t of each document."""
        return self.rows.sums()

    @cached_property
    def sample_weight(self) -> Reals:
        """The weight s of each document."""
        return self.learned.sample_weight

    @cached_property
    def removed(self) -> Reals:
        """Σ y_t: the part of each document in the sum of all values."""
        return self.sample_weight * self.mass

    @cached_property
    def documents(self) -> Reals:
        """The (weighted) number of documents without each."""
        return np.maximum(self.statistics.documents - self.sample_weight, 0.0)

    @cached_property
    def values(self) -> Reals:
        """The sum of all values without each document."""
        return np.maximum(self.statistics.values - self.removed, 0.0)

    @cached_property
    def _own_count(self) -> NDArray[np.int64]:
        """The number of documents of a document's class without it; those of weight 0 do not count."""
        count = self.statistics.sums.classes()[2].astype(np.int64)[self.own_slots]
        return count - (self.sample_weight[self.own_rows] > 0)

    @cached_property
    def own_values(self) -> Reals:
        """The sum of the values of a document's class without it."""
        whole = self.statistics.class_values[self.own_slots]
        left = whole - self.removed[self.own_rows]
        # If the other documents of a class are empty, the rest is only rounding.
        return np.where((self._own_count == 0) | (left <= _NOTHING * whole), np.minimum(left, 0.0), left)

    @cached_property
    def own_documents(self) -> Reals:
        """The (weighted) number of documents of a document's class without it."""
        left = self.statistics.class_documents[self.own_slots] - self.sample_weight[self.own_rows]
        return np.where(self._own_count == 0, 0.0, np.maximum(left, 0.0))

    @cached_property
    def own_gone(self) -> NDArray[np.bool_]:
        """Whether the class disappears with the document; the classes of an indicator never do."""
        alone = (self._own_count == 0) & (self.sample_weight[self.own_rows] > 0)
        return np.zeros_like(alone) if self.statistics.multilabel else alone

    @cached_property
    def own_places(self) -> tuple[Places, Places]:
        """Row and column of each label in an array of shape (documents, slots)."""
        return self.own_rows, self.own_slots.astype(np.intp)

    @cached_property
    def _slots_are_sorted(self) -> bool:
        return np.array_equal(self.statistics.order, np.arange(len(self.statistics.class_documents)))

    def finished(self, by_slot: Reals) -> Reals:
        """Scores by slot → scores in the order of the classes; a class that disappears scores −∞."""
        gone = tuple(place[self.own_gone] for place in self.own_places)
        by_slot[gone] = -np.inf
        return by_slot if self._slots_are_sorted else by_slot[:, self.statistics.order]

    def by_slot(self, scores: Reals) -> Reals:
        """Scores in the order of the classes → scores by slot."""
        if self._slots_are_sorted:
            return scores
        table = np.zeros((len(scores), len(self.statistics.class_documents)))
        table[:, self.statistics.order] = scores
        return table
