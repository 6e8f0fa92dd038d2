"""Leave-one-out: each training document classified by the model without it."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from textbayes.counts import Rows
from textbayes.measures import deal_folds, decision_counts, f1_of_counts, right_documents, strata
from textbayes.statistics import LabelledRows, Targets

Reals = NDArray[np.float64]

# Scores of documents × classes that are held at once: 64 MB.
_CELLS = 1 << 23
ONE_BY_ONE = 500
"""The most documents that are forgotten and relearned one at a time."""
FOLDS = 10
"""The number of folds that are left out where one document at a time would take too long."""


@dataclass(frozen=True)
class LeaveOneOut:
    """How well a classifier does on unseen texts: leave-one-out over its training documents.

    Attributes
    ----------
    accuracy : float
        Share of documents that are right; with several labels per text, right in all of them.
    macro_f1 : float
        The mean of the classes' F1.
    majority : float
        Share of the largest class: the accuracy of always predicting it.
    documents : int
        Number of documents.
    folds : int or None
        None if documents were left out one at a time. If that would take too long, folds were left out: this
        many models learned from fewer documents, so the figures are a little too low.

    Examples
    --------
    >>> from textbayes import TextClassifier
    >>> from textbayes.evaluation import leave_one_out
    >>> texts, labels = ["wheat corn", "corn wheat", "crude oil", "oil crude"], ["grain"] * 2 + ["oil"] * 2
    >>> found = leave_one_out(TextClassifier("complement").fit(texts, labels), texts, labels)
    >>> print(found)
    Leave-one-out: accuracy 100.0%, macro F1 1.000 on 4 documents (always the largest class: 50.0%).
    """

    accuracy: float
    macro_f1: float
    majority: float
    documents: int
    folds: int | None = None

    def __str__(self) -> str:
        name = "Leave-one-out" if self.folds is None else f"Left out by {self.folds} folds"
        return (
            f"{name}: accuracy {self.accuracy:.1%}, macro F1 {self.macro_f1:.3f} "
            f"on {self.documents:,} documents (always the largest class: {self.majority:.1%})."
        )


@dataclass(frozen=True, eq=False)
class LeftOut:
    """Documents, and what the model without each predicts for it.

    Attributes
    ----------
    truth, decided : sparse indicators of shape (documents, classes)
        True and predicted classes.
    quality : LeaveOneOut
        The figures.
    """

    truth: sparse.csr_array
    decided: sparse.csr_array
    quality: LeaveOneOut


def leave_out(model: Any, documents: LabelledRows, thresholds: Reals | None = None) -> LeftOut | None:
    """Classify training documents, each by the model without it.

    Parameters
    ----------
    model : classifier of counts
        The model that learned them. It does not change.
    documents : LabelledRows
        All documents that it learned, in its representation.
    thresholds : array of shape (classes,), optional
        For several labels per document: the score above which a class is predicted, 0 by default.

    Returns
    -------
    LeftOut or None
        None if the model cannot leave documents out, or there are fewer than two classes or documents.

    Notes
    -----
    If ``loo_scores`` decide (MultinomialNB, CentroidClassifier, ComplementNB; with several labels per
    document only ComplementNB), one pass scores all documents. Otherwise a model that forgets without
    refitting forgets and relearns each document, if there are at most 500. All other cases use ten folds.
    """
    targets = documents.targets
    if len(documents) < 2 or len(model.classes_) < 2:
        return None
    if not hasattr(model, "loo_decider"):
        return None
    folds, decider = None, model.loo_decider(targets.multilabel)
    if decider is not None:
        decided = decided_by_scores(decider, documents, thresholds)
    elif not model.refits and len(documents) <= ONE_BY_ONE:
        decided = _one_by_one(model, documents, thresholds)
    else:
        folds = min(FOLDS, len(documents))
        decided = _by_folds(model, documents, folds, thresholds)
    truth = true_classes(model.classes_, targets)
    majority = float(truth.sum(axis=0).max() / len(documents))
    accuracy = float(right_documents(truth, decided).mean())
    macro = f1_of_counts(*decision_counts(truth, decided)).macro
    quality = LeaveOneOut(accuracy, macro, majority, len(documents), folds)
    return LeftOut(truth, decided, quality)


def decided_by_scores(
    model: Any, documents: LabelledRows, thresholds: Reals | None = None
) -> sparse.csr_array:
    """Decide by loo_scores, some documents at a time."""
    multilabel = documents.targets.multilabel
    total, width = len(documents), len(model.classes_)
    step = max(1, _CELLS // width)
    blocks = []
    for start in range(0, total, step):
        some = documents.take(np.arange(start, min(start + step, total)))
        scores = model.loo_scores(some.rows, some.targets, some.weights)
        if multilabel:
            above = scores > (0.0 if thresholds is None else thresholds)
            blocks.append(sparse.csr_array(above.astype(np.int64)))
            continue
        # With two classes there is one score: the lead of the second.
        best = (scores > 0).astype(np.intp) if scores.ndim == 1 else scores.argmax(axis=1)
        blocks.append(_one_each(best, width))
    return sparse.csr_array(sparse.vstack(blocks))


def _by_folds(model: Any, documents: LabelledRows, folds: int, thresholds: Reals | None) -> sparse.csr_array:
    documents = model.removable(documents.rows, documents.targets, documents.weights, "leave_out")
    fold_of = deal_folds(strata(documents.targets, by="first"), folds)
    parts, order = [], []
    for fold in range(folds):
        chosen = np.flatnonzero(fold_of == fold)
        rest = model.without(documents, chosen)
        parts.append(decided_by(rest, documents.rows.take(chosen), model.classes_, thresholds))
        order.append(chosen)
    return sparse.csr_array(sparse.vstack(parts))[np.argsort(np.concatenate(order))]


def _one_by_one(model: Any, documents: LabelledRows, thresholds: Reals | None) -> sparse.csr_array:
    return sparse.csr_array(sparse.vstack(list(_each(copy.deepcopy(model), documents, thresholds))))


def _each(model: Any, documents: LabelledRows, thresholds: Reals | None) -> Iterator[sparse.csr_array]:
    classes = model.classes_
    for place in range(len(documents)):
        one = documents.take(np.array([place]))
        model.forget(one.rows.matrix, one.targets, one.weights)
        yield decided_by(model, one.rows, classes, thresholds)
        model.partial_fit(one.rows.matrix, one.targets, sample_weight=one.weights)


def decided_by(
    model: Any, rows: Rows, classes: NDArray[Any], thresholds: Reals | None = None
) -> sparse.csr_array:
    """Predictions of a model that may lack some of the classes."""
    if thresholds is None:
        found = model.predict(rows)
        if found.ndim == 1:
            return _one_each(np.searchsorted(classes, found), len(classes))
    known = np.searchsorted(classes, model.classes_)
    if thresholds is not None:
        found = model.answers().deciding_scores(rows) > thresholds[known]
    whole = np.zeros((len(found), len(classes)), dtype=np.int64)
    whole[:, known] = found
    return sparse.csr_array(whole)


def _one_each(best: NDArray[np.intp], width: int) -> sparse.csr_array:
    ones = np.ones(len(best), dtype=np.int64)
    return sparse.csr_array((ones, best, np.arange(len(best) + 1)), shape=(len(best), width))


def true_classes(classes: NDArray[Any], targets: Targets) -> sparse.csr_array:
    """Return the true classes of documents as an indicator."""
    columns = np.searchsorted(classes, targets.classes)[targets.codes]
    ones = np.ones(len(columns), dtype=np.int64)
    return sparse.csr_array((ones, columns, targets.starts), shape=(len(targets), len(classes)))
