"""What a store takes: names, ids, texts, weights and labels, checked before anything is written."""

from __future__ import annotations

import re

from textbayes.errors import LabelsError, RequestFieldError
from textbayes.errors.base import shown
from textbayes.server.store.records import Label, LabelKind, Labels, ModelRow

LONGEST_NAME = 100
"""Characters of the name of a model."""
LONGEST_ID = 200
"""Characters of an id, an actor and an idempotency key."""
LONGEST_SOURCE = 1000
"""Characters of a source and of a label."""
HEAVIEST = 10**9
"""The largest weight: far from where sums of weights are no longer exact."""
_LARGEST = 2**63 - 1
_UNNAMEABLE = re.compile(r"[\x00-\x1f\x7f-\x9f/\\\u2028\u2029\ud800-\udfff]")
_KINDS: dict[type, LabelKind] = {str: "text", int: "number", bool: "flag"}
_SHOWN_KINDS = {"text": "strings", "number": "whole numbers", "flag": "true and false"}


def check_name(name: object) -> str:
    """Check the name of a model: a part of a path in a URL, so without slashes and control characters."""
    if (
        not isinstance(name, str)
        or not 0 < len(name) <= LONGEST_NAME
        or _UNNAMEABLE.search(name)
        or name != name.strip()
        or name in (".", "..")
    ):
        expected = f"a name of 1 to {LONGEST_NAME} characters, without slashes, line breaks or outer spaces"
        raise RequestFieldError.invalid("name", name, expected)
    return name


def check_short(field: str, value: object, longest: int = LONGEST_ID) -> str:
    """Check an id, an actor, a source or a key."""
    if not isinstance(value, str) or not 0 < len(value) <= longest or "\0" in value or not _encodes(value):
        expected = f"a string of 1 to {longest} characters, without U+0000 and half surrogate pairs"
        raise RequestFieldError.invalid(field, value, expected)
    return value


def check_text(text: object) -> str:
    """Check a text: any string that UTF-8 can encode."""
    if not isinstance(text, str) or not _encodes(text):
        raise RequestFieldError.invalid("text", text, "a string without half a surrogate pair")
    return text


def check_weight(weight: object) -> float:
    """Check the weight of a text."""
    if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 <= weight <= HEAVIEST:
        raise RequestFieldError.invalid("weight", weight, f"a number from 0 to {HEAVIEST:,}")
    # -0.0 would be another document than 0.0.
    return float(weight) + 0.0


def check_labels(labels: object, model: ModelRow) -> Labels:
    """Check labels, also against those that a model has; several are returned sorted, each once.

    Raises
    ------
    RequestFieldError
        If a label is empty, too long, or cannot be stored.
    LabelsError
        If the labels are of another kind than those of the model. The error names both kinds.
    """
    several = isinstance(labels, tuple | list)
    found = [_label(label) for label in (labels if isinstance(labels, tuple | list) else (labels,))]
    kinds = sorted({label_kind(label) for label in found})
    if len(kinds) > 1:
        raise LabelsError(f"{shown(labels)} mixes {' and '.join(_SHOWN_KINDS[kind] for kind in kinds)}")
    if model.several is not None and model.several != several:
        raise LabelsError(f"{_shape(several)}, {shown(labels)}", _shape(model.several))
    if kinds and model.label_kind not in (None, kinds[0]):
        raise LabelsError(
            f"{shown(labels)}, of {_SHOWN_KINDS[kinds[0]]}", _SHOWN_KINDS[str(model.label_kind)]
        )
    return tuple(sorted(set(found))) if several else found[0]


def label_kind(label: Label) -> LabelKind:
    """Return the kind of a label."""
    return _KINDS[type(label)]


def sought_label(label: Label, model: ModelRow) -> Label:
    """Return a label to look for as the model has it: a string may stand for a number or a flag."""
    if isinstance(label, str) and model.label_kind == "number":
        return int(label) if re.fullmatch(r"-?[0-9]{1,19}", label) else label
    if isinstance(label, str) and model.label_kind == "flag":
        return {"true": True, "false": False}.get(label.lower(), label)
    return label


def _label(label: object) -> Label:
    if isinstance(label, str):
        if not label.strip() or len(label) > LONGEST_SOURCE or "\0" in label or not _encodes(label):
            expected = (
                f"a label of 1 to {LONGEST_SOURCE:,} characters, without U+0000 and half surrogate pairs"
            )
            raise RequestFieldError.invalid("label", label, expected)
        return label
    if type(label) not in _KINDS or not isinstance(label, int) or abs(label) > _LARGEST:
        expected = "a string, a whole number of up to 63 bits, true or false"
        raise RequestFieldError.invalid("label", label, expected)
    return label


def _shape(several: bool) -> str:
    return "a list of labels for each text" if several else "one label for each text"


def _encodes(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
