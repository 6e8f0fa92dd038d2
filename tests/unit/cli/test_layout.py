"""Predictions as lines of JSON and CSV."""

import csv
import io
import json

import pytest

from textbayes.answering import Layout, Prediction
from textbayes.cli.layout import csv_heading, csv_text, json_text

ONE = [
    ("1", Prediction("밀, 옥수수", 0.75, (("밀, 옥수수", 0.75), ('"oil"', 0.25)))),
    ("2", Prediction(None, 0.5, (("a\nb", 0.5),))),
]
SEVERAL = [("1", Prediction(["a", "b"], [0.9, 0.8], (("a", 0.9),))), ("2", Prediction([], [], ()))]


@pytest.mark.parametrize("proba", [False, True])
@pytest.mark.parametrize("top", [0, 2])
@pytest.mark.parametrize("multilabel", [False, True])
def test_json_and_csv_agree(multilabel, top, proba):
    layout, some = Layout(multilabel, top, proba), SEVERAL if multilabel else ONE
    rows = list(csv.DictReader(io.StringIO(csv_heading(layout) + csv_text(some, layout))))
    records = [json.loads(line) for line in json_text(some, layout).splitlines()]
    assert len(rows) == len(records) == len(some)
    for row, record in zip(rows, records, strict=True):
        assert None not in row  # as many cells as headings
        assert None not in row.values()
        assert _as_csv(record, layout) == row


def _as_csv(record, layout):
    """Return the cells of a CSV row for a JSON object."""
    cells = {name: _cell(value) for name, value in record.items() if name != "top"}
    for place in range(layout.top):
        at = record["top"][place] if place < len(record["top"]) else {}
        cells[f"label_{place + 1}"] = at.get("label", "")
        if layout.proba:
            cells[f"probability_{place + 1}"] = str(at.get("probability", ""))
    return cells


def _cell(value):
    if isinstance(value, list):
        return ";".join(map(str, value))
    return "" if value is None else str(value)


def test_fields_of_a_line():
    assert json.loads(json_text(ONE[1:], Layout())) == {"id": "2", "label": None}
    assert json.loads(json_text(ONE[:1], Layout(top=1))) == {
        "id": "1",
        "label": "밀, 옥수수",
        "top": [{"label": "밀, 옥수수"}],
    }
    assert csv_heading(Layout(True, 1, True)) == "id,labels,probabilities,label_1,probability_1\n"


HOSTILE = [
    ("=1\x9b", Prediction("=2+3", 0.5, (("@a", 0.5), ("-1", 0.25))), {"n": "-1.5", "=t": "-1+1\u202e"})
]


def test_cells_are_no_formulas():
    layout = Layout(False, 2, True)
    assert csv_heading(layout, given=["n", "=t"]).startswith("id,n,'=t,label,")
    assert csv_text(HOSTILE, layout) == "'=1\x9b,-1.5,'-1+1\u202e,'=2+3,0.5,'@a,0.5,-1,0.25\n"
    exact = csv_heading(layout, given=["=t"], exact=True) + csv_text(HOSTILE, layout, exact=True)
    assert "'" not in exact
    assert "=2+3" in exact


def test_json_is_exact_and_printable():
    text = json_text(HOSTILE, Layout(False, 2, True))
    record = json.loads(text)
    assert (record["id"], record["=t"], record["label"]) == ("=1\x9b", "-1+1\u202e", "=2+3")
    assert not set(text) & set("\x9b\u202e")
