"""The one table of metrics, by the names that ``compare``, AutoNB and the command line read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from textbayes.measures.averages import Averages
from textbayes.measures.decided import decision_counts, f1, f1_of_counts, right_documents
from textbayes.measures.indicators import Indicator, Reals
from textbayes.measures.ranking import break_even, one_vs_rest_auc
from textbayes.measures.reliability import calibration_error, log_loss
from textbayes.measures.tree import TreeF1

# Methods that give what a metric needs, any of them.
DECISIONS = ("predict",)
SCORES = ("decision_function", "predict_log_proba")
PROBABILITIES = ("predict_proba",)


class Answers(Protocol):
    """What a model answered on test documents, each part computed when a metric asks for it."""

    @property
    def truth(self) -> Indicator:
        """The true classes."""

    @property
    def classes(self) -> Sequence[Any]:
        """The labels of the columns."""

    @property
    def multilabel(self) -> bool:
        """False for one label per document."""

    @property
    def decided(self) -> Indicator:
        """The decisions."""

    @property
    def scores(self) -> Reals:
        """A score for every class."""

    @property
    def probabilities(self) -> Reals:
        """A probability for every class."""


@dataclass(frozen=True, slots=True)
class Figure:
    """The value of a metric, and the value of each class for metrics that have one."""

    value: float
    per_class: Reals | None = None


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric: its title in tables, how to measure it, and what it needs.

    Parameters
    ----------
    title : str
        The heading in tables.
    measure : callable
        From a model's answers to a figure.
    needs : tuple of str
        A model must have one of these methods.
    by_class : bool
        Whether each class has a figure.
    larger_is_better : bool
        False for errors and losses.
    is_share : bool
        Whether it is a number from 0 to 1; if not, it has no largest value.
    searched : bool
        Whether ``AutoNB(metric=...)`` can maximise it (a loss: its negative), by :func:`quality`.
    """

    title: str
    measure: Callable[[Answers], Figure]
    needs: tuple[str, ...] = DECISIONS
    by_class: bool = True
    larger_is_better: bool = True
    is_share: bool = True
    searched: bool = False


def _average(measure: Callable[[Answers], Averages], which: str) -> Callable[[Answers], Figure]:
    def figure(answers: Answers) -> Figure:
        found = measure(answers)
        return Figure(getattr(found, which), found.per_class)

    return figure


def _accuracy(answers: Answers) -> Figure:
    return Figure(float(right_documents(answers.truth, answers.decided).mean()))


def _f1(answers: Answers) -> Averages:
    return f1(answers.truth, answers.decided)


def _break_even(answers: Answers) -> Averages:
    return break_even(answers.truth, answers.scores)


def _auc(answers: Answers) -> Averages:
    return one_vs_rest_auc(answers.truth, answers.scores)


def _tree_f1(answers: Answers) -> Averages:
    from scipy import sparse

    nodes = sparse.csr_array(TreeF1().nodes(answers.classes).astype(np.int64))
    both = ((each @ nodes).minimum(1).tocsr() for each in (answers.truth, answers.decided))
    return f1_of_counts(*decision_counts(*both))


def _tree_average(which: str) -> Callable[[Answers], Figure]:
    return lambda answers: Figure(getattr(_tree_f1(answers), which))


def _log_loss(answers: Answers) -> Figure:
    return Figure(log_loss(answers.truth, answers.probabilities, answers.multilabel))


def _calibration(answers: Answers) -> Figure:
    if answers.multilabel:
        return Figure(calibration_error(answers.truth, answers.probabilities))
    # With one label per document every row has one class.
    classes = np.arange(answers.truth.shape[1])
    return Figure(calibration_error(answers.truth.indices, answers.probabilities, classes=classes))


METRICS: dict[str, Metric] = {
    "accuracy": Metric("accuracy", _accuracy, by_class=False, searched=True),
    "micro_f1": Metric("micro F1", _average(_f1, "micro"), searched=True),
    "macro_f1": Metric("macro F1", _average(_f1, "macro"), searched=True),
    "micro_break_even": Metric("micro break-even", _average(_break_even, "micro"), SCORES),
    "macro_break_even": Metric("macro break-even", _average(_break_even, "macro"), SCORES),
    "macro_auc": Metric("macro AUC", _average(_auc, "macro"), SCORES),
    "log_loss": Metric(
        "log loss",
        _log_loss,
        PROBABILITIES,
        by_class=False,
        larger_is_better=False,
        is_share=False,
        searched=True,
    ),
    "calibration_error": Metric(
        "calibration error", _calibration, PROBABILITIES, by_class=False, larger_is_better=False
    ),
    "tree_f1": Metric("tree F1", _tree_average("micro"), by_class=False, searched=True),
    "macro_tree_f1": Metric("macro tree F1", _tree_average("macro"), by_class=False, searched=True),
}
SEARCHED_METRICS = tuple(name for name, metric in METRICS.items() if metric.searched)
