"""The fields of requests: one definition for validation, OpenAPI and documentation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from textbayes.errors import (
    RequestFieldError,
    RequestSizeError,
)
from textbayes.server.settings import Settings

_LARGEST = 2**63 - 1
_HEAVIEST = 10**9  # far from where sums of weights are no longer exact
_LABEL = "a string that is not empty and without NUL, a whole number, or true or false"


@dataclass(frozen=True)
class Field:
    """A field of a request.

    Parameters
    ----------
    name : str
        The name.
    about : str
        A description.
    schema : mapping
        The JSON Schema of its value.
    check : function
        Takes the name, a value and the settings of the server; returns the value, or raises.
    """

    name: str
    about: str
    schema: Mapping[str, Any]
    check: Callable[[str, Any, Settings], Any]


def read_fields(
    found: Mapping[str, Any], fields: Iterable[Field], path: str, settings: Settings
) -> dict[str, Any]:
    """Check the fields of a request; a null field counts as missing."""
    known = {field.name: field for field in fields}
    for name in found:
        if name not in known:
            raise RequestFieldError.unknown(name, path, known)
    given = ((name, value) for name, value in found.items() if value is not None)
    return {name: known[name].check(name, value, settings) for name, value in given}


def check_text(name: str, value: Any, _settings: Settings) -> str:
    """Check a text: any string that UTF-8 can encode."""
    if not isinstance(value, str):
        raise RequestFieldError.invalid(name, value, "a string")
    place = _lone_surrogate(value)
    if place is not None:
        expected = f"text without half a surrogate pair (position {place} has \\u{ord(value[place]):04x})"
        raise RequestFieldError.invalid(name, value, expected)
    return value


def check_texts(name: str, value: Any, settings: Settings) -> list[str]:
    """Check a list of texts."""
    items = _list(name, value, "a list of strings", settings)
    return [check_text(f"{name}[{place}]", item, settings) for place, item in enumerate(items)]


def check_label(name: str, value: Any, _settings: Settings) -> Any:
    """Check a label, or a list of labels."""
    if isinstance(value, list):
        return [_label(f"{name}[{place}]", item) for place, item in enumerate(value)]
    return _label(name, value)


def check_labels(name: str, value: Any, settings: Settings) -> list[Any]:
    """Check a list with a label or a list of labels for each text."""
    items = _list(name, value, "a list with a label, or a list of labels, for each text", settings)
    return [check_label(f"{name}[{place}]", item, settings) for place, item in enumerate(items)]


def check_classes(name: str, value: Any, settings: Settings) -> list[Any]:
    """Check a non-empty list of classes."""
    items = _list(name, value, "a list of labels", settings)
    if not items:
        raise RequestFieldError.invalid(name, value, "one label or more, or leave it out")
    return [_label(f"{name}[{place}]", item) for place, item in enumerate(items)]


def check_count(name: str, value: Any, _settings: Settings) -> int:
    """Check a positive integer."""
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= _LARGEST:
        raise RequestFieldError.invalid(name, value, "a whole number from 1 up")
    return value


def check_query_count(name: str, value: Any, settings: Settings) -> int:
    """Check a positive integer in a query string."""
    is_number = value.isascii() and value.isdigit() and len(value) < 10
    return check_count(name, int(value) if is_number else value, settings)


def check_flag(name: str, value: Any, _settings: Settings) -> bool:
    """Check a boolean."""
    if not isinstance(value, bool):
        raise RequestFieldError.invalid(name, value, "true or false")
    return value


def check_share(name: str, value: Any, _settings: Settings) -> float:
    """Check a probability."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise RequestFieldError.invalid(name, value, "a number from 0 to 1")
    return float(value)


