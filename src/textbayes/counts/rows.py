"""Sparse rows as the core reads them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from textbayes.errors import InfiniteCountError, NegativeCountError, TooManyColumnsError

# The kinds of numbers that the core reads as they are.
Values = NDArray[np.int64] | NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Rows:
    """Compressed sparse rows: of counts as they come from TextCounter, or of real values."""

    starts: NDArray[np.int64]
    columns: NDArray[np.int32]
    values: Values
    width: int

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def triple(self) -> tuple[NDArray[np.int64], NDArray[np.int32], Values]:
        """Starts, columns and values."""
        return self.starts, self.columns, self.values

    @property
    def real_triple(self) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]:
        """Starts, columns, and values as doubles."""
        return self.starts, self.columns, self.values.astype(np.float64, copy=False)

    @property
    def matrix(self) -> sparse.csr_matrix:
        """The rows as scipy has them."""
        return sparse.csr_matrix(self.triple[::-1], shape=(len(self), self.width))

    def block(self, first: int, last: int) -> Rows:
        """Rows ``first`` to ``last``, without copying their entries."""
        start, end = self.starts[first], self.starts[last]
        starts = self.starts[first : last + 1] - start
        return Rows(starts, self.columns[start:end], self.values[start:end], self.width)

    def take(self, rows: NDArray[np.intp]) -> Rows:
        """Some of the rows, copied, in the order asked for."""
        matrix = self.matrix[rows]
        return Rows(matrix.indptr.astype(np.int64), matrix.indices.astype(np.int32), matrix.data, self.width)

    def sums(self) -> NDArray[np.float64]:
        """Each row's sum."""
        if len(self) == 1:
            # As scipy adds them below, to the bit, without making a matrix first.
            return np.add.reduceat(self.real_triple[2], [0]) if len(self.values) else np.zeros(1)
        return np.asarray(self.matrix.sum(axis=1), dtype=np.float64).ravel()


def is_csr(counts: Any) -> bool:
    """Tell whether counts are in compressed sparse row form already."""
    return bool(sparse.issparse(counts)) and counts.format == "csr"


def as_rows(counts: Any, names: NDArray[Any] | None = None) -> Rows:
    """Take counts in any form scipy or numpy has, and check them.

    Parameters
    ----------
    counts : sparse matrix, sparse array or array of shape (documents, terms)
        Counts, or weights such as tf-idf: zero or positive, and finite.
    names : array of str, optional
        The columns' names, for the error message.

    Raises
    ------
    NegativeCountError, InfiniteCountError
        Naming the first offending document and term.
    TooManyColumnsError
        For 2**31 columns or more.
    """
    if np.shape(counts)[1] > np.iinfo(np.int32).max:
        raise TooManyColumnsError(np.shape(counts)[1])
    matrix = counts if is_csr(counts) else sparse.csr_matrix(counts)
    if not matrix.has_canonical_format:
        matrix = matrix.copy()
        matrix.sum_duplicates()
    values: Values = (
        np.ascontiguousarray(matrix.data)
        if matrix.dtype == np.int64
        else np.ascontiguousarray(matrix.data, dtype=np.float64)
    )
    _check_values(matrix, values, names)
    return Rows(
        np.ascontiguousarray(matrix.indptr, dtype=np.int64),
        np.ascontiguousarray(matrix.indices, dtype=np.int32),
        values,
        matrix.shape[1],
    )


def _check_values(matrix: sparse.csr_matrix, values: Values, names: NDArray[Any] | None) -> None:
    if not values.size:
        return
    # One NaN or infinity spoils the sum, and so do numbers too large to be added.
    with np.errstate(over="ignore"):
        if values.min() >= 0 and (values.dtype == np.int64 or np.isfinite(values.sum())):
            return
    bad = np.flatnonzero(~(np.isfinite(values) & (values >= 0)))
    entry = int(bad[0] if bad.size else np.argmax(values))
    document = int(np.searchsorted(matrix.indptr, entry, side="right")) - 1
    column = int(matrix.indices[entry])
    name = None if names is None else str(names[column])
    kind = NegativeCountError if values[entry] < 0 and np.isfinite(values[entry]) else InfiniteCountError
    raise kind(document, column, float(values[entry]), name)
