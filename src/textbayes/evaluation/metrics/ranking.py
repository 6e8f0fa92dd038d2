"""How well a class's documents are ranked: break-even and the area under the ROC curve."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from scipy.stats import rankdata

from textbayes.errors import EvaluationEmptyError
from textbayes.evaluation.metrics.averages import Averages, mean_of_some, shares
from textbayes.evaluation.metrics.truth import (
    Counts,
    Flags,
    Reals,
    all_scores,
    as_indicator,
    class_sizes,
    score_blocks,
)


class BreakEven(Averages):
    """Recall where it equals precision: of each class, of all decisions, and the mean of the classes.

    Examples
    --------
    >>> from textbayes.evaluation import break_even
    >>> found = break_even([[1, 0], [0, 1], [1, 0]], [[3.0, 0.1], [2.0, 0.9], [1.0, 0.2]])
    >>> type(found).__name__, found.per_class.tolist()
    ('BreakEven', [0.5, 1.0])
    """

    __slots__ = ()


def break_even(truth: Any, scores: Any) -> BreakEven:
    """Find where precision equals recall, one class at a time.

    A class's ranking is cut at as many documents as the class truly has. There precision and recall have
    the same denominator, so they are equal, and no other cut need be looked for: interpolating the two curves
    gives this point too.

    Parameters
    ----------
    truth : indicator of shape (documents, classes), dense or sparse
        1 where a document has the class. One class may be flat.
    scores : array of shape (documents, classes), or iterable of blocks of its rows
        The larger, the better. Blocks, such as scores of batches of documents, are read one after the other;
        what is kept of them is as large as the classes are.

    Returns
    -------
    BreakEven
        ``per_class``, ``micro`` (hits above the cuts of all classes, by the documents of all classes) and
        ``macro``. A class without documents in ``truth`` has NaN and is left out of macro.

    Raises
    ------
    EvaluationShapeError, EvaluationEmptyError, EvaluationScoreError
        If the two do not fit, if no document has a class, or if a score is NaN.

    Notes
    -----
    Of equal scores the document that comes first ranks first, so the figure does not depend on how a sort
    happens to work. A model that gives one score to all documents is measured by their order: shuffle them
    if they are sorted by class.

    Examples
    --------
    Of class 0's two documents one is among its two best; class 1's only document ranks first.

    >>> from textbayes.evaluation import break_even
    >>> print(break_even([[1, 0], [0, 1], [1, 0]], [[3.0, 0.1], [2.0, 0.9], [1.0, 0.2]]))
    micro .667, macro .750, 2 classes
    """
    indicator = as_indicator(truth)
    sizes = class_sizes(indicator)
    best = _Best(sizes)
    for start, block in score_blocks(scores, indicator.shape):
        best.add(block, indicator[start : start + len(block)].toarray().astype(bool))
    return _averaged(best.hits(), sizes)


def recall_at_break_even(problems: Iterable[tuple[Any, Any]]) -> BreakEven:
    """Find recall at break-even of two-class problems, each with its own documents.

    Schneider's figures 2 and 3: a classifier for each topic, ranking documents by their log odds.

    Parameters
    ----------
    problems : iterable of pairs (truth, scores)
        For each problem 0 or 1 for each document, and the scores. It is read once, one problem at a time.

    Returns
    -------
    BreakEven
        ``per_class`` has a figure for each problem. With the same documents in every problem it is
        :func:`break_even` of the columns side by side.

    Examples
    --------
    >>> from textbayes.evaluation import recall_at_break_even
    >>> wheat = [1, 1, 0, 0], [2.0, -1.0, 0.5, -3.0]
    >>> earn = [0, 0, 1], [-1.0, -2.0, 4.0]
    >>> recall_at_break_even([wheat, earn]).per_class.tolist()
    [0.5, 1.0]
    """
    hits, sizes = [], []
    for truth, scores in problems:
        indicator = as_indicator(truth)
        best = _Best(np.bincount(indicator.indices, minlength=indicator.shape[1]))
        for start, block in score_blocks(scores, (indicator.shape[0], 1)):
            best.add(block, indicator[start : start + len(block)].toarray().astype(bool))
        hits.append(best.hits()[0])
        sizes.append(best.sizes[0])
    if not any(sizes):
        raise EvaluationEmptyError("no problem has a document of its class", "problems that have some")
    return _averaged(np.array(hits), np.array(sizes))


def one_vs_rest_auc(truth: Any, scores: Any) -> Averages:
    """Measure the area under the ROC curve of each class against the rest.

    Parameters
    ----------
    truth : indicator of shape (documents, classes), dense or sparse
        1 where a document has the class. One class may be flat.
    scores : array of shape (documents, classes), or iterable of blocks of its rows
        The larger, the better.

    Returns
    -------
    Averages
        ``per_class``, the chance that a document of the class outranks one of the rest; ``micro``, the same
        of all cells pooled, which means something where scores of different classes can be compared;
        ``macro``. A class that all documents have, or none, has NaN and is left out of macro.

    Examples
    --------
    >>> from textbayes.evaluation import one_vs_rest_auc
    >>> one_vs_rest_auc([1, 0, 1, 0], [0.9, 0.1, 0.4, 0.6]).macro
    0.75
    """
    indicator = as_indicator(truth)
    class_sizes(indicator)
    matrix, dense = all_scores(scores, indicator.shape), indicator.toarray().astype(bool)
    found = np.array([_area(dense[:, at], matrix[:, at]) for at in range(dense.shape[1])])
    return Averages(found, _area(dense.ravel(), matrix.ravel()), mean_of_some(found))


def _area(truth: Flags, scores: Reals) -> float:
    # By ranks (Mann and Whitney): scikit-learn's takes no infinite scores, which unseen terms can give.
    inside, outside = int(truth.sum()), int((~truth).sum())
    if not inside or not outside:
        return float("nan")
    lowest = inside * (inside + 1) / 2
    return float((rankdata(scores)[truth].sum() - lowest) / (inside * outside))


def _averaged(hits: Counts, sizes: Counts) -> BreakEven:
    found = shares(hits, sizes)
    return BreakEven(found, float(hits.sum() / sizes.sum()), mean_of_some(found))


class _Best:
    """The best documents of each class so far, as many as the class has documents in all."""

    def __init__(self, sizes: Counts) -> None:
        self.sizes = sizes
        self._cuts = np.full(len(sizes), -np.inf)  # the worst score kept of a class that is full
        self._full = sizes == 0
        self._classes = np.empty(0, np.int64)
        self._scores = np.empty(0)
        self._true = np.empty(0, bool)

    def add(self, scores: Reals, truth: Flags) -> None:
        """Rank more documents behind or among those so far."""
        # An equal score ranks behind one that came before, so it cannot enter a full class.
        rows, classes = np.nonzero((scores > self._cuts) | ~self._full & (self.sizes > 0))
        # Those so far stand in front and the sort is stable: of equal scores the first document is first.
        classes_now = np.concatenate([self._classes, classes])
        scores_now = np.concatenate([self._scores, scores[rows, classes]])
        true_now = np.concatenate([self._true, truth[rows, classes]])
        order = np.lexsort((-scores_now, classes_now))
        classes_now = classes_now[order]
        first = np.searchsorted(classes_now, np.arange(len(self.sizes)))
        rank = np.arange(len(order)) - first[classes_now]
        kept = rank < self.sizes[classes_now]
        self._classes = classes_now[kept]
        self._scores, self._true = scores_now[order][kept], true_now[order][kept]
        self._find_cuts()

    def _find_cuts(self) -> None:
        held = np.bincount(self._classes, minlength=len(self.sizes))
        self._full = held == self.sizes
        full = self._full & (self.sizes > 0)
        self._cuts[full] = self._scores[np.cumsum(held)[full] - 1]
        self._cuts[self.sizes == 0] = np.inf

    def hits(self) -> Counts:
        """Count the true documents among each class's best."""
        found: Counts = np.bincount(self._classes[self._true], minlength=len(self.sizes))
        return found
