"""Multinomial naive Bayes without one document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textbayes._native import factor_falls, own_changes
from textbayes.scores.leave_one_out.removal import Removal
from textbayes.scores.linear import LinearScorer
from textbayes.weights import log_prior, multinomial_weights

Reals = NDArray[np.float64]
_TINY = np.finfo(np.float64).tiny


def multinomial_scores_without(
    removal: Removal,
    alphas: Sequence[float],
    class_length: float | str | None,
    fit_prior: bool,
    class_prior: Any,
) -> Iterator[Reals]:
    """Yield the scores of each document by the model without it, for each α.

    For the document's own classes n_ct and n_c change. For the others only P(c) changes, and with
    ``class_length="min"`` the length, if the document's class is or becomes the shortest.

    Notes
    -----
    A given ``class_prior`` does not change, even if a class loses its only document.
    """
    statistics = removal.statistics
    prior = log_prior(statistics, fit_prior, class_prior)
    lengths = _Lengths(removal, class_length)
    priors = _prior_changes(removal, fit_prior and class_prior is None, class_prior is None)
    changes = own_changes(
        statistics.sums,
        removal.core_documents,
        np.concatenate([lengths.factors / alpha for alpha in alphas]),
        np.concatenate([lengths.own_factors / alpha for alpha in alphas]),
        removal.threads,
    ).reshape(len(alphas), -1)
    for alpha, change in zip(alphas, changes, strict=True):
        weights = multinomial_weights(statistics, alpha, class_length, prior)
        scores = removal.by_slot(LinearScorer(weights, statistics).scores(removal.rows))
        own = scores[removal.own_places] + change + lengths.own_slope_change(alpha)
        scores += priors[0]
        lengths.add_to_others(scores, alpha)
        scores[removal.own_places] = own + priors[1]
        yield removal.finished(scores)


class _Lengths:
    """The factors of a class length for the counts of each class, with and without a document."""

    def __init__(self, removal: Removal, class_length: float | str | None) -> None:
        self.removal = removal
        self.own = removal.statistics.class_values
        left = np.maximum(removal.own_values, 0.0)
        if class_length is None:
            length, self.left_length = 0.0, np.zeros(len(removal))
            self.factors, self.own_factors = np.ones_like(self.own), np.ones_like(left)
        else:
            length, self.left_length = _class_lengths(removal, class_length)
            self.factors = _quotient(np.full_like(self.own, length), self.own)
            self.own_factors = _quotient(self.left_length[removal.own_rows], left)
        # The ratio of new to old factors: 1 unless the shortest class changed.
        self.share = np.divide(
            self.left_length,
            length,
            out=np.ones(len(removal)),
            where=bool(length) and self.left_length != length,
        )

    def own_slope_change(self, alpha: float) -> Reals:
        removal, columns = self.removal, self.removal.statistics.columns
        left = np.maximum(removal.own_values, 0.0) * self.own_factors
        before = (self.own * self.factors)[removal.own_slots]
        return removal.mass[removal.own_rows] * _log_quotient(
            alpha * columns + before, alpha * columns + left
        )

    def add_to_others(self, scores: Reals, alpha: float) -> None:
        """Add the effect of a changed length on the classes that a document is not in."""
        changed = np.flatnonzero(self.share != 1.0)
        if not changed.size:
            return
        removal, statistics = self.removal, self.removal.statistics
        rows = removal.rows.take(changed)
        factors = self.factors / alpha
        falls = factor_falls(
            statistics.sums, factors, 1.0 - self.share[changed], rows, removal.threads
        ).reshape(len(changed), -1)
        smoothing, words = alpha * statistics.columns, self.own * self.factors
        left = words * self.share[changed, None]
        slopes = removal.mass[changed, None] * _log_quotient(smoothing + words, smoothing + left)
        scores[changed] += slopes - falls


def _class_lengths(removal: Removal, class_length: float | str) -> tuple[float, Reals]:
    """Return ℓ with all documents, and without each."""
    if class_length != "min":
        return float(class_length), np.full(len(removal), float(class_length))
    own = removal.statistics.class_values
    words = np.flatnonzero(own > 0)
    shortest = words[np.argsort(own[words], kind="stable")]
    length = own[shortest[0]] if len(shortest) else 0.0
    # The shortest class that a document is not in.
    others = np.full(len(removal), np.inf)
    waiting = np.ones(len(removal), dtype=bool)
    for slot in shortest:
        has = np.zeros(len(removal), dtype=bool)
        has[removal.own_rows[removal.own_slots == slot]] = True
        others[waiting & ~has] = own[slot]
        waiting &= has
        if not waiting.any():
            break
    left = np.where(removal.own_values > 0, removal.own_values, np.inf)
    np.minimum.at(others, removal.own_rows, left)
    return float(length), np.where(np.isfinite(others), others, 0.0)


def _prior_changes(removal: Removal, shares: bool, uniform: bool) -> tuple[Reals, Reals]:
    """Return the changes of log P(c): of other classes, by slot or in one column; and of a document's own."""
    statistics, rows = removal.statistics, removal.own_rows
    if not shares:
        gone = np.bincount(rows, removal.own_gone, minlength=len(removal))
        count = max(len(statistics.order), 1)
        change = np.log(count / np.maximum(count - gone, 1.0)) if uniform else np.zeros(len(removal))
        return change[:, None], change[rows]
    total = max(statistics.documents, _TINY)
    share = statistics.class_documents / total
    others = np.log(total / np.maximum(removal.documents, _TINY))[:, None] * (share > 0)
    left = np.minimum(removal.own_documents / np.maximum(removal.documents[rows], _TINY), 1.0)
    own = np.log(np.maximum(left, _TINY)) - np.log(np.maximum(share[removal.own_slots], _TINY))
    return others, own


def _quotient(above: Reals, below: Reals) -> Reals:
    return np.divide(above, below, out=np.zeros_like(below), where=below > 0)


def _log_quotient(above: Reals, below: Reals) -> Reals:
    return np.log(above / below)
