"""Sparse rows as the core reads them."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from textbayes.errors import CountRangeError, InfiniteCountError, NegativeCountError, ParameterError
from textbayes.errors.numbers import LEAST, MOST, out_of_range
from textbayes.text import shown_term

if TYPE_CHECKING:
    from scipy import sparse

# The types that the core reads without conversion.
Values = NDArray[np.int64] | NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Rows:
    """Compressed sparse rows of counts, as TextCounter returns them, or of real values."""

    starts: NDArray[np.int64]
    columns: NDArray[np.int32]
    values: Values
    width: int

    @classmethod
    def empty(cls, width: int) -> Rows:
        """Return one row without entries."""
        return cls(np.zeros(2, np.int64), np.empty(0, np.int32), np.empty(0), width)

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def matrix(self) -> sparse.csr_matrix:
        """The rows as a scipy matrix."""
        from scipy import sparse

        return sparse.csr_matrix((self.values, self.columns, self.starts), shape=(len(self), self.width))

    def block(self, first: int, last: int) -> Rows:
        """Return rows ``first`` to ``last`` without copying their entries."""
        start, end = self.starts[first], self.starts[last]
        starts = self.starts[first : last + 1] - start
        return Rows(starts, self.columns[start:end], self.values[start:end], self.width)

    def take(self, rows: NDArray[np.intp]) -> Rows:
        """Return a copy of some rows, in the given order."""
        matrix = self.matrix[rows]
        return Rows(matrix.indptr.astype(np.int64), matrix.indices.astype(np.int32), matrix.data, self.width)

    def sums(self) -> NDArray[np.float64]:
        """Return the sum of each row."""
        sums = np.zeros(len(self))
        some = np.flatnonzero(np.diff(self.starts))
        if some.size:
            values = self.values.astype(np.float64, copy=False)
            sums[some] = np.add.reduceat(values, self.starts[some])
        return sums


def is_csr(counts: Any) -> bool:
    """Return whether counts are already in compressed sparse row form."""
    return is_sparse(counts) and counts.format == "csr"


def is_sparse(value: Any) -> bool:
    """Return whether a value is a sparse matrix or array of scipy, which is not imported for that."""
    loaded = sys.modules.get("scipy.sparse")
    return loaded is not None and bool(loaded.issparse(value))


def as_rows(counts: Any, names: NDArray[Any] | None = None) -> Rows:
    """Convert counts from any scipy or numpy form, and check them.

    Parameters
    ----------
    counts : sparse matrix, sparse array or array of shape (documents, terms)
        Counts, or weights such as tf-idf: finite, zero or positive.
    names : array of str, optional
        The column names, for error messages.

    Raises
    ------
    NegativeCountError, InfiniteCountError, CountRangeError
        At the first invalid entry; the message names its document and term.
    ParameterError
        For 2**31 columns or more.
    """
    from scipy import sparse

    if np.shape(counts)[1] > np.iinfo(np.int32).max:
        allowed = "at most 2147483647 columns; TextCounter(dimensions=2**24) hashes terms to fewer"
        raise ParameterError("counts.shape[1]", np.shape(counts)[1], allowed)
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
    least = values.min()
    if values.dtype == np.int64:
        if least >= 0:
            return
    elif least >= LEAST and values.max() <= MOST:  # NaN is neither.
        return
    invalid = ~(np.isfinite(values) & (values >= 0))
    bad = np.flatnonzero(invalid | out_of_range(values))
    if not bad.size:
        return
    entry = int(np.flatnonzero(invalid)[0] if invalid.any() else bad[0])
    document = int(np.searchsorted(matrix.indptr, entry, side="right")) - 1
    column = int(matrix.indices[entry])
    name = None if names is None else shown_term(str(names[column]))
    value = float(values[entry])
    if not np.isfinite(value):
        raise InfiniteCountError(document, column, value, name)
    raise (NegativeCountError if value < 0 else CountRangeError)(document, column, value, name)
