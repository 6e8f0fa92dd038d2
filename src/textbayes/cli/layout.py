"""Predictions as lines of JSON or CSV."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from textbayes.cli.predict import Prediction

_BETWEEN_LABELS = ";"


@dataclass(frozen=True, slots=True)
class Layout:
    """What a line says besides the id and the label or labels."""

    multilabel: bool = False
    top: int = 0
    proba: bool = False


def json_text(some: Iterable[Prediction], layout: Layout) -> str:
    """Write a line of JSON for each prediction."""
    return "".join(json.dumps(_record(each, layout), ensure_ascii=False) + "\n" for each in some)


def csv_text(some: Iterable[Prediction], layout: Layout) -> str:
    """Write a line of CSV for each prediction."""
    return _csv(_row(each, layout) for each in some)


def csv_heading(layout: Layout) -> str:
    """Write the names of the columns."""
    return _csv([_headings(layout)])


def _csv(rows: Iterable[list[Any]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def _record(prediction: Prediction, layout: Layout) -> dict[str, Any]:
    record = {"id": prediction.id, "labels" if layout.multilabel else "label": prediction.label}
    if layout.proba:
        record["probabilities" if layout.multilabel else "probability"] = prediction.probability
    if layout.top:
        record["top"] = [
            {"label": label, "probability": probability} if layout.proba else {"label": label}
            for label, probability in prediction.top[: layout.top]
        ]
    return record


def _headings(layout: Layout) -> list[str]:
    names = ["id", "labels" if layout.multilabel else "label"]
    if layout.proba:
        names.append("probabilities" if layout.multilabel else "probability")
    for place in range(1, layout.top + 1):
        names += [f"label_{place}", f"probability_{place}"] if layout.proba else [f"label_{place}"]
    return names


def _row(prediction: Prediction, layout: Layout) -> list[Any]:
    cells = [prediction.id, _cell(prediction.label)]
    if layout.proba:
        cells.append(_cell(prediction.probability))
    for label, probability in prediction.top[: layout.top]:
        cells += [label, probability] if layout.proba else [label]
    # A model may have fewer classes than were asked for.
    return cells + [""] * (len(_headings(layout)) - len(cells))


def _cell(value: Any) -> Any:
    return _BETWEEN_LABELS.join(map(str, value)) if isinstance(value, list) else value
