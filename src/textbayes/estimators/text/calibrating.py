"""Held-out scores of a text model's documents → calibrated probabilities and thresholds."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from textbayes.counts import Rows
from textbayes.counts.frequency import row_lengths
from textbayes.decisions import Tuned, tune_indicator, tune_labels
from textbayes.estimators.models.left_out import true_classes
from textbayes.measures import two_columns
from textbayes.statistics import LabelledRows
from textbayes.statistics.lock import Lock
from textbayes.statistics.sample import DOCUMENTS, MULTILABEL_DOCUMENTS, Sample

if TYPE_CHECKING:
    from textbayes.estimators.text.text_model import TextModel

Reals = NDArray[np.float64]

# The largest numbers of leave-one-out scores, for one label and for several.
_SCORES, _MULTILABEL_SCORES = 1 << 22, 1 << 18
# Rows and entries that are scored at once.
_BLOCK = 1 << 17
# Documents that models are made without, where leave-one-out has no closed form; and the largest share of all
# documents that one of these models lacks.
_HELD_OUT = 1_000
_SHARE = 0.2
# The weight of the threshold that all classes share, in documents.
_SHRINKAGE = 10.0


class Calibrator:
    """The calibration of a text model, kept in step with its documents.

    It is fitted when a probability is first needed, on a sample of the documents, each scored by a model
    without it. The sample follows ``teach`` and ``forget``. Without documents the calibration stays as it was
    after ``fit``.
    """

    def __init__(self) -> None:
        self._sample: Sample | None = None
        # The calibration, and the labels of its classes: those of a model without documents may change.
        self._found: tuple[Tuned, NDArray[Any]] | None = None
        # Threads must not calibrate the same model at once.
        self._lock = Lock()

    def fork(self) -> Calibrator:
        """Return a calibrator for a fork of the model."""
        twin = copy.copy(self)
        twin._sample, twin._lock = copy.copy(self._sample), Lock()
        return twin

    def reset(self) -> None:
        """Drop everything: the model was fitted again, and columns may have other numbers."""
        self._sample = self._found = None

    def use(self, tuned: Tuned | None, classes: NDArray[Any]) -> None:
        """Use the calibration of a model file; None if it has none yet."""
        self._sample, self._found = None, None if tuned is None else (tuned, classes)

    def add(self, learned: TextModel, documents: LabelledRows) -> None:
        """Follow documents that a model has learned in place."""
        if learned.keeps:
            self._found = None
            if self._sample is not None:
                self._sample.add(documents, learned.representation.row_keys(documents.rows))

    def remove(self, learned: TextModel, documents: LabelledRows) -> None:
        """Follow documents that a model has forgotten in place."""
        if learned.keeps:
            self._found = None
            if self._sample is not None:
                self._sample.remove(documents, learned.representation.row_keys(documents.rows))

    def tune_on(self, learned: TextModel, sample: Sample) -> None:
        """Calibrate a model whose documents were read and not kept."""
        sample = sample.first(_most_documents(learned))
        self.use(calibrate(learned, sample), learned.estimator.classes_)

    def tuned(self, learned: TextModel) -> Tuned | None:
        """Return the calibration; None without classes, or documents to find one by."""
        classes = learned.estimator.classes_
        with self._lock:
            if self._found is None:
                if not learned.documents or not len(classes):
                    return None
                self._found = self._tune(learned), classes
            tuned, known = self._found
            if not learned.keeps and not np.array_equal(known, classes):
                # Classes that a model without documents has learned or forgotten.
                tuned = tuned.for_classes(known, classes)
                self._found = tuned, classes
            return tuned

    def _tune(self, learned: TextModel) -> Tuned:
        most, sample = _most_documents(learned), self._sample
        assert learned.documents is not None
        if sample is None or sample.most != most or len(sample) < min(most, len(learned.documents)):
            sample = Sample(most)
            for block in learned.counted_blocks():
                sample.add(block, learned.representation.row_keys(block.rows))
        # A model that refits may number its columns again, so its sample is read again.
        self._sample = sample if learned.model.learns_in_place else None
        return calibrate(learned, sample)


def _most_documents(learned: TextModel) -> int:
    """Return the size of the sample."""
    model = learned.estimator
    if model.loo_decider(learned.is_multilabel) is None:
        return _HELD_OUT
    # A sample of several labels is large, so that it has documents of rare classes.
    most, scores = DOCUMENTS, _SCORES
    if learned.is_multilabel:
        most, scores = MULTILABEL_DOCUMENTS, _MULTILABEL_SCORES
    return max(1, min(most, scores // max(len(model.classes_), 1)))


def calibrate(learned: TextModel, sample: Sample) -> Tuned:
    """Calibrate a model on held-out scores of a sample of its documents."""
    model, documents = learned.estimator, sample.documents
    assert documents is not None
    decider, has_other = model.loo_decider(documents.targets.multilabel), learned.term_documents() > 1
    if decider is None:
        new = _as_new(learned, documents, has_other)
        scores, counts = _scores_by_parts(learned, sample, new), new.counts
    else:
        blocks = [_loo_scores(learned, decider, block, has_other) for block in documents.blocks(_BLOCK)]
        scores, counts = (np.concatenate(each) for each in zip(*blocks, strict=True))
    targets, weights = documents.targets, documents.sample_weight
    if targets.multilabel:
        truth = true_classes(model.classes_, targets).toarray() > 0
        present = np.asarray(model.class_documents_) > 0
        return tune_indicator(scores, truth, weights, "scut", None, _SHRINKAGE, present)
    classes = np.searchsorted(model.classes_, targets.classes)[targets.codes]
    return tune_labels(scores, classes, counts, weights, False, "isotonic")


class _New(NamedTuple):
    """Documents as new texts: without the terms that no other document has, which would be unknown.

    Parameters
    ----------
    rows : Rows
        Their rows, with entries of 0 for those terms.
    factors : array
        What the length of each row must be multiplied with, if rows have a fixed length.
    counts : array
        The sums of their counts.
    """

    rows: Rows
    factors: Reals
    counts: Reals


def _as_new(learned: TextModel, documents: LabelledRows, has_other: NDArray[np.bool_]) -> _New:
    """Return documents as new texts; ``has_other`` is a mask of the terms that two documents or more have."""
    counts = learned.representation.by_term(documents.rows)
    rows = learned.representation.transformed(counts)
    factors = np.ones(len(rows))
    lone = ~has_other[rows.columns]
    kept = replace(rows, values=np.where(lone, 0, rows.values))
    if getattr(learned.representation.transform, "length", None) is not None:
        before, after = row_lengths(rows), row_lengths(kept)
        factors = np.divide(before, after, out=factors, where=after > 0)
    if len(rows.columns) == len(counts.columns):
        # Not so after a selection of terms, which leaves few of those out.
        counts = replace(counts, values=np.where(lone, 0, counts.values))
    return _New(kept, factors, counts.sums())


def _loo_scores(
    learned: TextModel, decider: Any, documents: LabelledRows, has_other: NDArray[np.bool_]
) -> tuple[Reals, Reals]:
    """Score every document in every class by leave-one-out; return also the sums of counts."""
    new = _as_new(learned, documents, has_other)
    scores = two_columns(decider.loo_scores(new.rows, documents.targets, documents.weights))
    if np.all(new.factors == 1.0):
        return scores, new.counts
    bias = np.zeros(1)
    if not documents.targets.multilabel:
        bias = two_columns(learned.estimator.decision_function(Rows.empty(new.rows.width)))
    return np.asarray(bias + (scores - bias) * new.factors[:, None]), new.counts


def _scores_by_parts(learned: TextModel, sample: Sample, new: _New) -> Reals:
    """Score every document in every class by a model without it and some others."""
    classes = learned.estimator.classes_
    values = new.rows.values * np.repeat(new.factors, np.diff(new.rows.starts))
    rows, found = replace(new.rows, values=values), np.full((len(sample), len(classes)), -np.inf)
    empty = Rows.empty(rows.width)
    bias = learned.estimator.answers().deciding_scores(empty)
    part = max(1, int(_SHARE * learned.document_count))
    without = _fitted_without(learned, sample)
    for places in np.array_split(np.arange(len(sample)), -(-len(sample) // part)):
        rest = without(places)
        if rest.__sklearn_is_fitted__() and np.any(rest.class_documents_ > 0):
            fast = {name: min(value, getattr(rest, name)) for name, value in rest.fast_parameters.items()}
            rest.set_params(**fast)
            # A class of several labels stays without documents, and then has no score.
            scored = np.asarray(rest.class_documents_) > 0
            own, answers = np.isin(classes, rest.classes_[scored]), rest.answers()
            scores = answers.deciding_scores(rows.take(places)) - answers.deciding_scores(empty)
            # With the bias of the whole model, because a small class loses much of its prior.
            found[np.ix_(places, own)] = scores[:, scored] + bias[:, own]
    return found


def _fitted_without(learned: TextModel, sample: Sample) -> Callable[[NDArray[np.intp]], Any]:
    """Return a function that fits the model without some documents of a sample."""
    model, documents = learned.estimator, sample.documents
    assert documents is not None
    if not hasattr(model, "without_parts"):
        represented = learned.represented()
        return lambda places: model.without(represented, sample.places[places])
    own = replace(documents, rows=learned.representation.transformed(documents.rows))
    return lambda places: model.without_parts([own.take(places)])
