"""Tables in their forms."""

import csv
import io
import json
import math

import pytest
from rich.cells import cell_len
from rich.console import Console

from textbayes.evaluation.tables import Sheet, csv_text, json_text, share, written

SHEET = Sheet("제목", ["class", "F1"], [["밀|보리", ".5"], ["<b>", "1.00"]], "note")


def test_columns_line_up_in_a_terminal():
    lines = SHEET.text().splitlines()
    assert lines[0] == "제목"
    assert {cell_len(line) for line in lines[2:6]} == {len("밀|보리") + 3 + 2 + 4}


def test_markdown_keeps_its_columns():
    lines = SHEET.markdown().splitlines()
    assert lines[2:5] == ["| class | F1 |", "| --- | ---: |", "| 밀\\|보리 | .5 |"]


def test_html_is_escaped():
    page = SHEET.html()
    assert "&lt;b&gt;" in page
    assert '<td style="text-align:right">.5</td>' in page


def test_rich_takes_brackets_for_text():
    console = Console(file=io.StringIO(), record=True, width=60)
    console.print(Sheet("", ["model"], [["[bold]a[/bold]"]]).rich())
    assert "[bold]a[/bold]" in console.export_text()


def test_a_table_without_lines():
    assert Sheet("", ["a", "b"], []).text().splitlines()[0] == "a  b"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.8125, ".812"),
        (1.0, "1.000"),
        (-0.25, "-.250"),
        (0.0, ".000"),
        (10.5, "10.500"),
        (None, "–"),
        (math.nan, "–"),
    ],
)
def test_shares(value, shown):
    assert share(value) == shown


def test_records():
    records = [{"model": 'a "b", c', "p": None}, {"model": "밀\n", "p": 0.5}]
    assert list(csv.DictReader(io.StringIO(csv_text(records)))) == [
        {"model": 'a "b", c', "p": ""},
        {"model": "밀\n", "p": "0.5"},
    ]
    assert json.loads(json_text({"a": [math.nan, math.inf, (1.0, "밀")]})) == {"a": [None, None, [1.0, "밀"]]}


def test_written(tmp_path):
    assert written("밀\n", tmp_path / "a.txt") == "밀\n"
    assert (tmp_path / "a.txt").read_text(encoding="utf-8") == "밀\n"


def test_labels_are_shown_as_a_screen_may():
    label = "spam\x1b]0;owned\x07\u202e\n| [red]"
    sheet = Sheet(f"of {label}", ["model", "F1"], [[label, ".5"]], f"against {label}")
    console = Console(width=200, color_system=None)
    with console.capture() as rich:
        console.print(sheet.rich())
    for shown in (sheet.text(), sheet.markdown(), sheet.html(), rich.get()):
        assert not set(shown) & set("\x1b\x07\u202e")
        assert shown.count(r"spam\x1b]0;owned\x07\u202e\n") == 3
    assert rich.get().count("[red]") == 3


def test_markdown_has_no_html_and_no_links_of_labels():
    text = Sheet("", ["model"], [["<script>"], ["[a](javascript:b)"]]).markdown()
    assert "\\<script>" in text
    assert "](" not in text


def test_cells_of_csv_are_no_formulas():
    records = [{"label": "=1+1", "f1": -0.5}, {"label": "밀", "f1": 0.5}]
    assert csv_text(records) == "label,f1\n'=1+1,-0.5\n밀,0.5\n"
    assert csv_text(records, exact=True) == "label,f1\n=1+1,-0.5\n밀,0.5\n"


def test_json_is_exact_and_printable():
    text = json_text({"a\x9b": "\u202e밀"})
    assert json.loads(text) == {"a\x9b": "\u202e밀"}
    assert not set(text) & set("\x9b\u202e")
    assert "밀" in text
