"""Probabilities and the truth → reliability curve, calibration error and log loss."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from textbayes.errors import (
    NoDocumentsError,
    ParameterError,
    ShapeError,
)
from textbayes.errors.checks import check_whole
from textbayes.measures.indicators import Counts, Flags, Indicator, Reals, as_indicator, is_flat


@dataclass(frozen=True, slots=True, eq=False)
class ReliabilityCurve:
    """How often predictions of a probability come true, bin by bin; bins without cases are left out.

    Attributes
    ----------
    probability : array
        The mean of the probabilities in each bin.
    frequency : array
        The share of cases in each bin that came true.
    cases : array of int
        The number of cases in each bin.

    Examples
    --------
    >>> from textbayes.evaluation import reliability_curve
    >>> curve = reliability_curve([0, 1, 1, 1], [0.1, 0.2, 0.9, 0.8], bins=2)
    >>> curve.probability.round(2).tolist(), curve.frequency.tolist(), curve.cases.tolist()
    ([0.15, 0.85], [0.5, 1.0], [2, 2])
    """

    probability: Reals
    frequency: Reals
    cases: Counts

    @property
    def error(self) -> float:
        """The calibration error: the mean distance of the two, weighted by cases."""
        return float(np.average(np.abs(self.probability - self.frequency), weights=self.cases))


def reliability_curve(y: Any, probabilities: Any, bins: int = 15, classes: Any = None) -> ReliabilityCurve:
    """Compare probabilities with how often they came true.

    Parameters
    ----------
    y : array-like of shape (documents,), or indicator of shape (documents, classes)
        What is true, in one of three forms. The form decides what a case is:

        - 0 or 1 per document, with flat probabilities of the 1: every document;
        - one label per document, with a probability for each class: every document's best class;
        - an indicator, with a probability for each cell: every cell.
    probabilities : array of shape (documents,) or (documents, classes)
        From 0 to 1.
    bins : int, default=15
        The number of bins of equal width. A bin includes its upper end, as in scikit-learn's
        ``calibration_curve``, which does not return the number of cases that the error needs.
    classes : array-like of shape (classes,), optional
        The label of each column, such as a model's ``classes_``; the sorted labels of ``y`` by default.

    Examples
    --------
    >>> from textbayes.evaluation import reliability_curve
    >>> reliability_curve(["a", "b"], [[0.9, 0.1], [0.7, 0.3]], bins=10).frequency.tolist()
    [0.0, 1.0]
    """
    bins = check_whole("bins", bins)
    true, said = _cases(y, _checked(probabilities), classes)
    if not said.size:
        raise NoDocumentsError("truth", "one document or more")
    edges = np.linspace(0.0, 1.0, bins + 1)
    bin_of = np.searchsorted(edges[1:-1], said)
    cases, sums, came_true = (
        np.bincount(bin_of, weights=weights, minlength=bins) for weights in (None, said, true)
    )
    some = cases > 0
    return ReliabilityCurve(sums[some] / cases[some], came_true[some] / cases[some], cases[some])


def calibration_error(y: Any, probabilities: Any, bins: int = 15, classes: Any = None) -> float:
    """Measure the expected calibration error: how far probabilities are from how often they come true.

    Parameters
    ----------
    y, probabilities, bins, classes
        As for :func:`reliability_curve`.

    Returns
    -------
    float
        0 if every bin came true as often as predicted. That does not make a good model: one that gives every
        document the shares of the classes has 0 too.

    Examples
    --------
    Two documents at .95, one of them wrong:

    >>> from textbayes.evaluation import calibration_error
    >>> round(calibration_error([1, 0], [0.95, 0.95]), 3)
    0.45
    """
    return reliability_curve(y, probabilities, bins, classes).error


def log_loss(truth: Indicator, probabilities: Reals, multilabel: bool) -> float:
    """Measure the mean negative log probability of the true class; with several labels, of every cell.

    A probability of 0 counts as the smallest positive step, as in scikit-learn.
    """
    if multilabel:
        said = np.where(truth.toarray() > 0, probabilities, 1.0 - probabilities)
    else:
        said = probabilities[np.arange(len(probabilities)), truth.indices]
    return float(-np.log(np.clip(said, np.finfo(np.float64).eps, 1.0)).mean())


def _checked(probabilities: Any) -> Reals:
    said = np.asarray(probabilities, dtype=np.float64)
    wrong = ~((said >= 0) & (said <= 1 + 1e-9))
    if wrong.any():
        place = np.argwhere(wrong)[0]
        value = float(said[tuple(place)])
        at = ", ".join(map(str, place.tolist()))
        raise ParameterError(
            f"probabilities[{at}]", value, "a number from 0 to 1 for every document and class"
        )
    return np.minimum(said, 1.0)


def _cases(y: Any, said: Reals, classes: Any) -> tuple[Flags, Reals]:
    if is_flat(y) and said.ndim == 2:
        return _best_classes(np.asarray(y), said, classes)
    true = as_indicator(y).toarray().astype(bool)
    shaped = said[:, None] if said.ndim == 1 else said
    if true.shape != shaped.shape:
        raise ShapeError("probabilities", said.shape, "y", true.shape)
    return true.ravel(), shaped.ravel()


def _best_classes(labels: Any, said: Reals, classes: Any) -> tuple[Flags, Reals]:
    names = np.unique(labels) if classes is None else np.asarray(classes)
    if said.shape != (len(labels), len(names)):
        raise ShapeError("probabilities", said.shape, "y and its classes", (len(labels), len(names)))
    return names[said.argmax(axis=1)] == labels, said.max(axis=1)
