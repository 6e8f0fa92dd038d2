"""Poisson naive Bayes without one document (Kim 2003)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from textbayes._native import evidence_sums
from textbayes.scores.leave_one_out.removal import Removal, left_of
from textbayes.statistics import LengthStatistics, class_blocks
from textbayes.terms import chi_square, information_gain, sums_of_statistics
from textbayes.terms.scores import probability_ratio

if TYPE_CHECKING:
    from textbayes._native import MeanTables

Reals = NDArray[np.float64]
Places = NDArray[np.intp]

# The number of document entries to process at once.
_ENTRIES = 1 << 21


def poisson_scores_without(
    removal: Removal, thetas: Sequence[float], alpha: float, weighting: str | None
) -> Iterator[Reals]:
    """Yield z* (eq. 15) of each document by the model without it, for each θ.

    Removing a document changes the means of its own classes, and of the complements of the others, in all |V|
    terms through |D| and Σdl, and in its own terms through its counts. The first change is the same for
    documents of one weight and length, so sums over all terms are computed once per weight, length and class.
    """
    for theta in thetas:
        model = _WithoutOne(removal, theta, alpha, weighting)
        scores = np.zeros((len(removal), len(removal.statistics.class_documents)))
        for block in class_blocks(removal.statistics.order, removal.statistics.columns):
            model.score_block(block, scores)
        yield removal.finished(scores / model.scaled[:, None])


class _Mixing(NamedTuple):
    """A mean is uniform · Σ x/D + by_length · Σ x·dl/D + floor."""

    uniform: Reals
    by_length: Reals
    floor: Reals

    def mean(self, uniform: Reals, by_length: Reals) -> Reals:
        return self.uniform * uniform + self.by_length * by_length + self.floor

    def at(self, places: Places) -> _Mixing:
        return _Mixing(self.uniform[places], self.by_length[places], self.floor[places])


class _Side(NamedTuple):
    """Sums (classes, terms), totals and means of the documents of some classes, or of those without them."""

    uniform: Reals
    by_length: Reals
    totals: Reals
    means: Reals


class _Counts(NamedTuple):
    """Numbers of documents for eqs. 11 and 12: in a class with a term, in a class, and with a term."""

    both: Reals
    in_class: Reals
    with_term: Reals


@dataclass(frozen=True)
class _Jobs:
    """Documents to score, each in one class of a block; the moving side loses the document."""

    documents: Places
    classes: Places
    moving: _Side
    fixed: _Side
    own: bool


class _WithoutOne:
    """The model for one θ."""

    def __init__(self, removal: Removal, theta: float, alpha: float, weighting: str | None) -> None:
        assert isinstance(removal.statistics, LengthStatistics)
        self.removal, self.theta, self.alpha, self.weighting = removal, theta, alpha, weighting
        self.columns = removal.statistics.columns
        self.sums = sums_of_statistics(removal.statistics, theta)
        self.scaled = removal.mass + theta * self.columns
        mass, scaled = removal.mass, self.scaled
        # The part of each document in the number of documents, their lengths, Σ 1/D and Σ dl/D.
        self.taken = removal.sample_weight * np.array([np.ones_like(mass), mass, 1.0 / scaled, mass / scaled])

    def score_block(self, slots: NDArray[np.int64], scores: Reals) -> None:
        """Score every document in some classes."""
        removal = self.removal
        own, rest = self._sides(slots)
        counts = self._counts(slots)
        classes = np.tile(np.arange(len(slots)), len(removal))
        documents = np.repeat(np.arange(len(removal)), len(slots))
        others = self._score(_Jobs(documents, classes, moving=rest, fixed=own, own=False), counts)
        scores[:, slots] = others.reshape(len(removal), -1)
        place = np.full(scores.shape[1], -1)
        place[slots] = np.arange(len(slots))
        here = np.flatnonzero(place[removal.own_slots] >= 0)
        rows, classes = removal.own_rows[here], place[removal.own_slots[here]]
        # The two sides are swapped: the sum is of log(μ/λ).
        scores[rows, slots[classes]] = -self._score(_Jobs(rows, classes, own, rest, own=True), counts)

    def _score(self, jobs: _Jobs, counts: _Counts | None) -> Reals:
        """Return θ Σ w log(fixed/moving) over all terms plus Σ x w log(fixed/moving) over the document's."""
        scores = np.zeros(len(jobs.documents))
        for weight in np.unique(self.removal.sample_weight[jobs.documents]):
            chosen = np.flatnonzero(self.removal.sample_weight[jobs.documents] == weight)
            some = _Jobs(jobs.documents[chosen], jobs.classes[chosen], jobs.moving, jobs.fixed, jobs.own)
            scores[chosen] = self._score_of_weight(some, counts, float(weight))
        return scores

    def _score_of_weight(self, jobs: _Jobs, counts: _Counts | None, weight: float) -> Reals:
        if counts is not None:
            in_class = left_of(counts.in_class, weight) if jobs.own else counts.in_class
            counts = counts._replace(in_class=in_class)
        weights = None if counts is None else self._measure(counts, weight)
        mixing, scores = self._sum_everywhere(jobs, weights)
        lengths = np.diff(self.removal.rows.starts)[jobs.documents]
        ends = np.cumsum(lengths)
        first = 0
        while first < len(scores):
            last = int(np.searchsorted(ends, ends[first] + _ENTRIES, side="right"))
            self._add_entries(
                jobs, mixing, slice(first, max(last, first + 1)), counts, weights, weight, scores
            )
            first = max(last, first + 1)
        return scores

    def _sum_everywhere(self, jobs: _Jobs, weights: Reals | None) -> tuple[_Mixing, Reals]:
        """Return the mixing without each job's document, and the sum over all terms, ignoring its own."""
        key = np.stack([jobs.classes.astype(np.float64), self.removal.mass[jobs.documents]])
        _, first, which = np.unique(key, axis=1, return_index=True, return_inverse=True)
        which = which.ravel()
        classes, documents = jobs.classes[first], jobs.documents[first]
        mixing = self._mixing(left_of(jobs.moving.totals[:, classes], self.taken[:, documents]))
        means: MeanTables = {
            "terms": self.columns,
            "uniform": jobs.moving.uniform.ravel(),
            "by_length": jobs.moving.by_length.ravel(),
            "fixed": jobs.fixed.means.ravel(),
            "weights": np.empty(0) if weights is None else weights.ravel(),
            "ratio": self.weighting == "ratio",
        }
        sums = evidence_sums(means, classes.astype(np.int64), mixing, self.removal.threads)
        return mixing.at(which), self.theta * sums[which]

    def _add_entries(
        self,
        jobs: _Jobs,
        mixing: _Mixing,
        chosen: slice,
        counts: _Counts | None,
        weights: Reals | None,
        weight: float,
        scores: Reals,
    ) -> None:
        """Add the evidence of the documents' own terms, and subtract what was added for them before."""
        documents, classes = jobs.documents[chosen], jobs.classes[chosen]
        rows = self.removal.rows.take(documents)
        job = np.repeat(np.arange(len(documents)), np.diff(rows.starts))
        at, terms, values = classes[job], rows.columns, rows.values
        scaled, mass = self.scaled[documents][job], self.removal.mass[documents][job]
        mixed = _Mixing(*(part[chosen] for part in mixing)).at(job)
        uniform, by_length = jobs.moving.uniform[at, terms], jobs.moving.by_length[at, terms]
        fixed = jobs.fixed.means[at, terms]
        before = mixed.mean(uniform, by_length)
        lost = weight * values / scaled
        after = mixed.mean(left_of(uniform, lost), left_of(by_length, lost * mass))
        old = None if weights is None else weights[at, terms]
        new = None
        if counts is not None:
            both, with_term = counts.both[at, terms], left_of(counts.with_term[terms], weight)
            both = left_of(both, weight) if jobs.own else both
            new = self._measure(_Counts(both, counts.in_class[at, 0], with_term), weight)
        evidence = (self.theta + values) * self._evidence(fixed, after, new)
        evidence -= self.theta * self._evidence(fixed, before, old)
        # An explicit zero is not a term of the document.
        scores[chosen] += np.bincount(job, np.where(values > 0, evidence, 0.0), minlength=len(documents))

    def _evidence(self, fixed: Reals, moving: Reals, weights: Reals | None) -> Reals:
        logs = np.log(fixed / moving)
        if self.weighting == "ratio":
            return probability_ratio(fixed, moving) * logs
        return logs if weights is None else weights * logs

    def _measure(self, counts: _Counts, weight: float) -> Reals:
        """Return w of eq. 11 or 12 over all documents but one."""
        measure = information_gain if self.weighting == "ig" else chi_square
        total = float(left_of(np.array(self.removal.statistics.documents), weight))
        return measure(counts.both, counts.in_class, counts.with_term, max(total, np.finfo(float).tiny))

    def _counts(self, slots: NDArray[np.int64]) -> _Counts | None:
        if self.weighting not in ("ig", "chi2"):
            return None
        statistics = self.removal.statistics
        both = np.asarray(statistics.pair_documents[slots].todense())
        return _Counts(both, statistics.class_documents[slots, None], statistics.term_documents)

    def _sides(self, slots: NDArray[np.int64]) -> tuple[_Side, _Side]:
        tables = [np.asarray(sums[slots].todense()) for sums in (self.sums.uniform, self.sums.by_length)]
        every = [np.asarray(sums[[-1]].todense()) for sums in (self.sums.uniform, self.sums.by_length)]
        totals = np.array(self.sums.of_classes())
        return (
            self._side(tables, totals[:, slots]),
            self._side(
                [left_of(whole, part) for whole, part in zip(every, tables, strict=True)],
                left_of(totals[:, [-1]], totals[:, slots]),
            ),
        )

    def _side(self, tables: Sequence[Reals], totals: Reals) -> _Side:
        mixing = _Mixing(*(part[:, None] for part in self._mixing(totals)))
        return _Side(tables[0], tables[1], totals, mixing.mean(*tables))

    def _mixing(self, totals: Reals) -> _Mixing:
        """Return the mixing by eq. 9, as in PoissonMeans: uniform without words, 1/|V| without documents."""
        documents, lengths, uniform_floor, length_floor = totals
        alpha = np.where(lengths > 0, self.alpha, 1.0)
        uniform = np.divide(alpha, documents, out=np.zeros_like(documents), where=documents > 0)
        by_length = np.divide(1.0 - alpha, lengths, out=np.zeros_like(lengths), where=lengths > 0)
        floor = self.theta * (uniform * uniform_floor + by_length * length_floor)
        return _Mixing(uniform, by_length, np.where(documents > 0, floor, 1.0 / max(self.columns, 1)))
