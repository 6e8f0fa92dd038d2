"""Records → documents: which column is the text, which the label, and what their values mean."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Self

from textbayes.datasets.corpus import Document
from textbayes.errors import (
    ColumnMissingError,
    ColumnUnclearError,
    FieldMissingError,
    FieldTypeError,
    TextNullError,
)

# Names that say what a column is, best first; two names of the same rank in one file are unclear.
_OBVIOUS = {
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
    """The names that a user gave, None where the file is to say.

    Without ``labelled`` no label is looked for. ``report`` is told the columns once they are found.
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
    """The columns of one file, found once, with which its records become documents.

    Parameters
    ----------
    path : str
        What messages call the file.
    unit : str
        What its records are counted in, ``"line"`` or ``"row"``.
    text : str
        The column of the text.
    label, id, split : str or None
        The columns of the other fields, None where the file has none.
    separator : str or None
        What stands between the labels of one document.
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
        """Find the columns, by the names given or by the ones that are obvious."""
        everything = tuple(found)
        free = list(everything)
        chosen: dict[str, str | None] = {} if names.labelled else {"label": None}
        wanted = [role for role in _OBVIOUS if role not in chosen]
        # Named columns first, so that a guess never takes one of them.
        for role in sorted(wanted, key=lambda role: getattr(names, role) is None):
            chosen[role] = column = _find(path, role, getattr(names, role), free)
            free = [name for name in free if name != column]
        text = chosen["text"]
        if text is None:
            raise ColumnMissingError(path, "text", None, everything)
        columns = cls(
            path, unit, text, chosen["label"], chosen["id"], chosen["split"], names.separator, everything
        )
        if names.report is not None:
            names.report(columns)
        return columns

    @property
    def used(self) -> list[str]:
        """The columns that are read."""
        return [name for name in (self.text, self.label, self.id, self.split) if name is not None]

    def document(self, number: int, record: Mapping[str, object]) -> Document:
        """Turn one record into a document."""
        return Document(
            self._text(number, record),
            self._labels(number, self._field(number, record, self.label)),
            self._name(number, self.split, self._field(number, record, self.split)),
            self._name(number, self.id, self._field(number, record, self.id)) or str(number),
        )

    def place(self, number: int) -> str:
        """Return what messages call a record."""
        return f"{self.path}, {self.unit} {number}"

    def _field(self, number: int, record: Mapping[str, object], column: str | None) -> object:
        if column is None:
            return None
        try:
            return record[column]
        except KeyError:
            raise FieldMissingError(self.place(number), column, list(record)) from None

    def _text(self, number: int, record: Mapping[str, object]) -> str:
        text = self._field(number, record, self.text)
        if isinstance(text, str):
            return text
        if text is None:
            raise TextNullError(self.place(number), self.text)
        raise FieldTypeError(self.place(number), self.text, text, "a string")

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
            # A column of integers with a gap is a column of floats: 3.0 is the class 3.
            return str(int(value)) if math.isfinite(value) and value == int(value) else str(value)
        wanted = "a string, a number or null" + (", or a list of them" if column == self.label else "")
        raise FieldTypeError(self.place(number), str(column), value, wanted)


def _find(path: str, role: str, wanted: str | None, found: list[str]) -> str | None:
    if wanted is not None:
        candidates = [name for name in found if name == wanted]
        if not candidates:
            raise ColumnMissingError(path, role, wanted, found)
    else:
        ranks = ([name for name in found if name.strip().casefold() in rank] for rank in _OBVIOUS[role])
        candidates = next(filter(None, ranks), [])
    if len(candidates) > 1:
        raise ColumnUnclearError(path, role, candidates)
    return candidates[0] if candidates else None
