"""Scores → log probabilities."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Reals = NDArray[np.float64]

# Beyond this, log P(c|x) of scores has fewer than six digits behind the point.
_LARGE = 1e9


def log_softmax(scores: Reals) -> Reals:
    """Normalise log-joint scores over the classes: log P(c|x).

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes.scores import log_softmax
    >>> np.exp(log_softmax(np.log([[1.0, 3.0]])))
    array([[0.25, 0.75]])
    """
    found = scores - log_sum_exp(scores)[:, None]
    top = scores.max(axis=1, keepdims=True, initial=-np.inf)
    large = (np.isfinite(top) & (np.abs(top) > _LARGE))[:, 0]
    if large.any():
        # A sum of 1e20 and log 2 is 1e20: the probabilities of two equal classes would add up to 2.
        shifted = scores[large] - top[large]
        found[large] = shifted - log_sum_exp(shifted)[:, None]
    return np.asarray(found)


def log_logistic(log_odds: Reals) -> Reals:
    """Return log probabilities from log odds, for each class independently.

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes.scores import log_logistic
    >>> np.exp(log_logistic(np.log([[1.0, 3.0]])))
    array([[0.5 , 0.75]])
    """
    # exp never overflows here, and log1p keeps the digits of probabilities near 1.
    return np.asarray(np.minimum(log_odds, 0.0) - np.log1p(np.exp(-np.abs(log_odds))))


def log_sum_exp(values: Reals) -> Reals:
    """Return log Σ exp(x) of each row; −∞ for a row without finite values.

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes.scores import log_sum_exp
    >>> log_sum_exp(np.array([[-1000.0, -1000.0], [-np.inf, 3.0]])).round(3)
    array([-999.307,    3.   ])
    """
    top = values.max(axis=1, keepdims=True, initial=-np.inf)
    at_top = values == top
    number = np.maximum(at_top.sum(axis=1), 1)
    # The largest values are counted, not summed, so that small ones beside them keep their digits.
    with np.errstate(invalid="ignore"):
        others = np.exp(np.where(at_top, -np.inf, values - top)).sum(axis=1)
    top = top[:, 0]
    return np.asarray(np.where(np.isfinite(top), np.log1p(others / number) + np.log(number) + top, top))
