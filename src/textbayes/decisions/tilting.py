"""Which way biases lean when classes count alike and documents do not."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from textbayes.decisions.blending import Reals, Scores, Truth


def rare_class_tilt(scores: Scores, truth: Truth) -> NDArray[np.float64]:
    """Return what a unit of lean adds to each class's scores: the more, the rarer it is.

    Log loss counts documents alike, so that biases learned by it favour large classes; macro F1 counts
    classes alike. The lean is log(n_max / n_c), in units of a middling document's lead of its best class over
    the next: whatever the scale of scores, a unit turns about as many decisions.

    Parameters
    ----------
    scores : array of shape (documents, classes)
        Of documents that the model did not learn.
    truth : array of bool, shape (documents, classes)
        Which class a document has.

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes.decisions import rare_class_tilt
    >>> truth = np.eye(2, dtype=bool)[[0, 0, 0, 0, 1]]
    >>> rare_class_tilt(np.array([[3.0, 1.0]] * 5), truth).round(2)
    array([0.  , 2.77])
    """
    sizes = np.maximum(truth.sum(axis=0), 1)
    if scores.shape[1] < 2 or not len(scores):
        return np.zeros(scores.shape[1])
    best: Reals = np.partition(scores, -2, axis=1)[:, -2:].astype(np.float64)
    leads = best[:, 1] - best[:, 0]
    known = leads[np.isfinite(leads)]
    middling = float(np.median(known)) if known.size else 0.0
    return np.asarray(middling * np.log(sizes.max() / sizes))
