"""Predictions as lines of JSON or CSV."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable
from typing import Any, TypeAlias

from textbayes.answering import Layout, Prediction
from textbayes.cli.bad_records import BadDocument

Predicted: TypeAlias = tuple[str, Prediction | BadDocument]
"""The id of a document, or its line number, and its prediction, or why it has none."""

_LABEL_SEPARATOR = ";"


def json_text(predicted: Iterable[Predicted], layout: Layout) -> str:
    """Return a line of JSON for each prediction."""
    records = ({"id": id, **_record(prediction, layout)} for id, prediction in predicted)
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def csv_text(predicted: Iterable[Predicted], layout: Layout, errors: bool = False) -> str:
    """Return a line of CSV for each prediction; with ``errors``, its last column has the reason for none."""
    return _csv(_row(id, prediction, layout, errors) for id, prediction in predicted)


def csv_heading(layout: Layout, errors: bool = False) -> str:
    """Return the header line of CSV."""
    return _csv([[*_headings(layout), *(["error"] if errors else [])]])


def _record(prediction: Prediction | BadDocument, layout: Layout) -> dict[str, Any]:
    if isinstance(prediction, BadDocument):
        return {"labels" if layout.multilabel else "label": None, "error": prediction.reason}
    return prediction.to_dict(layout)


def _csv(rows: Iterable[list[Any]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def _headings(layout: Layout) -> list[str]:
    names = ["id", "labels" if layout.multilabel else "label"]
    if layout.proba:
        names.append("probabilities" if layout.multilabel else "probability")
    for place in range(1, layout.top + 1):
        names += [f"label_{place}", f"probability_{place}"] if layout.proba else [f"label_{place}"]
    return names


def _row(id: str, prediction: Prediction | BadDocument, layout: Layout, errors: bool) -> list[Any]:
    if isinstance(prediction, BadDocument):
        return [id, *[""] * (len(_headings(layout)) - 1), prediction.reason]
    cells = [id, _cell(prediction.label)]
    if layout.proba:
        cells.append(_cell(prediction.probability))
    for label, probability in prediction.top[: layout.top]:
        cells += [label, probability] if layout.proba else [label]
    # A model may have fewer classes than --top asks for.
    return cells + [""] * (len(_headings(layout)) + errors - len(cells))


def _cell(value: Any) -> Any:
    return _LABEL_SEPARATOR.join(map(str, value)) if isinstance(value, list) else value
