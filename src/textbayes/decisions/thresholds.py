"""A threshold for each class, where documents can have several labels."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from textbayes.measures import cell_weights

Reals = NDArray[np.float64]
Flags = NDArray[np.bool_]

# A class is given to at most this many times the documents that have it, and to at least that fraction:
# beyond these bounds F1 is below .4 for any ranking.
_RATIO = 4.0


class Cut(NamedTuple):
    """The chosen thresholds, and the ratio that all classes share."""

    thresholds: Reals
    shared: float


def scut_thresholds(
    scores: Reals,
    truth: Flags,
    shrinkage: float = 10.0,
    weights: Reals | None = None,
    class_weight: Reals | None = None,
) -> Cut:
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
    weights : array of shape (documents,), optional
        How often each document counts; once by default.
    class_weight : array of shape (classes,), optional
        How often the documents of a class count, where the class is decided: more than once lowers its
        threshold. The n of the shrinkage is without it.

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
    ranked = _rank(scores, truth, cell_weights(truth, weights, class_weight, multilabel=True))
    sizes = truth.sum(axis=0) if weights is None else weights @ truth
    own, shared = _best_ratios(ranked), _shared_ratio(ranked)
    with np.errstate(invalid="ignore"):
        share = np.where(np.isinf(shrinkage), 1.0, shrinkage / np.maximum(sizes + shrinkage, 1e-300))
    ratio = np.exp((1.0 - share) * np.log(np.maximum(own, 1e-300)) + share * np.log(shared))
    return Cut(_thresholds_at(ranked, ratio * ranked.sizes), shared)


def held_out_thresholds(
    scores: Reals,
    truth: Flags,
    fold_of: NDArray[np.intp],
    weights: Reals | None = None,
    class_weight: Reals | None = None,
) -> Reals:
    """Return thresholds for each document, shape (documents, classes), chosen on the other folds by SCut.

    The quality of thresholds is measured with these, because they were chosen without the document.

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes.decisions import held_out_thresholds
    >>> scores, truth = np.array([[3.0], [2.0], [0.5], [0.1]]), np.array([[True], [True], [False], [False]])
    >>> held_out_thresholds(scores, truth, np.array([0, 1, 0, 1])).round(2).tolist()
    [[1.05], [1.75], [1.05], [1.75]]
    """
    thresholds = np.empty(scores.shape)
    for fold in np.unique(fold_of):
        others = fold_of != fold
        each = None if weights is None else weights[others]
        found = scut_thresholds(scores[others], truth[others], weights=each, class_weight=class_weight)
        thresholds[~others] = found.thresholds
    return thresholds


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
    ranked = _rank(scores, truth, None)
    return _thresholds_at(ranked, ratio * ranked.sizes)


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


class _Ranked(NamedTuple):
    """Each class's scores in descending order, and sums over the first k documents, for every k.

    ``hits`` are those that have the class, ``passed`` all of them; ``sizes`` are all that have the class.
    """

    scores: Reals
    hits: Reals
    passed: Reals
    sizes: Reals

    def places(self, sums: Reals) -> NDArray[np.intp]:
        """For each class, how many documents have most nearly this sum."""
        found = np.empty(sums.shape, dtype=np.intp)
        for column in range(self.hits.shape[1]):
            # A document is taken if more than half of it fits.
            halves = (self.passed[1:, column] + self.passed[:-1, column]) / 2.0
            found[..., column] = np.searchsorted(halves, sums[..., column])
        return found


def _rank(scores: Reals, truth: Flags, cells: Reals | None) -> _Ranked:
    order = np.argsort(-scores, axis=0, kind="stable")
    has = np.take_along_axis(truth, order, axis=0)
    counted = (
        np.ones(scores.shape) if cells is None else np.take_along_axis(_wide(cells, scores), order, axis=0)
    )
    zeros = np.zeros((1, scores.shape[1]))
    passed, hits = (np.concatenate([zeros, np.cumsum(each, axis=0)]) for each in (counted, counted * has))
    return _Ranked(np.take_along_axis(scores, order, axis=0), hits, passed, hits[-1])


def _wide(cells: Reals, scores: Reals) -> Reals:
    """Weights of cells, from weights of documents if need be."""
    return np.broadcast_to(cells if cells.ndim == 2 else cells[:, None], scores.shape)


def _best_ratios(ranked: _Ranked) -> Reals:
    """The ratio that maximises each class's F1 (of several, the smallest), within the bounds."""
    whole = ranked.passed + ranked.sizes
    best = np.argmax(2.0 * ranked.hits / np.where(whole > 0, whole, 1.0), axis=0)
    passed = ranked.passed[best, np.arange(len(best))]
    ratios = passed / np.where(ranked.sizes > 0, ranked.sizes, 1.0)
    return np.asarray(np.clip(ratios, 1.0 / _RATIO, _RATIO))


def _shared_ratio(ranked: _Ranked) -> float:
    """The ratio, from a quarter to four, that maximises F1 over all classes together."""
    ratios = np.exp(np.linspace(-np.log(_RATIO), np.log(_RATIO), 97))
    places, columns = ranked.places(ratios[:, None] * ranked.sizes), np.arange(len(ranked.sizes))
    found, passed = (each[places, columns].sum(axis=1) for each in (ranked.hits, ranked.passed))
    whole = passed + ranked.sizes.sum()
    return float(ratios[np.argmax(2.0 * found / np.where(whole > 0, whole, 1.0))])


def _thresholds_at(ranked: _Ranked, sums: Reals) -> Reals:
    """The score half-way between the last document above the cut and the first below it."""
    ordered = ranked.scores
    # −∞, of a class that had no other document, counts as the least finite score.
    least = np.where(np.isfinite(ordered), ordered, np.inf).min(axis=0, initial=np.inf)
    finite = np.where(np.isneginf(ordered), least, ordered)
    documents, classes = finite.shape
    if not documents:
        return np.full(classes, np.inf)
    # A class that has documents is given to at least one document.
    at = np.clip(ranked.places(sums), np.minimum(sums > 0, documents), documents)
    columns = np.arange(classes)
    above = finite[np.maximum(at - 1, 0), columns]
    below = finite[np.minimum(at, documents - 1), columns]
    # Below all documents: a little below the least score.
    below = np.where(at == documents, below - 1e-9 * np.maximum(1.0, np.abs(below)), below)
    return np.where(sums > 0, (above + below) / 2.0, np.inf)
