"""What compare found: figures with intervals and p-values, in every form they are wanted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.table import Table
from scipy import sparse

from textbayes.evaluation.collection import Collection
from textbayes.evaluation.intervals import (
    Interval,
    compared_over_classes,
    compared_over_documents,
    compared_over_runs,
    interval_over_documents,
)
from textbayes.evaluation.measures import METRICS
from textbayes.evaluation.metrics.averages import shares
from textbayes.evaluation.metrics.truth import Reals, indicator_of
from textbayes.evaluation.protocols import EvaluationProtocol, Run
from textbayes.evaluation.significance import TestResult
from textbayes.evaluation.tables import Sheet, csv_text, json_text, share, written
from textbayes.text import check_option


@dataclass(frozen=True, slots=True)
class Result:
    """What one model did in one run."""

    model: str
    run: Run = field(repr=False)
    values: dict[str, float]
    per_class: dict[str, list[float | None]] = field(repr=False)
    decided: list[list[int]] = field(repr=False)
    seconds: float


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
        Its interval.
    difference, p_value : float or None
        Against the model that the others are compared with; None for that model.
    runs : int
        How many runs there were.

    Examples
    --------
    >>> from textbayes.evaluation import ComparisonRow
    >>> ComparisonRow("mnb", "accuracy", None, 0.81, 0.79, 0.83, 0.02, 0.04, 10).p_value
    0.04
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


@dataclass(frozen=True)
class Comparison:
    """What :func:`compare` found.

    It prints as a table, in a terminal, a notebook or with rich, and exports to records, JSON, CSV and
    Markdown.

    Attributes
    ----------
    rows : list of ComparisonRow
        Every figure with its interval and p-value.
    models : tuple of str
        The models' names.
    reference : str
        The model that p-values compare with.

    Examples
    --------
    >>> from sklearn.pipeline import make_pipeline
    >>> from textbayes import MultinomialNB, TextCounter
    >>> from textbayes.evaluation import RepeatedHoldOut, compare
    >>> texts = ["wheat rose", "corn and wheat", "corn fell", "oil was cut", "crude oil", "crude fell"]
    >>> models = {str(alpha): make_pipeline(TextCounter(), MultinomialNB(alpha)) for alpha in (0.1, 1.0)}
    >>> found = compare(models, (texts, ["grain"] * 3 + ["oil"] * 3), RepeatedHoldOut(4), ["accuracy"])
    >>> [(row.model, row.mean, row.p_value) for row in found.rows]
    [('0.1', 1.0, None), ('1.0', 1.0, 1.0)]
    """

    collection: Collection = field(repr=False)
    protocol: EvaluationProtocol
    runs: Sequence[Run] = field(repr=False)
    metrics: tuple[str, ...]
    results: tuple[Result, ...] = field(repr=False)
    against: str = "first"
    confidence: float = 0.95

    @property
    def models(self) -> tuple[str, ...]:
        """The models' names, in the order given."""
        return tuple(dict.fromkeys(result.model for result in self.results))

    @property
    def classes(self) -> list[Any]:
        """The classes of the corpus, sorted: the columns of indicators."""
        return self.collection.classes

    @property
    def points(self) -> tuple[int | None, ...]:
        """The points of a learning curve; None alone for other protocols."""
        return tuple(dict.fromkeys(run.documents_per_class for run in self.runs))

    @cached_property
    def reference(self) -> str:
        """The model that p-values compare with."""
        if self.against in self.models:
            return self.against
        if self.against == "first":
            return self.models[0]
        sign = 1 if METRICS[self.metrics[0]].larger_is_better else -1
        return max(self.models, key=lambda model: sign * float(self._values(model, self.metrics[0]).mean()))

    @cached_property
    def rows(self) -> list[ComparisonRow]:
        """Every figure, point by point, model by model, metric by metric."""
        return [
            self._row(point, model, metric)
            for point in self.points
            for model in self.models
            for metric in self.metrics
        ]

    def decisions(self, model: str, documents_per_class: int | None = None) -> tuple[Any, Any]:
        """Return what was true and what a model decided, over all runs (or those of a curve's point).

        Returns
        -------
        truth, decided : arrays of labels, or sparse indicators where documents have several
            In the order of the runs; a document tested in several runs is there several times.
        """
        check_option("model", model, self.models)
        results = self._of(model, documents_per_class)
        truth = [codes for result in results for codes in self.collection.codes_of(result.run.test)]
        decided = [codes for result in results for codes in result.decided]
        if self.collection.multilabel:
            return self._indicator(truth), self._indicator(decided)
        return self._labels(truth), self._labels(decided)

    def per_class(
        self, model: str, metric: str = "macro_f1", documents_per_class: int | None = None
    ) -> Reals:
        """Return each class's mean figure over the runs that have one, such as for :func:`plot_classes`.

        Parameters
        ----------
        model, metric : str
            Whose figure, and which: one of the comparison's that is taken class by class.
        documents_per_class : int, optional
            A point of a learning curve; all by default.
        """
        check_option("model", model, self.models)
        check_option("metric", metric, tuple(self.results[0].per_class))
        figures = np.array([_figures(result, metric) for result in self._of(model, documents_per_class)])
        some = ~np.isnan(figures)
        return shares(np.where(some, figures, 0.0).sum(axis=0), some.sum(axis=0))

    def to_records(self) -> list[dict[str, Any]]:
        """Return a dict for each figure."""
        return [asdict(row) for row in self.rows]

    def to_json(self, path: Any = None) -> str:
        """Return, and write if a path is given, the figures, and the values of every run, as JSON."""
        whole = {
            "corpus": self.collection.name,
            "documents": len(self.collection.texts),
            "classes": len(self.collection.classes),
            "protocol": repr(self.protocol),
            "against": self.reference,
            "confidence": self.confidence,
            "rows": self.to_records(),
            "runs": [_run_record(result) for result in self.results],
        }
        return written(json_text(whole), path)

    def to_csv(self, path: Any = None) -> str:
        """Return, and write if a path is given, the figures as CSV, a line each."""
        return written(csv_text(self.to_records()), path)

    def to_markdown(self, path: Any = None) -> str:
        """Return, and write if a path is given, the table as Markdown."""
        return written(self._sheet.markdown(), path)

    def __str__(self) -> str:
        return self._sheet.text()

    def __rich__(self) -> Table:
        return self._sheet.rich()

    def _repr_html_(self) -> str:
        return self._sheet.html()

    @cached_property
    def _sheet(self) -> Sheet:
        firsts = self.rows[:: len(self.metrics)]
        headings, columns = ["model"], [[row.model for row in firsts]]
        if self.points != (None,):
            headings.insert(0, "documents a class")
            columns.insert(0, [str(row.documents_per_class) for row in firsts])
        for metric in self.metrics:
            rows = [row for row in self.rows if row.metric == metric]
            headings.append(METRICS[metric].title)
            columns.append([_figure(row) for row in rows])
            if any(row.p_value is not None for row in rows):
                headings.append("p")
                columns.append(["" if row.p_value is None else _p(row.p_value) for row in rows])
        return Sheet(self._title(), headings, list(zip(*columns, strict=True)), self._note())

    def _title(self) -> str:
        documents = f"{len(self.collection.texts):,} documents, {len(self.collection.classes)} classes"
        return f"{self.collection.name}: {documents}. {self.protocol}."

    def _note(self) -> str:
        how = (
            "over runs, corrected for training sets that overlap"
            if len(self.runs) > len(self.points)
            else "over test documents"
        )
        return f"[{self.confidence:.0%} interval], {how}; p: against {self.reference}."

    def _row(self, point: int | None, model: str, metric: str) -> ComparisonRow:
        values = self._values(model, metric, point)
        low, high = self._interval(point, model, metric) or (None, None)
        test = None if model == self.reference else self._test(point, model, metric)
        others = self._values(self.reference, metric, point)
        difference = None if test is None else float(values.mean() - others.mean())
        p_value = None if test is None else test.p_value
        return ComparisonRow(
            model, metric, point, float(values.mean()), low, high, difference, p_value, len(values)
        )

    def _interval(self, point: int | None, model: str, metric: str) -> Interval | None:
        values = self._values(model, metric, point)
        if len(values) > 1:
            return compared_over_runs(values, self.protocol.test_share).interval(self.confidence)
        (result,) = self._of(model, point)
        return interval_over_documents(metric, *self._indicators(result), self.confidence)

    def _test(self, point: int | None, model: str, metric: str) -> TestResult | None:
        differences = self._values(model, metric, point) - self._values(self.reference, metric, point)
        if len(differences) > 1:
            return compared_over_runs(differences, self.protocol.test_share)
        (result,), (other,) = self._of(model, point), self._of(self.reference, point)
        if metric in ("accuracy", "micro_f1"):
            truth, decided = self._indicators(result)
            # Accuracy is of whole documents; micro F1 of single decisions, where documents have several.
            by_decision = metric == "micro_f1" and self.collection.multilabel
            return compared_over_documents(truth, decided, self._indicator(other.decided), by_decision)
        if metric not in result.per_class:
            return None
        return compared_over_classes(_figures(result, metric), _figures(other, metric))

    def _of(self, model: str, point: int | None = None) -> list[Result]:
        return [
            result
            for result in self.results
            if result.model == model and point in (None, result.run.documents_per_class)
        ]

    def _values(self, model: str, metric: str, point: int | None = None) -> Reals:
        return np.array([result.values[metric] for result in self._of(model, point)])

    def _indicators(self, result: Result) -> tuple[sparse.csr_array, sparse.csr_array]:
        return self._indicator(self.collection.codes_of(result.run.test)), self._indicator(result.decided)

    def _indicator(self, codes: Sequence[Sequence[int]]) -> sparse.csr_array:
        return indicator_of(codes, len(self.collection.classes))

    def _labels(self, codes: Sequence[Sequence[int]]) -> NDArray[Any]:
        # None where a model did not decide.
        return np.array([self.collection.classes[each[0]] if each else None for each in codes], dtype=object)


def _figure(row: ComparisonRow) -> str:
    reach = "" if row.low is None else f" [{share(row.low)}, {share(row.high)}]"
    return share(row.mean) + reach


def _p(p_value: float) -> str:
    return "<.001" if p_value < 0.001 else share(p_value)


def _figures(result: Result, metric: str) -> Reals:
    return np.array(result.per_class[metric], dtype=np.float64)


def _run_record(result: Result) -> dict[str, Any]:
    return {
        "model": result.model,
        "run": result.run.name,
        "documents_per_class": result.run.documents_per_class,
        "train": len(result.run.train),
        "test": len(result.run.test),
        "seconds": result.seconds,
        **result.values,
    }
