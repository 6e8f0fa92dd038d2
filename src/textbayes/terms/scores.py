"""Scores of terms: how much a term tells about the classes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import xlogy

from textbayes.counts import Rows
from textbayes.statistics import ClassStatistics, Targets
from textbayes.terms.contingency import chi_square, information_gain
from textbayes.terms.means import PoissonMeans, sums_of_rows

Reals = NDArray[np.float64]


class TermStatistics:
    """Sums from which every score is worked out: counted once, whatever the scores asked for.

    Parameters
    ----------
    rows : Rows
        Counts.
    targets : Targets
        The documents' classes.
    theta, alpha : float
        θ and α of the Poisson means, which only the score "ratio" uses (Kim 2003, eqs. 7 and 9).
    """

    def __init__(self, rows: Rows, targets: Targets, theta: float, alpha: float) -> None:
        self.rows, self.targets, self.theta, self.alpha = rows, targets, theta, alpha
        self.statistics = ClassStatistics(rows.width, targets.multilabel)
        self.statistics.add(rows, targets)
        self.terms, slots, self.counts, self.documents = self.statistics.sums.pairs()
        # By the classes' sorted order from here on.
        rank = np.zeros(len(self.statistics.class_values), dtype=np.intp)
        rank[self.statistics.order] = np.arange(len(self.statistics.order))
        self.classes = rank[slots]

    @property
    def class_counts(self) -> Reals:
        """The sum of the counts of each class's documents."""
        return self.statistics.class_values[self.statistics.order]

    @property
    def class_documents(self) -> Reals:
        """The number of each class's documents."""
        return self.statistics.class_documents[self.statistics.order]

    @cached_property
    def smoothed(self) -> tuple[Reals, Reals]:
        """p(w|c) of the pairs seen, and of a term a class lacks (Schneider 2004, eq. 2)."""
        denominator = self.rows.width + self.class_counts
        return (1.0 + self.counts) / denominator[self.classes], 1.0 / denominator

    def per_term(self, values: Reals) -> Reals:
        """Sum a value of each pair over the classes."""
        return np.bincount(self.terms, values, minlength=self.rows.width).astype(np.float64, copy=False)


def mutual_information(known: TermStatistics) -> Reals:
    """Mutual information of the word events W_t and the class (Schneider 2004, eq. 4), in nats."""
    total = known.statistics.values
    if not total:
        return np.zeros(known.rows.width)
    of_class = known.class_counts / total
    absent = np.log1p(
        -known.statistics.term_values / total,
        where=known.statistics.term_values < total,
        out=np.zeros(known.rows.width),
    )
    joint = known.counts / total
    share = of_class[known.classes]
    seen = _pointwise(joint, known.statistics.term_values[known.terms] / total, share)
    rest = np.maximum(share - joint, 0.0)
    # What the pair's class would add if it lacked the term, −p(c) log p(W_t = 0), is taken back.
    unseen = (
        xlogy(rest, np.divide(rest, share, out=np.ones_like(rest), where=rest > 0))
        - rest * absent[known.terms]
    )
    return known.per_term(seen + unseen + share * absent[known.terms]) - np.sum(of_class) * absent


def _pointwise(joint: Reals, left: Reals, right: Reals) -> Reals:
    product = left * right
    return np.asarray(xlogy(joint, np.divide(joint, product, out=np.ones_like(joint), where=product > 0)))


def kl_divergence(known: TermStatistics) -> Reals:
    """K̃_t(S) − K̃L_t(S) with p(w) counted (Schneider 2004, eqs. 11–13)."""
    total = known.statistics.values
    share = known.statistics.term_values / total if total else np.zeros(known.rows.width)
    return _approximate_divergence(known, share)


def divergence_of_classes(known: TermStatistics) -> Reals:
    """dKL: the same with p(w) the mean of p(w|c) over the classes (Schneider 2004, eq. 14)."""
    seen, unseen = known.smoothed
    prior = known.class_documents / known.statistics.documents
    mean = np.sum(prior * unseen) + known.per_term(prior[known.classes] * (seen - unseen[known.classes]))
    return _approximate_divergence(known, mean)


def _approximate_divergence(known: TermStatistics, share: Reals) -> Reals:
    documents = known.statistics.documents
    spread = known.statistics.term_documents / documents
    prior = known.class_documents / documents
    within = known.documents / known.class_documents[known.classes]
    seen, _ = known.smoothed
    # A class without the word adds nothing: its q is 0, its p̃ set to 0 (after eq. 9).
    homogeneous = -known.per_term(prior[known.classes] * seen * np.log(within))
    global_ = -xlogy(share, np.where(spread > 0, spread, 1.0))
    return np.where(spread > 0, global_ - homogeneous, 0.0)


