"""The costs of decisions: what it costs to decide one class when another is true."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from textbayes.errors import LabelsError, ParameterConflictError, ParameterError, ShapeError
from textbayes.errors.checks import check_number
from textbayes.measures.indicators import Reals, is_flat
from textbayes.persistence import Stored
from textbayes.statistics import restore_labels, store_labels

# Larger costs would lose digits in sums.
_LARGEST = 1e9


@dataclass(frozen=True)
class CostMatrix:
    """What each decision costs: a metric for ``AutoNB(metric=...)``, for one label per document.

    The metric is the mean cost of the decisions, so smaller is better.

    Parameters
    ----------
    costs : sequence of sequences of float, shape (classes, classes)
        ``costs[i][j]`` is the cost of deciding class j if class i is true: numbers from 0 up. A right
        decision may not cost more than a wrong one.
    classes : sequence
        The labels, in the order of the rows and columns. Labels that no document has are allowed.

    Examples
    --------
    To lose a good mail costs twenty times as much as to let spam through:

    >>> from textbayes import CostMatrix
    >>> CostMatrix([[0, 20], [1, 0]], ["ham", "spam"])
    CostMatrix(costs=((0.0, 20.0), (1.0, 0.0)), classes=('ham', 'spam'))
    """

    costs: tuple[tuple[float, ...], ...]
    classes: tuple[Any, ...]
    name: ClassVar[str] = "mean_cost"

    def __init__(self, costs: Iterable[Iterable[float]], classes: Iterable[Any]) -> None:
        labels = _as_labels(classes)
        object.__setattr__(self, "classes", labels)
        object.__setattr__(self, "costs", _checked_costs(costs, labels))

    def of(self, classes: Sequence[Any]) -> Reals:
        """Return the costs in the order of these classes; raise an error for a class without costs.

        Examples
        --------
        >>> from textbayes import CostMatrix
        >>> CostMatrix([[0, 20], [1, 0]], ["ham", "spam"]).of(["spam", "ham"]).tolist()
        [[0.0, 1.0], [20.0, 0.0]]
        """
        place = {label: at for at, label in enumerate(self.classes)}
        for label in classes:
            if label not in place:
                raise ParameterError(
                    "CostMatrix.classes",
                    list(self.classes),
                    f"a row and a column for every label; {label!r} has none",
                    "Without its costs, the mean cost is not defined",
                )
        places = [place[label] for label in classes]
        return np.array(self.costs).reshape(len(self.classes), -1)[np.ix_(places, places)]

    def store(self) -> Stored:
        """Return the costs as an array, and the labels."""
        stored = Stored({}, {"costs": np.array(self.costs).ravel()})
        return stored.with_part("labels", store_labels(list(self.classes), None))

    @classmethod
    def restore(cls, stored: Stored) -> CostMatrix:
        """Load a cost matrix; refuse one that could not be made."""
        labels, _ = restore_labels(stored.part("labels"))
        costs = stored.array("costs", np.float64, len(labels) ** 2)
        try:
            return cls(costs.reshape(len(labels), -1).tolist() if labels else [], labels)
        except (ParameterError, ShapeError):
            stored.refuse("its cost matrix is invalid")


def mean_cost(truth: Any, decisions: Any, costs: CostMatrix) -> float:
    """Measure the mean cost of decisions.

    Parameters
    ----------
    truth, decisions : labels of shape (documents,)
        What is true and what was decided.
    costs : CostMatrix
        What each decision costs.

    Examples
    --------
    >>> from textbayes import CostMatrix
    >>> from textbayes.evaluation import mean_cost
    >>> costs = CostMatrix([[0, 20], [1, 0]], ["ham", "spam"])
    >>> mean_cost(["ham", "spam", "spam", "ham"], ["ham", "ham", "spam", "spam"], costs)
    5.25
    """
    if not is_flat(truth) or not is_flat(decisions):
        raise LabelsError("an indicator, where a mean cost needs one label per document")
    true, decided = (np.asarray(each).tolist() for each in (truth, decisions))
    if len(true) != len(decided):
        raise ShapeError("decisions", (len(decided),), "truth", (len(true),))
    classes = sorted({*true, *decided})
    place = {label: at for at, label in enumerate(classes)}
    matrix = costs.of(classes)
    own = matrix[[place[label] for label in true], [place[label] for label in decided]]
    return float(own.mean()) if len(own) else float("nan")


def check_one_label(costs: CostMatrix, multilabel: bool) -> None:
    """Raise an error for a cost matrix where documents have several labels."""
    if multilabel:
        raise ParameterConflictError(
            "metric",
            costs,
            "y",
            "several labels per document",
            "A cost matrix has a cost for one decided class and one true class",
        )


def _as_labels(classes: Iterable[Any]) -> tuple[Any, ...]:
    labels = tuple(np.asarray(list(classes), dtype=object).tolist())
    labels = tuple(label.item() if isinstance(label, np.generic) else label for label in labels)
    for at, label in enumerate(labels):
        if label in labels[:at]:
            raise ParameterError(f"classes[{at}]", label, "each label once", "It would have two costs")
    return labels


def _checked_costs(
    costs: Iterable[Iterable[float]], labels: tuple[Any, ...]
) -> tuple[tuple[float, ...], ...]:
    rows = [list(row) for row in costs]
    for row in rows:
        if len(row) != len(labels) or len(rows) != len(labels):
            raise ShapeError("costs", (len(rows), len(row)), "classes", (len(labels), len(labels)))
    if not rows:
        raise ParameterError("costs", [], "a row and a column for every class")
    checked = [
        [
            check_number(
                f"costs[{i}][{j}] (true {labels[i]!r}, decided {labels[j]!r})", cost, least=0, most=_LARGEST
            )
            for j, cost in enumerate(row)
        ]
        for i, row in enumerate(rows)
    ]
    for i, row in enumerate(checked):
        if row[i] > min(row):
            raise ParameterError(
                f"costs[{i}][{i}] (true {labels[i]!r}, decided {labels[i]!r})",
                row[i],
                f"at most the least cost of the row, {min(row):g}",
                "A right decision may not cost more than a wrong one",
            )
    if len(labels) > 1 and all(min(row) == max(row) for row in checked):
        raise ParameterError("costs", rows, "a matrix in which a mistake costs more than a right decision")
    return tuple(map(tuple, checked))
