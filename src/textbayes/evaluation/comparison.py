"""The result of compare: figures with intervals and p-values, as a table and in export formats."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any

from rich.table import Table

from textbayes.errors.checks import check_option
from textbayes.evaluation.protocols import EvaluationProtocol
from textbayes.evaluation.results import Reals, Results
from textbayes.evaluation.rows import ComparisonRow, RowMaker
from textbayes.evaluation.tables import Sheet, csv_text, json_text, written
from textbayes.measures import METRICS


@dataclass(frozen=True)
class Comparison:
    """The result of :func:`compare`.

    It prints as a table in a terminal, in a notebook and with rich, and exports to records, JSON, CSV and
    Markdown.

    Attributes
    ----------
    rows : list of ComparisonRow
        Every figure with its interval and p-value.
    models : tuple of str
        The names of the models.
    classes : list
        The classes of the corpus, sorted.
    points : tuple of int, or (None,)
        The points of a learning curve.
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

    results: Results = field(repr=False)
    protocol: EvaluationProtocol
    metrics: tuple[str, ...]
    against: str = "first"
    confidence: float = 0.95

    @property
    def models(self) -> tuple[str, ...]:
        """The names of the models, in the order given."""
        return self.results.models

    @property
    def classes(self) -> list[Any]:
        """The classes of the corpus, sorted: the columns of indicators."""
        return self.results.collection.classes

    @property
    def points(self) -> tuple[int | None, ...]:
        """The points of a learning curve; ``(None,)`` for other protocols."""
        return self.results.points

    @cached_property
    def reference(self) -> str:
        """The model that p-values compare with."""
        if self.against in self.models:
            return self.against
        if self.against == "first":
            return self.models[0]
        metric = self.metrics[0]
        sign = 1 if METRICS[metric].larger_is_better else -1
        return max(self.models, key=lambda model: sign * float(self.results.values(model, metric).mean()))

    @cached_property
    def rows(self) -> list[ComparisonRow]:
        """All figures, ordered by point, model and metric."""
        maker = RowMaker(self.results, self.reference, self.confidence, self.protocol.test_share)
        return [
            maker.row(point, model, metric)
            for point in self.points
            for model in self.models
            for metric in self.metrics
        ]

    def decisions(self, model: str, documents_per_class: int | None = None) -> tuple[Any, Any]:
        """Return the truth and the decisions of a model, such as for :func:`class_report`.

        Parameters
        ----------
        model : str
            The name of the model.
        documents_per_class : int, optional
            A point of a learning curve; all points by default.

        Returns
        -------
        truth, decided : arrays of labels, or sparse indicators if documents have several
            In the order of the runs; a document tested in several runs appears several times.
        """
        check_option("model", model, self.models)
        return self.results.decisions(model, documents_per_class)

    def per_class(
        self, model: str, metric: str = "macro_f1", documents_per_class: int | None = None
    ) -> Reals:
        """Return the mean figure of each class over the runs that have one, such as for :func:`plot_classes`.

        Parameters
        ----------
        model, metric : str
            The name of the model, and a metric of the comparison that each class has.
        documents_per_class : int, optional
            A point of a learning curve; all points by default.
        """
        check_option("model", model, self.models)
        check_option("metric", metric, [name for name in self.metrics if METRICS[name].by_class])
        return self.results.per_class(model, metric, documents_per_class)

    def to_records(self) -> list[dict[str, Any]]:
        """Return a dict for each figure."""
        return [asdict(row) for row in self.rows]

    def to_dict(self) -> dict[str, Any]:
        """Return the figures and the values of every run as plain values for JSON."""
        collection = self.results.collection
        return {
            "corpus": collection.name,
            "documents": self.results.documents,
            "classes": len(collection.classes),
            "protocol": repr(self.protocol),
            "against": self.reference,
            "confidence": self.confidence,
            "rows": self.to_records(),
            "runs": [result.record() for result in self.results],
        }

    def to_json(self, path: Any = None) -> str:
        """Return to_dict as JSON; write it if a path is given."""
        return written(json_text(self.to_dict()), path)

    def to_csv(self, path: Any = None, exact: bool = False) -> str:
        """Return the figures as CSV, one line each; write them if a path is given.

        A name that a spreadsheet would take for a formula, such as ``=1+1``, gets an apostrophe in front,
        unless ``exact``.
        """
        return written(csv_text(self.to_records(), exact), path)

    def to_markdown(self, path: Any = None) -> str:
        """Return the table as Markdown; write it if a path is given."""
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
            columns.append([row.figure for row in rows])
            if any(row.p for row in rows):
                headings.append("p")
                columns.append([row.p for row in rows])
        return Sheet(self._title(), headings, list(zip(*columns, strict=True)), self._note())

    def _title(self) -> str:
        collection = self.results.collection
        documents = f"{self.results.documents:,} documents, {len(collection.classes)} classes"
        return f"{collection.name}: {documents}. {self.protocol}."

    def _note(self) -> str:
        several = max(row.runs for row in self.rows) > 1
        how = "over runs, corrected for training sets that overlap" if several else "over test documents"
        against = f"; p: against {self.reference}" if len(self.models) > 1 else ""
        return f"[{self.confidence:.0%} interval], {how}{against}."
