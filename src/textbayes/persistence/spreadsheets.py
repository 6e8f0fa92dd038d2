"""Rows as CSV or TSV, whose cells a spreadsheet shows as they are and does not calculate."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable

# The characters that start a formula, also in their full width; and those that Excel drops in front of one.
_FORMULA = re.compile(r"[=+\-@\t\r\n＝＋－＠]")
# Numbers start with a sign, too.
_NUMBER = re.compile(r"[+-]?(\d+([.,]\d*)?|[.,]\d+)([eE][+-]?\d+)?")


def spreadsheet_cell(value: object) -> object:
    """Return a cell with an apostrophe in front if a spreadsheet would take it for a formula.

    A label such as ``=HYPERLINK(...)`` would otherwise be calculated by whoever opens the file. Numbers are
    no formulas and stay as they are. Readers do not remove the apostrophe: it could be a part of the text.

    Examples
    --------
    >>> from textbayes.persistence.spreadsheets import spreadsheet_cell
    >>> spreadsheet_cell("=1+1"), spreadsheet_cell("wheat"), spreadsheet_cell("-1.5"), spreadsheet_cell(-2)
    ("'=1+1", 'wheat', '-1.5', -2)
    """
    if not isinstance(value, str) or not _FORMULA.match(value) or _NUMBER.fullmatch(value):
        return value
    return f"'{value}"


def rows_as_csv(rows: Iterable[Iterable[object]], delimiter: str = ",", exact: bool = False) -> str:
    r"""Return rows as lines of CSV; unless ``exact``, no cell is a formula.

    Examples
    --------
    >>> from textbayes.persistence.spreadsheets import rows_as_csv
    >>> rows_as_csv([["=1+1", "a\rb", 5]]), rows_as_csv([["=1+1"]], exact=True)
    ('\'=1+1,"a\rb",5\n', '=1+1\n')
    """
    lines: list[str] = []
    # With this line end, the writer also quotes a cell with a carriage return, which would else end the row.
    writer = csv.writer(_Lines(lines), delimiter=delimiter, lineterminator="\r\n")
    for row in rows:
        writer.writerow(row if exact else [spreadsheet_cell(cell) for cell in row])
    return "".join(lines)


class _Lines:
    """What the writer takes for a file: each row becomes a line that ends with a line feed."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines

    def write(self, row: str) -> int:
        self._lines.append(row.removesuffix("\r\n") + "\n")
        return len(row)
