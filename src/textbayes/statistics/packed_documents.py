"""Documents that are packed into bytes as they come, for more of them than memory holds."""

from __future__ import annotations

import os
from array import array
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textbayes._native import pack_rows
from textbayes.counts import Rows
from textbayes.persistence.temporary import TemporaryBytes
from textbayes.statistics.document_batch import renumbered
from textbayes.statistics.document_entries import unpacked_parts
from textbayes.statistics.document_order import OrderColumns, is_identity, order_keys, order_of
from textbayes.statistics.documents import Documents
from textbayes.statistics.labelled_rows import LabelledRows
from textbayes.statistics.targets import Targets

Bytes = NDArray[np.uint8]

# Documents are sorted in files of this many bytes, unless there would be too many files, each with a buffer.
_FILE_BYTES, _MOST_FILES, _BUFFER = 1 << 19, 200, 1 << 14


class PackedDocuments:
    """Labelled documents in a temporary file: about two bytes per entry, and a number for each label.

    Parameters
    ----------
    folder : path, optional
        The folder of the temporary file, which is written only for many documents.

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes.counts import as_rows
    >>> from textbayes.statistics import LabelledRows, PackedDocuments, as_targets
    >>> packed = PackedDocuments()
    >>> packed.add(LabelledRows(as_rows(np.array([[1, 0], [0, 2]])), as_targets(["b", "a"])))
    >>> packed.add(LabelledRows(as_rows(np.array([[1, 3]])), as_targets(["b"])))
    >>> sorted(packed.documents(2).labelled().targets.labels().tolist())
    ['a', 'b', 'b']
    """

    def __init__(self, folder: str | os.PathLike[str] | None = None) -> None:
        self._folder = folder
        self._entries = _PackedRows(folder)
        self._multilabel: bool | None = None
        # Labels in the order in which they were first seen, and for each document the numbers of its labels.
        self._number_of: dict[Any, int] = {}
        self._dtype: np.dtype[Any] | None = None
        self._numbers, self._label_counts = array("I"), array("I")

    def __len__(self) -> int:
        return self._entries.rows

    def add(self, documents: LabelledRows) -> None:
        """Add documents with whole counts, sorted columns and no weights."""
        targets = documents.targets.in_order()
        if self._multilabel is None:
            self._multilabel = targets.multilabel
        targets.check_like(list(islice(self._number_of, 1)), self._multilabel)
        self._entries.add(documents.rows)
        labels: list[Any] = targets.classes.tolist()
        if labels:
            known = self._dtype
            self._dtype = targets.classes.dtype if known is None else np.result_type(known, targets.classes)
        numbers = [self._number_of.setdefault(label, len(self._number_of)) for label in labels]
        self._numbers.frombytes(np.array(numbers, dtype=np.uintc)[targets.codes].tobytes())
        if targets.multilabel:
            self._label_counts.frombytes(np.diff(targets.starts).astype(np.uintc).tobytes())

    def renumber(self, column_of: NDArray[np.integer], width: int) -> None:
        """Give the columns other numbers, some documents at a time."""
        old, self._entries = self._entries, _PackedRows(self._folder)
        for rows in unpacked_parts(*old.arrays(), width):
            self._entries.add(renumbered(rows, column_of, width))

    def documents(self, width: int, columns: OrderColumns | None = None) -> Documents:
        """Return the documents, over ``width`` columns, in order; their entries stay in the file."""
        targets, index, entries = self._in_order(self._targets(), *self._entries.arrays(), width, columns)
        return Documents.of_packed(targets, {"row_index": index, "entries": entries}, width)

    def _in_order(
        self, targets: Targets, index: Bytes, entries: Bytes, width: int, columns: OrderColumns | None
    ) -> tuple[Targets, Bytes, Bytes]:
        """Sort the documents by their contents, as ``Documents`` does.

        They are dealt to files by their ranks, and each file is then sorted in memory.
        """
        order = order_of(_keys(targets, index, entries, width, columns))
        if is_identity(order):
            return targets, index, entries
        ranks = np.empty(len(order), dtype=np.int64)
        ranks[order] = np.arange(len(order))
        files = min(1 + (len(index) + len(entries)) // _FILE_BYTES, _MOST_FILES)
        dealt, first = [_PackedRows(self._folder, _BUFFER) for _ in range(files)], 0
        for rows in unpacked_parts(index, entries, width):
            file_of = ranks[first : first + len(rows)] * files // len(ranks)
            for file in np.unique(file_of).tolist():
                dealt[file].add(rows.take(np.flatnonzero(file_of == file)))
            first += len(rows)
        whole = _PackedRows(self._folder)
        for file, packed in enumerate(dealt):
            own = ranks[ranks * files // len(ranks) == file]
            for rows in unpacked_parts(*packed.arrays(), width, size=2**62):
                whole.add(rows.take(np.argsort(own)))
        return targets.take(order), *whole.arrays()

    def _targets(self) -> Targets:
        labels = np.array(list(self._number_of), dtype=self._dtype or np.str_)
        order = np.argsort(labels, kind="stable")
        code_of = np.zeros(len(order), dtype=np.uint32)
        code_of[order] = np.arange(len(order))
        codes = code_of[np.frombuffer(self._numbers, dtype=np.uintc)]
        if not self._multilabel:
            return Targets(labels[order], np.arange(len(self) + 1, dtype=np.int64), codes, False)
        ends = np.cumsum(np.frombuffer(self._label_counts, dtype=np.uintc), dtype=np.int64)
        targets = Targets(labels[order], np.concatenate([np.zeros(1, np.int64), ends]), codes, True)
        return targets.in_order()


def _keys(
    targets: Targets, index: Bytes, entries: Bytes, width: int, columns: OrderColumns | None
) -> NDArray[np.uint64]:
    keys, first = [np.empty((0, 3), dtype=np.uint64)], 0
    for rows in unpacked_parts(index, entries, width):
        keys.append(order_keys(LabelledRows(rows, targets.block(first, first + len(rows))), columns))
        first += len(rows)
    return np.concatenate(keys)


class _PackedRows:
    """The index and the entries of packed rows."""

    def __init__(self, folder: str | os.PathLike[str] | None, *in_memory: int) -> None:
        self.rows = 0
        self._index, self._entries = TemporaryBytes(folder, *in_memory), TemporaryBytes(folder, *in_memory)

    def add(self, rows: Rows) -> None:
        index, entries = pack_rows(rows.starts, rows.columns, rows.values.astype(np.uint32))
        self._index.append(index.data)
        self._entries.append(entries.data)
        self.rows += len(rows)

    def arrays(self) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        return self._index.array(), self._entries.array()
