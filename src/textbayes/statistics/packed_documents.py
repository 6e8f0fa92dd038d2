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
from textbayes.statistics.documents import Documents
from textbayes.statistics.labelled_rows import LabelledRows
from textbayes.statistics.targets import Targets, check_labels_kind


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

    def documents(self, width: int) -> Documents:
        """Return the documents, over ``width`` columns; their entries stay in the file."""
        index, entries = self._entries.arrays()
        return Documents.of_packed(self._targets(), {"row_index": index, "entries": entries}, width)

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


class _PackedRows:
    """The index and the entries of packed rows."""

    def __init__(self, folder: str | os.PathLike[str] | None, *in_memory: int) -> None:
        self.rows = 0
        self._index, self._entries = TemporaryBytes(folder), TemporaryBytes(folder)

    def add(self, rows: Rows) -> None:
        index, entries = pack_rows(rows.starts, rows.columns, rows.values.astype(np.uint32))
        self._index.append(index.data)
        self._entries.append(entries.data)
        self.rows += len(rows)

    def arrays(self) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        return self._index.array(), self._entries.array()
