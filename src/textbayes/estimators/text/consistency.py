"""Whether what a model file has learned fits its documents."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textbayes.errors import ModelDamagedError
from textbayes.estimators.base.storing import store_estimator
from textbayes.estimators.text.text_model import TextModel
from textbayes.persistence import Stored

_OTHERS = "its sums are not those of its documents"
# Sums of fractional weights depend on the order of adding, in their last bits.
_ROUNDING = 1e-9


def check_sizes(learned: TextModel, path: str) -> None:
    """Refuse a file whose classes or terms have other numbers of documents than its documents say.

    This is one pass over the labels, and for models of plain counts over the documents, which saving reads
    anyway.

    Raises
    ------
    ModelDamagedError
        If they differ.
    """
    documents = learned.documents
    if documents is None or not learned.keeps or not len(documents):
        return
    targets, weights = documents.targets.of_used_classes(), documents.weights
    each = None if weights is None else np.repeat(weights, np.diff(targets.starts))
    counted = np.bincount(targets.codes, each, minlength=len(targets.classes))
    if not _same(np.asarray(learned.estimator.class_documents_, dtype=np.float64), counted):
        raise ModelDamagedError(path, _OTHERS)
    representation = learned.representation
    plain = representation.transform is None and not representation.cuts.active
    if plain and weights is None and learned.model.statistics_ is not None:
        width = representation.width
        terms = np.zeros(width, dtype=np.int64)
        for block in documents.blocks(width):
            terms += np.bincount(block.rows.columns, minlength=width)
        if not np.array_equal(terms, learned.term_documents()):
            raise ModelDamagedError(path, _OTHERS)


def check_sums(learned: TextModel, path: str) -> bool:
    """Refuse a file whose sums are not those of its documents; return whether that can be told.

    The model is refitted on its documents in a copy, without a search. It can be told for models that are
    functions of sums, and not if documents are not kept.

    Raises
    ------
    ModelDamagedError
        If they differ.
    """
    check_sizes(learned, path)
    if not learned.keeps or not learned.documents or not _is_function_of_sums(learned):
        return False
    twin = copy.deepcopy(learned)
    twin.rebuild()
    # A blend can store the same weights in several ways, with small changes beside them or in them.
    same = _score_alike if learned.model.searches else _store_alike
    if not same(learned, twin):
        raise ModelDamagedError(path, _OTHERS)
    return True


def _is_function_of_sums(learned: TextModel) -> bool:
    if learned.model.searches:
        return bool(learned.estimator.updates_ == "exact") and learned.is_settled
    return learned.model.statistics_ is not None


def _score_alike(one: TextModel, other: TextModel) -> bool:
    """Return whether two models give all documents the same scores."""
    assert one.documents is not None
    for block in one.representation.represented_blocks(one.documents):
        mine, others = (
            model.estimator.decision_function(model.model.model_input(block.rows)) for model in (one, other)
        )
        if not _same(mine, others):
            return False
    return True


def _store_alike(one: TextModel, other: TextModel) -> bool:
    """Return whether two models have the same configuration and the same arrays in a file, up to rounding."""
    mine, others = _stored(one), _stored(other)
    if mine.configuration != others.configuration or mine.arrays.keys() != others.arrays.keys():
        return False
    return all(_same(array, others.arrays[name]) for name, array in mine.arrays.items())


def _stored(learned: TextModel) -> Stored:
    stored = learned.representation.store(learned.keeps)
    return stored.with_part("model", store_estimator(learned.model.without_documents()))


def _same(one: NDArray[Any], other: NDArray[Any]) -> bool:
    if one.shape != other.shape:
        return False
    if one.dtype.kind != "f" and other.dtype.kind != "f":
        return bool(np.array_equal(one, other))
    # The low halves of sums of two doubles are rounding errors themselves.
    scale = float(np.abs(other).max(initial=0.0))
    return bool(np.allclose(one, other, rtol=_ROUNDING, atol=_ROUNDING * max(1.0, scale), equal_nan=True))
