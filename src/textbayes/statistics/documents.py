"""Labelled documents, kept as counts: what is global is worked out from them anew."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from textbayes.counts import Rows
from textbayes.persistence import Stored
from textbayes.persistence.stored import Arrays
from textbayes.statistics.label_storing import restore_labels, store_labels
from textbayes.statistics.starts import are_rows_sorted, are_starts, joined_starts
from textbayes.statistics.targets import Targets

Ints = NDArray[np.int64]
Reals = NDArray[np.float64]


@dataclass(eq=False)
class _Chunk:
    """Documents that came together: counts in as few bytes as they need, labels by their number."""

    starts: Ints
    columns: NDArray[np.int32]
    counts: NDArray[Any]
    label_starts: Ints
    labels: NDArray[np.uint32]
    weights: Reals
    alive: NDArray[np.bool_]

    def key(self, row: int) -> int:
        """What is the same for documents that are the same, and hardly ever for others."""
        columns, counts, labels, weight = self.document(row)
        counted = columns.tobytes(), counts.astype(np.uint32).tobytes()
        return hash((*counted, labels.tobytes(), weight.tobytes()))

    def document(self, row: int) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]:
        """One document's columns, counts, labels and weight."""
        entries = slice(self.starts[row], self.starts[row + 1])
        labels = slice(self.label_starts[row], self.label_starts[row + 1])
        return self.columns[entries], self.counts[entries], self.labels[labels], self.weights[row : row + 1]


