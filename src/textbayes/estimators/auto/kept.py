"""The documents learned so far, kept so that what does not add can be worked out again."""

from __future__ import annotations

from collections import Counter, defaultdict
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from textbayes.counts import Rows
from textbayes.errors import LabelKindError, NotLearnedError
from textbayes.statistics import Targets
from textbayes.statistics.targets import kind_of_labels

_SMALL = (np.uint8, np.uint16, np.float32)


class KeptDocuments:
    """Counts and labels in the smallest form that loses nothing."""

    def __init__(self, multilabel: bool) -> None:
        self.multilabel = multilabel
        self._matrix: sparse.csr_matrix | None = None
        self._labels: list[Any] = []
        self._dtype: np.dtype[Any] | None = None
        self._columns = 0

    def __len__(self) -> int:
        return len(self._labels)

    def add(self, rows: Rows, targets: Targets) -> None:
        """Keep more documents; they may have more columns."""
        matrix = _packed(rows)
        if self._matrix is not None:
            width = max(self._matrix.shape[1], matrix.shape[1])
            matrix = sparse.vstack([_widened(self._matrix, width), _widened(matrix, width)], format="csr")
        self._matrix = matrix
        self._labels += _labels_of(targets)
        dtype = targets.classes.dtype
        self._dtype = dtype if self._dtype is None else np.result_type(self._dtype, dtype)
        self._columns = max(self._columns, len(targets.classes)) if self.multilabel else 0

    def remove(self, rows: Rows, targets: Targets) -> None:
        """Drop documents, the latest of equal ones.

        Raises
        ------
        NotLearnedError
            When one is not here. Nothing is changed.
        """
        here = defaultdict(list)
        assert self._matrix is not None
        for place, key in enumerate(_keys(self._matrix, self._labels)):
            here[key].append(place)
        gone = []
        labels = _labels_of(targets)
        for key, label in zip(_keys(_packed(rows), labels), labels, strict=True):
            if not here[key]:
                raise NotLearnedError(None if self.multilabel else label, None)
            gone.append(here[key].pop())
        stay = np.setdiff1d(np.arange(len(self)), gone)
        self._matrix = self._matrix[stay]
        self._labels = [self._labels[place] for place in stay]

    @property
    def counts(self) -> sparse.csr_matrix:
        """The counts."""
        assert self._matrix is not None
        return self._matrix.astype(np.float64)

    @property
    def labels(self) -> NDArray[Any]:
        """The labels as an estimator takes them."""
        if not self.multilabel:
            found = np.empty(len(self), dtype=self._dtype)
            found[:] = self._labels
            return found
        indicator = np.zeros((len(self), self._columns), dtype=np.int64)
        for row, own in enumerate(self._labels):
            indicator[row, list(own)] = 1
        return indicator

    @property
    def classes(self) -> NDArray[Any]:
        """The labels there are, sorted; of an indicator, its columns."""
        if self.multilabel:
            return np.arange(self._columns)
        classes = sorted(set(self._labels))
        found = np.empty(len(classes), dtype=self._dtype)
        found[:] = classes
        return found

    @property
    def class_documents(self) -> NDArray[np.float64]:
        """How many documents each class has."""
        own = [label for labels in self._labels for label in labels] if self.multilabel else self._labels
        count = Counter(own)
        return np.array([float(count[label]) for label in self.classes.tolist()])

    def check_kind(self, targets: Targets) -> None:
        """Raise LabelKindError for labels of the other kind."""
        if targets.multilabel != self.multilabel:
            raise LabelKindError(kind_of_labels(self.multilabel), targets.kind)


def _labels_of(targets: Targets) -> list[Any]:
    if not targets.multilabel:
        return list(targets.classes[targets.codes].tolist())
    parts = np.split(targets.codes, targets.starts[1:-1]) if len(targets) else []
    return [tuple(sorted(part.tolist())) for part in parts]


def _packed(rows: Rows) -> sparse.csr_matrix:
    matrix = rows.matrix.copy()
    matrix.eliminate_zeros()
    return _smallest(matrix)


def _smallest(matrix: sparse.csr_matrix) -> sparse.csr_matrix:
    for dtype in _SMALL:
        with np.errstate(over="ignore", invalid="ignore"):
            small = matrix.data.astype(dtype)
        if np.array_equal(small.astype(np.float64), matrix.data):
            return sparse.csr_matrix((small, matrix.indices, matrix.indptr), shape=matrix.shape)
    return matrix


def _widened(matrix: sparse.csr_matrix, width: int) -> sparse.csr_matrix:
    return sparse.csr_matrix((matrix.data, matrix.indices, matrix.indptr), shape=(matrix.shape[0], width))


def _keys(matrix: sparse.csr_matrix, labels: list[Any]) -> list[tuple[bytes, Any]]:
    """What tells a document from another: its entries and labels."""
    starts = matrix.indptr.tolist()
    columns, values = matrix.indices.astype(np.int32), matrix.data.astype(np.float64)
    return [
        (blake2b(columns[a:b].tobytes() + values[a:b].tobytes(), digest_size=16).digest(), label)
        for a, b, label in zip(starts[:-1], starts[1:], labels, strict=True)
    ]
