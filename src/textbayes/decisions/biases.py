"""Biases of classes: those that make the fewest errors, and those in favour of rare classes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from textbayes.decisions.blend import Reals, Scores, Truth

_SWEEPS = 10


def class_biases(scores: Reals, classes: NDArray[np.integer], weights: Reals | None = None) -> Reals:
    """Choose b_c so that arg max of score + b makes the fewest errors (the b of Rennie's eq. 3).

    Coordinate descent from 0: each class in turn gets its best bias while the others keep theirs, until no
    bias moves. The errors of a class's bias are a step function of the leads of the best other class. A bias
    moves only for fewer errors, and then as little as possible.

    Parameters
    ----------
    scores : array of shape (documents, classes)
        Held-out scores, such as ``loo_scores``; −∞ for an impossible class.
    classes : array of int of shape (documents,)
        The column of each document's class.
    weights : array of shape (documents,), optional
        The cost of an error on each document.

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes.decisions import class_biases
    >>> class_biases(np.array([[2.0, 0.0], [2.0, 1.0], [2.0, 1.5]]), np.array([0, 1, 1])).tolist()
    [-1.5, 0.0]
    """
    weights = np.ones(len(scores)) if weights is None else weights
    biases = np.zeros(scores.shape[1])
    for _ in range(_SWEEPS):
        before = biases.copy()
        for column in range(scores.shape[1]):
            biases[column] = _best_bias(scores, classes, weights, biases, column)
        if np.array_equal(before, biases):
            break
    return biases


def held_out_biases(scores: Reals, classes: NDArray[np.integer], weights: Reals, folds: int = 5) -> Reals:
    """Return biases for each document, shape (documents, classes), chosen on the other folds.

    Every fifth document is in the same fold. A calibration of biased scores needs these biases, because they
    were chosen without the document.

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes.decisions import held_out_biases
    >>> scores, classes = np.array([[2.0, 0.0], [2.0, 1.0], [2.0, 1.5]]), np.array([0, 1, 1])
    >>> held_out_biases(scores, classes, np.ones(3), folds=3).tolist()
    [[-2.0, 0.0], [-1.25, 0.0], [-1.5, 0.0]]
    """
    biases = np.zeros_like(scores)
    fold_of = np.arange(len(scores)) % folds
    for fold in range(folds):
        others = fold_of != fold
        biases[~others] = class_biases(scores[others], classes[others], weights[others])
    return biases


def rare_class_offsets(scores: Scores, truth: Truth, weights: Reals | None = None) -> Reals:
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
    weights : array of shape (documents,), optional
        How often each document counts in the size of its class; once by default.

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes.decisions import rare_class_offsets
    >>> truth = np.eye(2, dtype=bool)[[0, 0, 0, 0, 1]]
    >>> rare_class_offsets(np.array([[3.0, 1.0]] * 5), truth).round(2)
    array([0.  , 2.77])
    """
    sizes = truth.sum(axis=0) if weights is None else weights @ truth
    sizes = np.where(sizes > 0, sizes, 1)
    if scores.shape[1] < 2 or not len(scores):
        return np.zeros(scores.shape[1])
    best: Reals = np.partition(scores, -2, axis=1)[:, -2:].astype(np.float64)
    leads = best[:, 1] - best[:, 0]
    known = leads[np.isfinite(leads)]
    median_lead = float(np.median(known)) if known.size else 0.0
    return np.asarray(median_lead * np.log(sizes.max() / sizes))


def _best_bias(
    scores: Reals, classes: NDArray[np.integer], weights: Reals, biases: Reals, column: int
) -> float:
    others = scores + biases
    others[:, column] = -np.inf
    rival = np.argmax(others, axis=1)
    # The bias above which the class beats its best rival.
    lead = others[np.arange(len(scores)), rival] - scores[:, column]
    own = classes == column
    matters = np.isfinite(lead) & (own | (rival == classes))
    if not matters.any():
        return float(biases[column])
    order = np.argsort(lead[matters], kind="stable")
    steps = lead[matters][order]
    gains = np.where(own[matters], -weights[matters], weights[matters])[order]
    # Errors below the first step, between steps, and above the last.
    errors = np.concatenate([[0.0], np.cumsum(gains)])
    places = np.concatenate([[steps[0] - 1.0], (steps[1:] + steps[:-1]) / 2.0, [steps[-1] + 1.0]])
    distinct = np.concatenate([[True], steps[1:] > steps[:-1], [True]])
    here = errors[np.searchsorted(steps, biases[column])]
    best = errors[distinct].min()
    if best >= here - 1e-9:
        return float(biases[column])
    candidates = places[distinct][errors[distinct] <= best + 1e-9]
    return float(candidates[np.argmin(np.abs(candidates - biases[column]))])
