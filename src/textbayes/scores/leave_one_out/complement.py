"""Complement naive Bayes without one document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from textbayes._native import complement_falls, length_changes, own_changes
from textbayes.scores.leave_one_out.removal import Removal
from textbayes.scores.linear import LinearScorer
from textbayes.weights import LinearWeights, complement_weights
from textbayes.weights.linear import reciprocal_lengths

Reals = NDArray[np.float64]


def complement_scores_without(
    removal: Removal, alphas: Sequence[float], norm: bool, against: str
) -> Iterator[Reals]:
    """Yield the scores of each document by the model without it, for each α.

    The complements of a document's own classes do not change, since it is not in them. The complements of all
    other classes lose it, n_t − n_ct by y_t and n − n_c by Σy.
    """
    for alpha in alphas:
        model = _WithoutOne(removal, alpha, against)
        scores = model.scores(norm)
        scores *= model.scale() if norm else 1.0
        yield removal.finished(scores)


class _WithoutOne:
    """Scores and Σ|w| for one α, arrays of shape (documents, slots)."""

    def __init__(self, removal: Removal, alpha: float, against: str) -> None:
        self.removal, self.alpha, self.against = removal, alpha, against
        self.weights = complement_weights(removal.statistics, alpha, False, against)
        self.smoothing = alpha * removal.statistics.columns

    def scores(self, norm: bool) -> Reals:
        """Return Σ x_t w_ct before the division by Σ|w|."""
        removal, statistics = self.removal, self.removal.statistics
        plain = norm and self.against == "complement"
        falls, self._plain_falls, lacking, _ = complement_falls(
            statistics.sums, self.alpha, removal.rows, removal.weights, plain, removal.threads
        )
        scores = removal.by_slot(LinearScorer(self.weights, statistics).scores(removal.rows))
        own = scores[removal.own_places] + self._own_changes(lacking)
        changes = self.slope_changes
        changes *= removal.mass[:, None]
        if self.against == "all":
            changes -= lacking[:, None]
        changes += falls.reshape(scores.shape)
        scores += changes
        scores[removal.own_places] = own
        return scores

    def _own_changes(self, lacking: Reals) -> Reals:
        removal = self.removal
        change = removal.mass[removal.own_rows] * self.own_slope_changes
        if self.against == "all":
            return change - lacking[removal.own_rows]
        if self.against == "complement":
            return change
        before = np.full(len(removal.statistics.class_values), 1.0 / self.alpha)
        after = np.full(len(removal.own_slots), 1.0 / self.alpha)
        return change + own_changes(
            removal.statistics.sums, removal.core_documents, before, after, removal.threads
        )

    @property
    def slope_changes(self) -> Reals:
        """The changes of the slopes of the classes that a document is not in."""
        removal, statistics = self.removal, self.removal.statistics
        beside = np.maximum(statistics.values - statistics.class_values, 0.0)
        change = beside - removal.removed[:, None]
        # In place, to save memory: there is one value for every document and class.
        np.maximum(change, 0.0, out=change)
        change += self.smoothing
        change /= beside + self.smoothing
        np.log(change, out=change)
        if self.against == "all":
            change -= self._all_change[:, None]
        return change

    @property
    def own_slope_changes(self) -> Reals:
        """The changes of the slopes of a document's own classes."""
        removal, statistics = self.removal, self.removal.statistics
        if self.against == "complement":
            return np.zeros(len(removal.own_slots))
        if self.against == "all":
            return -self._all_change[removal.own_rows]
        before = statistics.class_values[removal.own_slots] + self.smoothing
        return np.log(before / (np.maximum(removal.own_values, 0.0) + self.smoothing))

    @property
    def _all_change(self) -> Reals:
        before = self.removal.statistics.values + self.smoothing
        return np.log((self.removal.values + self.smoothing) / before)

    def scale(self) -> Reals:
        """1 / Σ_t |w_ct| without each document."""
        lengths = self._positive_lengths() if self.against == "complement" else self._signed_lengths()
        return reciprocal_lengths(lengths, self.removal.statistics.columns)

    def _positive_lengths(self) -> Reals:
        """Return Σ|w| for −log θ̃, which is never negative, so the absolute values can be dropped."""
        removal, statistics = self.removal, self.removal.statistics
        whole = self.weights.absolute_lengths(statistics)
        lengths = whole + statistics.columns * self.slope_changes
        lengths += self._plain_falls.reshape(lengths.shape)
        lengths[removal.own_places] = whole[removal.own_slots]
        return lengths

    def _signed_lengths(self) -> Reals:
        """Return Σ|slope′ + b| over all terms, from sorted b, plus the changes on the document's terms."""
        removal = self.removal
        slopes = self.weights.slope + self.slope_changes
        slopes[removal.own_places] = self.weights.slope[removal.own_slots] + self.own_slope_changes
        lengths = _SortedWeights(self.weights, removal).lengths(slopes)
        changes = length_changes(
            removal.statistics.sums,
            self.against == "class",
            self.alpha,
            removal.core_documents,
            np.ascontiguousarray(slopes).ravel(),
            removal.threads,
        )
        return lengths + changes.reshape(lengths.shape)


class _SortedWeights:
    """Σ_t |s + b_ct| for any s, from b sorted once for each class."""

    def __init__(self, weights: LinearWeights, removal: Removal) -> None:
        statistics = removal.statistics
        self.columns = statistics.columns
        default = weights.defaults(statistics)
        self.default = default if default.size else np.zeros(self.columns)
        terms, slots, _, _ = statistics.sums.pairs()
        self.base = self.default[terms]
        self.pairs = self.base + weights.to_core(statistics).corrections(statistics.sums)
        self.by_slot = np.argsort(slots, kind="stable")
        self.ends = np.searchsorted(slots[self.by_slot], np.arange(len(weights.bias) + 1))

    def lengths(self, slopes: Reals) -> Reals:
        """Sum over all terms, for slopes of shape (documents, slots)."""
        lengths = np.empty_like(slopes)
        default = _sorted_sums(self.default)
        for slot in range(slopes.shape[1]):
            own = self.by_slot[self.ends[slot] : self.ends[slot + 1]]
            s = slopes[:, slot]
            seen, base = _sorted_sums(self.pairs[own]), _sorted_sums(self.base[own])
            lengths[:, slot] = _absolute(default, s) + _absolute(seen, s) - _absolute(base, s)
        return lengths


def _sorted_sums(values: Reals) -> tuple[Reals, Reals]:
    ordered = np.sort(values)
    return ordered, np.concatenate([[0.0], np.cumsum(ordered)])


def _absolute(sorted_sums: tuple[Reals, Reals], shift: Reals) -> Reals:
    """Return Σ |shift + value|; values below −shift count with the opposite sign."""
    ordered, sums = sorted_sums
    below = np.searchsorted(ordered, -shift)
    return np.asarray(sums[-1] - 2.0 * sums[below] + (len(ordered) - 2.0 * below) * shift)
