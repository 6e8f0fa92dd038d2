"""Poisson means of the classes and their complements (Kim 2003, eqs. 7–9)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from textbayes.statistics import LengthStatistics, Targets, class_blocks

if TYPE_CHECKING:
    from scipy import sparse

Reals = NDArray[np.float64]


class ClassSums(NamedTuple):
    """Sums over the documents of each class, and in the last row over all documents; D = dl + θ|V|.

    Parameters
    ----------
    uniform, by_length : csr_matrix of shape (classes + 1, terms)
        Σ x/D and Σ x·dl/D.
    documents, lengths, uniform_floor, length_floor : array of shape (classes + 1,)
        Σ 1, Σ dl, Σ 1/D and Σ dl/D.
    """

    uniform: sparse.csr_matrix
    by_length: sparse.csr_matrix
    documents: Reals
    lengths: Reals
    uniform_floor: Reals
    length_floor: Reals

    def of_classes(self) -> tuple[Reals, Reals, Reals, Reals]:
        """The sums that do not depend on terms."""
        return self.documents, self.lengths, self.uniform_floor, self.length_floor


def sums_of_statistics(statistics: LengthStatistics, theta: float) -> ClassSums:
    """Sum over the documents of each class, by slot, from the statistics."""
    from scipy import sparse

    slots, lengths, documents, values = statistics.classes_by_length()
    # Rows by class, entries by length: the same order of additions as in a fresh fit.
    members = sparse.csr_matrix(
        (np.ones(len(slots)), (slots, np.arange(len(slots)))),
        shape=(len(statistics.class_documents) + 1, len(slots)),
    )
    return _class_sums(members, values, lengths, documents, theta)


def _class_sums(
    members: sparse.csr_matrix, values: sparse.csr_matrix, lengths: Reals, documents: Reals, theta: float
) -> ClassSums:
    from scipy import sparse

    scale = 1.0 / (lengths + theta * values.shape[1])

    def summed(factors: Reals) -> sparse.csr_matrix:
        return sparse.csr_matrix((factors[members.indices], members.indices, members.indptr), members.shape)

    uniform, by_length = summed(scale), summed(scale * lengths)
    return ClassSums(
        (uniform @ values).tocsr(),
        (by_length @ values).tocsr(),
        members @ documents,
        summed(lengths) @ documents,
        uniform @ documents,
        by_length @ documents,
    )


class MeansSettings(NamedTuple):
    """θ, α and |V|."""

    theta: float
    alpha: float
    columns: int


class MeansBlock(NamedTuple):
    """The means of some classes: arrays of shape (classes, terms)."""

    slots: NDArray[np.int64]
    of_class: Reals
    of_complement: Reals


class Mixing(NamedTuple):
    """The coefficients of a mean over a set of documents: uniform · A_t + by_length · E_t + floor."""

    uniform: Reals
    by_length: Reals
    floor: Reals


def mixing_of(
    settings: MeansSettings, documents: Reals, lengths: Reals, uniform_floor: Reals, length_floor: Reals
) -> Mixing:
    """Return the mixing of sets of documents by g of eq. 9, from their Σ 1, Σ dl, Σ 1/D and Σ dl/D."""
    alpha = np.where(lengths > 0, settings.alpha, 1.0)
    uniform = np.divide(alpha, documents, out=np.zeros_like(documents), where=documents > 0)
    by_length = np.divide(1.0 - alpha, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    floor = settings.theta * (uniform * uniform_floor + by_length * length_floor)
    floor = np.where(documents > 0, floor, 1.0 / max(settings.columns, 1))
    return Mixing(uniform, by_length, floor)


class PoissonMeans:
    """λ′ and μ′ of eq. 14, the τ-free weighted averages of (x + θ) / (dl + θ|V|).

    With D = dl + θ|V|, g of eq. 9 and the sums A_t = Σ x/D and E_t = Σ x·dl/D over the documents of a class,
    λ′_t = α/|D_c| · (A_t + θ Σ 1/D) + (1−α)/Σdl · (E_t + θ Σ dl/D); the complement's sums are those of all
    documents minus the class's.

    Parameters
    ----------
    sums : ClassSums
        The sums of the training documents; see :func:`sums_of_statistics`.
    theta : float
        θ, the count added to every term of a document.
    alpha : float
        α, the share of uniform averaging; the rest is weighted by document length.

    Notes
    -----
    A sample weight is a number of documents: it multiplies g, not x. If all documents of a class are empty,
    they are averaged uniformly. A class or complement without documents has the mean 1/|V| of an empty one.
    """

    def __init__(self, sums: ClassSums, theta: float, alpha: float) -> None:
        self.sums = sums
        self.classes, self.columns = sums.uniform.shape[0] - 1, sums.uniform.shape[1]
        self._settings = MeansSettings(theta, alpha, self.columns)

    def blocks(self, slots: NDArray[np.integer]) -> Iterator[MeansBlock]:
        """Yield the means of blocks of classes, so that no full table of classes × terms is built."""
        everything = np.array([self.classes])
        totals = [self._dense(sums, everything) for sums in (self.sums.uniform, self.sums.by_length)]
        for block in class_blocks(slots, self.columns):
            yield self._block(block, *totals)

    def _block(self, slots: NDArray[np.int64], all_uniform: Reals, all_length: Reals) -> MeansBlock:
        uniform, length = (self._dense(sums, slots) for sums in (self.sums.uniform, self.sums.by_length))
        sums = self.sums.of_classes()
        own = mixing_of(self._settings, *(of[slots] for of in sums))
        rest = mixing_of(self._settings, *(np.maximum(of[-1] - of[slots], 0.0) for of in sums))
        other_uniform = np.maximum(all_uniform - uniform, 0.0)
        other_length = np.maximum(all_length - length, 0.0)
        return MeansBlock(slots, _means(own, uniform, length), _means(rest, other_uniform, other_length))

    @staticmethod
    def _dense(sums: sparse.csr_matrix, slots: NDArray[np.int64]) -> Reals:
        return np.asarray(sums[slots].todense())


def _means(mixing: Mixing, uniform: Reals, length: Reals) -> Reals:
    per_class = Mixing(*(part[:, None] for part in mixing))
    return per_class.uniform * uniform + per_class.by_length * length + per_class.floor


def mixing_of_rows(
    lengths: Reals, scale: Reals, targets: Targets, settings: MeansSettings
) -> tuple[Reals, Reals]:
    """Return the mixing of each class and of its complement.

    Parameters
    ----------
    lengths, scale : array of shape (documents,)
        dl and 1/D of each document.
    targets : Targets
        The classes of the documents.
    settings : MeansSettings
        θ, α and |V|.

    Returns
    -------
    own, rest : array of shape (classes · 3,)
        The three coefficients of each class, in the order of the targets' classes, and of its complement.
    """
    document_of = np.repeat(np.arange(len(lengths)), np.diff(targets.starts))
    of_documents = (np.ones_like(lengths), lengths, scale, scale * lengths)
    own = [
        np.bincount(targets.codes, values[document_of], minlength=len(targets.classes)).astype(np.float64)
        for values in of_documents
    ]
    rest = [np.maximum(np.sum(values) - sums, 0.0) for values, sums in zip(of_documents, own, strict=True)]
    of_class, of_complement = (np.stack(mixing_of(settings, *sums), axis=1).ravel() for sums in (own, rest))
    return of_class, of_complement
