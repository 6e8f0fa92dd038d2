"""Counts → counts: logarithm, inverse document frequency, length (Rennie 2003, eqs. 10–12)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textbayes.counts.rows import Rows
from textbayes.persistence import Stored

SMOOTH = "smooth"


@dataclass(frozen=True)
class Frequencies:
    """Document frequencies of the training documents.

    Parameters
    ----------
    documents : int or float
        The number of documents, or the sum of their weights.
    documents_with : array of shape (terms,)
        The number of documents with each term, or the sum of their weights.
    length : float
        The L2 length that documents are scaled to.
    """

    documents: int | float
    documents_with: NDArray[np.int64] | NDArray[np.float64]
    length: float = 1.0

    def idf(self, smooth: bool = False) -> NDArray[np.float64]:
        """log(N / df), or 1 + log((1 + N) / (1 + df)); 0 for a term in no training document."""
        return self._smooth_idf if smooth else self._idf

    def store(self) -> Stored:
        """Return the numbers of documents as a configuration and an array."""
        # Whole numbers of documents, unless these had weights.
        kind = np.float64 if isinstance(self.documents, float) else np.int64
        arrays = {"documents_with": self.documents_with.astype(kind, copy=False)}
        return Stored({"documents": self.documents, "length": self.length}, arrays)

    @classmethod
    def restore(cls, stored: Stored, columns: int) -> Frequencies:
        """Load the frequencies of ``columns`` terms, or refuse the file."""
        length = stored.value("length", float)
        weighted = isinstance(stored.configuration["documents"], float)
        documents = stored.value("documents", float) if weighted else stored.size("documents")
        stored.check(0 <= documents < np.inf, "the number of its documents is out of range")
        with_term = stored.array("documents_with", np.float64 if weighted else np.int64, columns)
        stored.check(0 <= length < np.inf, "the length of its documents is out of range")
        known = np.all((with_term >= 0) & (with_term <= documents))
        stored.check(known, "a term is in more documents than there are")
        return cls(documents, with_term, length)

    def idf_at(self, columns: NDArray[np.integer], smooth: bool = False) -> NDArray[np.float64]:
        """Return the idf of some columns; new columns have the idf of a term in one document."""
        known = len(self.documents_with)
        old = columns < known
        if len(columns) > known // 8 and old.all():
            return np.asarray(self.idf(smooth)[columns])
        some: Any = np.ones(len(columns), dtype=self.documents_with.dtype)
        some[old] = self.documents_with[columns[old]]
        return replace(self, documents_with=some).idf(smooth)

    @cached_property
    def _idf(self) -> NDArray[np.float64]:
        with np.errstate(divide="ignore"):
            idf = np.log(self.documents / self.documents_with)
        return np.where(self.documents_with > 0, idf, 0.0)

    @cached_property
    def _smooth_idf(self) -> NDArray[np.float64]:
        idf = 1.0 + np.log((1.0 + self.documents) / (1.0 + self.documents_with))
        return np.where(self.documents_with > 0, idf, 0.0)


def count_documents(rows: Rows, weights: NDArray[np.float64] | None = None) -> Frequencies:
    """Count the documents, and the documents with each term; with weights, sum those instead."""
    seen = rows.values != 0
    if weights is None:
        return Frequencies(len(rows), np.bincount(rows.columns[seen], minlength=rows.width))
    each = np.repeat(weights, np.diff(rows.starts))[seen]
    # Summed in the same order, so that a term in every document has exactly this document frequency.
    total = float(np.bincount(np.zeros(len(weights), dtype=np.intp), weights, 1)[0])
    return Frequencies(total, np.bincount(rows.columns[seen], each, rows.width))


def transform_frequencies(
    rows: Rows, frequencies: Frequencies, log: bool, idf: bool | str, length: bool
) -> Rows:
    """Apply the transforms in Rennie's order.

    Parameters
    ----------
    rows : Rows
        Counts.
    frequencies : Frequencies
        Of the training documents.
    log : bool
        log2(1 + x) (eq. 10).
    idf : bool or "smooth"
        Multiply by log(N / df) (eq. 11), or by its smoothed form.
    length : bool
        Scale to the L2 length ``frequencies.length`` (eq. 12). An empty document stays empty.
    """
    values = np.log2(1.0 + rows.values) if log else rows.values.astype(np.float64)
    if idf:
        values *= frequencies.idf_at(rows.columns, idf == SMOOTH)
    transformed = replace(rows, values=values)
    if length:
        lengths = row_lengths(transformed)
        scale = np.divide(frequencies.length, lengths, out=np.zeros_like(lengths), where=lengths > 0)
        values *= np.repeat(scale, np.diff(rows.starts))
    return transformed


def row_lengths(rows: Rows) -> NDArray[np.float64]:
    """Return each row's L2 length."""
    return np.sqrt(replace(rows, values=rows.values**2).sums())
