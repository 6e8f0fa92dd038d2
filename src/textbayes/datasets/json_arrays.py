"""A JSON array of objects → documents."""

from __future__ import annotations

import re
from collections.abc import Iterator

from textbayes.datasets.corpus import Document
from textbayes.datasets.objects import Numbered, documents_of_objects, parse_object
from textbayes.datasets.reading import Reading
from textbayes.datasets.streams import DamagedLine, TextStream
from textbayes.errors import EncodingError, RecordError

_START = re.compile(r"\[\s*([{\]]|$)")
# The rest of a string, which has no line breaks; outside of strings, the characters with a meaning.
_STRING = re.compile(r'[^"\\\n]*(?:\\.[^"\\\n]*)*', re.DOTALL)
_MARK = re.compile(r'["\[\]{},]')

_MORE = "there is more after the end of the array"


def read_json(text: TextStream, reading: Reading) -> Iterator[Document]:
    """Read one document per object of an array. Only the current object is in memory."""
    expected = "an array of JSON objects"
    return documents_of_objects(_Array(text).objects(), text.path, "object", reading, expected)


def starts_json(start: str) -> bool:
    """Return whether a first line is the start of an array of objects."""
    return _START.match(start) is not None


def _end_of_string(piece: str, place: int) -> int:
    found = _STRING.match(piece, place)
    return len(piece) if found is None else found.end()


class _Array:
    """The elements of a JSON array, found by brackets and quotes and parsed one by one."""

    def __init__(self, text: TextStream) -> None:
        self._text = text
        self._parts: list[str] = []
        self._characters = 0
        self._number = 0
        self._depth = 0
        self._ended = False
        self._damage: EncodingError | RecordError | None = None

    def objects(self) -> Iterator[Numbered]:
        inside = escaped = False
        for piece in self._text.pieces():
            if isinstance(piece, DamagedLine):
                self._damage = self._damage or piece.error
                continue
            start, place = 0, int(escaped)
            escaped = False
            while True:
                if inside:
                    place = _end_of_string(piece, place)
                    if place >= len(piece):
                        break
                    # A backslash is the last character: what it escapes is in the next piece.
                    inside = escaped = piece[place] == "\\"
                    place += 1
                elif found := _MARK.search(piece, place):
                    place, mark = found.end(), found[0]
                    inside = mark == '"'
                    if not inside and self._is_end_of_element(mark):
                        self._add(piece[start : place - 1])
                        yield from self._element(mark)
                        start = place
                else:
                    break
            self._add(piece[start:])
        self._check_end()

    def _is_end_of_element(self, mark: str) -> bool:
        """Follow a bracket or a comma; return whether the array, an element or everything ends there."""
        self._depth += (mark in "[{") - (mark in "]}")
        return self._depth == 0 or (self._depth == 1 and mark in "[,")

    def _add(self, text: str) -> None:
        # If a bracket is never closed, no more than this is in memory.
        self._characters += len(text)
        if self._characters <= self._text.most:
            self._parts.append(text)
            return
        self._parts.clear()
        if self._damage is None:
            problem = f"this object has over {self._text.most:,} characters, or is never closed"
            error = RecordError(self._text.path, max(1, self._number), problem, "length", "object")
            self._damage = self._text.resumed(error)

    def _element(self, mark: str) -> Iterator[Numbered]:
        text = "".join(self._parts)
        self._parts, self._characters = [], 0
        if mark == "[" and self._number == 0 and not text.strip() and not self._ended:
            self._number = 1
            return
        if self._number == 0 or self._ended:
            raise self._error(_MORE if self._ended else "this is not an array")
        damage, self._damage = self._damage, None
        if damage is not None:
            yield self._number, damage
        elif text.strip() or mark == "," or self._number > 1:
            yield parse_object(text.strip(), self._text.path, self._number, "json", "object")
        self._number += 1
        self._ended = mark != ","

    def _check_end(self) -> None:
        rest = "".join(self._parts).strip()
        if self._ended and rest:
            raise self._error(_MORE)
        if not self._ended and (rest or self._number):
            raise self._error(
                "the array is never closed: a bracket or a quote is missing"
                if self._number
                else "this is not an array"
            )

    def _error(self, problem: str) -> RecordError:
        return RecordError(self._text.path, max(1, self._number), problem, "json", "object")
