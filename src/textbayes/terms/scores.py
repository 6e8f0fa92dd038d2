"""Scores of terms: how informative a term is about the classes."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from textbayes._native import Statistics, divergences, weighted_sums
from textbayes._native import chi_squares as native_chi_squares
from textbayes._native import information_gains as native_information_gains
from textbayes._native import mutual_information as native_mutual_information
from textbayes._native import probability_ratios as native_probability_ratios
from textbayes.counts import Rows
from textbayes.statistics import ClassStatistics, LabelledRows, Targets
from textbayes.terms.means import MeansSettings, mixing_of_rows

Reals = NDArray[np.float64]


class TermStatistics:
    """The sums behind the scores, computed once for all scores.

    Parameters
    ----------
    rows : Rows
        Counts.
    targets : Targets
        The classes of the documents.
    theta, alpha : float
        θ and α of the Poisson means, which only the score "ratio" uses (Kim 2003, eqs. 7 and 9).
    """

    def __init__(self, rows: Rows, targets: Targets, theta: float, alpha: float) -> None:
        self.rows, self.targets, self.theta, self.alpha = rows, targets, theta, alpha

    @cached_property
    def statistics(self) -> ClassStatistics:
        """The sums of each class, term and pair seen, for every score except "ratio"."""
        statistics = ClassStatistics(self.rows.width, self.targets.multilabel)
        statistics.add(LabelledRows(self.rows, self.targets))
        return statistics


def mutual_information(known: TermStatistics) -> Reals:
    """Mutual information of the word events W_t and the class (Schneider 2004, eq. 4), in nats."""
    return native_mutual_information(known.statistics.sums)


def kl_divergence(known: TermStatistics) -> Reals:
    """K̃_t(S) − K̃L_t(S) with p(w) counted (Schneider 2004, eqs. 11–13).

    K̃_t = −p(w) log(N_w/N) and K̃L_t = −Σ_c p(c) p(w|c) log(N_cw/N_c), with p(w|c) = (1 + n_cw)/(|V| + n_c); a
    class without the word adds nothing to the second: its q is 0, its p̃ set to 0 (after eq. 9).
    """
    return divergences(known.statistics.sums, mean_of_classes=False)


def divergence_of_classes(known: TermStatistics) -> Reals:
    """dKL: the same with p(w) the mean of p(w|c) over the classes (Schneider 2004, eq. 14)."""
    return divergences(known.statistics.sums, mean_of_classes=True)


def exact_divergence(known: TermStatistics) -> Reals:
    """The exact form that Schneider left open: mean divergence from p(w) minus that from p(w|c) (eq. 8).

    (1/|S|) Σ_d p(w|d) log(p(w|d)/p(w)) − (1/|S|) Σ_d Σ_{c of d} p(w|d) log(p(w|d)/p(w|c)): with one label per
    document the p(w|d) inside the logarithms cancel, so it costs one more pass over the counts, not two.
    """
    rows, total = known.rows, known.statistics.values
    if not total:
        return np.zeros(rows.width)
    lengths = np.maximum(rows.sums(), 1e-300)
    targets = known.targets
    by_class, mean_share = weighted_sums(
        rows, (targets.starts, targets.codes), len(targets.classes), 1.0 / lengths
    )
    terms, slots, counts, _ = known.statistics.sums.pairs()
    seen = (1.0 + counts) / (rows.width + known.statistics.class_values)[slots]
    within = np.bincount(terms, by_class * np.log(seen), minlength=rows.width)
    present = known.statistics.term_values > 0
    overall = np.where(present, known.statistics.term_values / total, 1.0)
    total_divergence = within - mean_share * np.log(overall)
    if targets.multilabel:
        from scipy.special import xlogy

        spare = 1.0 - np.repeat(np.diff(targets.starts), np.diff(rows.starts))
        shares = rows.values / np.repeat(lengths, np.diff(rows.starts))
        total_divergence += np.bincount(rows.columns, spare * xlogy(shares, shares), minlength=rows.width)
    return total_divergence / known.statistics.documents


def information_gains(known: TermStatistics) -> Reals:
    """Information gain of each class and term (Kim 2003, eq. 11): see :func:`information_gain`."""
    return _per_class(known, native_information_gains)


def chi_squares(known: TermStatistics) -> Reals:
    """χ² of each class and term (Kim 2003, eq. 12): see :func:`chi_square`."""
    return _per_class(known, native_chi_squares)


def _per_class(known: TermStatistics, measure: Callable[[Statistics, NDArray[np.uint32]], Reals]) -> Reals:
    order = known.statistics.order
    return measure(known.statistics.sums, order).reshape(len(order), known.rows.width)


def probability_ratios(known: TermStatistics) -> Reals:
    """p(w|c)/p(w|c̄) + p(w|c̄)/p(w|c) of each class and term, from the Poisson means (Kim 2003, eq. 13)."""
    rows, targets = known.rows, known.targets
    lengths = rows.sums()
    scale = 1.0 / (lengths + known.theta * rows.width)
    own, rest = mixing_of_rows(lengths, scale, targets, MeansSettings(known.theta, known.alpha, rows.width))
    table = native_probability_ratios(
        rows, (targets.starts, targets.codes), (scale, scale * lengths), (own, rest)
    )
    return table.reshape(len(targets.classes), rows.width)


def probability_ratio(of_class: Reals, of_complement: Reals) -> Reals:
    """λ/μ + μ/λ (Kim 2003, eq. 13)."""
    ratio = of_class / of_complement
    return ratio + 1.0 / ratio


SCORES: dict[str, Callable[[TermStatistics], Reals]] = {
    "mi": mutual_information,
    "kl": kl_divergence,
    "dkl": divergence_of_classes,
    "kl_exact": exact_divergence,
    "ig": information_gains,
    "chi2": chi_squares,
    "ratio": probability_ratios,
}


def best_terms(scores: Reals, k: int, per_class: bool) -> NDArray[np.intp]:
    """Return the columns of the best terms, sorted.

    Parameters
    ----------
    scores : array of shape (terms,) or (classes, terms)
        The scores of the terms.
    k : int
        The number of terms to keep.
    per_class : bool
        Whether to keep k terms per class, instead of k by the maximum over the classes.
    """
    if scores.ndim == 1 or not per_class:
        return np.sort(_best(scores if scores.ndim == 1 else scores.max(axis=0), k))
    return np.unique(np.concatenate([_best(of_class, k) for of_class in scores]))


def _best(scores: Reals, k: int) -> NDArray[np.intp]:
    """Return the k best; ties go to the first."""
    if k >= len(scores):
        return np.arange(len(scores))
    cut = -np.partition(-scores, k - 1)[k - 1]
    above = np.flatnonzero(scores > cut)
    return np.concatenate([above, np.flatnonzero(scores == cut)[: k - len(above)]])
