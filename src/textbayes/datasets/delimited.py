"""CSV and TSV → documents."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from itertools import chain

from textbayes.datasets.columns import ColumnNames, Columns
from textbayes.datasets.corpus import Document
from textbayes.datasets.streams import open_stream, read_lines, shown_path
from textbayes.errors import CsvBrokenError, CsvColumnsError, DocumentsNoneError

# The largest that the csv module takes on every platform.
_FIELD_LIMIT = 2**31 - 1


def read_csv(path: str, names: ColumnNames, encoding: str) -> Iterator[Document]:
    """Read one document per row of a comma-separated file with a header.

    Where decimals have a comma, programs write semicolons between fields, some write tabs: a header that has
    these and no comma is taken so.
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
                raise CsvColumnsError(shown, number, len(header), len(row))
            empty = False
            assert columns is not None
            yield columns.document(number, dict(zip(header, row, strict=True)))
    if empty:
        raise DocumentsNoneError(shown, "a header row, then one row per document")


def _until_header(lines: Iterator[str]) -> Iterator[str]:
    for line in lines:
        yield line
        if line.strip("\r\n"):
            return


def _delimiter_of(header: str) -> str:
    return next((mark for mark in ",;\t" if mark in header), ",")


def _rows(path: str, lines: Iterator[str], delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Read the rows that are not blank, with the number of the line on which each starts."""
    # The limit is the process's, not the reader's. It is raised and left there: putting it back would
    # break another thread's reading. Strict, or else a quote left open swallows the file.
    csv.field_size_limit(max(csv.field_size_limit(), _FIELD_LIMIT))
    rows = csv.reader(lines, delimiter=delimiter, strict=True)
    while True:
        start = rows.line_num + 1
        try:
            row = next(rows, None)
        except csv.Error as error:
            raise CsvBrokenError(path, start, str(error)) from None
        if row is None:
            return
        if row:
            yield start, row
