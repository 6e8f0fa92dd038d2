"""Reports of decisions: each class, and the pairs of classes that are confused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np
from rich.table import Table
from scipy import sparse

from textbayes.errors import ParameterError, ShapeError
from textbayes.errors.checks import check_whole
from textbayes.errors.printable import printable
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
    """Precision, recall and F1 of one class.

    Attributes
    ----------
    label : object
        The class.
    precision, recall, f1 : float
        NaN if the divisor is 0.
    documents, decided : int
        The number of documents that have the class, and for which it was decided.

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
    """A row for each class, and the averages of F1.

    It prints as a table in a terminal, in a notebook and with rich.

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
        """Return classes and averages as JSON; write them if a path is given."""
        averages = {"micro_f1": self.averages.micro, "macro_f1": self.averages.macro}
        return written(json_text({"classes": self.to_records(), **averages}), path)

    def to_csv(self, path: Any = None, exact: bool = False) -> str:
        """Return the classes as CSV; write them if a path is given.

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
    """Documents of one class for which another was decided.

    Attributes
    ----------
    truth, decided : object
        The true class, and the class decided instead.
    documents : int
        The number of documents.
    share : float
        Their share of the documents of ``truth``.

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
        truth = printable(self.truth)
        documents = f"{self.documents:,} {noun}, {self.share:.0%} of {truth}"
        return f"{truth} → {printable(self.decided)}: {documents}"


def class_report(truth: Any, predicted: Any, classes: Sequence[Any] | None = None) -> ClassReport:
    """Measure each class.

    Parameters
    ----------
    truth, predicted : labels of shape (documents,), or indicators of shape (documents, classes)
        What is true and what was decided. None means no class.
    classes : sequence, optional
        The names of an indicator's columns; their numbers by default.

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
        The largest number of pairs.

    Returns
    -------
    list of ConfusedPair
        The most frequent first; equally frequent pairs in the order of the classes. With several labels per
        document, a pair counts documents that miss the one class and wrongly have the other.

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
    """Count documents by true class (rows) and decided class (columns); return the classes too.

    Right decisions are on the diagonal, the pairs of :func:`confused_pairs` off it.
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
        raise ShapeError("classes", (len(classes),), "truth", true.shape)
    return true, decided, list(classes)
