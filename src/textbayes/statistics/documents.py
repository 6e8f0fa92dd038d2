"""Labelled documents, for models that refit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import wraps
from typing import Any, Self, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from textbayes.counts import Rows
from textbayes.errors import NotLearnedError
from textbayes.persistence import Stored
from textbayes.persistence.stored import Arrays
from textbayes.statistics.document_batch import Content, DocumentBatch, renumbered
from textbayes.statistics.document_entries import (
    KINDS,
    is_packed,
    restore_entries,
    store_entries,
    unpacked_parts,
    without_entries,
)
from textbayes.statistics.document_order import OrderColumns
from textbayes.statistics.labelled_rows import LabelledRows
from textbayes.statistics.lock import Lock
from textbayes.statistics.targets import Targets

Reals = NDArray[np.float64]
Place = tuple[int, int]
Method = TypeVar("Method", bound=Callable[..., Any])


def _alone(method: Method) -> Method:
    """Let only one thread at a time call methods of the same documents."""

    @wraps(method)
    def locked(self: Documents, /, *args: Any, **kwargs: Any) -> Any:
        with self._lock:
            return method(self, *args, **kwargs)

    return cast(Method, locked)


class Documents:
    """Labelled documents that can be added, found by content, and removed.

    Integer counts take as few bytes as the largest needs. Documents of weight 0 are ignored. The documents of
    a model file stay in the file, and are unpacked and checked when first used.

    Documents are a multiset: they are read and stored in an order that depends only on their contents
    (``textbayes.statistics.document_order``), not on when they were added. Those of an older file keep their
    order until one is added or removed.

    Parameters
    ----------
    multilabel : bool
        Whether a document has any number of labels, or exactly one.
    keep_order : bool, default=False
        Keep documents in the order in which they are added.

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes.counts import as_rows
    >>> from textbayes.statistics import Documents, LabelledRows, as_targets
    >>> documents = Documents(multilabel=False)
    >>> documents.add(LabelledRows(as_rows(np.array([[1, 0], [0, 2]])), as_targets(["a", "b"])))
    >>> documents.remove(documents.find(LabelledRows(as_rows(np.array([[1, 0]])), as_targets(["a"]))))
    >>> len(documents), documents.targets.labels().tolist()
    (1, ['b'])
    """

    def __init__(self, multilabel: bool, keep_order: bool = False) -> None:
        self.multilabel = multilabel
        self.keep_order = keep_order
        self._batches: list[DocumentBatch] = []
        self._is_ordered = True
        self._order_columns: OrderColumns | None = None
        # Whether they are in the order of an older file.
        self._is_older = False
        # Places of documents by content hash; built by the first search.
        self._places: dict[int, list[Place]] | None = None
        # The file of the first batch, until its labels are checked, and until its entries are read.
        self._unchecked_labels: Stored | None = None
        self._unread_entries: Stored | None = None
        # Reading documents checks, joins and orders them, which only one thread may do at a time.
        self._lock = Lock()

    def __len__(self) -> int:
        return sum(len(batch) for batch in self._batches)

    @classmethod
    def of_packed(cls, targets: Targets, entries: Arrays, columns: int) -> Self:
        """Return documents whose entries are packed, and stay so until they are first used.

        Parameters
        ----------
        targets : Targets
            The labels.
        entries : dict of arrays
            ``row_index`` and ``entries``, as in a model file.
        columns : int
            The number of columns.
        """
        made, stored = cls(targets.multilabel), Stored({"values": "real"}, entries)
        rows = without_entries(stored, len(targets), columns)
        made._batches = [DocumentBatch(LabelledRows(rows, targets), whole=False)]
        made._unread_entries = stored
        return made

    # Changing.

    @_alone
    def add(self, documents: LabelledRows) -> None:
        """Add documents."""
        self.read_entries()
        counted = documents.counted()
        counted.targets.check_like(self.some_labels, self.multilabel)
        self._batches.append(DocumentBatch.of(counted))
        self._is_ordered, self._is_older = self.keep_order, False
        if self._places is not None:
            self._index(len(self._batches) - 1, self._places)

    @_alone
    def find(self, documents: LabelledRows) -> list[Place]:
        """Find documents by counts, labels and weight; of equal ones, the last added.

        Raises
        ------
        LookupError
            With the position of the first document that is not found.
        LabelsError
            If the labels are of another kind than those of the documents.
        """
        documents.targets.check_like(self.some_labels, self.multilabel)
        self.read_entries()
        wanted, left = DocumentBatch.of(documents), dict[int, list[Place]]()
        found = []
        for position in np.flatnonzero(documents.sample_weight).tolist():
            content = wanted.content(position)
            key = hash(content)
            places = left.setdefault(key, list(self._index_of_all().get(key, ())))
            same = (place for place in reversed(places) if self._content(place) == content)
            place = next(same, None)
            if place is None:
                raise LookupError(position)
            places.remove(place)
            found.append(place)
        return found

    def find_learned(self, documents: LabelledRows) -> list[Place]:
        """Find documents; raise NotLearnedError if one is missing."""
        try:
            return self.find(documents)
        except LookupError as error:
            labels = documents.targets.take(np.array(error.args)).label_lists()[0]
            raise NotLearnedError.of_class(labels[0] if labels else None) from None

    @_alone
    def remove(self, places: Iterable[Place]) -> None:
        """Remove the documents at places that ``find`` returned."""
        if self._is_older:
            self._is_ordered, self._is_older = self.keep_order, False
        rows: dict[int, list[int]] = {}
        for number, row in places:
            rows.setdefault(number, []).append(row)
            if self._places is not None:
                self._places[hash(self._content((number, row)))].remove((number, row))
        for number, own in rows.items():
            self._batches[number] = self._batches[number].without(own)

    @_alone
    def renumber(self, column_of: NDArray[np.integer], width: int) -> None:
        """Renumber the columns; every column in use needs a new number."""
        self.read_entries()
        documents = self._joined().documents
        rows = renumbered(documents.rows, column_of, width)
        self._batches[0] = replace(self._batches[0], documents=replace(documents, rows=rows))
        self._places, self._order_columns = None, None
        self._is_ordered = self._is_older or self.keep_order

    @_alone
    def order_by(self, columns: OrderColumns | None) -> None:
        """Order the documents by columns of several kinds."""
        if columns is not None or self._order_columns is not None:
            self._is_ordered = self._is_older or self.keep_order
            self._order_columns = columns

    def join(self, other: Documents, column_of: NDArray[np.integer] | None = None, width: int = 0) -> None:
        """Add the documents of ``other``; ``column_of`` maps its columns to columns here."""
        if not len(other):
            return
        documents = other.labelled()
        if column_of is not None:
            documents = replace(documents, rows=renumbered(documents.rows, column_of, width))
        self.add(documents)

    @_alone
    def drop_unused_classes(self) -> None:
        """Drop classes without documents."""
        self._check_labels()
        batch = self._joined()
        targets = batch.documents.targets.of_used_classes()
        self._batches = [replace(batch, documents=replace(batch.documents, targets=targets))]

    @_alone
    def copy(self) -> Self:
        """Return an independent copy."""
        twin = type(self)(self.multilabel, self.keep_order)
        twin._batches = list(self._batches)
        twin._unchecked_labels, twin._unread_entries = self._unchecked_labels, self._unread_entries
        twin._order_columns = self._order_columns
        twin._is_ordered, twin._is_older = self._is_ordered, self._is_older
        return twin

    @_alone
    def fork(self) -> Self:
        """Return a copy that takes over the index of contents, to be changed in place of these."""
        twin = self.copy()
        twin._places, self._places = self._places, None
        return twin

    @property
    def are_kept(self) -> bool:
        """Whether the documents can be read: always."""
        return True

    def owned(self) -> Documents:
        """Return documents that can be changed: these."""
        return self

    # Reading.

    @_alone
    def labelled(self, width: int | None = None) -> LabelledRows:
        """Return all documents, in an order that depends only on their contents."""
        self.read_entries()
        batch = self._joined()
        rows = batch.documents.rows
        values: Any = rows.values.astype(np.int64 if batch.whole else np.float64, copy=False)
        read = Rows(rows.starts, rows.columns, values, rows.width if width is None else width)
        return LabelledRows(read, self.targets, self.weights)

    def blocks(self, width: int | None = None, size: int | None = None) -> Iterator[LabelledRows]:
        """Yield all documents in order, some at a time; packed ones are unpacked only for their block.

        Parameters
        ----------
        width : int, optional
            The number of columns.
        size : int, optional
            The number of rows and entries of a block, about a million by default.
        """
        with self._lock:
            stored = self._unread_entries
            targets, weights, batch = self.targets, self.weights, self._joined()
        if stored is None or not is_packed(stored):
            yield from self.labelled(width).blocks(size)
            return
        width = batch.documents.rows.width if width is None else width
        parts = unpacked_parts(
            stored.array("row_index", np.uint8), stored.array("entries", np.uint8), width, size
        )
        first = 0
        for rows in _refusing(stored, parts):
            last = first + len(rows)
            values: Any = rows.values.astype(np.int64 if batch.whole else np.float64)
            yield LabelledRows(
                replace(rows, values=values),
                targets.block(first, last),
                None if weights is None else weights[first:last],
            )
            first = last

    @_alone
    def used_columns(self, width: int) -> NDArray[np.bool_]:
        """Return a mask of the columns that occur in a document."""
        self.read_entries()
        used = np.zeros(width, dtype=bool)
        used[self._joined().documents.rows.columns] = True
        return used

    @property
    @_alone
    def targets(self) -> Targets:
        """The labels of all documents; some classes may have no documents."""
        self._check_labels()
        return self._joined().documents.targets

    @property
    @_alone
    def some_labels(self) -> list[Any]:
        """The labels of one batch that has any, of documents that are learned or forgotten."""
        return next((batch.labels for batch in self._batches if batch.labels), [])

    @property
    @_alone
    def weights(self) -> Reals | None:
        """The weights of all documents; None if each counts once."""
        self._check_labels()
        weights = self._joined().documents.weights
        return None if weights is None or bool(np.all(weights == 1.0)) else weights

    # In a model file.

    @_alone
    def store(self) -> Stored:
        """Return the documents as a configuration and arrays."""
        arrays = self._store_entries()
        batch = self._joined()
        if self.weights is not None:
            arrays["weights"] = self.weights
        targets = self.targets.store()
        configuration = {
            **targets.configuration,
            "values": "whole" if batch.whole else "real",
            "ordered": not (self._is_older or self.keep_order),
        }
        return Stored(configuration, {**targets.arrays, **arrays})

    def _store_entries(self) -> Arrays:
        stored = self._unread_entries
        if stored is not None and is_packed(stored) and self._is_ordered:
            # Invalid ones are never written again.
            for _ in self.blocks():
                pass
            return {name: stored.arrays[name] for name in ("row_index", "entries")}
        self.read_entries()
        batch = self._joined()
        rows = batch.documents.rows
        return store_entries(rows if batch.is_sorted else renumbered(rows, np.arange(rows.width), rows.width))

    @classmethod
    def restore(cls, stored: Stored, columns: int, keep_order: bool = False) -> Self:
        """Load documents with at most ``columns`` columns; entries are read when first used."""
        made = cls(stored.value("multilabel", bool), keep_order)
        targets, kind = Targets.restore(stored), stored.value("values", str)
        stored.check(kind in KINDS, f"{kind[:20]!r} is not a kind of counts")
        weights = None
        if "weights" in stored.arrays:
            weights = stored.array("weights", np.float64, len(targets))
        rows = without_entries(stored, len(targets), columns)
        made._batches = [DocumentBatch(LabelledRows(rows, targets, weights), kind == "whole")]
        made._unchecked_labels = made._unread_entries = stored
        # Older files have the documents in the order in which they were learned; models were fitted on it.
        made._is_older = not stored.value("ordered", bool, False)
        return made

    def _check_labels(self) -> None:
        stored = self._unchecked_labels
        if stored is None:
            return
        documents = self._batches[0].documents
        documents.targets.check_stored(stored)
        weights = documents.sample_weight
        sound = bool(np.all((weights > 0) & np.isfinite(weights)))
        stored.check(sound, "a document's weight is out of range")
        self._unchecked_labels = None

    @_alone
    def read_entries(self) -> None:
        """Read the documents of a model file, before they are used, and refuse invalid ones; only once."""
        self._check_labels()
        stored = self._unread_entries
        if stored is None:
            return
        batch = self._batches[0]
        rows = restore_entries(stored, batch.documents.rows)
        self._batches[0] = replace(batch, documents=replace(batch.documents, rows=rows))
        self._unread_entries = None

    # Plumbing.

    def _index_of_all(self) -> dict[int, list[Place]]:
        if self._places is None:
            self._joined()
            places: dict[int, list[Place]] = {}
            for number in range(len(self._batches)):
                self._index(number, places)
            self._places = places
        return self._places

    def _index(self, number: int, places: dict[int, list[Place]]) -> None:
        batch = self._batches[number]
        for row in np.flatnonzero(batch.alive).tolist():
            places.setdefault(hash(batch.content(row)), []).append((number, row))

    def _content(self, place: Place) -> Content:
        return self._batches[place[0]].content(place[1])

    def _joined(self) -> DocumentBatch:
        """Join all batches into one, in order, without removed documents; those of a file may stay there.

        An interrupt between any two lines leaves the same documents, joined or not.
        """
        if len(self._batches) != 1 or not self._batches[0].alive.all():
            self.read_entries()
            joined, self._places = DocumentBatch.joined(self._batches, self.multilabel), None
            self._batches = [joined]
        if not self._is_ordered and self._unread_entries is None:
            ordered, self._places = self._batches[0].in_order(self._order_columns), None
            self._batches = [ordered]
            self._is_ordered = True
        return self._batches[0]

    def __getstate__(self) -> dict[str, Any]:
        # Python's hashes of text differ from process to process.
        return {**self.__dict__, "_places": None}


def _refusing(stored: Stored, parts: Iterator[Rows]) -> Iterator[Rows]:
    """Yield unpacked rows; refuse a file with other bytes."""
    try:
        yield from parts
    except ValueError:
        stored.refuse("its documents do not fit its columns")
