"""Records → documents: find the columns of the text and the label, and convert their values."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Self

from textbayes.datasets.corpus import Document
from textbayes.errors import (
    ColumnError,
    FieldError,
)

# Recognised names of each column, in order of preference; two names of the same rank are ambiguous.
_RECOGNISED = {
    "text": (
        {"text"},
        {"texts", "body", "content", "contents", "message", "document", "review", "sentence", "comment"}
        | {"tweet", "abstract"},
    ),
    "label": (
        {"label", "labels"},
        {"class", "classes", "category", "categories", "topic", "topics", "target", "tag", "tags"}
        | {"sentiment", "y"},
    ),
    "id": ({"id"},),
    "split": ({"split"},),
}


@dataclass(frozen=True, slots=True)
class ColumnNames:
    """The column names given by the user; None to find a column by its recognised names.

    Without ``labelled`` there is no label column. ``report`` is called with the columns once they are found.
    """

    text: str | None = None
    label: str | None = None
    id: str | None = None
    split: str | None = None
    separator: str | None = None
    labelled: bool = True
    report: Callable[[Columns], None] | None = None


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of one file; they turn its records into documents.

    Parameters
    ----------
    path : str
        The name of the file in messages.
    unit : str
        The unit of record numbers, ``"line"`` or ``"row"``.
    text : str
        The text column.
    label, id, split : str or None
        The other columns, None if the file has none.
    separator : str or None
        The separator between the labels of a document.
    all : tuple of str
        Every column of the file.
    """

    path: str
    unit: str
    text: str
    label: str | None
    id: str | None
    split: str | None
    separator: str | None
    all: tuple[str, ...]

    @classmethod
    def find(cls, path: str, unit: str, names: ColumnNames, found: Iterable[str]) -> Self:
        """Find the columns, by the given names or by recognised ones."""
        everything = tuple(found)
        free = list(everything)
        chosen: dict[str, str | None] = {} if names.labelled else {"label": None}
        roles = [role for role in _RECOGNISED if role not in chosen]
        # Named columns first, so that a guess never takes one of them.
        for role in sorted(roles, key=lambda role: getattr(names, role) is None):
            chosen[role] = column = _find(path, role, getattr(names, role), free)
            free = [name for name in free if name != column]
        text = chosen["text"]
        if text is None:
            raise ColumnError(path, "text", None, everything)
        columns = cls(
            path, unit, text, chosen["label"], chosen["id"], chosen["split"], names.separator, everything
        )
        if names.report is not None:
            names.report(columns)
        return columns

    @property
    def used(self) -> list[str]:
        """The columns to read."""
        return [name for name in (self.text, self.label, self.id, self.split) if name is not None]

    def document(self, number: int, record: Mapping[str, object]) -> Document:
        """Convert a record to a document."""
        return Document(
            self._text(number, record),
            self._labels(number, self._field(number, record, self.label)),
            self._name(number, self.split, self._field(number, record, self.split)),
            self._name(number, self.id, self._field(number, record, self.id)) or str(number),
        )

    def place(self, number: int) -> str:
        """Return the name of a record in messages."""
        return f"{self.path}, {self.unit} {number}"

    def _field(self, number: int, record: Mapping[str, object], column: str | None) -> object:
        if column is None:
            return None
        try:
            return record[column]
        except KeyError:
            raise FieldError(
                self.place(number), column, None, f"{column!r} in every document", record
            ) from None

    def _text(self, number: int, record: Mapping[str, object]) -> str:
        text = self._field(number, record, self.text)
        if isinstance(text, str):
            return text
        if text is None:
            raise FieldError(self.place(number), self.text, None, 'a string ("" for an empty document)')
        raise FieldError(self.place(number), self.text, text, "a string")

    def _labels(self, number: int, value: object) -> tuple[str, ...]:
        if isinstance(value, str) and self.separator is not None:
            values: Iterable[object] = map(str.strip, value.split(self.separator))
        else:
            values = value if isinstance(value, list | tuple) else [value]
        names = [self._name(number, self.label, value) for value in values]
        return tuple(dict.fromkeys(name for name in names if name is not None))

    def _name(self, number: int, column: str | None, value: object) -> str | None:
        if isinstance(value, str):
            return value if value and not value.isspace() else None
        if value is None or (isinstance(value, float) and math.isnan(value)):
            return None
        if isinstance(value, bool):
            return str(value).lower()
        if isinstance(value, int | float):
            # A column of integers with a missing value is read as floats: 3.0 is the class 3.
            return str(int(value)) if math.isfinite(value) and value == int(value) else str(value)
        allowed = "a string, a number or null" + (", or a list of them" if column == self.label else "")
        raise FieldError(self.place(number), str(column), value, allowed)


def _find(path: str, role: str, given: str | None, found: list[str]) -> str | None:
    if given is not None:
        candidates = [name for name in found if name == given]
        if not candidates:
            raise ColumnError(path, role, given, found)
    else:
        ranks = ([name for name in found if name.strip().casefold() in rank] for rank in _RECOGNISED[role])
        candidates = next(filter(None, ranks), [])
    if len(candidates) > 1:
        raise ColumnError(path, role, given, found, candidates)
    return candidates[0] if candidates else None
