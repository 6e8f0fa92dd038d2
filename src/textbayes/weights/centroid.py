"""The centroid classifier (Frank 2006, section 4)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from textbayes.errors.checks import check_option
from textbayes.statistics import ClassStatistics
from textbayes.weights.linear import LinearWeights

Reals = NDArray[np.float64]

NORMS = ("l2", "l1")


def check_centroid(norm: Any) -> None:
    """Check the parameter."""
    check_option("norm", norm, NORMS)


def centroid_weights(statistics: ClassStatistics, norm: str) -> LinearWeights:
    """The sum of the document vectors of each class, scaled to length 1 (Frank 2006, eq. 4).

    Parameters
    ----------
    statistics : ClassStatistics
        The statistics of the training documents.
    norm : {"l2", "l1"}
        The norm; "l1" is the variant of Frank's section 5.
    """
    lengths = np.sqrt(statistics.sums.class_squares()) if norm == "l2" else statistics.class_values
    return LinearWeights(bias=np.zeros_like(lengths), linear_factors=_reciprocal(lengths))


def centroid_odds_weights(statistics: ClassStatistics, norm: str) -> LinearWeights:
    """The centroid of a class minus that of the documents without it (eq. 4 for each class).

    x·c_c − x·c_c̄ with c_c̄ = (S − S_c)/‖S − S_c‖: S gives the default, times the scale of each class.
    """
    own = centroid_weights(statistics, norm).linear_factors
    rest = _reciprocal(_complement_lengths(statistics, norm))
    # A class with all documents has no complement: its margin is its own score.
    scale = np.where(rest > 0, rest, 1.0)
    return LinearWeights(
        bias=np.zeros_like(own),
        default=-statistics.term_values,
        scale=scale,
        linear_factors=own / scale + 1.0,
    )


def _complement_lengths(statistics: ClassStatistics, norm: str) -> Reals:
    if norm == "l1":
        return np.maximum(statistics.values - statistics.class_values, 0.0)
    terms, slots, values, _ = statistics.sums.pairs()
    total = statistics.term_values
    # ‖S − S_c‖² = ‖S‖² − Σ over the pairs of c of (S_t² − (S_t − S_ct)²)
    shift = (2.0 * total[terms] - values) * values
    squares = np.sum(total**2) - np.bincount(slots, shift, minlength=len(statistics.class_values))
    return np.sqrt(np.maximum(squares, 0.0))


def _reciprocal(lengths: Reals) -> Reals:
    return np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0)
