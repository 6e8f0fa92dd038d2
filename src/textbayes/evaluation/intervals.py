"""How sure a figure is, and a difference of two: over runs, or over the documents of one run."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from textbayes.evaluation.significance import TestResult, corrected_t_test, mcnemar, paired_t_test, sign_test
from textbayes.measures import right_documents

SAMPLES = 1000
_AT_ONCE = 100
_OF_DECISIONS = ("accuracy", "micro_f1", "macro_f1")

Reals = NDArray[np.float64]
Interval = tuple[float, float]


def compared_over_runs(differences: Reals, test_share: float | None) -> TestResult:
    """Test differences of two runs or more; without a share the runs are taken to be independent."""
    if test_share is None:
        return paired_t_test(differences, np.zeros_like(differences))
    return corrected_t_test(differences, test_share)


def compared_over_documents(
    truth: sparse.csr_array, decided: sparse.csr_array, other: sparse.csr_array, multilabel: bool
) -> TestResult:
    """Test decisions on the same documents: by document, or by document and class (Yang and Liu 1999)."""
    if not multilabel:
        right, other_right = (right_documents(truth, each) for each in (decided, other))
        return mcnemar(np.ones(truth.shape[0], dtype=bool), right, other_right)
    # Where two decisions differ exactly one is right: the first, if it says yes rightly, or no rightly.
    differ = sparse.csr_array(decided - other)
    differ.eliminate_zeros()
    cells = int(differ.nnz)
    said_yes = sparse.csr_array(differ > 0).astype(np.int64)
    rightly = int(said_yes.multiply(truth).sum())
    said_no = sparse.csr_array(differ < 0).astype(np.int64)
    won = rightly + int(said_no.sum() - said_no.multiply(truth).sum())
    return sign_test(won, cells - won)


def compared_over_classes(figures: Reals, others: Reals) -> TestResult:
    """Count the classes that have the better figure."""
    return sign_test(int(np.sum(figures > others)), int(np.sum(figures < others)))


def interval_over_documents(
    metric: str, truth: sparse.csr_array, decided: sparse.csr_array, confidence: float
) -> Interval | None:
    """Find the interval of a figure of decisions by drawing test documents again and again.

    None for a figure of scores: only decisions are kept.
    """
    if metric not in _OF_DECISIONS:
        return None
    found = np.concatenate([_figures(metric, truth, decided, each) for each in _draws(truth.shape[0])])
    low, high = np.quantile(found, [(1 - confidence) / 2, (1 + confidence) / 2])
    return float(low), float(high)


def _draws(documents: int) -> Iterator[NDArray[np.int64]]:
    """Yield how often each sample drew each document, some samples at a time."""
    random = np.random.default_rng(0)
    for _ in range(SAMPLES // _AT_ONCE):
        drawn = random.integers(documents, size=(_AT_ONCE, documents))
        yield np.array([np.bincount(each, minlength=documents) for each in drawn])


def _figures(
    metric: str, truth: sparse.csr_array, decided: sparse.csr_array, draws: NDArray[np.int64]
) -> Reals:
    if metric == "accuracy":
        accuracy: Reals = draws @ right_documents(truth, decided) / truth.shape[0]
        return accuracy
    hits, both = (each.T.tocsr().dot(draws.T) for each in (truth.multiply(decided), truth + decided))
    if metric == "micro_f1":
        hits, both = hits.sum(axis=0, keepdims=True), both.sum(axis=0, keepdims=True)
    # A class that a sample has none of is left out of its mean, as in f1.
    some = both > 0
    figures = np.divide(2 * hits, both, out=np.zeros(hits.shape), where=some)
    means: Reals = figures.sum(axis=0) / np.maximum(some.sum(axis=0), 1)
    return means
