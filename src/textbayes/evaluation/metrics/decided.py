"""How good decisions are: F1 of labels, of indicators, and of scores under thresholds."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from textbayes.errors import EvaluationShapeError
from textbayes.evaluation.metrics.averages import Averages, mean_of_some, shares
from textbayes.evaluation.metrics.truth import Counts, as_indicator, both_indicators, score_blocks


def f1(truth: Any, decisions: Any) -> Averages:
    """Measure F1, the harmonic mean of precision and recall.

    Parameters
    ----------
    truth : labels of shape (documents,), or indicator of shape (documents, classes), dense or sparse
        What is true.
    decisions : labels or indicator of the same shape
        What was decided.

    Returns
    -------
    Averages
        ``per_class`` in the order of the sorted labels or of the columns. A class that is neither true nor
        decided anywhere has NaN and is left out of macro, as with ``zero_division=nan`` in scikit-learn; one
        that is decided but never true has 0. For labels micro is the accuracy.

    Examples
    --------
    >>> from textbayes.evaluation import f1
    >>> f1(["oil", "oil", "밀"], ["oil", "밀", "밀"]).per_class.round(3).tolist()
    [0.667, 0.667]
    """
    true, decided, _ = both_indicators(truth, decisions)
    return f1_of_counts(*decision_counts(true, decided))


def thresholded_f1(truth: Any, scores: Any, thresholds: Any) -> Averages:
    """Measure F1 of accepting a document for each class whose score reaches the class's threshold.

    Parameters
    ----------
    truth : indicator of shape (documents, classes), dense or sparse
        1 where a document has the class.
    scores : array of shape (documents, classes), or iterable of blocks of its rows
        The larger, the better.
    thresholds : float, or array of shape (classes,)
        The least score that is accepted. Choose it on training documents: one chosen on the documents
        measured here measures itself.

    Examples
    --------
    >>> from textbayes.evaluation import thresholded_f1
    >>> thresholded_f1([[1, 0], [1, 1]], [[0.2, 0.1], [0.9, 0.4]], [0.5, 0.3]).per_class.round(3).tolist()
    [0.667, 1.0]
    """
    true = as_indicator(truth)
    limits = np.asarray(thresholds, dtype=np.float64)
    if limits.shape not in ((), (1,), (true.shape[1],)):
        raise EvaluationShapeError("thresholds", limits.shape, "truth", true.shape)
    counts = np.zeros((3, true.shape[1]), np.int64)
    for start, block in score_blocks(scores, true.shape):
        decided = sparse.csr_array(block >= limits).astype(np.int64)
        counts += decision_counts(true[start : start + len(block)], decided)
    return f1_of_counts(*counts)


def decision_counts(true: sparse.csr_array, decided: sparse.csr_array) -> tuple[Counts, Counts, Counts]:
    """Count for each class the documents that are both, that are decided, and that are true."""
    hits = true.multiply(decided).tocsr()
    classes = true.shape[1]
    hit, said, had = (np.bincount(each.indices, minlength=classes) for each in (hits, decided, true))
    return hit, said, had


def f1_of_counts(hits: Counts, decided: Counts, true: Counts) -> Averages:
    """2 hits / (decided + true)."""
    found = shares(2 * hits, decided + true)
    both = int(decided.sum() + true.sum())
    return Averages(found, 2 * int(hits.sum()) / both if both else float("nan"), mean_of_some(found))