def check_weight(name: str, value: Any, _settings: Settings) -> float:
    """Check the weight of a text."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= _HEAVIEST:
        raise RequestFieldError.invalid(name, value, f"a number from 0 to {_HEAVIEST:,}")
    return float(value)


def check_weights(name: str, value: Any, settings: Settings) -> list[float]:
    """Check a list with a weight for each text."""
    items = _list(name, value, "a list with a number for each text", settings)
    return [check_weight(f"{name}[{place}]", item, settings) for place, item in enumerate(items)]


def _label(name: str, value: Any) -> Any:
    if isinstance(value, str):
        # numpy strips NUL from the end of a string, which would change the label.
        if not value.strip() or "\0" in value or _lone_surrogate(value) is not None:
            raise RequestFieldError.invalid(name, value, f"{_LABEL}, and without half a surrogate pair")
        return value
    if not isinstance(value, int) or abs(value) > _LARGEST:
        raise RequestFieldError.invalid(name, value, f"{_LABEL}; numbers have up to 63 bits")
    return value


def _list(name: str, value: Any, expected: str, settings: Settings) -> list[Any]:
    if not isinstance(value, list):
        raise RequestFieldError.invalid(name, value, expected)
    if len(value) > settings.texts:
        raise RequestSizeError(name, len(value), settings.texts, "items")
    return value


def _lone_surrogate(text: str) -> int | None:
    """Return the position of a lone surrogate, which UTF-8 cannot encode, or None."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        return error.start
    return None


_STRING = {"type": "string"}
_LABEL_SCHEMA: dict[str, Any] = {"type": ["string", "integer", "boolean"]}
_LABELS_SCHEMA: dict[str, Any] = {"anyOf": [_LABEL_SCHEMA, {"type": "array", "items": _LABEL_SCHEMA}]}
_WEIGHT: dict[str, Any] = {"type": "number", "minimum": 0, "maximum": _HEAVIEST}
_COUNT: dict[str, Any] = {"type": "integer", "minimum": 1}

TEXT = Field("text", "A text.", _STRING, check_text)
TEXTS = Field("texts", "Several texts, instead of `text`.", {"type": "array", "items": _STRING}, check_texts)
LABEL = Field("label", "The label of `text`; a list if texts have several.", _LABELS_SCHEMA, check_label)
LABELS = Field(
    "labels",
    "The label, or a list of labels, of each text in `texts`.",
    {"type": "array", "items": _LABELS_SCHEMA},
    check_labels,
)
NEW_LABEL = Field("new_label", "The right label of `text`.", _LABELS_SCHEMA, check_label)
NEW_LABELS = Field(
    "new_labels",
    "The right label, or labels, of each text in `texts`.",
    {"type": "array", "items": _LABELS_SCHEMA},
    check_labels,
)
WEIGHT = Field("weight", "The weight of `text`, by default 1: 2 counts as two texts.", _WEIGHT, check_weight)
WEIGHTS = Field(
    "weights",
    "The weight of each text in `texts`.",
    {"type": "array", "items": _WEIGHT},
    check_weights,
)
TOP = Field("top", "Add this many of the most likely classes.", _COUNT, check_count)
PROBA = Field("proba", "Add probabilities.", {"type": "boolean"}, check_flag)
REJECT_BELOW = Field(
    "reject_below",
    "Give no label (null) whose probability is lower.",
    {"type": "number", "minimum": 0, "maximum": 1},
    check_share,
)
CLASSES = Field(
    "classes",
    "Only these classes; by default all. HTML shows the evidence for the first over the second.",
    {"type": "array", "items": _LABEL_SCHEMA, "minItems": 1},
    check_classes,
)
SETTLE = Field(
    "settle",
    "Refit the model unless it equals a fresh fit; by default false to teach, true otherwise.",
    {"type": "boolean"},
    check_flag,
)
BEST = Field("top", "Only this many of the best classes.", _COUNT, check_count)
CLASS = Field("class", "Only this class.", _STRING, check_text)
TERMS = Field("terms", "The number of terms per class, by default 10.", _COUNT, check_query_count)
BETWEEN = Field(
    "between",
    "Given twice: show the terms that distinguish these two classes.",
    {"type": "array", "items": _STRING, "minItems": 2, "maxItems": 2},
    check_classes,
)
