"""The best of several models for each class."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from textbayes.decisions.blend import Scores, Truth
from textbayes.measures import break_even_decisions

Places = NDArray[np.intp]


def best_by_class(parts: Sequence[Scores], truth: Truth, shrinkage: float = 10.0) -> Places:
    """Choose a model for each class by its break-even, shrunk towards the break-even of all classes.

    Parameters
    ----------
    parts : sequence of array of shape (documents, classes)
        The held-out scores of each model.
    truth : array of bool, shape (documents, classes)
        Which document has which class.
    shrinkage : float
        The weight of the break-even of all classes, in documents: it decides for rare classes.

    Returns
    -------
    array of int, shape (classes,)
        The number of each class's model; among equal ones, the first.

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes.decisions import best_by_class
    >>> truth = np.array([[1, 0], [1, 0], [0, 1], [0, 1]], dtype=bool)
    >>> first, second = np.array([[2, 0], [2, 1], [0, 0], [0, 1]]), np.array([[0, 0], [2, 0], [2, 1], [0, 1]])
    >>> best_by_class([first, second], truth, shrinkage=0).tolist()
    [0, 1]
    """
    sizes = truth.sum(axis=0)
    hits = np.array([(break_even_decisions(part, truth) & truth).sum(axis=0) for part in parts])
    shared = hits.sum(axis=1, keepdims=True) / max(int(sizes.sum()), 1)
    chosen: Places = np.argmax((hits + shrinkage * shared) / np.maximum(sizes + shrinkage, 1e-300), axis=0)
    return chosen


def scores_by_class(parts: Sequence[Scores], chosen: Places) -> Scores:
    """Take the scores of each class from the model chosen for it."""
    scores = np.empty_like(parts[0])
    for at, part in enumerate(parts):
        scores[:, chosen == at] = part[:, chosen == at]
    return scores
