"""Poisson naive Bayes with weighted terms (Kim 2003)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from textbayes.errors.checks import check_number, check_option
from textbayes.errors.numbers import MOST
from textbayes.statistics import LengthStatistics
from textbayes.terms import PoissonMeans, chi_square, information_gain, sums_of_statistics
from textbayes.terms.means import MeansBlock
from textbayes.terms.scores import probability_ratio

Reals = NDArray[np.float64]

WEIGHTINGS = ("ig", "chi2", "ratio")
# θ may be far smaller than other parameters: it is only added to the lengths of documents.
LEAST_THETA = 1e-200


def check_poisson(theta: Any, alpha: Any, weighting: Any) -> None:
    """Check the parameters."""
    check_number("theta", theta, least=LEAST_THETA, most=MOST)
    check_number("alpha", alpha, least=0, most=1)
    if weighting is not None:
        check_option("weighting", weighting, WEIGHTINGS)


class PoissonWeights(NamedTuple):
    """The weights of some classes: the quantities of eq. 14.

    Parameters
    ----------
    table : array of shape (classes, terms)
        w_ic · log(λ′_i / μ′_i).
    lead : array of shape (classes,)
        B_c = θ Σ w_ic log(λ′_i / μ′_i).
    shift : array of shape (classes,)
        A_c = Σ w_ic (μ′_i − λ′_i).
    total : array of shape (classes,)
        W_c = Σ w_ic.
    """

    table: Reals
    lead: Reals
    shift: Reals
    total: Reals


def poisson_blocks(
    statistics: LengthStatistics, theta: float, alpha: float, weighting: str | None
) -> Iterator[PoissonWeights]:
    """Yield the weights of the classes, in order, in blocks.

    Parameters
    ----------
    statistics : LengthStatistics
        The statistics of the training documents.
    theta, alpha : float
        θ of eq. 7 and α of eq. 9.
    weighting : {"ig", "chi2", "ratio"} or None
        w_ic by eq. 11, 12 or 13; None gives every term the weight 1, so that W_c = |V|.
    """
    means = PoissonMeans(sums_of_statistics(statistics, theta), theta, alpha)
    weigh = _term_weights(statistics, weighting)
    for block in means.blocks(statistics.order):
        weights = weigh(block)
        evidence = weights * np.log(block.of_class / block.of_complement)
        shift = np.sum(weights * (block.of_complement - block.of_class), axis=1)
        yield PoissonWeights(evidence, theta * evidence.sum(axis=1), shift, weights.sum(axis=1))


def _term_weights(statistics: LengthStatistics, weighting: str | None) -> Callable[[MeansBlock], Reals]:
    if weighting is None:
        return lambda block: np.ones_like(block.of_class)
    if weighting == "ratio":
        return lambda block: probability_ratio(block.of_class, block.of_complement)
    measure = information_gain if weighting == "ig" else chi_square
    both = statistics.pair_documents
    of_class, with_term, total = statistics.class_documents, statistics.term_documents, statistics.documents

    def weigh(block: MeansBlock) -> Reals:
        seen = np.asarray(both[block.slots].todense())
        return measure(seen, of_class[block.slots, None], with_term, total)

    return weigh
