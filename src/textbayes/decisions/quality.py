"""Scores and the truth → how good the decisions are, and how sure that is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from textbayes.decisions.blending import Scores, Truth, fit_temperature

Reals = NDArray[np.float64]

METRICS = ("macro_f1", "micro_f1", "accuracy", "log_loss")

# The normal distribution's 97.5 % point: an interval of 95 %.
_WIDTH = 1.96


@dataclass(frozen=True, eq=False)
class Quality:
    """A measure of decisions, larger being better, and how much each document moves it.

    Parameters
    ----------
    value : float
        The measure.
    influences : array of shape (documents,)
        The first-order influence of each document.
    """

    value: float
    influences: Reals

    @property
    def error(self) -> float:
        """The standard error of the measure, over documents."""
        return float(np.sqrt(np.sum(self.influences**2)))

    def lead(self, other: Quality) -> tuple[float, float]:
        """How far it is ahead of another on the same documents, and the standard error of that.

        What both get right or wrong alike does not count in the error.
        """
        return self.value - other.value, float(np.sqrt(np.sum((self.influences - other.influences) ** 2)))

    @property
    def interval(self) -> tuple[float, float]:
        """Where the measure lies, at 95 %."""
        return self.value - _WIDTH * self.error, self.value + _WIDTH * self.error


def quality(scores: Scores, truth: Truth, metric: str, multilabel: bool) -> Quality:
    """Measure the decisions that scores lead to.

    Parameters
    ----------
    scores : array of shape (documents, classes)
        Of documents that the model did not learn.
    truth : array of bool, shape (documents, classes)
        Which classes a document has.
    metric : {"macro_f1", "micro_f1", "accuracy", "log_loss"}
        Log loss counts negatively, after the best scaling of the scores.
    multilabel : bool
        With one label a document the best class is given. Otherwise each class is given to as many documents
        as truly have it, where precision equals recall: a ranking is measured, not a threshold.

    Notes
    -----
    The standard error comes from how much each document moves the measure (its first-order influence), so it
    costs one pass.

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes.decisions import quality
    >>> truth = np.eye(2, dtype=bool)[[0, 0, 1, 1]]
    >>> quality(np.array([[2, 1], [0, 1], [0, 1], [0, 1]]), truth, "accuracy", multilabel=False).value
    0.75
    """
    if not len(truth):
        return Quality(0.0, np.zeros(0))
    if metric == "log_loss":
        return _log_loss(scores, truth, multilabel)
    given = break_even_decisions(scores, truth) if multilabel else best_classes(scores)
    if metric == "accuracy":
        right = np.all(given == truth, axis=1)
        return _mean(right.astype(np.float64))
    return _f1(given, truth, micro=metric == "micro_f1")


def best_classes(scores: Scores) -> Truth:
    """Give each document its best class; of equal ones the first."""
    given = np.zeros(scores.shape, dtype=bool)
    given[np.arange(len(scores)), np.argmax(scores, axis=1)] = True
    return given


def break_even_decisions(scores: Scores, truth: Truth) -> Truth:
    """Give each class to as many documents as truly have it, the best ones; of equal ones the first."""
    given = np.zeros(scores.shape, dtype=bool)
    sizes = truth.sum(axis=0)
    for column in np.flatnonzero(sizes):
        own = scores[:, column]
        size = sizes[column]
        least = -np.partition(-own, size - 1)[size - 1]
        above = own > least
        tied = np.flatnonzero(own == least)[: size - int(above.sum())]
        given[:, column] = above
        given[tied, column] = True
    return given


def _f1(given: Truth, truth: Truth, micro: bool) -> Quality:
    """2 tp / (given + true): of all classes together, or the mean of the classes that occur."""
    hits, size = (given & truth), given.sum(axis=0) + truth.sum(axis=0)
    if micro:
        total = max(int(size.sum()), 1)
        value = 2.0 * hits.sum() / total
        influence = (2.0 * hits.sum(axis=1) - value * (given.sum(axis=1) + truth.sum(axis=1))) / total
    else:
        occur = np.flatnonzero(size)
        size, hits, given, truth = size[occur], hits[:, occur], given[:, occur], truth[:, occur]
        each = 2.0 * hits.sum(axis=0) / size
        value = each.mean()
        # Only what a document is given and truly has moves anything: a product with few entries.
        influence = hits @ (2.0 / size) - given @ (each / size) - truth @ (each / size)
        influence = influence / len(occur)
    return Quality(float(value), influence)


def _log_loss(scores: Scores, truth: Truth, multilabel: bool) -> Quality:
    scaled = fit_temperature(scores, truth, multilabel)([scores])
    if multilabel:
        losses = np.logaddexp(0.0, np.where(truth, -scaled, scaled)).mean(axis=1)
    else:
        peak = scaled.max(axis=1)
        losses = peak + np.log(np.exp(scaled - peak[:, None]).sum(axis=1)) - scaled[truth]
    return _mean(-losses)


def _mean(values: Reals) -> Quality:
    return Quality(float(values.mean()), (values - values.mean()) / len(values))
