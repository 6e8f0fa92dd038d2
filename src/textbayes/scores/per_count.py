"""Linear scores per unit of a row's sum."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from textbayes.scores.explanation import Contributions

Reals = NDArray[np.float64]
Real = TypeVar("Real", bound=np.floating)


def scores_per_count(scores: NDArray[Real], bias: Reals, sums: Reals) -> NDArray[Real]:
    """Return the mean contribution of a count: linear scores without their bias, divided by the row's sum.

    A linear score grows with its document, so that long documents dominate a blend. The mean does not, and is
    linear in the row divided by its sum. An infinite score stays infinite; an empty row scores 0.

    Parameters
    ----------
    scores : array of shape (documents, classes)
        Scores that are linear in the rows.
    bias : array of shape (classes,)
        The scores of an empty row.
    sums : array of shape (documents,)
        The sum of each row.

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes.scores import scores_per_count
    >>> scores_per_count(np.array([[7.0, 3.0], [1.0, 2.0]]), np.array([1.0, 1.0]), np.array([2.0, 0.0]))
    array([[3., 1.],
           [0., 0.]])
    """
    each = np.divide(1.0, sums, out=np.zeros(len(sums)), where=sums > 0)[:, None]
    with np.errstate(invalid="ignore"):
        mean = (scores - np.where(np.isfinite(bias), bias, 0.0)) * each
    return np.where(np.isfinite(scores), mean, scores).astype(scores.dtype, copy=False)


def contributions_per_count(parts: Contributions, total: float) -> Contributions:
    """Divide the contributions of a row's entries by the row's sum, and drop the bias.

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes.scores import Contributions, contributions_per_count
    >>> contributions_per_count(Contributions(np.ones(2), np.array([[4.0, 2.0], [2.0, 0.0]])), 2.0).scores
    array([3., 1.])
    """
    infinite = np.where(np.isfinite(parts.scores), 0.0, parts.scores)
    entries = parts.entries / total if total > 0 else np.zeros_like(parts.entries)
    return Contributions(infinite, np.where(np.isfinite(parts.scores), entries, 0.0))
