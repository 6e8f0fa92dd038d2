"""JSON objects → documents."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from textbayes.datasets.columns import Columns
from textbayes.datasets.corpus import Document
from textbayes.datasets.reading import Reading
from textbayes.errors import ColumnError, FieldError, NoDocumentsError, RecordError, TextbayesError
from textbayes.errors.base import shown

# How many objects without the text or the label may come before the first that has them.
_LOOK = 1000

Numbered = tuple[int, dict[str, Any] | TextbayesError]
"""The number of an object, and the object or the error found in its place."""


def parse_object(text: str, path: str, number: int, format: str, unit: str = "line") -> Numbered:
    """Parse a JSON object; return it, or its error, with its number."""
    try:
        record = json.loads(text)
    except (ValueError, RecursionError) as error:  # also an integer of 5,000 digits, and deep nesting
        place, reason = _place(text, getattr(error, "pos", 0)), getattr(error, "msg", error)
        return number, RecordError(path, number, f"this is not JSON at {place} ({reason})", format, unit)
    if not isinstance(record, dict):
        return number, RecordError(path, number, f"{shown(record)} is not a JSON object", format, unit)
    return number, _without_lone_surrogates(record) if "\\ud" in text or "\\uD" in text else record


def _place(text: str, position: int) -> str:
    """Return the column of a position, and its line if it is not the first; a line end is on its line."""
    position = min(position, len(text.rstrip("\r\n")))
    row, column = text.count("\n", 0, position) + 1, position - text.rfind("\n", 0, position)
    return f"column {column}" if row == 1 else f"its line {row}, column {column}"


def documents_of_objects(
    objects: Iterable[Numbered], path: str, unit: str, reading: Reading, expected: str
) -> Iterator[Document]:
    """Convert objects to documents; the columns are those of the first object that has a text."""
    finder = _Finder(path, unit, reading)
    number = None
    for number, found in objects:
        try:
            if isinstance(found, TextbayesError):
                raise found
            document = finder.columns(number, found).document(number, found)
        except TextbayesError as error:
            yield from reading.reject(path, finder.place(number), finder.id_of(number, found), error)
        else:
            yield document
    if number is None:
        raise NoDocumentsError(path, expected)
    finder.check()


class _Finder:
    """Finds the columns of objects, which need not all have the same."""

    def __init__(self, path: str, unit: str, reading: Reading) -> None:
        self._path = path
        self._unit = unit
        self._reading = reading
        self._columns: Columns | None = None
        self._first = 0
        self._first_keys: set[str] = set()
        self._known: set[str] = set()
        self._missing: ColumnError | None = None
        self._looked = 0

    def place(self, number: int) -> str:
        return f"{self._path}, {self._unit} {number}"

    def id_of(self, number: int, record: dict[str, Any] | TextbayesError) -> str:
        if self._columns is None or isinstance(record, TextbayesError):
            return self._reading.default_id(self._path, number)
        return self._columns.id_of(number, record)

    def columns(self, number: int, record: dict[str, Any]) -> Columns:
        """Return the columns for an object, the first or a later one."""
        if self._columns is None:
            self._columns = self._find(number, record)
            self._first, self._first_keys, self._known = number, set(record), set(record)
        elif not record.keys() <= self._known:
            self._known |= record.keys()
            self._columns = self._look_again(self._columns, record)
        return self._columns

    def check(self) -> None:
        """Raise if no object had a text, and a label if one is required."""
        if self._columns is None and self._missing is not None:
            raise self._missing

    def _find(self, number: int, record: dict[str, Any]) -> Columns:
        try:
            return self._reading.find(self._path, self._unit, self._with_optional(record))
        except ColumnError as error:
            if self._reading.on_error is None or error.candidates:
                raise
            # One object without a text may be a bad one; the first thousand are not.
            self._missing = self._missing or error
            self._looked += 1
            if self._looked == _LOOK:
                raise self._missing from None
            wanted = f"the {error.role} of every document"
            raise FieldError(self.place(number), error.wanted or error.role, None, wanted, record) from None

    def _with_optional(self, record: Mapping[str, Any]) -> list[str]:
        """Return the columns of an object, which has one of several text columns or more."""
        text = self._reading.names.text
        several = () if text is None or isinstance(text, str) else text
        missing = [name for name in several if name not in record]
        return [*record, *(missing if len(missing) < len(several) else ())]

    def _look_again(self, columns: Columns, record: dict[str, Any]) -> Columns:
        names = self._reading.names
        try:
            late = Columns.find(
                self._path,
                self._unit,
                replace(names, text=columns.text, required=False, others=()),
                self._with_optional(record),
            )
        except ColumnError:
            if columns.label is None and names.labelled and record.keys() >= set(columns.text):
                raise
            return columns
        if columns.label is None and late.label is not None and self._reading.on_error is None:
            # Otherwise the labels of the first documents would be missing, silently.
            raise FieldError(
                columns.place(self._first),
                late.label,
                None,
                "a label, null or a list of labels",
                self._first_keys,
            )
        return replace(
            columns,
            label=columns.label or late.label,
            id=columns.id or late.id,
            split=columns.split or late.split,
        )


def _without_lone_surrogates(record: dict[str, Any]) -> dict[str, Any]:
    # "\ud83d", half an emoji, is valid JSON but not a character. Programs that cut strings by UTF-16 units
    # write it. It becomes U+FFFD, as in browsers.
    text = json.dumps(record, ensure_ascii=False)
    clean: dict[str, Any] = json.loads(text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))
    return clean
