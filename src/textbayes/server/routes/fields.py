"""The fields of requests: types for pydantic, which validates them and describes them in OpenAPI."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainValidator,
    WithJsonSchema,
)
from pydantic_core import PydanticCustomError

from textbayes.errors import RequestFieldError

_LARGEST = 2**63 - 1
_HEAVIEST = 10**9  # far from where sums of weights are no longer exact
_LABEL = "a string that is not empty and without NUL, a whole number, or true or false"


class Body(BaseModel):
    """The fields of a request. A null field counts as missing; an unknown one is an error."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    @property
    def given(self) -> dict[str, Any]:
        """The fields that are there."""
        return {name: value for name, value in self.__dict__.items() if value is not None}


class Nothing(Body):
    """An empty object."""


def _check_text(value: str) -> str:
    place = _lone_surrogate(value)
    if place is not None:
        found = f"position {place} has \\u{ord(value[place]):04x}"
        raise _unexpected(f"text without half a surrogate pair ({found})")
    return value


def _check_label(value: Any) -> Any:
    if isinstance(value, str):
        # numpy strips NUL from the end of a string, which would change the label.
        if not value.strip() or "\0" in value or _lone_surrogate(value) is not None:
            raise _unexpected(f"{_LABEL}, and without half a surrogate pair")
        return value
    if not isinstance(value, int) or abs(value) > _LARGEST:
        raise _unexpected(f"{_LABEL}; numbers have up to 63 bits")
    return value


def _check_id(value: Any) -> str:
    if not isinstance(value, str) or not is_id(value):
        raise _unexpected("a string of up to 200 characters, without / and control characters")
    return value


def is_id(value: str) -> bool:
    """Return whether a string can be the id of a document: it must fit in a path."""
    plain = value.isprintable() and "/" not in value and value not in (".", "..")
    return 0 < len(value) <= 200 and plain and value == value.strip()


def _check_query_count(value: Any) -> Any:
    if isinstance(value, str) and not (value.isascii() and value.isdigit() and len(value) < 19):
        raise _unexpected("a whole number")
    return value


def _lone_surrogate(text: str) -> int | None:
    """Return the position of a lone surrogate, which UTF-8 cannot encode, or None."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        return error.start
    return None


def _unexpected(expected: str) -> PydanticCustomError:
    return PydanticCustomError("unexpected", "Send {expected}", {"expected": expected})


_LABEL_SCHEMA: dict[str, Any] = {
    "anyOf": [
        {"type": "string", "minLength": 1},
        {"type": "integer", "minimum": -_LARGEST, "maximum": _LARGEST},
        {"type": "boolean"},
    ]
}
Label = Annotated[Any, PlainValidator(_check_label), WithJsonSchema(_LABEL_SCHEMA)]
"""A label: a string, a whole number, or true or false."""


def _check_labels(value: Any) -> Any:
    if isinstance(value, list):
        for place, item in enumerate(value):
            try:
                _check_label(item)
            except PydanticCustomError as error:
                context = {**(error.context or {}), "place": place}
                raise PydanticCustomError("unexpected", "Send {expected}", context) from None
        return value
    return _check_label(value)


_LABELS_SCHEMA = {"anyOf": [*_LABEL_SCHEMA["anyOf"], {"type": "array", "items": _LABEL_SCHEMA}]}
Labels = Annotated[Any, PlainValidator(_check_labels), WithJsonSchema(_LABELS_SCHEMA)]
"""A label, or a list of labels for a model of several labels a text."""

_ID_SCHEMA = {"type": "string", "minLength": 1, "maxLength": 200, "pattern": r"^[^/\x00-\x1f\x7f]+$"}
Id = Annotated[str, PlainValidator(_check_id), WithJsonSchema(_ID_SCHEMA)]
"""The id of a document."""

Text = Annotated[str, AfterValidator(_check_text)]
"""Any text that UTF-8 can encode."""

Count = Annotated[int, Field(ge=1, le=_LARGEST)]
QueryCount = Annotated[int, BeforeValidator(_check_query_count)]
"""A whole number in a query string, of ASCII digits only."""
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Weight = Annotated[float, Field(ge=0, le=_HEAVIEST, allow_inf_nan=False)]
Seconds = Annotated[float, Field(ge=0, le=60, allow_inf_nan=False)]
Source = Annotated[str, Field(min_length=1, max_length=200), AfterValidator(_check_text)]

_EXPECTED = {
    "string_type": "a string",
    "list_type": "a list",
    "bool_type": "true or false",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "int_parsing": "a whole number",
    "int_parsing_size": "a whole number",
    "float_type": "a number",
    "finite_number": "a finite number",
    "bool_parsing": "true or false",
    "dict_type": "an object",
    "model_attributes_type": "an object",
    "model_type": "an object",
}


def field_error(found: Mapping[str, Any], given: Sequence[str] = ()) -> RequestFieldError:
    """Return the error for the first problem that pydantic found in a request."""
    _where, *place = found["loc"]
    name, context = _name(place), found.get("ctx", {})
    if found["type"] == "missing":
        return RequestFieldError.missing([name], given)
    value = found["input"]
    if "place" in context:
        name, value = f"{name}[{context['place']}]", value[context["place"]]
    expected = context.get("expected") or _EXPECTED.get(found["type"])
    if not isinstance(expected, str) or found["type"] == "literal_error":
        expected = _plain(found["msg"])
    return RequestFieldError.invalid(name, value, expected)


def _name(place: Sequence[str | int]) -> str:
    first, *rest = place or ("the body",)
    return str(first) + "".join(f"[{each}]" if isinstance(each, int) else f".{each}" for each in rest)


def _plain(message: str) -> str:
    """Return a message of pydantic, ``"Input should be less than 5"``, as the end of a sentence."""
    for start, instead in (
        ("Input should be less", "a value less"),
        ("Input should be greater", "a value greater"),
    ):
        if message.startswith(start):
            return instead + message.removeprefix(start)
    return message.removeprefix("Input should be ").removeprefix("Value error, ") or "another value"
