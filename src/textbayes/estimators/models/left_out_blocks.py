"""Leave-one-out over documents that come in blocks, because they may be more than memory holds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from textbayes.estimators.models.left_out import (
    FOLDS,
    ONE_BY_ONE,
    LeaveOneOut,
    Reals,
    decided_by,
    decided_by_scores,
    leave_out,
    true_classes,
)
from textbayes.measures import deal_folds, decision_counts, f1_of_counts, right_documents, strata
from textbayes.statistics import LabelledRows, Targets

Blocks = Callable[[], Iterable[LabelledRows]]


def leave_out_blocks(
    model: Any, blocks: Blocks, targets: Targets, thresholds: Reals | None = None
) -> LeaveOneOut | None:
    """Classify training documents, each by the model without it, as :func:`leave_out` does.

    Parameters
    ----------
    model : classifier of counts
        The model that learned them. It is computed from sums, and does not change.
    blocks : function without arguments
        Returns all documents that it learned, in its representation, some at a time.
    targets : Targets
        The labels of all of them.
    thresholds : array of shape (classes,), optional
        For several labels per document: the score above which a class is predicted, 0 by default.

    Returns
    -------
    LeaveOneOut or None
        None if there are fewer than two classes or documents.
    """
    if len(targets) <= ONE_BY_ONE:
        left = leave_out(model, LabelledRows.joined(list(blocks())), thresholds)
        return None if left is None else left.quality
    if len(model.classes_) < 2:
        return None
    tally, decider = _Tally(model), model.loo_decider(targets.multilabel)
    if decider is not None:
        for block in blocks():
            tally.add(block.targets, decided_by_scores(decider, block, thresholds))
        return tally.quality(None)
    fold_of = deal_folds(strata(targets, by="first"), FOLDS)
    for fold in range(FOLDS):
        rest = model.without_parts(_of_fold(blocks(), fold_of, fold))
        for block in _of_fold(blocks(), fold_of, fold):
            tally.add(block.targets, decided_by(rest, block.rows, model.classes_, thresholds))
    return tally.quality(FOLDS)


def _of_fold(blocks: Iterable[LabelledRows], fold_of: NDArray[np.intp], fold: int) -> Iterator[LabelledRows]:
    first = 0
    for block in blocks:
        last = first + len(block)
        yield block.take(np.flatnonzero(fold_of[first:last] == fold))
        first = last


class _Tally:
    """Decisions about documents, counted by class."""

    def __init__(self, model: Any) -> None:
        self._classes = model.classes_
        self._counts = np.zeros((3, len(self._classes)), dtype=np.int64)
        self._documents = self._right = 0

    def add(self, targets: Targets, decided: sparse.csr_array) -> None:
        truth = true_classes(self._classes, targets)
        self._counts += decision_counts(truth, decided)
        self._right += int(right_documents(truth, decided).sum())
        self._documents += len(targets)

    def quality(self, folds: int | None) -> LeaveOneOut:
        majority = float(self._counts[2].max() / self._documents)
        macro = f1_of_counts(*self._counts).macro
        return LeaveOneOut(self._right / self._documents, macro, majority, self._documents, folds)
