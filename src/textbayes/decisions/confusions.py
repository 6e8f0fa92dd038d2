"""Decisions and the truth → what was taken for what, and how much was right."""

from __future__ import annotations

import numpy as np
from scipy import sparse

Indicator = sparse.csr_array


def count_confusions(truth: Indicator, decided: Indicator) -> Indicator:
    """Count documents by a class they have and lack in the decision (rows), and one they got instead.

    Parameters
    ----------
    truth, decided : sparse indicators of shape (documents, classes)
        What is true and what was decided; 1 for a class that a document has, of a signed type.

    Returns
    -------
    csr_array of shape (classes, classes)
        Where documents have several labels, every missed one counts against every wrong one.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy import sparse
    >>> from textbayes.decisions import count_confusions
    >>> truth, decided = np.eye(3, dtype=int)[[0, 0, 1]], np.eye(3, dtype=int)[[0, 2, 1]]
    >>> count_confusions(sparse.csr_array(truth), sparse.csr_array(decided)).toarray().tolist()
    [[0, 0, 1], [0, 0, 0], [0, 0, 0]]
    """
    both = truth.multiply(decided)
    pairs = sparse.csr_array(sparse.csr_array(truth - both).T @ sparse.csr_array(decided - both))
    pairs.eliminate_zeros()
    return pairs


def most_confused(truth: Indicator, decided: Indicator, k: int) -> list[tuple[int, int, int, float]]:
    """Find the pairs of classes that are confused most often.

    Returns
    -------
    list of (int, int, int, float)
        The class, the one it was taken for, how many documents and how many of the class's: the most frequent
        first; of equally frequent ones in the order of the classes.
    """
    pairs = sparse.coo_array(count_confusions(truth, decided))
    sizes = np.bincount(truth.indices, minlength=truth.shape[1])
    order = np.lexsort((pairs.col, pairs.row, -pairs.data))[:k]
    return [
        (int(row), int(column), int(count), float(count / sizes[row]))
        for row, column, count in zip(pairs.row[order], pairs.col[order], pairs.data[order], strict=True)
    ]


def right_share(truth: Indicator, decided: Indicator) -> float:
    """Return the share of documents whose classes are all right, and no others."""
    wrong = sparse.csr_array(truth - decided)
    wrong.eliminate_zeros()
    return float(np.mean(np.diff(wrong.indptr) == 0))


def macro_f1(truth: Indicator, decided: Indicator) -> float:
    """Return the mean of the classes' F1, 2 tp / (decided + true), over the classes that occur."""
    hits = np.asarray(truth.multiply(decided).sum(axis=0)).ravel()
    sizes = np.asarray(truth.sum(axis=0) + decided.sum(axis=0)).ravel()
    return float((2.0 * hits[sizes > 0] / sizes[sizes > 0]).mean())
