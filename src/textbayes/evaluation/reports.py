"""Where a model is right and wrong: class by class, and pair by pair."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np
from rich.table import Table
from scipy import sparse

from textbayes.errors import EvaluationShapeError, ParameterError
from textbayes.errors.checks import check_whole
from textbayes.evaluation.tables import Sheet, csv_text, json_text, share, written
from textbayes.measures import (
    Averages,
    both_indicators,
    count_confusions,
    decision_counts,
    f1_of_counts,
    is_flat,
    most_confused,
    shares,
)


@dataclass(frozen=True, slots=True)
class ClassRow:
    """How well one class is found.

    Attributes
    ----------
    label : object
        The class.
    precision, recall, f1 : float
        NaN where there is nothing to divide by.
    documents, decided : int
        How many documents have the class, and for how many it was decided.

    Examples
    --------
    >>> from textbayes.evaluation import class_report
    >>> class_report(["a", "b"], ["a", "a"]).rows[0].recall
    1.0
    """

    label: Any
    precision: float
    recall: float
    f1: float
    documents: int
    decided: int


@dataclass(frozen=True)
class ClassReport:
    """A line for each class, and F1 over all.

    It prints as a table, in a terminal, a notebook or with rich.

    Attributes
    ----------
    rows : tuple of ClassRow
        In the order of the classes.
    averages : Averages
        F1, micro and macro.

    Examples
    --------
    >>> from textbayes.evaluation import class_report
    >>> print(class_report(["oil", "oil", "밀"], ["oil", "밀", "밀"]))
    class  precision  recall    F1  documents  decided
    ─────  ─────────  ──────  ────  ─────────  ───────
    oil        1.000    .500  .667          2        1
    밀          .500   1.000  .667          1        2
    <BLANKLINE>
    F1: micro .667, macro .667, 2 classes.
    """

    rows: tuple[ClassRow, ...]
    averages: Averages

    def to_records(self) -> list[dict[str, Any]]:
        """Return a dict for each class."""
        return [asdict(row) for row in self.rows]

    def to_json(self, path: Any = None) -> str:
        """Return, and write if a path is given, classes and averages as JSON."""
        averages = {"micro_f1": self.averages.micro, "macro_f1": self.averages.macro}
        return written(json_text({"classes": self.to_records(), **averages}), path)

    def to_csv(self, path: Any = None) -> str:
        """Return, and write if a path is given, the classes as CSV."""
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
        headings = ["class", "precision", "recall", "F1", "documents", "decided"]
        lines = [
            [
                str(row.label),
                *map(share, (row.precision, row.recall, row.f1)),
                f"{row.documents:,}",
                f"{row.decided:,}",
            ]
            for row in self.rows
        ]
        return Sheet("", headings, lines, f"F1: {self.averages}.")


@dataclass(frozen=True, slots=True)
class ConfusedPair:
    """Documents of one class that were taken for another.

    Attributes
    ----------
    truth, decided : object
        The class they have, and the one that was decided instead.
    documents : int
        How many.
    share : float
        How many of the documents of ``truth``.

    Examples
    --------
    >>> from textbayes.evaluation import ConfusedPair
    >>> print(ConfusedPair("corn", "wheat", 12, 0.25))
    corn → wheat: 12 documents, 25% of corn
    """

    truth: Any
    decided: Any
    documents: int
    share: float

    def __str__(self) -> str:
        noun = "document" if self.documents == 1 else "documents"
        return f"{self.truth} → {self.decided}: {self.documents:,} {noun}, {self.share:.0%} of {self.truth}"


def class_report(truth: Any, predicted: Any, classes: Sequence[Any] | None = None) -> ClassReport:
    """Measure each class.

    Parameters
    ----------
    truth, predicted : labels of shape (documents,), or indicators of shape (documents, classes)
        What is true and what was decided. None is no class.
    classes : sequence, optional
        What the columns of indicators are called; their numbers by default.

    Examples
    --------
    >>> from textbayes.evaluation import class_report
    >>> [row.f1 for row in class_report([[1, 0], [1, 1]], [[1, 0], [0, 1]], ["oil", "gas"]).rows]
    [0.6666666666666666, 1.0]
    """
    true, decided, names = _named(truth, predicted, classes)
    hits, said, had = decision_counts(true, decided)
    averages = f1_of_counts(hits, said, had)
    figures = zip(
        names,
        shares(hits, said).tolist(),
        shares(hits, had).tolist(),
        averages.per_class.tolist(),
        strict=True,
    )
    counts = zip(had.tolist(), said.tolist(), strict=True)
    return ClassReport(
        tuple(ClassRow(*each, *both) for each, both in zip(figures, counts, strict=True)), averages
    )


def confused_pairs(
    truth: Any, predicted: Any, k: int = 10, classes: Sequence[Any] | None = None
) -> list[ConfusedPair]:
    """Find the pairs of classes that are confused most often.

    Parameters
    ----------
    truth, predicted, classes
        As for :func:`class_report`.
    k : int, default=10
        How many pairs at most.

    Returns
    -------
    list of ConfusedPair
        The most frequent first; of equally frequent ones in the order of the classes. Where documents have
        several labels, a pair counts documents that lack the one in the decision and have the other too much.

    Examples
    --------
    >>> from textbayes.evaluation import confused_pairs
    >>> for pair in confused_pairs(["corn", "corn", "wheat", "oil"], ["wheat", "corn", "oil", "oil"]):
    ...     print(pair)
    corn → wheat: 1 document, 50% of corn
    wheat → oil: 1 document, 100% of wheat
    """
    check_whole("k", k)
    true, decided, names = _named(truth, predicted, classes)
    return [
        ConfusedPair(names[row], names[column], count, share)
        for row, column, count, share in most_confused(true, decided, k)
    ]


def confusion_counts(
    truth: Any, predicted: Any, classes: Sequence[Any] | None = None
) -> tuple[sparse.csr_array, list[Any]]:
    """Count documents by their class (rows) and the one decided (columns), with the classes.

    Right decisions are on the diagonal; beside it the pairs of :func:`confused_pairs`.
    """
    true, decided, names = _named(truth, predicted, classes)
    hits = sparse.diags_array(decision_counts(true, decided)[0], dtype=np.int64)
    return sparse.csr_array(hits + count_confusions(true, decided)), names


def _named(
    truth: Any, predicted: Any, classes: Sequence[Any] | None
) -> tuple[sparse.csr_array, sparse.csr_array, list[Any]]:
    true, decided, names = both_indicators(truth, predicted)
    if classes is None:
        return true, decided, names
    if is_flat(truth):
        raise ParameterError("classes", classes, "None: the labels in truth name their classes")
    if len(classes) != true.shape[1]:
        raise EvaluationShapeError("classes", (len(classes),), "truth", true.shape)
    return true, decided, list(classes)
