"""Scores and the truth → a figure with its standard error, and which of two figures is better."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from textbayes.measures.decided import f1_of_counts, right_documents
from textbayes.measures.indicators import Flags, Reals
from textbayes.measures.intervals import loss_interval, share_interval
from textbayes.measures.objective import Objective
from textbayes.measures.ranking import break_even_decisions
from textbayes.measures.tree import with_ancestors

Scores = NDArray[np.floating]

# Prior belief about an alternative, before it is measured: it loses a little, give or take the spread.
_PRIOR_LOSS = 0.005
_PRIOR_SPREAD = 0.01
# The best of a hundred candidates looks better than it is by about two and a half standard errors.
_SELECTION_ERRORS = 3.0


@dataclass(frozen=True, eq=False)
class Quality:
    """A figure, larger being better, and how much each document moves it.

    Parameters
    ----------
    value : float
        The figure.
    influences : array of shape (documents,)
        The first-order influence of each document.
    unit : float, default=1.0
        What counts as a difference of 1, such as the mean cost of an error.
    is_loss : bool, default=False
        Whether the figure is a loss, which counts negatively, and not a share from 0 to 1.
    """

    value: float
    influences: Reals
    unit: float = 1.0
    is_loss: bool = False

    @property
    def error(self) -> float:
        """The standard error of the figure over documents."""
        return float(np.sqrt(np.sum(self.influences**2)))

    def lead(self, other: Quality) -> tuple[float, float]:
        """Return the lead over another figure on the same documents, and the standard error of the lead.

        Documents on which both are right, or both wrong, do not add to the error.
        """
        return self.value - other.value, float(np.sqrt(np.sum((self.influences - other.influences) ** 2)))

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the figure, within its range."""
        if self.is_loss:
            low, high = loss_interval(-self.value, self.error)
            return -high, -low
        return share_interval(self.value, self.error, len(self.influences))


def is_expected_better(alternative: Quality, default: Quality) -> bool:
    """Return True if the alternative is expected to beat the default.

    The prior belief and the measured lead are both normal, so the lead must outweigh the prior loss by its
    precision: with many documents any lead is enough, with few hardly any is.
    """
    lead, error = (part / default.unit for part in alternative.lead(default))
    return lead > _PRIOR_LOSS * (error / _PRIOR_SPREAD) ** 2


def is_clearly_better(best: Quality, other: Quality) -> bool:
    """Return True if the best of many candidates beats another one by more than selection explains.

    With a few documents per class, most classes are never predicted and the influences miss their error. So
    the standard error is at least that of a share of the documents.
    """
    lead, error = (part / other.unit for part in best.lead(other))
    # Of a loss, the share that is not lost.
    share = best.value / best.unit + (1.0 if best.value < 0 else 0.0)
    share = min(max(share, 0.0), 1.0)
    error = max(error, np.sqrt(share * (1.0 - share) / max(len(best.influences), 1)))
    return bool(lead > _SELECTION_ERRORS * error and is_expected_better(best, other))


def quality(
    scores: Scores,
    truth: Flags,
    metric: str | Objective,
    multilabel: bool,
    weights: Reals | None = None,
) -> Quality:
    """Measure the decisions that scores lead to.

    Parameters
    ----------
    scores : array of shape (documents, classes)
        Scores of documents that the model did not learn.
    truth : array of bool, shape (documents, classes)
        Which classes a document has.
    metric : {"macro_f1", "micro_f1", "accuracy", "log_loss"}, or Objective
        Log loss and mean cost count negatively. Log loss reads scores as log probabilities, with several
        labels as log odds; scale them first, such as with ``fit_temperature``.
    multilabel : bool
        With one label per document, the decision is the best class. Otherwise each class is given to as many
        documents as truly have it, where precision equals recall: this measures the ranking, not a threshold.
    weights : array of shape (documents,) or (documents, classes), optional
        How often each document counts, with several labels for each class; once by default.

    Notes
    -----
    The standard error comes from how much each document moves the figure (its first-order influence), so it
    costs one pass.

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes.measures import quality
    >>> truth = np.eye(2, dtype=bool)[[0, 0, 1, 1]]
    >>> quality(np.array([[2, 1], [0, 1], [0, 1], [0, 1]]), truth, "accuracy", multilabel=False).value
    0.75
    """
    own = Objective(metric) if isinstance(metric, str) else metric
    if not len(truth):
        return Quality(0.0, np.zeros(0), own.unit)
    if own.name == "log_loss":
        return replace(_mean(-_log_losses(scores, truth, multilabel), weights), is_loss=True)
    given = break_even_decisions(scores, truth, weights) if multilabel else best_classes(scores)
    return decided_quality(given, truth, own, weights)


