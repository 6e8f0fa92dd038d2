"""Biases of classes: those that make the fewest errors, and those in favour of rare classes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from textbayes.decisions.blend import Reals, Scores, Truth

_SWEEPS = 10


def class_biases(scores: Reals, classes: NDArray[np.integer], weights: Reals | None = None) -> Reals:
    """Choose b_c so that arg max of score + b makes the fewest errors (the b of Rennie's eq. 3).

    This is :func:`least_cost_biases` where every error costs the same.

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
    costs = np.repeat(np.asarray(weights, dtype=np.float64)[:, None], scores.shape[1], axis=1)
    costs[np.arange(len(scores)), classes] = 0.0
    return least_cost_biases(scores, costs)


def least_cost_biases(scores: Reals, costs: Reals, start: Reals | None = None) -> Reals:
    """Choose b_c so that the decisions arg max of score + b cost least.

    Coordinate descent: each class in turn gets its best bias while the others keep theirs, until no bias
    moves. The cost of a class's bias is a step function of the leads of the best other class. A bias moves
    only for a lower cost, and then as little as possible.

    Parameters
    ----------
    scores : array of shape (documents, classes)
        Held-out scores; −∞ for an impossible class.
    costs : array of shape (documents, classes)
        What it costs to decide each class for a document.
    start : array of shape (classes,), optional
        The first biases; 0 by default.

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes.decisions import least_cost_biases
    >>> least_cost_biases(np.array([[2.0, 0.0], [2.0, 1.0]]), np.array([[0.0, 1.0], [5.0, 0.0]])).tolist()
    [-1.5, 0.0]
    """
    biases = np.zeros(scores.shape[1]) if start is None else start.astype(np.float64)
    leaders = _Leaders(scores + biases)
    for _ in range(_SWEEPS):
        before = biases.copy()
        for column in range(scores.shape[1]):
            found = _best_bias(scores[:, column], costs, leaders, biases[column], column)
            if found != biases[column]:
                biases[column] = found
                leaders.change(column, scores[:, column] + found)
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


class _Leaders:
    """The two best classes of each document, kept up while the scores of single classes change."""

    def __init__(self, scores: Reals) -> None:
        self.scores = scores
        self.best = np.zeros((len(scores), 2), dtype=np.intp)
        self._find(np.arange(len(scores)))

    def _find(self, rows: NDArray[np.intp]) -> None:
        """Find the best classes of some documents; of equal ones the first."""
        some, place = self.scores[rows], np.arange(len(rows))
        if not some.size:
            return
        self.best[rows, 0] = first = np.argmax(some, axis=1)
        some[place, first] = -np.inf
        self.best[rows, 1] = np.argmax(some, axis=1)

    def change(self, column: int, values: Reals) -> None:
        """Change the scores of a class."""
        self.scores[:, column] = values
        second = self.scores[np.arange(len(values)), self.best[:, 1]]
        # Nothing changes for a document in which the class stays behind the two best.
        behind = (self.best != column).all(axis=1) & (values < second)
        self._find(np.flatnonzero(~behind))

    def rivals(self, column: int) -> NDArray[np.intp]:
        """Return the best class of each document but for this one."""
        return np.where(self.best[:, 0] == column, self.best[:, 1], self.best[:, 0])


def _best_bias(own: Reals, costs: Reals, leaders: _Leaders, bias: float, column: int) -> float:
    rows, rival = np.arange(len(own)), leaders.rivals(column)
    added = costs[:, column] - costs[rows, rival]
    # The bias above which the class beats its best rival.
    lead = leaders.scores[rows, rival] - own
    matters = np.isfinite(lead) & (added != 0)
    if not matters.any():
        return float(bias)
    order = np.argsort(lead[matters], kind="stable")
    steps, added = lead[matters][order], added[matters][order]
    # Costs below the first step, between steps, and above the last.
    total = np.concatenate([[0.0], np.cumsum(added)])
    places = np.concatenate([[steps[0] - 1.0], (steps[1:] + steps[:-1]) / 2.0, [steps[-1] + 1.0]])
    distinct = np.concatenate([[True], steps[1:] > steps[:-1], [True]])
    here = total[np.searchsorted(steps, bias)]
    best = total[distinct].min()
    # Less than the rounding of the sum is no gain.
    least = 1e-9 * max(1.0, float(np.abs(added).max()))
    if best >= here - least:
        return float(bias)
    candidates = places[distinct][total[distinct] <= best + least]
    return float(candidates[np.argmin(np.abs(candidates - bias))])
