"""Weights of a linear support vector machine, by dual coordinate descent."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from textbayes._native import SvmSettings, available_threads, svm_weights
from textbayes.statistics import ClassStatistics, DocumentStatistics
from textbayes.weights.linear import LinearWeights, weights_of_pairs

# An upper bound on a sum of weighted documents.
LARGEST_WEIGHT = 1e100


def linear_svm_weights(
    statistics: DocumentStatistics, C: float, tolerance: float, visits: NDArray[np.uint32]
) -> tuple[LinearWeights, ClassStatistics, int]:
    """Fit one squared-hinge SVM per class against the rest (Hsieh 2008, algorithm 1).

    f_c(d) = b_c + Σ_t w_ct x_dt should be at least 1 for documents of class c and at most −1 for others. The
    shortfall of a document is s_cd = max(0, 1 ∓ f_c(d)); at the optimum w_c = Σ ±2C · s_cd · x_d, b_c too.

    Parameters
    ----------
    statistics : DocumentStatistics
        The training documents and their sums.
    C : float
        Penalty on errors.
    tolerance : float
        Stop when the projected gradients of a pass differ by less.
    visits : array of int, shape (passes, documents)
        The order in which each pass visits the documents.

    Returns
    -------
    weights : LinearWeights
        Weights that read the values of the second result.
    values : ClassStatistics
        The weight of each pair, where other statistics hold the pair's sum.
    passes : int
        Number of passes made; one more than given if they did not converge.
    """
    settings = SvmSettings(C, tolerance, np.sort(statistics.order).astype(np.uint32))
    found, passes = svm_weights(
        statistics.sums, statistics.core_documents, visits.ravel(), settings, available_threads()
    )
    return *weights_of_pairs(statistics, *found), passes
