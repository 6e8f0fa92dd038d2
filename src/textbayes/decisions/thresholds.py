"""A threshold for each class, where documents can have several labels."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Reals = NDArray[np.float64]
Flags = NDArray[np.bool_]

# A class is given to at most this many times the documents that have it, and to at least that fraction:
# beyond these bounds F1 is below .4 for any ranking.
_RATIO = 4.0


class Cut(NamedTuple):
    """The chosen thresholds, and the ratio that all classes share."""

    thresholds: Reals
    shared: float


def scut_thresholds(scores: Reals, truth: Flags, shrinkage: float = 10.0) -> Cut:
    """Choose the threshold of each class that maximises its F1, shrunk towards a shared rule (SCut).

    A cut is described by its ratio: the number of documents above it, divided by the number that have the
    class. Ratios of different classes can be compared, scores cannot. A class's own ratio maximises its F1;
    the shared ratio maximises F1 over the decisions of all classes together. A class of n documents gets the
    ratio exp((n · log own + m · log shared) / (n + m)) with the shrinkage m: rare classes follow the shared
    ratio, frequent ones their own.

    Parameters
    ----------
    scores : array of shape (documents, classes)
        Held-out scores, such as ``loo_scores``.
    truth : array of bool of shape (documents, classes)
        The label indicator.
    shrinkage : float, default=10.0
        m, the weight of the shared ratio in documents. 0 is SCut; infinity is one ratio for all classes.

    Returns
    -------
    Cut
        The ``thresholds`` of the classes (a document above a threshold gets the class), and the ``shared``
        ratio. The threshold of a class without documents is infinite.

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes.decisions import scut_thresholds
    >>> scores = np.array([[3.0, 0.1], [2.0, 0.7], [0.5, 0.4], [0.1, 0.2]])
    >>> truth = np.array([[1, 0], [1, 1], [0, 0], [0, 0]], dtype=bool)
    >>> scut_thresholds(scores, truth).thresholds.tolist()
    [1.25, 0.55]
    """
    sizes = truth.sum(axis=0)
    ordered, hits = _ranked(scores, truth)
    own = _best_ratios(hits, sizes)
    shared = _shared_ratio(hits, sizes)
    with np.errstate(invalid="ignore"):
        share = np.where(np.isinf(shrinkage), 1.0, shrinkage / np.maximum(sizes + shrinkage, 1e-300))
    ratio = np.exp((1.0 - share) * np.log(np.maximum(own, 1e-300)) + share * np.log(shared))
    return Cut(_thresholds_at(ordered, ratio * sizes), shared)


def proportional_thresholds(scores: Reals, truth: Flags, ratio: float = 1.0) -> Reals:
    """Cut each class so that ``ratio`` times as many documents lie above the cut as have the class (PCut).

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes.decisions import proportional_thresholds
    >>> scores = np.array([[3.0], [2.0], [0.5], [0.1]])
    >>> proportional_thresholds(scores, np.array([[True], [False], [True], [False]])).tolist()
    [1.25]
    """
    ordered, _ = _ranked(scores, truth)
    return _thresholds_at(ordered, ratio * truth.sum(axis=0))


def best_labels(scores: Reals, k: int) -> Flags:
    """Give each document its ``k`` best classes (RCut); among equal scores, the first class wins.

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes.decisions import best_labels
    >>> best_labels(np.array([[0.2, 0.9, 0.4]]), 2).tolist()
    [[False, True, True]]
    """
    best = np.argsort(-scores, axis=1, kind="stable")[:, :k]
    given = np.zeros(scores.shape, dtype=bool)
    np.put_along_axis(given, best, True, axis=1)
    return given


def _ranked(scores: Reals, truth: Flags) -> tuple[Reals, NDArray[np.int64]]:
    """Each class's scores in descending order, and its documents among the first k, for every k."""
    order = np.argsort(-scores, axis=0, kind="stable")
    found = np.cumsum(np.take_along_axis(truth, order, axis=0), axis=0)
    zeros = np.zeros((1, scores.shape[1]), dtype=np.int64)
    return np.take_along_axis(scores, order, axis=0), np.concatenate([zeros, found])


def _best_ratios(hits: NDArray[np.int64], sizes: NDArray[np.int64]) -> Reals:
    """The ratio that maximises each class's F1 (of several, the smallest), within the bounds."""
    depths = np.arange(len(hits))[:, None]
    best = np.argmax(2.0 * hits / np.maximum(depths + sizes, 1), axis=0)
    return np.asarray(np.clip(best / np.maximum(sizes, 1), 1.0 / _RATIO, _RATIO))


def _shared_ratio(hits: NDArray[np.int64], sizes: NDArray[np.int64]) -> float:
    """The ratio, from a quarter to four, that maximises F1 over all classes together."""
    ratios = np.exp(np.linspace(-np.log(_RATIO), np.log(_RATIO), 97))
    depths = np.minimum(np.rint(ratios[:, None] * sizes), len(hits) - 1).astype(np.intp)
    found = hits[depths, np.arange(len(sizes))].sum(axis=1)
    return float(ratios[np.argmax(2.0 * found / np.maximum(depths.sum(axis=1) + sizes.sum(), 1))])


def _thresholds_at(ordered: Reals, depths: Reals) -> Reals:
    """The score half-way between the last document above the cut and the first below it."""
    # −∞, of a class that had no other document, counts as the least finite score.
    least = np.where(np.isfinite(ordered), ordered, np.inf).min(axis=0, initial=np.inf)
    finite = np.where(np.isneginf(ordered), least, ordered)
    documents, classes = finite.shape
    # A class that has documents is given to at least one document.
    at = np.clip(np.rint(depths), np.minimum(depths > 0, documents), documents).astype(np.intp)
    columns = np.arange(classes)
    above = finite[np.maximum(at - 1, 0), columns]
    below = finite[np.minimum(at, documents - 1), columns]
    # Below all documents: a little below the least score.
    below = np.where(at == documents, below - 1e-9 * np.maximum(1.0, np.abs(below)), below)
    return np.where(depths > 0, (above + below) / 2.0, np.inf)
