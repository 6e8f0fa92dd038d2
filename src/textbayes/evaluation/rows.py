"""One figure of one model: its mean, how sure it is, and how sure its difference from another's."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from textbayes.evaluation.intervals import (
    Interval,
    compared_over_classes,
    compared_over_documents,
    compared_over_runs,
    interval_over_documents,
)
from textbayes.evaluation.results import Results
from textbayes.evaluation.significance import TestResult
from textbayes.evaluation.tables import share


@dataclass(frozen=True, slots=True)
class ComparisonRow:
    """One figure of one model.

    Attributes
    ----------
    model, metric : str
        Whose figure, and which.
    documents_per_class : int or None
        The point of a learning curve.
    mean : float
        The mean over the runs.
    low, high : float or None
        Its interval; None where there is too little to tell.
    difference, p_value : float or None
        Against the model that the others are compared with; None for that model.
    runs : int
        How many runs there were.

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
        """The mean and its interval, as a table shows them."""
        reach = "" if self.low is None else f" [{share(self.low)}, {share(self.high)}]"
        return share(self.mean) + reach

    @property
    def p(self) -> str:
        """The p-value, as a table shows it."""
        if self.p_value is None:
            return ""
        return "<.001" if self.p_value < 0.001 else share(self.p_value)


@dataclass(frozen=True, slots=True)
class RowMaker:
    """Rows of results: against which model, with which confidence, with which share of test documents."""

    results: Results
    reference: str
    confidence: float
    test_share: float | None

    def row(self, point: int | None, model: str, metric: str) -> ComparisonRow:
        """Make the row of a figure."""
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
            return compared_over_runs(values, self.test_share).interval(self.confidence)
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
            # Accuracy is of whole documents; micro F1 of single decisions, where documents have several.
            by_decision = metric == "micro_f1" and self.results.collection.multilabel
            return compared_over_documents(truth, decided, rival, by_decision)
        if metric not in result.per_class:
            return None
        return compared_over_classes(result.figures(metric), other.figures(metric))