def exact_divergence(known: TermStatistics) -> Reals:
    """The exact form that Schneider left open: mean divergence from p(w) minus that from p(w|c) (eq. 8).

    (1/|S|) Σ_d p(w|d) log(p(w|d)/p(w)) − (1/|S|) Σ_d Σ_{c of d} p(w|d) log(p(w|d)/p(w|c)): with one label a
    document the p(w|d) inside the logarithms cancel, so it costs one more pass over the counts, not two.
    """
    rows, total = known.rows, known.statistics.values
    if not total:
        return np.zeros(rows.width)
    lengths = rows.sums()
    shares = replace(rows, values=rows.values / np.repeat(np.maximum(lengths, 1e-300), np.diff(rows.starts)))
    members = sparse.csr_matrix(
        (np.ones(len(known.targets.codes)), known.targets.codes, known.targets.starts),
        shape=(len(rows), len(known.targets.classes)),
    )
    # Column by column, classes rising: the order of the pairs.
    by_class = (members.T.tocsr() @ shares.matrix).tocsc()
    seen, _ = known.smoothed
    within = known.per_term(by_class.data * np.log(seen))
    present = known.statistics.term_values > 0
    overall = np.where(present, known.statistics.term_values / total, 1.0)
    mean_share = np.bincount(rows.columns, shares.values, minlength=rows.width)
    total_divergence = within - mean_share * np.log(overall)
    if known.targets.multilabel:
        spare = 1.0 - np.repeat(np.diff(known.targets.starts), np.diff(rows.starts))
        logs = spare * xlogy(shares.values, shares.values)
        total_divergence += np.bincount(rows.columns, logs, minlength=rows.width)
    return total_divergence / known.statistics.documents


def information_gains(known: TermStatistics) -> Reals:
    """Information gain of each class and term (Kim 2003, eq. 11)."""
    return _document_events(known, information_gain)


def chi_squares(known: TermStatistics) -> Reals:
    """χ² of each class and term (Kim 2003, eq. 12)."""
    return _document_events(known, chi_square)


def _document_events(known: TermStatistics, measure: Callable[[Reals, Reals, Reals, float], Reals]) -> Reals:
    total, of_class = known.statistics.documents, known.class_documents
    with_term = known.statistics.term_documents
    # A class that lacks a term: the measure depends on the two margins alone, and few margins differ.
    margins, which = _distinct(with_term)
    lacking = measure(np.zeros(1), of_class[:, None], margins, total)
    table = np.take(lacking, which, axis=1)
    seen = measure(known.documents, of_class[known.classes], with_term[known.terms], total)
    table[known.classes, known.terms] = seen
    return table


def _distinct(values: Reals) -> tuple[Reals, NDArray[np.intp]]:
    """Distinct values and which of them each is; for whole numbers without sorting."""
    whole = values.astype(np.int64)
    if not np.array_equal(whole, values) or whole.max(initial=0) > 4 * len(values) + 1000:
        return np.unique(values, return_inverse=True)
    present = np.bincount(whole) > 0
    return np.flatnonzero(present).astype(np.float64), (np.cumsum(present) - 1)[whole]


def probability_ratios(known: TermStatistics) -> Reals:
    """p(w|c)/p(w|c̄) + p(w|c̄)/p(w|c) of each class and term, from the Poisson means (Kim 2003, eq. 13)."""
    means = PoissonMeans(sums_of_rows(known.rows, known.targets, known.theta), known.theta, known.alpha)
    classes = np.arange(len(known.targets.classes))
    blocks = [probability_ratio(block.of_class, block.of_complement) for block in means.blocks(classes)]
    return np.concatenate(blocks) if blocks else np.zeros((0, known.rows.width))


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
    """Find the columns of the best terms, rising.

    Parameters
    ----------
    scores : array of shape (terms,) or (classes, terms)
        The terms' scores.
    k : int
        How many to keep.
    per_class : bool
        k for each class, rather than k by the maximum over the classes.
    """
    if scores.ndim == 1 or not per_class:
        return np.sort(_best(scores if scores.ndim == 1 else scores.max(axis=0), k))
    return np.unique(np.concatenate([_best(of_class, k) for of_class in scores]))


def _best(scores: Reals, k: int) -> NDArray[np.intp]:
    """Find the k best; of those that tie at the cut, the first."""
    if k >= len(scores):
        return np.arange(len(scores))
    cut = -np.partition(-scores, k - 1)[k - 1]
    above = np.flatnonzero(scores > cut)
    return np.concatenate([above, np.flatnonzero(scores == cut)[: k - len(above)]])
