"""The rule for labels: all strings, all whole numbers, or all True and False."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from decimal import Decimal
from enum import StrEnum
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textbayes.errors import LabelsError, ParameterError

Place = Callable[[int], tuple[int, ...]]
"""Where the label with a number is among the labels that were passed: its document, and its place there."""

LISTS = (list, tuple, set, frozenset, np.ndarray)
"""The types of a document's labels, if it may have several."""


# Whole numbers as programs write them, 3.0 for a column with missing values included.
_WHOLE = re.compile(r"-?[0-9]{1,19}(\.0+)?")


class LabelKind(StrEnum):
    """The kinds of labels. A model has labels of one kind."""

    TEXT = "strings"
    WHOLE = "whole numbers"
    TRUTH = "True and False"


def kind_of_label(label: object) -> LabelKind:
    """Return the kind of a label that was checked before."""
    if isinstance(label, str):
        return LabelKind.TEXT
    return LabelKind.TRUTH if isinstance(label, bool | np.bool_) else LabelKind.WHOLE


def kind_of_classes(classes: Any) -> LabelKind | None:
    """Return the kind of the labels of a model's classes; None without classes."""
    return kind_of_label(classes[0]) if len(classes) else None


def check_same_kind(label: object, learned: object, place: tuple[int, ...]) -> None:
    """Raise LabelsError if a label is of another kind than one that was learned before."""
    kind = kind_of_label(learned)
    if kind_of_label(label) is not kind:
        raise LabelsError.of_label(place, label, f"{kind}, such as {learned!r}")


def as_column(labels: Any) -> NDArray[Any] | list[Any]:
    """Return labels as an array or a list, from any container that has an order.

    pandas, polars and pyarrow columns become lists, with their missing values, unless numpy has their type.
    """
    if isinstance(labels, str | bytes):
        raise LabelsError(f"one {type(labels).__name__}, {labels!r}, for all documents")
    if isinstance(labels, set | frozenset | dict):
        raise LabelsError(f"a {type(labels).__name__}, which does not say which document has which label")
    if isinstance(labels, np.ma.MaskedArray):
        return list(labels.tolist())
    if isinstance(getattr(labels, "dtype", None), np.dtype):
        return np.asarray(labels)
    for method in ("to_pylist", "to_list", "tolist"):
        if hasattr(labels, method):
            return list(getattr(labels, method)())
    if hasattr(labels, "__array__"):
        return np.asarray(labels)
    if not isinstance(labels, Iterable):
        raise LabelsError(f"{labels!r} of type {type(labels).__name__}")
    return list(labels)


def checked_labels(labels: NDArray[Any] | list[Any], place: Place) -> NDArray[Any] | list[str]:
    """Check labels, and return a list of strings, or an array of int64 or bool.

    Whole numbers of other types, such as 3.0, become int64. Everything else raises LabelsError: a missing
    or empty label, a fraction, a whole number beyond 64 bits, a label of another kind than the first.
    """
    if isinstance(labels, np.ndarray):
        if labels.dtype.kind == "b":
            return labels
        if labels.dtype.kind in "iuf":
            return _whole_array(labels, place)
        # numpy converts dates to integers.
        labels = list(labels) if labels.dtype.kind in "mMV" else labels.tolist()
    types = set(map(type, labels))
    if types - {str, int, bool}:
        labels = [_plain_label(label, place, position) for position, label in enumerate(labels)]
        types = set(map(type, labels))
    if len(types) > 1:
        _check_one_kind(labels, place)
    if types == {bool}:
        return np.array(labels)
    if types == {int}:
        return _whole_list(labels, place)
    _check_texts(labels, place)
    return labels


