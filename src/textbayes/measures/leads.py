"""Scores of two classes: one column with the second's lead over the first, or two columns."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from textbayes.scores import Contributions

Reals = NDArray[np.float64]


def second_lead(scores: Reals) -> Reals:
    """Give scores scikit-learn's shape: with two classes, the lead of the second over the first.

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes.measures import second_lead
    >>> second_lead(np.array([[1.0, 3.0], [2.0, 2.0]])).tolist()
    [2.0, 0.0]
    """
    return scores[:, 1] - scores[:, 0] if scores.shape[1] == 2 else scores


def two_columns(scores: Reals) -> Reals:
    """Give scores in the shape of ``decision_function`` a column for each class.

    A lead becomes two columns that differ by it: minus half and half. An infinite lead rules a class out: it
    gets −∞ and the other class 0, so that probabilities exist.

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes.measures import two_columns
    >>> two_columns(np.array([1.5, -2.0, np.inf])).tolist()
    [[-0.75, 0.75], [1.0, -1.0], [-inf, 0.0]]
    """
    if scores.ndim == 2:
        return scores
    halves = np.column_stack([-0.5 * scores, 0.5 * scores])
    return np.where(np.isposinf(halves), 0.0, halves)


def two_column_parts(parts: Contributions) -> Contributions:
    """Split the parts of a lead as :func:`two_columns` splits the lead.

    Where the lead is infinite, only its infinite parts count.
    """
    bias, lead = parts.bias, parts.entries[:, 0]
    if np.isinf(parts.scores[0]):
        lead, bias = (np.where(np.isinf(part), part, 0.0) for part in (lead, bias))
    return Contributions(two_columns(bias)[0], two_columns(lead))
