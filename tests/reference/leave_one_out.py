"""Leave-one-out by definition: for every document, a fresh fit on all the others."""

import numpy as np
from sklearn.base import clone

from .variants import all_scores


def scores_by_refits(model, X, y, sample_weight=None, scores=all_scores):
    """Score each document with a model fitted without it; shape (documents, classes of the full fit).

    A class that the refit does not know scores −∞. The columns of an indicator are always known.
    """
    whole = clone(model).fit(X, y, sample_weight=sample_weight)
    expected = np.full((X.shape[0], len(whole.classes_)), -np.inf)
    for row in range(X.shape[0]):
        keep = np.arange(X.shape[0]) != row
        weight = None if sample_weight is None else sample_weight[keep]
        refit = clone(model).fit(X[keep], y[keep], sample_weight=weight)
        known = np.isin(whole.classes_, refit.classes_)
        expected[row, known] = scores(refit, X[[row]])[0]
    return expected


def shaped(expected, multilabel):
    """Return scores in the shape of decision_function: for two classes, the second minus the first."""
    return expected if multilabel or expected.shape[1] != 2 else expected[:, 1] - expected[:, 0]
