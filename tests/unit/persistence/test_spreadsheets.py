"""Cells that a spreadsheet would calculate."""

import pytest

from textbayes.persistence.spreadsheets import spreadsheet_cell


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
