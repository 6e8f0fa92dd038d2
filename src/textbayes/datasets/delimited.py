"""CSV and TSV → documents."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from itertools import chain

from textbayes.datasets.columns import ColumnNames, Columns
from textbayes.datasets.corpus import Document
from textbayes.datasets.streams import open_stream, read_lines, shown_path
from textbayes.errors import NoDocumentsError, RecordError

# The largest limit that the csv module accepts on every platform.
_FIELD_LIMIT = 2**31 - 1


def read_csv(path: str, names: ColumnNames, encoding: str) -> Iterator[Document]:
    """Read one document per row of a comma-separated file with a header.

    Some programs separate fields by semicolons or tabs instead. A header with one of these and no comma
    selects that separator.
    """
    return _read(path, names, encoding, None)


def read_tsv(path: str, names: ColumnNames, encoding: str) -> Iterator[Document]:
    """Read one document per row of a tab-separated file with a header."""
    return _read(path, names, encoding, "\t")


def _read(path: str, names: ColumnNames, encoding: str, delimiter: str | None) -> Iterator[Document]:
    shown = shown_path(path)
    empty = True
    with open_stream(path) as stream:
        lines = read_lines(stream, shown, encoding)
        start = list(_until_header(lines))
        rows = _rows(shown, chain(start, lines), delimiter or _delimiter_of("".join(start)))
        _, header = next(rows, (0, []))
        columns = Columns.find(shown, "line", names, header) if header else None
        for number, row in rows:
            if len(row) != len(header):
                problem = f"this row has {len(row)} fields, the header has {len(header)}"
                raise RecordError(shown, number, problem, "csv")
            empty = False
            assert columns is not None
            yield columns.document(number, dict(zip(header, row, strict=True)))
    if empty:
        raise NoDocumentsError(shown, "a header row, then one row per document")


def _until_header(lines: Iterator[str]) -> Iterator[str]:
    for line in lines:
        yield line
        if line.strip("\r\n"):
            return


def _delimiter_of(header: str) -> str:
    return next((mark for mark in ",;\t" if mark in header), ",")


def _rows(path: str, lines: Iterator[str], delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that are not blank, each with the number of its first line."""
    # The limit is global. It stays raised, because resetting it would break a reader in another thread.
    # strict=True: otherwise an unclosed quote swallows the rest of the file.
    csv.field_size_limit(max(csv.field_size_limit(), _FIELD_LIMIT))
    rows = csv.reader(lines, delimiter=delimiter, strict=True)
    while True:
        start = rows.line_num + 1
        try:
            row = next(rows, None)
        except csv.Error as error:
            raise RecordError(
                path, start, f"the row that starts here cannot be read ({error})", "csv"
            ) from None
        if row is None:
            return
        if row:
            yield start, row
