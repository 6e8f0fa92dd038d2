"""Scores and the truth → how well documents are ranked for each class, and classes for each document."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textbayes.errors import NoDocumentsError
from textbayes.errors.checks import check_whole
from textbayes.measures.averages import Averages, mean_of_some, shares
from textbayes.measures.indicators import (
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


def best_documents(scores: NDArray[np.floating], size: int) -> Flags:
    """Mark the ``size`` documents with the largest scores; of equal scores, the first documents.

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes.measures import best_documents
    >>> best_documents(np.array([0.5, 2.0, 0.5, 0.1]), 2).tolist()
    [True, True, False, False]
    """
    if size >= len(scores):
        return np.ones(len(scores), dtype=bool)
    least = -np.partition(-scores, size - 1)[size - 1]
    best: Flags = scores > least
    best[np.flatnonzero(scores == least)[: size - int(best.sum())]] = True
    return best


def break_even_decisions(scores: NDArray[np.floating], truth: Flags, weights: Reals | None = None) -> Flags:
    """Give each class to as many documents as truly have it: its best documents.

    F1 of these decisions is the break-even, because precision and recall are equal. With weights, of
    documents or of documents and classes, the weight of the documents is that of the documents which truly
    have the class, as nearly as their order allows.
    """
    given = np.zeros(scores.shape, dtype=bool)
    if weights is not None:
        for column in np.flatnonzero(truth.any(axis=0)):
            own = weights if weights.ndim == 1 else weights[:, column]
            order = np.argsort(-scores[:, column], kind="stable")
            # The last document is taken if more than half of it fits.
            passed = np.cumsum(own[order]) - 0.5 * own[order]
            given[order[passed <= own[truth[:, column]].sum()], column] = True
        return given
    sizes = truth.sum(axis=0)
    for column in np.flatnonzero(sizes):
        given[:, column] = best_documents(scores[:, column], sizes[column])
    return given


def break_even(truth: Any, scores: Any) -> BreakEven:
    """Find where precision equals recall, one class at a time.

    A class's ranking is cut after as many documents as the class truly has. There precision and recall have
    the same denominator, so they are equal. No other cut is needed: interpolating the two curves gives the
    same point.

    Parameters
    ----------
    truth : indicator of shape (documents, classes), dense or sparse
        1 where a document has the class. A single class may be flat.
    scores : array of shape (documents, classes), or iterable of blocks of its rows
        The larger, the better. Blocks, such as the scores of batches of documents, are read one after the
        other; only the best documents of each class are kept.

    Returns
    -------
    BreakEven
        ``per_class``, ``micro`` (hits above the cuts of all classes, divided by the documents of all
        classes) and ``macro``. A class without documents in ``truth`` has NaN and is left out of macro.

    Raises
    ------
    ShapeError, NoDocumentsError, ParameterError
        If the two do not fit, if no document has a class, or if a score is NaN.

    Notes
    -----
    Of equal scores the document that comes first ranks first, so the figure does not depend on the sorting
    algorithm. A model that gives one score to all documents is measured by their order: shuffle them if they
    are sorted by class.

    Examples
    --------
    Of class 0's two documents one is among its two best; class 1's only document ranks first.

    >>> from textbayes.evaluation import break_even
    >>> print(break_even([[1, 0], [0, 1], [1, 0]], [[3.0, 0.1], [2.0, 0.9], [1.0, 0.2]]))
    micro .667, macro .750, 2 classes
    """
    indicator = as_indicator(truth)
    sizes = class_sizes(indicator)
    return _averaged(_hits(indicator, scores, sizes), sizes)


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
        ``per_class`` has a figure for each problem. With the same documents in every problem it equals
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
        size = np.bincount(indicator.indices, minlength=indicator.shape[1])
        hits.append(_hits(indicator, scores, size)[0])
        sizes.append(size[0])
    if not any(sizes):
        raise NoDocumentsError("truth", "problems with documents of their class", "document of its class")
    return _averaged(np.array(hits), np.array(sizes))


def one_vs_rest_auc(truth: Any, scores: Any) -> Averages:
    """Measure the area under the ROC curve of each class against the rest.

    Parameters
    ----------
    truth : indicator of shape (documents, classes), dense or sparse
        1 where a document has the class. A single class may be flat.
    scores : array of shape (documents, classes), or iterable of blocks of its rows
        The larger, the better.

    Returns
    -------
    Averages
        ``per_class``, the probability that a document of the class outranks one of the rest; ``micro``, the
        same over all cells pooled, which makes sense only if scores of different classes are comparable;
        ``macro``. A class that all documents have, or none, has NaN and is left out of macro.

    Notes
    -----
    ``sklearn.metrics.roc_auc_score`` gives the same numbers, but takes no infinite scores, which unseen
    terms can give.

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


