"""Cells that a spreadsheet would calculate."""

import csv
import io

import pytest

from textbayes.persistence.spreadsheets import rows_as_csv, spreadsheet_cell


@pytest.mark.parametrize(
    "cell",
    [
        '=HYPERLINK("https://example.com")',
        "+1 555 0100",
        "-1+cmd|' /C calc'!A0",
        "@SUM(1)",
        "\t=1",
        "\r=1",
        "\n=1",
        "＝1",
        "＋1",
        "－1",
        "＠a",
        "-",
        "=",
    ],
)
def test_formulas_get_an_apostrophe(cell):
    assert spreadsheet_cell(cell) == f"'{cell}"


@pytest.mark.parametrize(
    "cell",
    ["", "wheat", "a=b", "'=1", "1-2", "-1.5", "+3", "-1e-5", "-,5", 5, -5, -0.5, True, None, "밀", " =1"],
)
def test_other_cells_stay(cell):
    assert spreadsheet_cell(cell) is cell


@pytest.mark.parametrize("delimiter", [",", "\t"])
@pytest.mark.parametrize("cell", ["a\rb", "a\nb", "a\r\nb", 'a"b', "a,b", "a\tb", "", "밀\u2028"])
def test_rows_are_read_as_they_were_written(cell, delimiter):
    text = rows_as_csv([["id", "text"], [cell, 5], [None, cell]], delimiter)
    rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))
    assert rows == [["id", "text"], [cell, "5"], ["", cell]]
    assert text.endswith("\n")
    assert not text.endswith("\r\n")
