"""Cells of CSV and TSV that a spreadsheet shows as they are, and does not calculate."""

from __future__ import annotations

import re

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
