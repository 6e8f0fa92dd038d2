"""Complement naive Bayes: how badly the documents without a class fit (Rennie 2003)."""

from __future__ import annotations

from typing import Any

import numpy as np

from textbayes._native import CorrectionCache
from textbayes.errors.checks import check_option, check_scale, check_switch
from textbayes.statistics import ClassStatistics
from textbayes.weights.linear import LinearWeights, TermDefault

AGAINST = ("complement", "class", "all")


def check_complement(alpha: Any, norm: Any, against: Any) -> None:
    """Check the parameters."""
    check_scale("alpha", alpha)
    check_switch("norm", norm)
    check_option("against", against, AGAINST)


def odds_against(against: str) -> str:
    """Return what several labels are decided by: eq. 7, or eq. 8 in place of eq. 6, which has no zero."""
    return "class" if against == "class" else "all"


def complement_weights(
    statistics: ClassStatistics,
    alpha: float,
    norm: bool,
    against: str,
    cache: CorrectionCache | None = None,
) -> LinearWeights:
    """Weights from the documents without a class, θ̃_ct = (n_t − n_ct + α) / (n − n_c + αk).

    Parameters
    ----------
    statistics : ClassStatistics
        The statistics of the training documents.
    alpha : float
        The smoothing count.
    norm : bool
        Divide the weights of each class by the sum of their absolute values (eq. 9).
    against : {"complement", "class", "all"}
        −log θ̃ alone (eq. 6); log θ of the class − log θ̃ (eq. 7); log θ of all documents − log θ̃ (eq. 8).
    cache : CorrectionCache, optional
        With ``norm``: the logarithms of an earlier call; only those of changed terms are recomputed.

    Notes
    -----
    Eqs. 7 and 8 are printed as differences of probabilities; Rennie's text shows that logarithms are meant.
    """
    own, all_values = statistics.class_values, statistics.values
    smoothing = alpha * statistics.columns
    complement = np.log(np.maximum(all_values - own, 0.0) + smoothing)
    bias = np.zeros_like(own)
    if against == "complement":
        default = TermDefault("total", alpha)
        weights = LinearWeights(bias, slope=complement, default=default, complement_alpha=alpha)
    elif against == "class":
        # log α − log(n_t + α): the class lacks the term, so its complement has all of it.
        default = TermDefault("ratio", alpha)
        slope = complement - np.log(own + smoothing)
        factors = np.full_like(own, 1.0 / alpha)
        weights = LinearWeights(bias, slope, default, class_factors=factors, complement_alpha=alpha)
    else:
        # If a class lacks a term, its complement has all of it; only the totals differ.
        slope = complement - np.log(all_values + smoothing)
        weights = LinearWeights(bias, slope=slope, complement_alpha=alpha)
    return weights.normalised(statistics, cache) if norm else weights
