"""What a TextClassifier has learned as it stands in a model file."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textbayes._native import Vocabulary
from textbayes.counts import restore_vocabulary, store_vocabulary
from textbayes.estimators.auto import AutoNB
from textbayes.estimators.base.storing import restore_estimator, store_estimator
from textbayes.estimators.text.counter import TextCounter
from textbayes.estimators.text.text_model import TextModel
from textbayes.persistence import Stored
from textbayes.statistics import Documents, restore_labels, store_labels


def store_text_model(learned: TextModel) -> Stored:
    """Return everything as a configuration and arrays."""
    if learned.is_stale:
        learned.ready()
    if learned.vocabulary.late_terms() and learned.keeps:
        learned.check_documents()
        learned.rebuild()
    stored = Stored({}).with_part("counter", store_estimator(learned.counter))
    stored = stored.with_part("model", store_estimator(_without_documents(learned.model)))
    if learned.transform is not None:
        stored = stored.with_part("transform", store_estimator(learned.transform))
    if learned.documents is None:
        return stored
    if learned.keeps:
        learned.documents.drop_unused_classes()
    stored = stored.with_part("documents", learned.documents.store())
    if learned.columns_of_labels is not None:
        labels = store_labels(learned.columns_of_labels.tolist(), learned.columns_of_labels.dtype)
        stored = stored.with_part("columns_of_labels", labels)
    if learned.cuts.active and learned.keeps:
        stored = stored.with_part("vocabulary", store_vocabulary(learned.vocabulary))
    return stored


def restore_text_model(stored: Stored, keep_documents: bool) -> TextModel:
    """Take everything back."""
    transform = restore_estimator(stored.part("transform")) if stored.has_part("transform") else None
    learned = TextModel.__new__(TextModel)
    learned.counter, learned.transform = restore_estimator(stored.part("counter")), transform
    learned.model, learned.keeps = restore_estimator(stored.part("model")), keep_documents
    stored.check(isinstance(learned.counter, TextCounter), "its counter is none")
    learned.prepare()
    learned.vocabulary = Vocabulary()
    if learned.reader.dimensions is None:
        learned.vocabulary = _restored_vocabulary(learned, stored)
    width = learned.reader.width(learned.vocabulary)
    learned.documents = Documents.restore(stored.part("documents"), width)
    learned.is_stale, learned.unchecked = False, stored
    learned.columns_of_labels = _restored_columns(learned, stored)
    _check_widths(learned, stored)
    learned.lend()
    return learned


def _without_documents(model: Any) -> Any:
    """An automatic choice without the documents that its TextModel lends it: they are in the file already."""
    return copy.copy(model).borrow(None) if isinstance(model, AutoNB) else model


def _restored_vocabulary(learned: TextModel, stored: Stored) -> Vocabulary:
    stored.check(hasattr(learned.counter, "_vocabulary"), "its vocabulary is not in it")
    if stored.has_part("vocabulary"):
        return restore_vocabulary(stored.part("vocabulary"))
    stored.check(not (learned.cuts.active and learned.keeps), "the vocabulary of its documents is not in it")
    return learned.counter_vocabulary


def _restored_columns(learned: TextModel, stored: Stored) -> NDArray[Any] | None:
    if not stored.has_part("columns_of_labels"):
        return None
    labels, dtype = restore_labels(stored.part("columns_of_labels"))
    fit = len(labels) == len(getattr(learned.model, "classes_", ()))
    stored.check(fit, "its labels are not as many as its classes")
    return np.array(labels, dtype=dtype)


def _check_widths(learned: TextModel, stored: Stored) -> None:
    width = learned.reader.width(learned.counter_vocabulary)
    for part in (learned.transform, learned.model):
        if part is not None and hasattr(part, "n_features_in_"):
            stored.check(
                width == part.n_features_in_, "its vocabulary and its model are not of the same terms"
            )
        if part is not None and hasattr(part, "get_support"):
            width = int(part.get_support().sum())
