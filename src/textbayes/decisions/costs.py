"""Biases for a cost matrix: the decision that costs least, as far as a bias for each class can make it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from textbayes.decisions.biases import least_cost_biases
from textbayes.decisions.blend import Reals, Truth
from textbayes.scores import log_softmax

# Costs below this share of the largest count as this share: the logarithm of 0 would rule a class out.
_LEAST_SHARE = 1e-3


def pairwise_biases(costs: Reals) -> Reals:
    """Return the biases of log probabilities that follow from the costs alone.

    Of two classes, the one with the least expected cost is i if p_i (c_ij − c_ii) > p_j (c_ji − c_jj). So i
    gains log (c_ij − c_ii) and j gains log (c_ji − c_jj). With more classes, each bias is the mean over the
    other classes of what the class gains over them. The decision has the least expected cost with two
    classes, and if the cost of an error depends on the true class only.

    Parameters
    ----------
    costs : array of shape (classes, classes)
        What it costs to decide the class of a column if that of the row is true.

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes.decisions import pairwise_biases
    >>> biases = pairwise_biases(np.array([[0.0, 20.0], [1.0, 0.0]]))
    >>> bool(np.isclose(biases[0] - biases[1], np.log(20)))
    True
    """
    missed = costs - np.diag(costs)[:, None]
    gains = np.log(np.maximum(missed, _LEAST_SHARE * max(float(missed.max()), np.finfo(float).tiny)))
    np.fill_diagonal(gains, 0.0)
    return np.asarray((gains - gains.T).mean(axis=1))


def expected_cost_biases(scores: Reals, costs: Reals, weights: Reals | None = None) -> Reals:
    """Choose the biases whose decisions have the least expected cost, under the probabilities of the scores.

    No label is needed, so the biases can be measured on the same documents.

    Parameters
    ----------
    scores : array of shape (documents, classes)
        Held-out log probabilities, up to a constant of each document.
    costs : array of shape (classes, classes)
        What it costs to decide the class of a column if that of the row is true.
    weights : array of shape (documents,), optional
        How often each document counts.

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes.decisions import expected_cost_biases
    >>> scores = np.log([[0.8, 0.2], [0.6, 0.4], [0.9, 0.1]])
    >>> np.argmax(scores + expected_cost_biases(scores, np.array([[0.0, 1.0], [5.0, 0.0]])), axis=1).tolist()
    [1, 1, 0]
    """
    own = _known(scores)
    return _least_cost(own, np.exp(log_softmax(own)) @ costs, costs, weights)


def cost_biases(scores: Reals, truth: Truth, costs: Reals, weights: Reals | None = None) -> Reals:
    """Choose the biases whose decisions cost least on documents with known classes.

    Parameters
    ----------
    scores, costs, weights
        As for :func:`expected_cost_biases`.
    truth : array of bool, shape (documents, classes)
        Which class a document has.

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes.decisions import cost_biases
    >>> scores = np.log([[0.8, 0.2], [0.6, 0.4], [0.7, 0.3], [0.1, 0.9]])
    >>> truth = np.eye(2, dtype=bool)[[0, 1, 0, 1]]
    >>> biases = cost_biases(scores, truth, np.array([[0.0, 1.0], [5.0, 0.0]]))
    >>> np.argmax(scores + biases, axis=1).tolist()
    [0, 1, 0, 1]
    """
    return _least_cost(_known(scores), costs[truth.argmax(axis=1)], costs, weights)


def held_out_cost_biases(
    scores: Reals, truth: Truth, costs: Reals, fold_of: NDArray[np.intp], weights: Reals | None = None
) -> Reals:
    """Return biases for each document, shape (documents, classes), chosen on the other folds.

    Parameters
    ----------
    scores, truth, costs, weights
        As for :func:`cost_biases`.
    fold_of : array of int, shape (documents,)
        The fold of each document.

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes.decisions import held_out_cost_biases
    >>> scores = np.log([[0.8, 0.2], [0.6, 0.4], [0.7, 0.3], [0.1, 0.9]])
    >>> truth, costs = np.eye(2, dtype=bool)[[0, 1, 0, 1]], np.array([[0.0, 1.0], [5.0, 0.0]])
    >>> held_out_cost_biases(scores, truth, costs, np.array([0, 0, 1, 1])).shape
    (4, 2)
    """
    biases = np.zeros(scores.shape)
    for fold in np.unique(fold_of):
        others = fold_of != fold
        each = None if weights is None else weights[others]
        biases[~others] = cost_biases(scores[others], truth[others], costs, each)
    return biases


def _least_cost(scores: Reals, charged: Reals, costs: Reals, weights: Reals | None) -> Reals:
    own = charged if weights is None else charged * weights[:, None]
    return least_cost_biases(scores, own, pairwise_biases(costs))


def _known(scores: Reals) -> Reals:
    """Scores in which an impossible class is only the least likely one."""
    return np.where(np.isneginf(scores), np.finfo(np.float32).min, scores)
