"""Sums as they stand in a model file."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from textbayes._native import Statistics
from textbayes.errors import ModelDamagedError
from textbayes.persistence import Stored
from textbayes.statistics.kept_documents import DocumentStatistics
from textbayes.statistics.kept_storing import restore_kept, store_kept
from textbayes.statistics.label_storing import restore_labels, store_labels
from textbayes.statistics.lengths import EVERYTHING, LengthStatistics
from textbayes.statistics.statistics import ClassStatistics

Kind = TypeVar("Kind", bound=ClassStatistics)


def store_statistics(statistics: ClassStatistics) -> Stored:
    """Return sums as a configuration and arrays."""
    labels = store_labels(statistics._labels, statistics._dtype)
    stored = Stored({"multilabel": statistics.multilabel}, statistics.sums.state())
    stored = stored.with_part("labels", labels)
    if isinstance(statistics, LengthStatistics):
        stored = stored.with_part("by_length", _store_lengths(statistics))
    if isinstance(statistics, DocumentStatistics):
        stored = stored.with_part("kept", store_kept(statistics.kept))
    return stored


def restore_statistics(kind: type[Kind], stored: Stored, columns: int) -> Kind:
    """Make sums of what a file holds, over so many columns."""
    statistics = kind(0, stored.value("multilabel", bool))
    statistics.columns = columns
    statistics._labels, statistics._dtype = restore_labels(stored.part("labels"))
    statistics._slot_of = {label: slot for slot, label in enumerate(statistics._labels)}
    stored.check(len(statistics._slot_of) == len(statistics._labels), "a label stands twice")
    statistics.sums = _restore_sums(stored, columns, len(statistics._labels))
    if isinstance(statistics, LengthStatistics):
        _restore_lengths(statistics, stored.part("by_length"))
    if isinstance(statistics, DocumentStatistics):
        statistics.kept = restore_kept(stored.part("kept"), columns)
        as_many = statistics.sums.all()[2] == len(statistics.kept.targets)
        stored.check(as_many, "its sums are of more documents than it has, or fewer")
    statistics._live = None
    statistics._update_order()
    return statistics


def _restore_sums(stored: Stored, columns: int, classes: int) -> Statistics:
    try:
        sums = Statistics.from_state(_own_arrays(stored), stored.path)
    except ModelDamagedError:
        raise
    except (KeyError, TypeError, ValueError) as error:
        stored.refuse(f"its sums cannot be used ({error})")
    fit = len(stored.arrays["term_documents"]) == columns and len(stored.arrays["class_documents"]) == classes
    stored.check(fit, "it has sums of other classes and terms than its labels and vocabulary")
    return sums


def _own_arrays(stored: Stored) -> dict[str, NDArray[Any]]:
    """The arrays that are not of a part."""
    return {name: array for name, array in stored.arrays.items() if "/" not in name}


def _store_lengths(statistics: LengthStatistics) -> Stored:
    keys = np.array(statistics._keys, dtype=np.float64).reshape(-1, 2)
    arrays = {"slots": keys[:, 0].astype(np.int64), "lengths": keys[:, 1].copy()}
    return Stored({}, arrays).with_part("sums", Stored({}, statistics.by_length.state()))


def _restore_lengths(statistics: LengthStatistics, stored: Stored) -> None:
    slots = stored.array("slots", np.int64)
    lengths = stored.array("lengths", np.float64, len(slots))
    known = np.all((slots >= EVERYTHING) & (slots < len(statistics._labels)))
    stored.check(known, "it has lengths of documents of a class that there is not")
    in_range = (lengths == 0) | ((lengths >= 1e-150) & (lengths <= 1e150))
    stored.check(np.all(in_range), "a document's length is out of range")
    statistics.by_length = _restore_sums(stored.part("sums"), statistics.columns, len(slots))
    statistics._keys = list(zip(slots.tolist(), lengths.tolist(), strict=True))
    statistics._place_of = {key: place for place, key in enumerate(statistics._keys)}
    stored.check(len(statistics._place_of) == len(slots), "a class and length stand twice")
