"""Sums as they stand in a model file."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from textbayes._native import Statistics
from textbayes.errors import ModelDamagedError, ModelUnsavableError
from textbayes.persistence import Stored, pack_texts, unpack_texts
from textbayes.statistics.lengths import EVERYTHING, LengthStatistics
from textbayes.statistics.statistics import ClassStatistics

Kind = TypeVar("Kind", bound=ClassStatistics)

# The types of labels, as they are called in a file, and as arrays hold them there.
_NUMBERS: dict[str, tuple[type, Any]] = {
    "bool": (bool, np.uint8),
    "whole": (int, np.int64),
    "real": (float, np.float64),
}
# What an array of labels may be; the width of a text is found anew, so that no file can ask for too much.
_DTYPES = (
    "text",
    "object",
    "bool",
    *(f"{kind}{bits}" for kind in ("int", "uint") for bits in (8, 16, 32, 64)),
)
_REAL_DTYPES = ("float16", "float32", "float64")


def store_statistics(statistics: ClassStatistics) -> Stored:
    """Return sums as a configuration and arrays."""
    labels = store_labels(statistics._labels, statistics._dtype)
    stored = Stored({"multilabel": statistics.multilabel}, statistics.sums.state())
    stored = stored.with_part("labels", labels)
    if isinstance(statistics, LengthStatistics):
        stored = stored.with_part("by_length", _store_lengths(statistics))
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


def store_labels(labels: list[Any], dtype: np.dtype[Any] | None) -> Stored:
    """Return labels, all texts or all numbers of one kind, as arrays."""
    name = "text" if dtype is not None and dtype.kind == "U" else str(dtype)
    if all(isinstance(label, str) for label in labels):
        return Stored({"type": "text", "dtype": name}, pack_texts("labels", labels))
    for kind, (python, stored_as) in _NUMBERS.items():
        if all(type(label) is python for label in labels):
            try:
                return Stored({"type": kind, "dtype": name}, {"labels": np.array(labels, dtype=stored_as)})
            except OverflowError:
                break
    odd = next((label for label in labels if type(label) is not type(labels[0])), labels[0])
    raise ModelUnsavableError("a label", odd)


def restore_labels(stored: Stored) -> tuple[list[Any], np.dtype[Any] | None]:
    """Take labels out again, and the type of an array of them."""
    kind, name = stored.value("type", str), stored.value("dtype", str)
    stored.check(kind == "text" or kind in _NUMBERS, f"{kind[:20]!r} is no type of labels")
    if kind == "text":
        labels: list[Any] = unpack_texts(stored, "labels")
    else:
        python, stored_as = _NUMBERS[kind]
        labels = [python(label) for label in stored.array("labels", stored_as).tolist()]
        stored.check(kind != "real" or bool(np.all(np.isfinite(labels))), "a label is not finite")
    if name == "None":
        return labels, None
    stored.check(name in (*_DTYPES, *_REAL_DTYPES), f"{name[:20]!r} is no type of labels")
    if name != "text":
        stored.check(name == "object" or kind != "text" or not labels, "its labels are not of their type")
        dtype = np.dtype(name)
        with np.errstate(all="ignore"):
            fits = name == "object" or np.array(labels).astype(dtype).tolist() == labels
        stored.check(fits, "its labels are not of their type")
        return labels, dtype
    stored.check(kind == "text", "its labels are not of their type")
    return labels, np.array(labels, dtype=np.str_).dtype
