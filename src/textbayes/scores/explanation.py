"""The contribution of each entry of a row to the score of each class."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from textbayes.counts import Rows

Reals = NDArray[np.float64]

# The number of one-entry rows to score at once.
_BLOCK = 1 << 12


class Contributions(NamedTuple):
    """The contributions to the scores of a row: ``bias + entries.sum(axis=0)`` is the score of each class.

    Parameters
    ----------
    bias : array of shape (classes,)
        The score of each class for an empty row.
    entries : array of shape (entries of the row, classes)
        The contribution of each entry of the row.
    """

    bias: Reals
    entries: Reals

    @property
    def scores(self) -> Reals:
        """The score of each class."""
        return np.asarray(self.bias + self.entries.sum(axis=0))


def contributions_of(scorer: Any, row: Rows) -> Contributions:
    """Return the contributions to the scores of a row; a scorer without its own method is linear."""
    if hasattr(scorer, "contributions"):
        return scorer.contributions(row)  # type: ignore[no-any-return]
    return linear_contributions(scorer, row)


class _Scores(Protocol):
    def scores(self, rows: Rows) -> Reals:
        """Score every row in every class."""


def linear_contributions(scorer: _Scores, row: Rows) -> Contributions:
    """Return the contributions to a linear score, from the scores of an empty row and of one-entry rows.

    Parameters
    ----------
    scorer : scorer
        A scorer whose scores are linear in the row.
    row : Rows
        One row.

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes import MultinomialNB
    >>> from textbayes.counts import as_rows
    >>> from textbayes.scores import linear_contributions
    >>> model = MultinomialNB().fit([[2, 0], [0, 1]], ["a", "b"])
    >>> parts = linear_contributions(model._scorer("explain"), as_rows(np.array([[1, 3]])))
    >>> bool(np.allclose(parts.scores, model.top_k([[1, 3]], 2)[1][0][::-1]))
    True
    """
    bias = scorer.scores(Rows.empty(row.width))[0]
    entries = np.empty((len(row.columns), len(bias)))
    for start in range(0, len(entries), _BLOCK):
        some = row.columns[start : start + _BLOCK]
        one_each = Rows(np.arange(len(some) + 1, dtype=np.int64), some, np.ones(len(some)), row.width)
        entries[start : start + _BLOCK] = scorer.scores(one_each) - bias
    return Contributions(bias, entries * row.values[:, None])
