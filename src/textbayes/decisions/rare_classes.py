"""Biases in favour of rare classes, for metrics in which every class counts the same."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from textbayes.decisions.blend import Reals, Scores, Truth


def rare_class_offsets(scores: Scores, truth: Truth) -> NDArray[np.float64]:
    """Return an offset for the scores of each class, larger for rarer classes.

    In log loss every document counts the same, so biases learned by it favour large classes; in macro F1
    every class counts the same. The offset is log(n_max / n_c) times the median lead of the best class over
    the second, so that it changes about as many decisions whatever the scale of the scores.

    Parameters
    ----------
    scores : array of shape (documents, classes)
        Held-out scores.
    truth : array of bool, shape (documents, classes)
        Which class a document has.

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes.decisions import rare_class_offsets
    >>> truth = np.eye(2, dtype=bool)[[0, 0, 0, 0, 1]]
    >>> rare_class_offsets(np.array([[3.0, 1.0]] * 5), truth).round(2)
    array([0.  , 2.77])
    """
    sizes = np.maximum(truth.sum(axis=0), 1)
    if scores.shape[1] < 2 or not len(scores):
        return np.zeros(scores.shape[1])
    best: Reals = np.partition(scores, -2, axis=1)[:, -2:].astype(np.float64)
    leads = best[:, 1] - best[:, 0]
    known = leads[np.isfinite(leads)]
    median_lead = float(np.median(known)) if known.size else 0.0
    return np.asarray(median_lead * np.log(sizes.max() / sizes))
