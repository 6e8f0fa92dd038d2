"""Scores and the truth → a figure with its standard error, and which of two figures is better."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from textbayes.measures.decided import f1_of_counts, right_documents
from textbayes.measures.indicators import Flags, Reals
from textbayes.measures.ranking import break_even_decisions

Scores = NDArray[np.floating]

# The 97.5 % point of the normal distribution, for an interval of 95 %.
_WIDTH = 1.96
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
    """

    value: float
    influences: Reals

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
        """The 95 % interval of the figure."""
        return self.value - _WIDTH * self.error, self.value + _WIDTH * self.error


def is_expected_better(alternative: Quality, default: Quality) -> bool:
    """Return True if the alternative is expected to beat the default.

    The prior belief and the measured lead are both normal, so the lead must outweigh the prior loss by its
    precision: with many documents any lead is enough, with few hardly any is.
    """
    lead, error = alternative.lead(default)
    return lead > _PRIOR_LOSS * (error / _PRIOR_SPREAD) ** 2


def is_clearly_better(best: Quality, other: Quality) -> bool:
    """Return True if the best of many candidates beats another one by more than selection explains.

    With a few documents per class, most classes are never predicted and the influences miss their error. So
    the standard error is at least that of a share of the documents.
    """
    lead, error = best.lead(other)
    share = min(max(best.value, 0.0), 1.0)
    error = max(error, np.sqrt(share * (1.0 - share) / max(len(best.influences), 1)))
    return bool(lead > _SELECTION_ERRORS * error and is_expected_better(best, other))


def quality(
    scores: Scores, truth: Flags, metric: str, multilabel: bool, weights: Reals | None = None
) -> Quality:
    """Measure the decisions that scores lead to.

    Parameters
    ----------
    scores : array of shape (documents, classes)
        Scores of documents that the model did not learn.
    truth : array of bool, shape (documents, classes)
        Which classes a document has.
    metric : {"macro_f1", "micro_f1", "accuracy", "log_loss"}
        Log loss counts negatively. It reads scores as log probabilities, with several labels as log odds;
        scale them first, such as with ``fit_temperature``.
    multilabel : bool
        With one label per document, the decision is the best class. Otherwise each class is given to as many
        documents as truly have it, where precision equals recall: this measures the ranking, not a threshold.
    weights : array of shape (documents,), optional
        How often each document counts; once by default.

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
    if not len(truth):
        return Quality(0.0, np.zeros(0))
    if metric == "log_loss":
        return _mean(-_log_losses(scores, truth, multilabel), weights)
    given = break_even_decisions(scores, truth, weights) if multilabel else _best_classes(scores)
    if metric == "accuracy":
        return _mean(right_documents(truth, given).astype(np.float64), weights)
    return _f1(given, truth, metric == "micro_f1", weights)


def _best_classes(scores: Scores) -> Flags:
    """Give each document its best class; of equal ones the first."""
    given = np.zeros(scores.shape, dtype=bool)
    given[np.arange(len(scores)), np.argmax(scores, axis=1)] = True
    return given


def _f1(given: Flags, truth: Flags, micro: bool, weights: Reals | None) -> Quality:
    each = np.ones(len(truth)) if weights is None else weights
    hits, decided, true = (given & truth), each @ given, each @ truth
    size, found = decided + true, f1_of_counts(each @ hits, decided, true)
    if not size.any():
        return Quality(0.0, np.zeros(len(truth)))
    if micro:
        own = given.sum(axis=1) + truth.sum(axis=1)
        return Quality(found.micro, each * (2.0 * hits.sum(axis=1) - found.micro * own) / size.sum())
    occur = np.flatnonzero(size)
    size, hits, given, truth = size[occur], hits[:, occur], given[:, occur], truth[:, occur]
    own = found.per_class[occur]
    # A document moves only the classes it is given or truly has, so these are products with few entries.
    influence = hits @ (2.0 / size) - given @ (own / size) - truth @ (own / size)
    return Quality(found.macro, each * influence / len(occur))


def _log_losses(scores: Scores, truth: Flags, multilabel: bool) -> Reals:
    if multilabel:
        return np.asarray(np.logaddexp(0.0, np.where(truth, -scores, scores)).mean(axis=1))
    peak = scores.max(axis=1)
    return np.asarray(peak + np.log(np.exp(scores - peak[:, None]).sum(axis=1)) - scores[truth])


def _mean(values: Reals, weights: Reals | None) -> Quality:
    mean = np.average(values, weights=weights)
    each = 1.0 if weights is None else weights * (len(values) / weights.sum())
    return Quality(float(mean), each * (values - mean) / len(values))