class Documents:
    """Documents that can be added, found by what is in them, and taken out.

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes.counts import as_rows
    >>> from textbayes.statistics import Documents, as_targets
    >>> documents = Documents(multilabel=False)
    >>> documents.add(as_rows(np.array([[1, 0], [0, 2]])), as_targets(["a", "b"]))
    >>> documents.remove(documents.find(as_rows(np.array([[1, 0]])), as_targets(["a"])))
    >>> len(documents), documents.targets().classes.tolist()
    (1, ['b'])
    """

    def __init__(self, multilabel: bool) -> None:
        self.multilabel = multilabel
        self._chunks: list[_Chunk] = []
        self._labels: list[Any] = []
        self._number_of: dict[Any, int] = {}
        self._places: dict[int, list[tuple[int, int]]] | None = None

    def __len__(self) -> int:
        return int(sum(chunk.alive.sum() for chunk in self._chunks))

    def add(self, rows: Rows, targets: Targets, weights: Reals | None = None) -> None:
        """Add documents; each counts once, or as its weight says."""
        chunk = self._chunk(rows, targets, weights)
        self._chunks.append(chunk)
        if self._places is not None:
            self._index(len(self._chunks) - 1, chunk)

    def find(self, rows: Rows, targets: Targets, weights: Reals | None = None) -> list[tuple[int, int]]:
        """Find documents with the same counts, labels and weights; each counts once.

        Raises
        ------
        LookupError
            With the position of the first document that is not here.
        """
        if self._places is None:
            self._places = {}
            for number, chunk in enumerate(self._chunks):
                self._index(number, chunk)
        wanted = self._chunk(rows, targets, weights, known=True)
        found: list[tuple[int, int]] = []
        taken: set[tuple[int, int]] = set()
        for row in range(len(rows)):
            places = self._places.get(wanted.key(row), [])
            place = next(
                (place for place in places if place not in taken and self._is(place, wanted, row)), None
            )
            if place is None:
                raise LookupError(row)
            taken.add(place)
            found.append(place)
        return found

    def remove(self, places: list[tuple[int, int]]) -> None:
        """Take out documents that were found."""
        for number, row in places:
            chunk = self._chunks[number]
            chunk.alive[row] = False
            if self._places is not None:
                self._places[chunk.key(row)].remove((number, row))

    def rows(self, width: int) -> Rows:
        """All documents, in the order in which they came."""
        chunk = self._joined()
        return Rows(chunk.starts, chunk.columns, chunk.counts.astype(np.float64), width)

    def targets(self) -> Targets:
        """All documents' labels; labels that no document has any more are left out."""
        chunk = self._joined()
        live = np.unique(chunk.labels)
        labels = [self._labels[number] for number in live]
        order = sorted(range(len(labels)), key=labels.__getitem__)
        code_of = np.zeros(len(self._labels), dtype=np.uint32)
        code_of[live[order]] = np.arange(len(live), dtype=np.uint32)
        classes = np.array([labels[place] for place in order]) if labels else np.empty(0)
        return Targets(classes, chunk.label_starts, code_of[chunk.labels], self.multilabel)

    def weights(self) -> Reals | None:
        """All documents' weights; None where each counts once."""
        weights = self._joined().weights
        return None if np.all(weights == 1.0) else weights

    def renumber(self, column_of: NDArray[np.int64], width: int) -> None:
        """Give columns new numbers; every document's columns must have one."""
        chunk = self._joined()
        columns = column_of[chunk.columns].astype(np.int32)
        shape = (len(chunk.alive), width)
        matrix = sparse.csr_matrix((chunk.counts.copy(), columns, chunk.starts), shape=shape)
        matrix.sort_indices()
        chunk.columns, chunk.counts = matrix.indices.astype(np.int32, copy=False), matrix.data
        self._places = None

    def join(self, other: Documents, column_of: NDArray[np.uint32], width: int) -> None:
        """Add another's documents, whose columns have these numbers here."""
        rows = other.rows(len(column_of))
        renamed = Rows(rows.starts, column_of[rows.columns].astype(np.int32), rows.values, width)
        self.add(renamed, other.targets(), other.weights())

    # In a model file.

    def store(self) -> Stored:
        """Return the documents as arrays: the same for the same documents, whatever else was taught once."""
        chunk = self._joined()
        labels = sorted(self._labels[number] for number in np.unique(chunk.labels))
        place_of = {label: place for place, label in enumerate(labels)}
        number_of = np.array([place_of.get(label, 0) for label in self._labels], dtype=np.uint32)
        largest = int(chunk.counts.max(initial=0))
        targets = Targets(np.empty(0), chunk.label_starts, chunk.labels, self.multilabel)
        arrays: Arrays = {
            "starts": chunk.starts,
            "columns": chunk.columns,
            "counts": chunk.counts.astype(np.min_scalar_type(largest), copy=False),
            "label_starts": chunk.label_starts,
            "label_numbers": _sorted_codes(targets, number_of[chunk.labels]),
        }
        weights = self.weights()
        if weights is not None:
            arrays["weights"] = weights
        return Stored({"multilabel": self.multilabel}, arrays).with_part("labels", store_labels(labels, None))

    @classmethod
    def restore(cls, stored: Stored) -> Documents:
        """Take documents back; their entries are checked when they are first used."""
        documents = cls(stored.value("multilabel", bool))
        documents._labels, _ = restore_labels(stored.part("labels"))
        documents._number_of = {label: number for number, label in enumerate(documents._labels)}
        counts = stored.arrays.get("counts", np.empty(0))
        stored.check(counts.dtype.kind == "u", "the counts of its documents are not whole numbers")
        starts, label_starts = stored.array("starts", np.int64), stored.array("label_starts", np.int64)
        columns = stored.array("columns", np.int32, len(counts))
        labels = stored.array("label_numbers", np.uint32)
        stored.check(len(starts) == len(label_starts) > 0, "its documents and their labels are not as many")
        alive = np.ones(len(starts) - 1, dtype=bool)
        weights = np.ones(len(alive))
        if "weights" in stored.arrays:
            weights = stored.array("weights", np.float64, len(alive))
        documents._chunks = [_Chunk(starts, columns, counts, label_starts, labels, weights, alive)]
        return documents

    def check(self, stored: Stored, width: int) -> None:
        """Look at every entry of documents that were taken back."""
        for chunk in self._chunks:
            sound = (
                are_starts(chunk.starts, len(chunk.columns))
                and are_starts(chunk.label_starts, len(chunk.labels))
                and bool(np.all((chunk.columns >= 0) & (chunk.columns < width)))
                and bool(np.all(chunk.labels < len(self._labels)))
                and bool(np.all((chunk.weights > 0) & np.isfinite(chunk.weights)))
                and (self.multilabel or bool(np.all(np.diff(chunk.label_starts) == 1)))
            )
            stored.check(sound, "its documents do not fit its vocabulary and labels")

    # Plumbing.

    def _chunk(
        self, rows: Rows, targets: Targets, weights: Reals | None = None, known: bool = False
    ) -> _Chunk:
        labels = targets.classes.tolist()
        if known:
            # No document has number 2³² − 1 for a label.
            numbers = [self._number_of.get(label, 2**32 - 1) for label in labels]
        else:
            numbers = [self._numbered(label) for label in labels]
        largest = int(rows.values.max(initial=0))
        counts = rows.values.astype(np.min_scalar_type(min(largest, 2**32 - 1)))
        alive = np.ones(len(rows), dtype=bool)
        columns, counts = _by_column(rows, counts)
        codes = _sorted_codes(targets, np.array(numbers, dtype=np.uint32)[targets.codes])
        weights = np.ones(len(rows)) if weights is None else weights
        return _Chunk(rows.starts, columns, counts, targets.starts, codes, weights, alive)

    def _numbered(self, label: Any) -> int:
        if label not in self._number_of:
            self._number_of[label] = len(self._labels)
            self._labels.append(label)
        return self._number_of[label]

    def _index(self, number: int, chunk: _Chunk) -> None:
        assert self._places is not None
        for row in np.flatnonzero(chunk.alive).tolist():
            self._places.setdefault(chunk.key(row), []).append((number, row))

    def _is(self, place: tuple[int, int], other: _Chunk, row: int) -> bool:
        mine: tuple[NDArray[Any], ...] = self._chunks[place[0]].document(place[1])
        return all(np.array_equal(a, b) for a, b in zip(mine, other.document(row), strict=True))

    def _joined(self) -> _Chunk:
        """Put all documents in one chunk, without those that were taken out."""
        if len(self._chunks) != 1 or not self._chunks[0].alive.all():
            self._chunks = [_concatenated([_living(chunk) for chunk in self._chunks])]
            self._places = None
        return self._chunks[0]