def label_of_text(text: str, kind: LabelKind | None, place: str = "") -> Any:
    """Convert a label that was typed, or read from a file of text, to the kind of a model's labels.

    ``place`` says where the label is, in messages.

    Raises
    ------
    LabelsError
        If a model has numbers, and the text is none.

    Examples
    --------
    >>> from textbayes.statistics import LabelKind, label_of_text
    >>> label_of_text("5", LabelKind.TEXT), label_of_text("5", LabelKind.WHOLE)
    ('5', 5)
    """
    if kind is LabelKind.TRUTH and text.lower() in ("true", "false"):
        return text.lower() == "true"
    if kind is LabelKind.WHOLE and _WHOLE.fullmatch(text):
        return int(text.partition(".")[0])
    if kind in (LabelKind.TEXT, None):
        return text
    raise LabelsError(f"{place + ': ' if place else ''}the label {text!r}", f"{kind}")


def labels_of_texts(labels: Iterable[Any], kind: LabelKind | None) -> list[Any]:
    """Convert the strings among labels, or lists of labels, to the kind of a model's labels.

    Examples
    --------
    >>> from textbayes.statistics import LabelKind, labels_of_texts
    >>> labels_of_texts(["5", 6, ["7"]], LabelKind.WHOLE)
    [5, 6, [7]]
    """
    found: list[Any] = []
    for label in labels:
        if isinstance(label, list):
            found.append(labels_of_texts(label, kind))
        else:
            found.append(label_of_text(label, kind) if isinstance(label, str) else label)
    return found


def class_of_text(text: str, classes: Iterable[Any], name: str = "class") -> Any:
    """Return the class whose label was typed; raise ParameterError if the model has no such class.

    Examples
    --------
    >>> from textbayes.statistics import class_of_text
    >>> class_of_text("5", [5, 7])
    5
    """
    known = list(classes)
    try:
        label = label_of_text(text, kind_of_classes(known))
    except LabelsError:
        label = text
    if label not in known:
        raise ParameterError(name, text, known)
    return label


def _plain_label(label: Any, place: Place, position: int) -> str | int | bool:
    if hasattr(label, "as_py"):
        label = label.as_py()
    if isinstance(label, str):
        return str.__str__(label)
    if isinstance(label, bool | np.bool_):
        return bool(label)
    if isinstance(label, Integral):
        return int(label)
    if isinstance(label, Real | Decimal):
        try:
            whole: int | None = int(label)  # type: ignore[arg-type]
        except (ValueError, OverflowError):  # NaN, infinity
            whole = None
        if whole is not None and whole == label:
            return whole
    raise LabelsError.of_label(place(position), label)


def _check_one_kind(labels: list[Any], place: Place) -> None:
    kind = kind_of_label(labels[0])
    for position, label in enumerate(labels):
        if kind_of_label(label) is not kind:
            raise LabelsError.of_label(place(position), label, other=(place(0), labels[0]))


def _check_texts(labels: list[str], place: Place) -> None:
    # numpy drops null characters at the end of a string.
    bad = [label for label in set(labels) if not label.strip() or label.endswith("\0")]
    if bad:
        position = min(map(labels.index, bad))
        raise LabelsError.of_label(place(position), labels[position])


def _whole_list(labels: list[int], place: Place) -> NDArray[np.int64]:
    try:
        return np.array(labels, dtype=np.int64)
    except OverflowError:
        beyond = (at for at, label in enumerate(labels) if not -(2**63) <= label < 2**63)
        position = next(beyond)
        raise LabelsError.of_label(place(position), labels[position]) from None


def _whole_array(labels: NDArray[Any], place: Place) -> NDArray[Any]:
    if labels.dtype.kind == "i" or (labels.dtype.kind == "u" and labels.itemsize < 8):
        return labels.astype(np.int64, copy=False)
    with np.errstate(invalid="ignore"):
        fits = (labels == np.floor(labels)) & (labels >= -(2.0**63)) & (labels < 2.0**63)
    if not fits.all():
        position = int(np.flatnonzero(~fits)[0])
        raise LabelsError.of_label(place(position), labels[position : position + 1].tolist()[0])
    return labels.astype(np.int64)