def decided_quality(
    given: Flags, truth: Flags, metric: str | Objective, weights: Reals | None = None
) -> Quality:
    """Measure decisions.

    Parameters
    ----------
    given, truth : array of bool, shape (documents, classes)
        Which classes a document is given, and which it has.
    metric, weights
        As for :func:`quality`; but not log loss, which measures no decisions.

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes import CostMatrix
    >>> from textbayes.measures import decided_quality, objective
    >>> metric = objective(CostMatrix([[0, 20], [1, 0]], ["ham", "spam"]), ["ham", "spam"])
    >>> decided_quality(np.eye(2, dtype=bool)[[0, 1]], np.eye(2, dtype=bool)[[0, 0]], metric).value
    -10.0
    """
    own = Objective(metric) if isinstance(metric, str) else metric
    if not len(truth):
        return Quality(0.0, np.zeros(0), own.unit)
    if own.has_mean_cost and own.costs is not None:
        costs = own.costs[truth.argmax(axis=1), given.argmax(axis=1)]
        return replace(_mean(-costs, weights), unit=own.unit, is_loss=True)
    if own.name == "accuracy":
        return _mean(right_documents(truth, given).astype(np.float64), _of_documents(weights))
    if own.nodes is not None:
        given, truth = (with_ancestors(flags, own.nodes) for flags in (given, truth))
        weights = _of_documents(weights)
    return _f1(given, truth, own.name in ("micro_f1", "tree_f1"), weights)


def best_classes(scores: Scores) -> Flags:
    """Give each document its best class; of equal ones the first.

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes.measures import best_classes
    >>> best_classes(np.array([[1.0, 3.0, 3.0]])).tolist()
    [[False, True, False]]
    """
    given = np.zeros(scores.shape, dtype=bool)
    given[np.arange(len(scores)), np.argmax(scores, axis=1)] = True
    return given


def _of_documents(weights: Reals | None) -> Reals | None:
    """One weight for each document: the mean of its cells."""
    return weights if weights is None or weights.ndim == 1 else weights.mean(axis=1)


def _f1(given: Flags, truth: Flags, micro: bool, weights: Reals | None) -> Quality:
    documents, classes = truth.shape
    each = np.ones(documents) if weights is None else weights
    # A document is given few classes and has few, so that only those are visited.
    marks = [np.nonzero(flags) for flags in (given & truth, given, truth)]
    counted = [each[row] if each.ndim == 1 else each[row, of] for row, of in marks]
    hits, decided, true = (np.bincount(of, own, classes) for (_, of), own in zip(marks, counted, strict=True))
    size, found = decided + true, f1_of_counts(hits, decided, true)
    if not size.any():
        return Quality(0.0, np.zeros(documents))
    own = np.full(classes, found.micro) if micro else found.per_class
    scale = np.full(classes, size.sum()) if micro else size * np.count_nonzero(size)
    shares = np.divide(1.0, scale, out=np.zeros(classes), where=scale > 0)
    moves = np.zeros(documents)
    for by, (row, of), times in zip(
        (2.0 * shares, -own * shares, -own * shares), marks, counted, strict=True
    ):
        moves += np.bincount(row, times * by[of], documents)
    return Quality(found.micro if micro else found.macro, moves)


def _log_losses(scores: Scores, truth: Flags, multilabel: bool) -> Reals:
    """Return the loss of each document, or with several labels of each cell."""
    if multilabel:
        return np.asarray(np.logaddexp(0.0, np.where(truth, -scores, scores)))
    peak = scores.max(axis=1)
    return np.asarray(peak + np.log(np.exp(scores - peak[:, None]).sum(axis=1)) - scores[truth])


def _mean(values: Reals, weights: Reals | None) -> Quality:
    """The mean of documents or of cells, weighted."""
    each = np.ones(len(values)) if weights is None else weights
    if values.ndim == 2:
        each = np.broadcast_to(each if each.ndim == 2 else each[:, None], values.shape)
    mean = np.average(values, weights=each)
    moves = each * (values - mean) / each.sum()
    return Quality(float(mean), moves.sum(axis=1) if moves.ndim == 2 else moves)
