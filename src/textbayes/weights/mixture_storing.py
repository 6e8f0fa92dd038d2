"""Mixtures as they stand in a model file."""

from __future__ import annotations

from dataclasses import fields
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textbayes.persistence import Stored
from textbayes.statistics import restore_labels, store_labels
from textbayes.weights.mixture import MixtureModel, Mixtures

Reals = NDArray[np.float64]

# Shares are at most 1, but for what rounding adds.
_ROUNDING = 1e-6
_DTYPES: dict[str, Any] = dict.fromkeys((field.name for field in fields(Mixtures)), np.uint32) | {
    **dict.fromkeys(
        ("weights", "documents", "slopes", "unseen_ratios", "theta", "criteria"),
        np.float64,
    ),
    # Files have no unsigned numbers of 64 bits.
    "criteria_parameters": np.int64,
}


def store_mixture(model: MixtureModel) -> Stored:
    """Return a model as a configuration and arrays."""
    arrays = {"class_documents": model.class_documents, "background": model.background}
    stored = Stored({"multilabel": model.multilabel, "documents": model.documents}, arrays)
    stored = stored.with_part("labels", store_labels(model.classes.tolist(), model.classes.dtype))
    stored = stored.with_part("own", _store_mixtures(model.own))
    return stored if model.rest is None else stored.with_part("rest", _store_mixtures(model.rest))


def restore_mixture(stored: Stored, columns: int) -> MixtureModel:
    """Make a model of what a file holds, over so many columns.

    Every number is looked at; that the lists are as long as they say, the core checks before it scores.
    """
    multilabel = stored.value("multilabel", bool)
    labels, dtype = restore_labels(stored.part("labels"))
    rising = all(one < other for one, other in pairwise(labels))
    stored.check(rising, "its labels are not sorted")
    documents, of_class = _restore_sizes(stored, len(labels))
    background = stored.array("background", np.float64, columns)
    stored.check(_are_shares(background), "its background is not made of shares")
    own = _restore_mixtures(stored.part("own"), background, len(labels))
    stored.check(stored.has_part("rest") == multilabel, "its mixtures are not those of its kind of labels")
    rest = _restore_mixtures(stored.part("rest"), background, len(labels)) if multilabel else None
    return MixtureModel(np.array(labels, dtype=dtype), multilabel, of_class, documents, background, own, rest)


def _restore_sizes(stored: Stored, classes: int) -> tuple[float, Reals]:
    documents = stored.value("documents", float)
    of_class = stored.array("class_documents", np.float64, classes)
    most = documents * (1 + _ROUNDING)
    sound = 0 <= documents < np.inf and bool(np.all((of_class >= 0) & (of_class <= most)))
    stored.check(sound, "its numbers of documents are not sound")
    return documents, of_class


def _store_mixtures(mixtures: Mixtures) -> Stored:
    return Stored({}, {name: array.astype(_DTYPES[name]) for name, array in mixtures.arrays().items()})


def _restore_mixtures(stored: Stored, background: Reals, groups: int) -> Mixtures:
    arrays = {name: stored.array(name, dtype) for name, dtype in _DTYPES.items()}
    found = Mixtures(**arrays | {"criteria_parameters": arrays["criteria_parameters"].astype(np.uint64)})
    stored.check(
        len(found.sizes) == len(found.given) == len(found.iterations) == groups
        and bool(np.all(found.given >= found.sizes))
        and int(found.iterations.sum(dtype=np.uint64)) == len(found.criteria)
        and len(found.criteria) == len(found.criteria_parameters),
        "its mixtures and its labels are not as many",
    )
    stored.check(
        bool(np.all(found.weights > 0))
        and _are_shares(found.weights)
        and _are_shares(found.unseen_ratios)
        and bool(np.all(np.abs(found.slopes) <= 1 + _ROUNDING))
        and bool(np.all((found.documents >= 0) & np.isfinite(found.documents))),
        "a component of its mixtures is not sound",
    )
    stored.check(_has_ratios(found, background), "a parameter of its mixtures is not sound")
    return found


def _are_shares(values: Reals) -> bool:
    return bool(np.all((values >= 0) & (values <= 1 + _ROUNDING)))


def _has_ratios(found: Mixtures, background: Reals) -> bool:
    """Tell whether every parameter is a share that can be compared with its term's share of all words."""
    terms = found.terms
    if len(terms) != len(found.theta) or not np.all(terms < len(background)) or not _are_shares(found.theta):
        return False
    with np.errstate(all="ignore"):
        return bool(np.all(np.isfinite(found.theta / background[terms])))
