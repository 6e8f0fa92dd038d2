"""CSV and TSV → documents."""

from __future__ import annotations

import csv
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain
from typing import Any

from textbayes.datasets.columns import Columns
from textbayes.datasets.corpus import Document
from textbayes.datasets.reading import Reading, documents_of
from textbayes.datasets.streams import DamagedLine, TextStream
from textbayes.errors import ColumnError, EncodingError, NoDocumentsError, RecordError, TextbayesError

# The largest limit that the csv module accepts on every platform.
_FIELD_LIMIT = 2**31 - 1
# If bad rows are left out, a quote that is never closed must not take the rest of the file with it.
_MOST_CHARACTERS = 1 << 24

_Row = tuple[int, list[str] | TextbayesError]


def read_csv(text: TextStream, reading: Reading) -> Iterator[Document]:
    """Read one document per row of a comma-separated file.

    Some programs separate fields by semicolons or tabs instead. A first row with one of these and no comma
    selects that delimiter.
    """
    return _read(text, reading, reading.delimiter)


def read_tsv(text: TextStream, reading: Reading) -> Iterator[Document]:
    """Read one document per row of a tab-separated file."""
    return _read(text, reading, reading.delimiter or "\t")


def _read(text: TextStream, reading: Reading, delimiter: str | None) -> Iterator[Document]:
    lines = text.lines()
    start = list(_until_header(lines))
    rows = _Rows(text.path, chain(start, lines), delimiter or _delimiter_of("".join(start)), reading)
    header = rows.header()
    if header:
        yield from documents_of(_columns(text.path, header, reading), rows.records(header), reading)
    if not rows.found:
        expected = "a header row, then one row per document" if reading.header else "one row per document"
        raise NoDocumentsError(text.path, expected)


def _columns(path: str, header: list[str], reading: Reading) -> Columns:
    try:
        return replace(reading.find(path, "line", header, numbered=not reading.header), typed=False)
    except ColumnError as error:
        if not reading.header:
            error.todo += " Without a header, columns have numbers, from 1."
        elif not error.candidates:
            error.todo += " If its first row is no header, pass header=False."
        raise


def _until_header(lines: Iterator[str]) -> Iterator[str]:
    for line in lines:
        yield line
        if line.strip("\r\n"):
            return


def _delimiter_of(header: str) -> str:
    return next((mark for mark in ",;\t" if mark in header), ",")


class _Rows:
    """The rows that are not blank, each with the number of its first line.

    After a row that cannot be read, reading goes on with the second line of that row.
    """

    def __init__(self, path: str, lines: Iterable[str], delimiter: str, reading: Reading) -> None:
        self.found = False
        self._path = path
        self._reading = reading
        self._delimiter = delimiter
        skips = reading.on_error is not None
        self._lines = _Lines(lines, min(_MOST_CHARACTERS, reading.most) if skips else reading.most)
        self._rows = self._all()

    def header(self) -> list[str]:
        """Return the names of the columns, or their numbers if there is no header; none in an empty file."""
        first = next(self._rows, None)
        if first is None:
            return []
        if self._reading.header:
            return _row(first)
        before = []
        # The first row that can be read says how many columns there are.
        while isinstance(first[1], TextbayesError) and self._reading.on_error is not None:
            before.append(first)
            following = next(self._rows, None)
            if following is None:
                raise first[1]
            first = following
        self._rows = chain([*before, first], self._rows)
        return [str(number) for number in range(1, len(_row(first)) + 1)]

    def records(self, header: list[str]) -> Iterator[tuple[int, dict[str, object] | TextbayesError]]:
        """Yield the rows as records, with an error in the place of a row that cannot be used."""
        first = "header" if self._reading.header else "first row"
        for number, row in self._rows:
            self.found = True
            if isinstance(row, TextbayesError):
                yield number, row
            elif len(row) != len(header):
                fields = "1 field" if len(row) == 1 else f"{len(row)} fields"
                problem = f"this row has {fields}, the {first} has {len(header)}"
                yield number, RecordError(self._path, number, problem, "csv")
                self._lines.go_back()
            else:
                yield number, dict(zip(header, row, strict=True))

    def _all(self) -> Iterator[_Row]:
        rows = self._reader()
        while True:
            number = self._lines.start_row()
            try:
                row = next(rows, None)
            except (csv.Error, EncodingError, RecordError) as error:
                yield number, self._error(number, error)
                self._lines.go_back()
                rows = self._reader()
                continue
            if row is None:
                return
            if row:
                yield number, row

    def _reader(self) -> Any:
        # The limit is global. It stays raised, because resetting it would break a reader in another thread.
        # strict=True: otherwise an unclosed quote swallows the rest of the file.
        csv.field_size_limit(max(csv.field_size_limit(), _FIELD_LIMIT))
        return csv.reader(self._lines, delimiter=self._delimiter, strict=True)

    def _error(self, number: int, error: csv.Error | EncodingError | RecordError) -> TextbayesError:
        if isinstance(error, TextbayesError):
            return error
        return RecordError(self._path, number, f"the row that starts here cannot be read ({error})", "csv")


def _row(found: _Row) -> list[str]:
    if isinstance(found[1], TextbayesError):
        raise found[1]
    return found[1]


class _Lines:
    """Lines that can be read again from the second line of the current row."""

    def __init__(self, lines: Iterable[str], most_characters: int) -> None:
        self._lines = iter(lines)
        self._most = most_characters
        self._again: deque[str] = deque()
        self._row: list[str] = []
        self._before = 0

    def start_row(self) -> int:
        """Start a row, and return the number of its first line."""
        self._before += len(self._row)
        self._row.clear()
        return self._before + 1

    def go_back(self) -> None:
        """Go back to the second line of the row."""
        self._again.extendleft(reversed(self._row[1:]))
        del self._row[1:]

    def __iter__(self) -> Iterator[str]:
        characters = 0
        while True:
            line = self._again.popleft() if self._again else next(self._lines, None)
            if line is None:
                return
            self._row.append(line)
            if isinstance(line, DamagedLine):
                raise line.error
            characters = len(line) if len(self._row) == 1 else characters + len(line)
            if characters > self._most and len(self._row) > 1:
                raise csv.Error(f"a quote is not closed within {self._most:,} characters")
            yield line
