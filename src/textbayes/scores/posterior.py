"""Scores → log probabilities."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_expit, logsumexp

Reals = NDArray[np.float64]


def log_softmax(scores: Reals) -> Reals:
    """Normalise log-joint scores over the classes: log P(c|x).

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes.scores import log_softmax
    >>> np.exp(log_softmax(np.log([[1.0, 3.0]])))
    array([[0.25, 0.75]])
    """
    return scores - logsumexp(scores, axis=1, keepdims=True)


def log_logistic(log_odds: Reals) -> Reals:
    """Return log probabilities from log odds, for each class independently.

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes.scores import log_logistic
    >>> np.exp(log_logistic(np.log([[1.0, 3.0]])))
    array([[0.5 , 0.75]])
    """
    return np.asarray(log_expit(log_odds))