@dataclass(frozen=True, slots=True)
class BestClasses:
    """How often the best classes of documents are right.

    Attributes
    ----------
    k : int
        How many classes of each document count: those with the largest scores.
    precision : float
        The share of these classes that are true.
    recall : float
        The share of a document's true classes that are among them, as a mean over the documents that have a
        class. With one label per document it is the share of documents whose label is among them.

    Examples
    --------
    >>> from textbayes.evaluation import precision_recall_at
    >>> precision_recall_at([[1, 0, 1], [0, 1, 0]], [[0.9, 0.8, 0.7], [0.2, 0.5, 0.3]], k=2)
    BestClasses(k=2, precision=0.5, recall=0.75)
    """

    k: int
    precision: float
    recall: float


def precision_recall_at(truth: Any, scores: Any, k: int = 1) -> BestClasses:
    """Measure precision and recall of the k best classes of each document.

    Parameters
    ----------
    truth : indicator of shape (documents, classes), dense or sparse
        1 where a document has the class.
    scores : array of shape (documents, classes), or iterable of blocks of its rows
        Scores or probabilities; the larger, the better. Of equal scores the first class ranks first.
    k : int, default=1
        The number of classes, at most all of them.

    Examples
    --------
    >>> from textbayes.evaluation import precision_recall_at
    >>> precision_recall_at([[1, 0], [0, 1]], [[0.9, 0.1], [0.6, 0.4]], k=1).recall
    0.5
    """
    indicator = as_indicator(truth)
    documents, classes = indicator.shape
    k = check_whole("k", k, most=classes)
    if not documents:
        raise NoDocumentsError("truth", "one document or more")
    hits = np.zeros(documents, dtype=np.int64)
    for start, block in score_blocks(scores, (documents, classes)):
        true = indicator[start : start + len(block)].toarray().astype(bool)
        best = np.argsort(-block, axis=1, kind="stable")[:, :k]
        hits[start : start + len(block)] = np.take_along_axis(true, best, axis=1).sum(axis=1)
    return BestClasses(k, float(hits.mean() / k), mean_of_some(shares(hits, np.diff(indicator.indptr))))


def _area(truth: Flags, scores: Reals) -> float:
    """Return the area by ranks (Mann and Whitney)."""
    from scipy.stats import rankdata

    inside, outside = int(truth.sum()), int((~truth).sum())
    if not inside or not outside:
        return float("nan")
    lowest = inside * (inside + 1) / 2
    return float((rankdata(scores)[truth].sum() - lowest) / (inside * outside))


def _averaged(hits: Counts, sizes: Counts) -> BreakEven:
    found = shares(hits, sizes)
    return BreakEven(found, float(hits.sum() / sizes.sum()), mean_of_some(found))


def _hits(indicator: Any, scores: Any, sizes: Counts) -> Counts:
    """Count the true documents among the best of each class, block by block."""
    classes = len(sizes)
    kept = [(np.empty(0), np.empty(0, bool)) for _ in range(classes)]
    # The worst score kept of a class that has all it needs; an equal score ranks behind and cannot enter.
    cuts = np.where(sizes > 0, -np.inf, np.inf)
    missing = sizes > 0
    for start, block in score_blocks(scores, (indicator.shape[0], classes)):
        truth = indicator[start : start + len(block)].toarray().astype(bool)
        for column in np.flatnonzero(missing | (block > cuts).any(axis=0)):
            # Documents kept so far stand in front, so that of equal scores the first document ranks first.
            own = np.concatenate([kept[column][0], block[:, column]])
            true = np.concatenate([kept[column][1], truth[:, column]])
            best = best_documents(own, sizes[column])
            kept[column] = own[best], true[best]
            if best.sum() == sizes[column]:
                cuts[column], missing[column] = own[best].min(), False
    return np.array([true.sum() for _, true in kept], dtype=np.int64)
