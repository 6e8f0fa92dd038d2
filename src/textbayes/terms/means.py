"""Poisson means of the classes and their complements (Kim 2003, eqs. 7–9)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from textbayes.statistics import LengthStatistics

Reals = NDArray[np.float64]

# So many cells of a table of classes × terms are held at once.
BLOCK_CELLS = 1 << 22


class MeansBlock(NamedTuple):
    """The means of some classes: arrays of shape (classes, terms)."""

    slots: NDArray[np.int64]
    of_class: Reals
    of_complement: Reals


class _Mixing(NamedTuple):
    """What a set of documents gives a term: uniform · A_t + by_length · E_t + floor."""

    uniform: Reals
    by_length: Reals
    floor: Reals


class PoissonMeans:
    """λ′ and μ′ of eq. 14, the τ-free weighted averages of (x + θ) / (dl + θ|V|).

    With D = dl + θ|V|, g of eq. 9 and the sums A_t = Σ x/D and E_t = Σ x·dl/D over the documents of a class,
    λ′_t = α/|D_c| · (A_t + θ Σ 1/D) + (1−α)/Σdl · (E_t + θ Σ dl/D); the complement's sums are those of all
    documents minus the class's.

    Parameters
    ----------
    statistics : LengthStatistics
        Of the training documents.
    theta : float
        θ, what is added to every term of a document.
    alpha : float
        α, the share of uniform averaging; the rest is by document length.

    Notes
    -----
    A sample weight is a number of documents: it multiplies g, not x. A class whose documents are all empty is
    averaged uniformly; a class or complement without documents has the mean 1/|V| of an empty document.
    """

    def __init__(self, statistics: LengthStatistics, theta: float, alpha: float) -> None:
        self.theta, self.alpha, self.columns = theta, alpha, statistics.columns
        slots, lengths, documents, values = statistics.classes_by_length()
        self.classes = len(statistics.class_documents)
        shape = (self.classes + 1, len(slots))
        scale = 1.0 / (lengths + theta * self.columns)

        def summed(factors: Reals) -> sparse.csr_matrix:
            # Rows by class, entries by length: the order of the additions is that of a fresh fit.
            return sparse.csr_matrix((factors, (slots, np.arange(len(slots)))), shape=shape)

        self._uniform_sums = (summed(scale) @ values).tocsr()
        self._length_sums = (summed(scale * lengths) @ values).tocsr()
        ones = np.ones_like(lengths)
        self._documents = summed(ones) @ documents
        self._lengths = summed(lengths) @ documents
        self._uniform_floor = summed(scale) @ documents
        self._length_floor = summed(scale * lengths) @ documents

    def blocks(self, slots: NDArray[np.integer]) -> Iterator[MeansBlock]:
        """Work the means out for some classes at a time: no table of classes × terms is ever whole."""
        step = max(1, BLOCK_CELLS // max(self.columns, 1))
        totals = [
            self._dense(sums, np.array([self.classes])) for sums in (self._uniform_sums, self._length_sums)
        ]
        for first in range(0, len(slots), step):
            yield self._block(np.asarray(slots[first : first + step], dtype=np.int64), *totals)

    def _block(self, slots: NDArray[np.int64], all_uniform: Reals, all_length: Reals) -> MeansBlock:
        uniform, length = self._dense(self._uniform_sums, slots), self._dense(self._length_sums, slots)
        own = self._mixing(*(sums[slots] for sums in self._column_sums()))
        rest = self._mixing(*(np.maximum(sums[-1] - sums[slots], 0.0) for sums in self._column_sums()))
        other_uniform = np.maximum(all_uniform - uniform, 0.0)
        other_length = np.maximum(all_length - length, 0.0)
        return MeansBlock(slots, _means(own, uniform, length), _means(rest, other_uniform, other_length))

    def _column_sums(self) -> tuple[Reals, Reals, Reals, Reals]:
        return self._documents, self._lengths, self._uniform_floor, self._length_floor

    def _mixing(self, documents: Reals, lengths: Reals, uniform_floor: Reals, length_floor: Reals) -> _Mixing:
        alpha = np.where(lengths > 0, self.alpha, 1.0)
        uniform = np.divide(alpha, documents, out=np.zeros_like(documents), where=documents > 0)
        by_length = np.divide(1.0 - alpha, lengths, out=np.zeros_like(lengths), where=lengths > 0)
        floor = self.theta * (uniform * uniform_floor + by_length * length_floor)
        floor = np.where(documents > 0, floor, 1.0 / max(self.columns, 1))
        return _Mixing(uniform[:, None], by_length[:, None], floor[:, None])

    @staticmethod
    def _dense(sums: sparse.csr_matrix, slots: NDArray[np.int64]) -> Reals:
        return np.asarray(sums[slots].todense())


def _means(mixing: _Mixing, uniform: Reals, length: Reals) -> Reals:
    return mixing.uniform * uniform + mixing.by_length * length + mixing.floor
