"""Documents in one representation: which columns it uses, document frequencies, and the sums."""

from __future__ import annotations

import copy
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from textbayes.counts import CountTransform, Frequencies, Rows, TermCounts, transform_frequencies
from textbayes.counts.frequency import count_documents, row_lengths
from textbayes.counts.selection import column_places, move_columns
from textbayes.estimators.auto.column_kinds import Kinds, used_columns
from textbayes.estimators.auto.representation import Representation
from textbayes.estimators.text.term_selection import TermSelector
from textbayes.statistics import ClassStatistics, DocumentStatistics, LabelledRows

Places = NDArray[np.int32]


class Group:
    """The members of a recipe with one representation share its columns, frequencies and sums.

    The columns, the frequencies and the mean length stay as ``fit`` found them; the sums change with the
    documents.

    Parameters
    ----------
    representation : Representation
        How counts are transformed.
    places : array of int or None
        For each column of the counts, its column here; −1 if it is not used. None if all are used.
    frequencies : Frequencies
        Document frequencies of the columns here, and the length of documents.
    statistics : ClassStatistics
        The sums.
    """

    def __init__(
        self,
        representation: Representation,
        places: Places | None,
        frequencies: Frequencies,
        statistics: ClassStatistics,
    ) -> None:
        self.representation, self.frequencies, self.statistics = representation, frequencies, statistics
        self.places, self._late = places, np.empty(0, dtype=np.int32)
        # The documents that fitted members learn from, if these are not those of the sums.
        self.training: DocumentStatistics | None = None
        self.width = len(frequencies.documents_with)

    @classmethod
    def fit(
        cls,
        representation: Representation,
        documents: LabelledRows,
        kinds: Kinds,
        statistics: type[ClassStatistics] = ClassStatistics,
    ) -> Group:
        """Choose columns, count documents, and sum."""
        places = _chosen_columns(representation, documents, kinds)
        rows = _restricted(documents.rows, places)
        frequencies = count_documents(rows, documents.weights)
        group = cls(representation, places, frequencies, statistics(rows.width, documents.targets.multilabel))
        if representation.length == "mean":
            lengths = row_lengths(group.transformed(rows, length=False))
            mean = float(np.average(lengths, weights=documents.weights))
            group.frequencies = replace(frequencies, length=mean)
        group.statistics.add(replace(documents, rows=group.transformed(rows)))
        return group

    @classmethod
    def of_counts(cls, representation: Representation, counts: TermCounts, kinds: Kinds) -> Group:
        """Make the group of documents that were counted elsewhere, without sums.

        Parameters
        ----------
        representation : Representation
            How counts are transformed; all terms of its kinds are used.
        counts : TermCounts
            The documents, and the documents with each term.
        kinds : array of int
            The kinds of the terms.
        """
        used = used_columns(representation.columns, kinds)
        frequencies = Frequencies(counts.documents, counts.documents_with[used])
        return cls(representation, places_of(used), frequencies, ClassStatistics(int(used.sum()), False))

    def count_transform(self) -> CountTransform:
        """Return how counts become rows here, as long as there are no new terms."""
        own = self.representation
        return CountTransform(self.frequencies, own.log, own.idf, own.length is not None, self.places)

    def train_on(self, documents: LabelledRows, labels: ClassStatistics) -> None:
        """Let fitted members learn from these documents, whose classes have the slots of ``labels``."""
        self.training = DocumentStatistics(self.width, documents.targets.multilabel)
        self.training.reserve(labels)
        self.training.add(replace(documents, rows=self.represent(documents.rows)))

    def statistics_for(self, additive: bool) -> ClassStatistics:
        """Return what a member is made of: the sums, or the documents that fitted members learn from."""
        return self.statistics if additive or self.training is None else self.training

    @property
    def unseen_slots(self) -> NDArray[np.uint32]:
        """The slots of classes that no document has that fitted members learn from."""
        if self.training is None:
            return np.empty(0, dtype=np.uint32)
        return np.flatnonzero(self.training.class_documents == 0).astype(np.uint32)

    def fork(self, shared: ClassStatistics, twin: ClassStatistics) -> Group:
        """Return a group with its own sums; in place of those that are ``shared`` it has ``twin``."""
        other = copy.copy(self)
        other.statistics = twin if self.statistics is shared else self.statistics.fork()
        return other

    def learn(self, documents: LabelledRows) -> None:
        """Add documents to the sums."""
        self.statistics.add(replace(documents, rows=self.represent(documents.rows)))

    def forget(self, documents: LabelledRows) -> None:
        """Subtract documents from the sums."""
        self.statistics.subtract(replace(documents, rows=self.represent(documents.rows)))

    def represent(self, rows: Rows) -> Rows:
        """Transform counts, in the columns here."""
        if self.places is None:
            return self.transformed(replace(rows, width=self.width))
        return self.transformed(move_columns(rows, self.own_columns(rows.columns), self.width))

    def own_columns(self, columns: NDArray[np.integer]) -> Places:
        """Return the column here of some columns of the counts; −1 for one that is not used."""
        if self.places is None:
            return columns.astype(np.int32, copy=False)
        if not len(self._late):
            return np.asarray(self.places[columns])
        known = len(self.places)
        own = self.places[np.minimum(columns, known - 1)] if known else np.zeros(len(columns), np.int32)
        new = columns >= known
        own[new] = self._late[columns[new] - known]
        return own

    def widen(self, kinds: Kinds) -> Places:
        """Add columns of new terms of these kinds; return their columns here."""
        uses = used_columns(self.representation.columns, kinds) & (self.representation.terms is None)
        if self.places is None and not uses.all():
            # Until now all columns were used, those of later terms as well.
            self.places = np.arange(self.width - len(self._late), dtype=np.int32)
        own = np.where(uses, self.width + np.cumsum(uses) - 1, -1).astype(np.int32)
        self._late = np.concatenate([self._late, own])
        self.width += int(uses.sum())
        return own

    def transformed(self, rows: Rows, length: bool = True) -> Rows:
        """Transform rows that have the columns here."""
        own = self.representation
        scaled = length and own.length is not None
        return transform_frequencies(rows, self.frequencies, own.log, own.idf, scaled)


def _restricted(rows: Rows, places: Places | None) -> Rows:
    """Keep the columns that have a place."""
    if places is None:
        return rows
    return move_columns(rows, places[rows.columns], int(places.max(initial=-1)) + 1)


def _chosen_columns(representation: Representation, documents: LabelledRows, kinds: Kinds) -> Places | None:
    """Return the place of each column; None if all are used."""
    kept = used_columns(representation.columns, kinds)
    if representation.terms is not None:
        criterion, share = representation.terms
        width = int(kept.sum())
        rows = _restricted(documents.rows, places_of(kept))
        selector = TermSelector(criterion, k=max(1, round(share * width)))
        kept[kept] = selector.fit(rows.matrix, documents.targets).get_support()
    return places_of(kept)


def places_of(kept: NDArray[np.bool_]) -> Places | None:
    """Return the place of each column among those kept, −1 for the others; None if all are kept."""
    return None if kept.all() else column_places(kept)