def _by_column(rows: Rows, counts: NDArray[Any]) -> tuple[NDArray[np.int32], NDArray[Any]]:
    """Put each row's entries in the order of their columns, so that equal documents are equal arrays."""
    if are_rows_sorted(rows.starts, rows.columns):
        return rows.columns, counts
    matrix = sparse.csr_matrix(
        (counts.copy(), rows.columns.copy(), rows.starts), shape=(len(rows), rows.width)
    )
    matrix.sort_indices()
    return matrix.indices.astype(np.int32, copy=False), matrix.data


def _sorted_codes(targets: Targets, codes: NDArray[np.uint32]) -> NDArray[np.uint32]:
    if not targets.multilabel:
        return codes
    document = np.repeat(np.arange(len(targets)), np.diff(targets.starts))
    return codes[np.lexsort((codes, document))]


def _living(chunk: _Chunk) -> _Chunk:
    if chunk.alive.all():
        return chunk
    starts, entries = _kept(chunk.starts, chunk.alive)
    label_starts, labels = _kept(chunk.label_starts, chunk.alive)
    counted = starts, chunk.columns[entries], chunk.counts[entries]
    weights = chunk.weights[chunk.alive]
    return _Chunk(*counted, label_starts, chunk.labels[labels], weights, np.ones(len(weights), dtype=bool))


def _kept(starts: Ints, alive: NDArray[np.bool_]) -> tuple[Ints, NDArray[np.bool_]]:
    lengths = np.diff(starts)
    return np.concatenate([[0], np.cumsum(lengths[alive])]), np.repeat(alive, lengths)


def _concatenated(chunks: list[_Chunk]) -> _Chunk:
    def joined(arrays: Iterator[NDArray[Any]], dtype: Any) -> NDArray[Any]:
        return np.concatenate([np.empty(0, dtype), *arrays])

    return _Chunk(
        joined_starts([chunk.starts for chunk in chunks]),
        joined((chunk.columns for chunk in chunks), np.int32),
        joined((chunk.counts for chunk in chunks), np.uint8),
        joined_starts([chunk.label_starts for chunk in chunks]),
        joined((chunk.labels for chunk in chunks), np.uint32),
        joined((chunk.weights for chunk in chunks), np.float64),
        joined((chunk.alive for chunk in chunks), np.bool_),
    )
