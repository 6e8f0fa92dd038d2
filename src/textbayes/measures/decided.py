"""Decisions and the truth → F1, accuracy and confusions."""

from __future__ import annotations

from typing import Any

import numpy as np

from textbayes.errors import ShapeError
from textbayes.measures.averages import Averages, mean_of_some, shares
from textbayes.measures.indicators import (
    Counts,
    Flags,
    Indicator,
    Reals,
    as_indicator,
    both_indicators,
    score_blocks,
)


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
        that is decided but never true has 0. For labels, micro is the accuracy.

    Notes
    -----
    ``sklearn.metrics.f1_score`` gives the same numbers. This function counts once for all three averages and
    reads None as "no class".

    Examples
    --------
    >>> from textbayes.evaluation import f1
    >>> f1(["oil", "oil", "밀"], ["oil", "밀", "밀"]).per_class.round(3).tolist()
    [0.667, 0.667]
    """
    true, decided, _ = both_indicators(truth, decisions)
    return f1_of_counts(*decision_counts(true, decided))


def thresholded_f1(truth: Any, scores: Any, thresholds: Any) -> Averages:
    """Measure F1 when a document gets each class whose score reaches the class's threshold.

    Parameters
    ----------
    truth : indicator of shape (documents, classes), dense or sparse
        1 where a document has the class.
    scores : array of shape (documents, classes), or iterable of blocks of its rows
        The larger, the better.
    thresholds : float, or array of shape (classes,)
        The least score that is accepted. Choose it on training documents: a threshold chosen on the
        documents measured here makes the figure too good.

    Examples
    --------
    >>> from textbayes.evaluation import thresholded_f1
    >>> thresholded_f1([[1, 0], [1, 1]], [[0.2, 0.1], [0.9, 0.4]], [0.5, 0.3]).per_class.round(3).tolist()
    [0.667, 1.0]
    """
    from scipy import sparse

    true = as_indicator(truth)
    limits = np.asarray(thresholds, dtype=np.float64)
    if limits.shape not in ((), (1,), (true.shape[1],)):
        raise ShapeError("thresholds", limits.shape, "truth", true.shape)
    counts = np.zeros((3, true.shape[1]), np.int64)
    for start, block in score_blocks(scores, true.shape):
        decided = sparse.csr_array(block >= limits).astype(np.int64)
        counts += decision_counts(true[start : start + len(block)], decided)
    return f1_of_counts(*counts)


def decision_counts(truth: Indicator, decided: Indicator) -> tuple[Counts, Counts, Counts]:
    """Count for each class the documents that are true and decided, that are decided, and that are true."""
    hits = truth.multiply(decided).tocsr()
    classes = truth.shape[1]
    hit, said, had = (np.bincount(each.indices, minlength=classes) for each in (hits, decided, truth))
    return hit, said, had


def f1_of_counts(hits: Counts | Reals, decided: Counts | Reals, true: Counts | Reals) -> Averages:
    """Return F1 = 2 hits / (decided + true); macro over the classes that are true or decided somewhere.

    The counts may be sums of weights.

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes.measures import f1_of_counts
    >>> print(f1_of_counts(np.array([1, 0, 0]), np.array([1, 1, 0]), np.array([1, 0, 0])))
    micro .667, macro .500, 2 classes
    """
    found = shares(2 * hits, decided + true)
    both = float(decided.sum() + true.sum())
    return Averages(found, 2 * float(hits.sum()) / both if both else float("nan"), mean_of_some(found))


def right_documents(truth: Any, decided: Any) -> Flags:
    """Return True for each document whose decision is right: of an indicator's row, every cell.

    Parameters
    ----------
    truth, decided : two sparse indicators, or two arrays of labels or indicators, of the same shape
        What is true and what was decided. The mean of the result is the accuracy.

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes.measures import right_documents
    >>> right_documents(np.array(["a", "b"]), np.array(["a", "a"])).tolist()
    [True, False]
    """
    from scipy import sparse

    if sparse.issparse(truth):
        wrong = sparse.csr_array(truth - decided)
        wrong.eliminate_zeros()
        return np.asarray(np.diff(wrong.indptr) == 0)
    return np.asarray((truth == decided).reshape(len(truth), -1).all(axis=1))


def count_confusions(truth: Indicator, decided: Indicator) -> Indicator:
    """Count documents by a class that the decision missed (rows) and a wrong class that it has (columns).

    Parameters
    ----------
    truth, decided : sparse indicators of shape (documents, classes)
        1 for a class that a document has, of a signed type.

    Returns
    -------
    csr_array of shape (classes, classes)
        With several labels per document, every missed class counts against every wrong one.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy import sparse
    >>> from textbayes.measures import count_confusions
    >>> truth, decided = np.eye(3, dtype=int)[[0, 0, 1]], np.eye(3, dtype=int)[[0, 2, 1]]
    >>> count_confusions(sparse.csr_array(truth), sparse.csr_array(decided)).toarray().tolist()
    [[0, 0, 1], [0, 0, 0], [0, 0, 0]]
    """
    from scipy import sparse

    both = truth.multiply(decided)
    pairs = sparse.csr_array(sparse.csr_array(truth - both).T @ sparse.csr_array(decided - both))
    pairs.eliminate_zeros()
    return pairs


def most_confused(truth: Indicator, decided: Indicator, k: int) -> list[tuple[int, int, int, float]]:
    """Find the k pairs of classes that are confused most often.

    Returns
    -------
    list of (int, int, int, float)
        The true class, the class decided instead, the number of documents, and their share of the true
        class. The most frequent pair first; equally frequent pairs in the order of the classes.
    """
    from scipy import sparse

    pairs = sparse.coo_array(count_confusions(truth, decided))
    sizes = np.bincount(truth.indices, minlength=truth.shape[1])
    order = np.lexsort((pairs.col, pairs.row, -pairs.data))[:k]
    return [
        (int(row), int(column), int(count), float(count / sizes[row]))
        for row, column, count in zip(pairs.row[order], pairs.col[order], pairs.data[order], strict=True)
    ]
