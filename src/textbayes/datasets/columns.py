"""Records → documents: find the columns of the text and the label, and convert their values."""

from __future__ import annotations

import math
import re
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


# What programs write for true, false and whole numbers of a column with missing values.
_TRUTH = {"True": True, "TRUE": True, "False": False, "FALSE": False}
_WHOLE = re.compile(r"(0|-?[1-9][0-9]{0,17})\.0+")


@dataclass(frozen=True, slots=True)
class ColumnNames:
    """The column names given by the user; None to find a column by its recognised names.

    Several text columns are joined. Without ``labelled`` there is no label column; with ``required`` there
    must be one. ``others`` are columns that documents bring along. ``report`` is called with the columns once
    they are found.
    """

    text: str | tuple[str, ...] | None = None
    label: str | None = None
    id: str | None = None
    split: str | None = None
    separator: str | None = None
    labelled: bool = True
    required: bool = False
    others: tuple[str, ...] = ()
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
    text : tuple of str
        The text columns; their texts are joined by line breaks. Empty for a file without columns.
    label, id, split : str or None
        The other columns, None if the file has none.
    separator : str or None
        The separator between the labels of a document.
    all : tuple of str
        Every column of the file.
    prefix : str
        What precedes the number of a record to make an id.
    layout, note : str
        What a file without columns is, and a remark for its message.
    others : tuple of str
        Columns that documents bring along.
    typed : bool
        Whether the file tells numbers from strings; a CSV file does not.
    """

    path: str
    unit: str
    text: tuple[str, ...]
    label: str | None
    id: str | None
    split: str | None
    separator: str | None
    all: tuple[str, ...]
    prefix: str = ""
    layout: str = ""
    note: str = ""
    others: tuple[str, ...] = ()
    typed: bool = True

    @classmethod
    def find(cls, path: str, unit: str, names: ColumnNames, found: Iterable[str], prefix: str = "") -> Self:
        """Find the columns, by the given names or by recognised ones."""
        everything = tuple(found)
        free = list(everything)
        chosen: dict[str, tuple[str, ...]] = {} if names.labelled else {"label": ()}
        roles = [role for role in _RECOGNISED if role not in chosen]
        # Named columns first, so that a guess never takes one of them.
        for role in sorted(roles, key=lambda role: getattr(names, role) is None):
            chosen[role] = columns = _find(path, role, getattr(names, role), free)
            free = [name for name in free if name not in columns]
        for role in ("text", "label") if names.required else ("text",):
            if not chosen[role]:
                raise ColumnError(path, role, None, everything)
        for name in names.others:
            _one(path, "columns", name, list(everything), [each for each in everything if each == name])
        label, id, split = (next(iter(chosen[role]), None) for role in ("label", "id", "split"))
        return cls(
            path,
            unit,
            chosen["text"],
            label,
            id,
            split,
            names.separator,
            everything,
            prefix,
            others=names.others,
        )

    @classmethod
    def without(
        cls, path: str, layout: str, prefix: str = "", label: str | None = None, note: str = ""
    ) -> Self:
        """Return the columns of a file that has none; ``layout`` says what it is."""
        return cls(path, "line", (), label, None, None, None, (), prefix, layout, note)

    def missing_label(self) -> ColumnError:
        """Return the error for a file without labels."""
        if self.all:
            return ColumnError(self.path, "label", None, self.all)
        hint = (
            "Put __label__NAME before each text. Or name the format, and the column of the label: "
            "format=tsv header=False label=1 text=2 reads lines of a label, a tab and a text"
        )
        if self.note:
            hint = self.note.strip(" ()")
        return ColumnError(self.path, "label", None, [], hint=hint[0].upper() + hint[1:], layout=self.layout)

    @property
    def used(self) -> list[str]:
        """The columns to read."""
        roles = (self.label, self.id, self.split)
        named = [*self.text, *(name for name in roles if name is not None), *self.others]
        return list(dict.fromkeys(named))

    def described(self) -> str:
        """Return the columns as a message, such as ``text = 'body', label = 'topic'``."""
        if self.layout:
            return f"{self.layout}{self.note}"
        label = "" if self.label is None else f", label = {self.label!r}"
        return f"text = {' + '.join(map(repr, self.text))}{label}"

    def document(self, number: int, record: Mapping[str, object]) -> Document:
        """Convert a record to a document."""
        return Document(
            self._text(number, record),
            () if self.label is None else self.labels(number, self._field(number, record, self.label)),
            # A record may lack these two.
            None if self.split is None else self._name(number, self.split, record.get(self.split)),
            self._id(number, record) or f"{self.prefix}{number}",
            f"{self.path}, {self.unit} {number}",
            tuple([record.get(name) for name in self.others]) if self.others else (),
        )

    def place(self, number: int) -> str:
        """Return the name of a record in messages."""
        return f"{self.path}, {self.unit} {number}"

    def default_id(self, number: int) -> str:
        """Return the id of a record without one."""
        return f"{self.prefix}{number}"

    def id_of(self, number: int, record: Mapping[str, object]) -> str:
        """Return the id of a record, even if the record cannot be used."""
        try:
            return self._id(number, record) or self.default_id(number)
        except FieldError:
            return self.default_id(number)

    def _id(self, number: int, record: Mapping[str, object]) -> str | None:
        return None if self.id is None else self._name(number, self.id, record.get(self.id))

    def _field(self, number: int, record: Mapping[str, object], column: str) -> object:
        try:
            return record[column]
        except KeyError:
            raise FieldError(
                self.place(number), column, None, f"{column!r} in every document", record
            ) from None

    def _text(self, number: int, record: Mapping[str, object]) -> str:
        if len(self.text) == 1:
            return self._one_text(number, self.text[0], self._field(number, record, self.text[0]))
        found = [(column, record[column]) for column in self.text if record.get(column) is not None]
        if not found:
            wanted = f"one of {', '.join(map(repr, self.text))} in every document"
            raise FieldError(self.place(number), self.text[0], None, wanted)
        texts = [self._one_text(number, column, value) for column, value in found]
        return "\n".join(filter(None, texts))

    def _one_text(self, number: int, column: str, text: object) -> str:
        if isinstance(text, str):
            return text
        if text is None:
            raise FieldError(self.place(number), column, None, 'a string ("" for an empty document)')
        raise FieldError(self.place(number), column, text, "a string")

    def labels(self, number: int, value: object) -> tuple[str, ...]:
        """Return the labels that a value of the label column holds."""
        if isinstance(value, str) and self.separator is not None:
            values: Iterable[object] = map(str.strip, value.split(self.separator))
        else:
            values = value if isinstance(value, list | tuple) else [value]
        names = [self._name(number, self.label, self._typed(value)) for value in values]
        return tuple(dict.fromkeys(name for name in names if name is not None))

    def _typed(self, label: object) -> object:
        """Return a label of a file without types as the number, or true or false, that it may be."""
        if self.typed or not isinstance(label, str):
            return label
        if label in _TRUTH:
            return _TRUTH[label]
        return int(label.partition(".")[0]) if _WHOLE.fullmatch(label) else label

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


def is_text_column(name: str) -> bool:
    """Return whether a column would be taken for the text."""
    return any(name.strip().strip('"').casefold() in rank for rank in _RECOGNISED["text"])


def _find(path: str, role: str, given: str | tuple[str, ...] | None, found: list[str]) -> tuple[str, ...]:
    if given is None:
        ranks = ([name for name in found if name.strip().casefold() in rank] for rank in _RECOGNISED[role])
        return _one(path, role, None, found, next(filter(None, ranks), []))
    given = (given,) if isinstance(given, str) else given
    chosen = (_one(path, role, name, found, [each for each in found if each == name]) for name in given)
    return tuple(name for names in chosen for name in names)


def _one(path: str, role: str, given: str | None, found: list[str], candidates: list[str]) -> tuple[str, ...]:
    if given is not None and not candidates:
        raise ColumnError(path, role, given, found)
    if len(candidates) > 1:
        raise ColumnError(path, role, given, found, candidates)
    return tuple(candidates)
