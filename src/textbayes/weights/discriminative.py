"""Weights from the discriminative frequency estimate (Su et al. 2008), on one side or on both."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from textbayes._native import EstimateSettings, OneVsRestSettings, available_threads, discriminative_counts
from textbayes._native import one_vs_rest_weights as _one_vs_rest_weights
from textbayes.persistence import Stored
from textbayes.statistics import ClassStatistics, DocumentStatistics
from textbayes.weights.linear import LinearWeights, restore_pair_weights, weights_of_pairs
from textbayes.weights.multinomial import log_prior, multinomial_weights

Reals = NDArray[np.float64]

# An upper bound on the logarithm of a ratio of counts.
_LARGEST_LOG_RATIO = 1e4
# The sum of a class equals that of its pairs up to rounding.
_ROUNDING = 1e-6


def discriminative_statistics(
    statistics: DocumentStatistics, alpha: float, prior: Reals, visits: NDArray[np.uint32], block_size: int
) -> ClassStatistics:
    """Sum counts weighted by 1 − P(c|d) under the current model.

    Parameters
    ----------
    statistics : DocumentStatistics
        The training documents and their sums.
    alpha : float
        The smoothing count.
    prior : array of shape (slots,)
        log P(c); that of a class without documents is ignored.
    visits : array of int
        The numbers of documents, in the order in which they are learned; each occurs several times.
    block_size : int
        The number of consecutive visits that use the same model.

    Returns
    -------
    ClassStatistics
        The sums of the weighted counts; weights are computed from them as from any other statistics.
    """
    live = np.full(len(prior), -np.inf)
    live[statistics.order] = prior[statistics.order]
    pairs, classes = discriminative_counts(
        statistics.sums,
        statistics.core_documents,
        visits,
        EstimateSettings(alpha, live, block_size),
        available_threads(),
    )
    return statistics.with_values(pairs, classes)


def store_weighted_counts(counts: ClassStatistics) -> Stored:
    """Return the weighted counts of pairs and classes as arrays."""
    state = counts.sums.state()
    return Stored({}, {name: state[name] for name in ("pair_values", "class_values")})


def _restore_weighted_counts(statistics: ClassStatistics, stored: Stored) -> ClassStatistics:
    """Return the weighted counts from ``store_weighted_counts``, for these documents."""
    state = statistics.sums.state()
    pairs = stored.array("pair_values", np.float64, len(state["pair_values"]))
    classes = stored.array("class_values", np.float64, len(state["class_values"]))
    found = np.bincount(state["pair_classes"], pairs, minlength=len(classes))
    sound = (
        bool(np.all((pairs >= 0) & np.isfinite(pairs)))
        and bool(np.all(np.isfinite(classes)))
        and np.allclose(found, classes, rtol=_ROUNDING, atol=_ROUNDING)
    )
    stored.check(sound, "its counts are out of range")
    return statistics.with_values(pairs, classes)


def restore_discriminative(
    statistics: ClassStatistics, stored: Stored, against: str | None, alpha: float, fit_prior: bool
) -> tuple[LinearWeights, ClassStatistics]:
    """Return stored weights, and the statistics with their pairs."""
    if against is not None:
        return restore_pair_weights(statistics, stored, _LARGEST_LOG_RATIO)
    sums = _restore_weighted_counts(statistics, stored)
    return multinomial_weights(sums, alpha, None, log_prior(statistics, fit_prior, None)), sums


def one_vs_rest_weights(
    statistics: DocumentStatistics,
    alpha: float,
    visits: NDArray[np.uint32],
    block_size: int,
    fit_prior: bool,
) -> tuple[LinearWeights, ClassStatistics]:
    """Compare weighted counts for a class with weighted counts against it.

    A document adds its counts times 1 − P(c|d) for its class, and times P(c|d) against every other class:
    w_ct = log((α + n⁺_ct) / (α + n⁻_ct)), the mean over several orders of visits. With one label per document
    P(c|d) sums to 1 over the classes; with several, each class has its own probability.

    Parameters
    ----------
    statistics : DocumentStatistics
        The training documents and their sums.
    alpha : float
        The smoothing count, for and against, of every pair.
    visits : array of int, shape (orders, visits)
        The numbers of documents, in the orders in which they are learned.
    block_size : int
        The number of consecutive visits that use the same model.
    fit_prior : bool
        Whether classes have biases: log((1 + n⁺_c) / (1 + n⁻_c)), counted in documents.

    Returns
    -------
    weights : LinearWeights
        Weights that read the values of the second result.
    values : ClassStatistics
        The weight of each pair, where other statistics hold the pair's sum.
    """
    starts = np.full(len(statistics.class_documents), -np.inf)
    starts[statistics.order] = 0.0
    if statistics.multilabel and fit_prior:
        starts[statistics.order] = _log_odds(statistics)
    found = _one_vs_rest_weights(
        statistics.sums,
        statistics.core_documents,
        visits.ravel(),
        len(visits),
        OneVsRestSettings(alpha, starts, fit_prior, statistics.multilabel, block_size),
        available_threads(),
    )
    return weights_of_pairs(statistics, *found)


def _log_odds(statistics: ClassStatistics) -> Reals:
    """Return the log odds of each class among the documents, with one added to both counts."""
    own = statistics.class_documents[statistics.order]
    return np.asarray(np.log((own + 1.0) / (statistics.documents - own + 1.0)))
