"""Predictions as lines of JSON or CSV."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from textbayes.answering import Layout, Prediction
from textbayes.cli.bad_records import BadDocument
from textbayes.errors.printable import printable_json
from textbayes.persistence.spreadsheets import rows_as_csv

Given: TypeAlias = Mapping[str, object]
"""What the output repeats of a document: its text, and columns of the input."""

Predicted: TypeAlias = tuple[str, Prediction | BadDocument] | tuple[str, Prediction | BadDocument, Given]
"""The id of a document, or its line number, its prediction, or why it has none, and what is repeated."""

_LABEL_SEPARATOR = ";"


def json_text(predicted: Iterable[Predicted], layout: Layout) -> str:
    """Return a line of JSON for each prediction."""
    records = (
        {"id": id, **_merged(given), **_record(prediction, layout)} for id, prediction, *given in predicted
    )
    # Columns of Parquet may hold dates and other values that JSON lacks.
    lines = (json.dumps(record, ensure_ascii=False, default=str) for record in records)
    return "".join(printable_json(line) + "\n" for line in lines)


def csv_text(
    predicted: Iterable[Predicted],
    layout: Layout,
    errors: bool = False,
    delimiter: str = ",",
    exact: bool = False,
) -> str:
    """Return a line of CSV for each prediction; with ``errors``, its last column has the reason for none.

    Unless ``exact``, a cell that a spreadsheet would take for a formula gets an apostrophe in front.
    """
    rows = (_row(id, prediction, layout, errors, _merged(given)) for id, prediction, *given in predicted)
    return rows_as_csv(rows, delimiter, exact)


def csv_heading(
    layout: Layout,
    errors: bool = False,
    given: Iterable[str] = (),
    delimiter: str = ",",
    exact: bool = False,
) -> str:
    """Return the header line of CSV; ``given`` are the columns that are repeated."""
    first, *others = _headings(layout)
    return rows_as_csv([[first, *given, *others, *(["error"] if errors else [])]], delimiter, exact)


def output_names(layout: Layout, errors: bool = False) -> list[str]:
    """Return the names that the output gives its own columns."""
    return [*_headings(layout), "top", *(["error"] if errors else [])]


def _merged(given: list[Given]) -> Given:
    return given[0] if given else {}


def _record(prediction: Prediction | BadDocument, layout: Layout) -> dict[str, Any]:
    if isinstance(prediction, BadDocument):
        return {"labels" if layout.multilabel else "label": None, "error": prediction.reason}
    return prediction.to_dict(layout)


def _headings(layout: Layout) -> list[str]:
    names = ["id", "labels" if layout.multilabel else "label"]
    if layout.proba:
        names.append("probabilities" if layout.multilabel else "probability")
    for place in range(1, layout.top + 1):
        names += [f"label_{place}", f"probability_{place}"] if layout.proba else [f"label_{place}"]
    return names


def _row(
    id: str, prediction: Prediction | BadDocument, layout: Layout, errors: bool, given: Given
) -> list[Any]:
    start = [id, *map(_given_cell, given.values())]
    own = len(_headings(layout)) - 1
    if isinstance(prediction, BadDocument):
        return [*start, *[""] * own, prediction.reason]
    cells = [_cell(prediction.label)]
    if layout.proba:
        cells.append(_cell(layout.rounded(prediction.probability)))
    for label, probability in prediction.top[: layout.top]:
        cells += [label, layout.rounded(probability)] if layout.proba else [label]
    # A model may have fewer classes than --top asks for.
    return [*start, *cells, *[""] * (own + errors - len(cells))]


def _cell(value: Any) -> Any:
    return _LABEL_SEPARATOR.join(map(str, value)) if isinstance(value, list) else value


def _given_cell(value: Any) -> Any:
    return json.dumps(value, ensure_ascii=False, default=str) if isinstance(value, list | dict) else value
