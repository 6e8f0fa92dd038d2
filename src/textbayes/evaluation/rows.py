"""One figure of one model: its mean, its interval, and its difference from another model's figure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse, stats

from textbayes.evaluation.results import Results
from textbayes.evaluation.significance import TestResult, corrected_t_test, mcnemar, paired_t_test, sign_test
from textbayes.evaluation.tables import share
from textbayes.measures import METRICS, loss_interval, right_documents, share_interval

SAMPLES = 1000
_AT_ONCE = 100
_OF_DECISIONS = ("accuracy", "micro_f1", "macro_f1")

Reals = NDArray[np.float64]
Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class ComparisonRow:
    """One figure of one model.

    Attributes
    ----------
    model, metric : str
        The model, and the metric.
    documents_per_class : int or None
        The point of a learning curve.
    mean : float
        The mean over the runs.
    low, high : float or None
        Its interval; None if there is too little data.
    difference, p_value : float or None
        Against the reference model; None for the reference itself.
    runs : int
        The number of runs.

    Examples
    --------
    >>> from textbayes.evaluation import ComparisonRow
    >>> row = ComparisonRow("mnb", "accuracy", None, 0.81, 0.79, 0.83, 0.02, 0.04, 10)
    >>> row.figure, row.p
    ('.810 [.790, .830]', '.040')
    """

    model: str
    metric: str
    documents_per_class: int | None
    mean: float
    low: float | None
    high: float | None
    difference: float | None
    p_value: float | None
    runs: int

    @property
    def figure(self) -> str:
        """The mean and its interval, as in tables."""
        reach = "" if self.low is None else f" [{share(self.low)}, {share(self.high)}]"
        return share(self.mean) + reach

    @property
    def p(self) -> str:
        """The p-value, as in tables."""
        if self.p_value is None:
            return ""
        return "<.001" if self.p_value < 0.001 else share(self.p_value)


@dataclass(frozen=True, slots=True)
class RowMaker:
    """Make rows from results, with p-values against the reference model."""

    results: Results
    reference: str
    confidence: float
    test_share: float | None

    def row(self, point: int | None, model: str, metric: str) -> ComparisonRow:
        """Make the row of a model and a metric."""
        values = self.results.values(model, metric, point)
        others = self.results.values(self.reference, metric, point)
        low, high = self._interval(point, model, metric) or (None, None)
        test = None if model == self.reference else self._test(point, model, metric)
        difference = None if model == self.reference else float(values.mean() - others.mean())
        p_value = None if test is None else test.p_value
        return ComparisonRow(
            model, metric, point, float(values.mean()), low, high, difference, p_value, len(values)
        )

    def _interval(self, point: int | None, model: str, metric: str) -> Interval | None:
        values = self.results.values(model, metric, point)
        if np.isnan(values).any():
            return None
        if len(values) > 1:
            found = compared_over_runs(values, self.test_share)
            return interval_over_runs(metric, found, len(self.results.collection.texts), self.confidence)
        (result,) = self.results.of(model, point)
        return interval_over_documents(metric, *self.results.indicators(result), self.confidence)

    def _test(self, point: int | None, model: str, metric: str) -> TestResult | None:
        values, others = (self.results.values(name, metric, point) for name in (model, self.reference))
        if np.isnan(values - others).any():
            return None
        if len(values) > 1:
            return compared_over_runs(values - others, self.test_share)
        return self._test_of_one_run(point, model, metric)

    def _test_of_one_run(self, point: int | None, model: str, metric: str) -> TestResult | None:
        (result,), (other,) = self.results.of(model, point), self.results.of(self.reference, point)
        if metric in ("accuracy", "micro_f1"):
            (truth, decided), (_, rival) = (self.results.indicators(each) for each in (result, other))
            # Accuracy counts whole documents; micro F1 counts decisions if documents have several labels.
            by_decision = metric == "micro_f1" and self.results.collection.multilabel
            return compared_over_documents(truth, decided, rival, by_decision)
        if metric not in result.per_class:
            return None
        return compared_over_classes(result.figures(metric), other.figures(metric))


def compared_over_runs(differences: Reals, test_share: float | None) -> TestResult:
    """Test differences over two or more runs; without a share the runs count as independent."""
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
    # Where two decisions differ, exactly one is right: count those of the first.
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


def interval_over_runs(metric: str, found: TestResult, documents: int, confidence: float) -> Interval:
    """Find the interval of a mean over runs, within the range of the metric."""
    width = found.width(confidence)
    if METRICS[metric].is_share:
        return share_interval(found.difference, found.error, documents, width)
    return loss_interval(found.difference, found.error, width)


def interval_over_documents(
    metric: str, truth: sparse.csr_array, decided: sparse.csr_array, confidence: float
) -> Interval | None:
    """Find the interval of a figure of decisions by bootstrap samples of the test documents.

    None for a figure of scores: only decisions are stored.
    """
    if metric not in _OF_DECISIONS:
        return None
    found = np.concatenate([_figures(metric, truth, decided, each) for each in _draws(truth.shape[0])])
    low, high = np.quantile(found, [(1 - confidence) / 2, (1 + confidence) / 2])
    if low == high:
        # All documents right, or all wrong: no sample shows that others may be different.
        width = float(stats.norm.ppf((1 + confidence) / 2))
        return share_interval(float(low), 0.0, truth.shape[0], width)
    return float(low), float(high)


def _draws(documents: int) -> Iterator[NDArray[np.int64]]:
    """Yield how often each sample drew each document, a batch of samples at a time."""
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
    # A class without documents in a sample is left out of the mean, as in f1.
    some = both > 0
    figures = np.divide(2 * hits, both, out=np.zeros(hits.shape), where=some)
    means: Reals = figures.sum(axis=0) / np.maximum(some.sum(axis=0), 1)
    return means
