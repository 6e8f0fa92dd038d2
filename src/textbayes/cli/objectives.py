"""What a search maximises, as options of a command: metric, costs and class weights."""

from __future__ import annotations

import csv
import io
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from textbayes.datasets.streams import read_text
from textbayes.errors import FileMissingError, ParameterConflictError, ParameterError, RecordError
from textbayes.errors.checks import check_option
from textbayes.estimators import CostMatrix
from textbayes.estimators.text.model_names import AUTO
from textbayes.measures import SEARCHED_METRICS, check_class_weight

_BALANCED = "balanced"

Metric = Annotated[
    str | None,
    typer.Option(
        "--metric",
        metavar="NAME",
        help=f"What the search maximises: {', '.join(SEARCHED_METRICS)}. Default: macro_f1.",
        autocompletion=lambda: list(SEARCHED_METRICS),
        show_default=False,
    ),
]
Costs = Annotated[
    Path | None,
    typer.Option(
        "--costs",
        metavar="FILE",
        help="A CSV file of costs, which the search minimises: a column for each label that may be decided, "
        "and a row for each true label, named in the first column.",
        show_default=False,
    ),
]
ClassWeight = Annotated[
    str | None,
    typer.Option(
        "--class-weight",
        metavar="balanced|FILE",
        help="How often documents of a label count in the search: balanced, or a JSON file of labels and "
        "weights.",
        show_default=False,
    ),
]


def search_settings(
    metric: str | None, costs: Path | None, class_weight: str | None, model: str, encoding: str = "utf-8"
) -> dict[str, Any]:
    """Read the options of a search, and return them as parameters of AutoNB.

    Parameters
    ----------
    metric : str, optional
        Name of a metric.
    costs : Path, optional
        A CSV file of costs; not together with a metric.
    class_weight : str, optional
        "balanced", or the path of a JSON file.
    model : str
        Name of the model: only "auto" has these options.
    encoding : str, default="utf-8"
        Encoding of the files.

    Examples
    --------
    >>> from textbayes.cli.objectives import search_settings
    >>> search_settings("accuracy", None, "balanced", "auto")
    {'metric': 'accuracy', 'class_weight': 'balanced'}
    """
    given = {"metric": metric, "costs": costs, "class_weight": class_weight}
    for name, value in given.items():
        if value is not None and model != AUTO:
            why = f"It is for a search, and only model={AUTO} searches"
            raise ParameterConflictError(name, str(value), "model", model, why)
    settings: dict[str, Any] = {}
    if metric is not None:
        check_option("metric", metric, SEARCHED_METRICS)
        settings["metric"] = metric
    if costs is not None:
        if metric is not None:
            why = "The costs are what the search minimises"
            raise ParameterConflictError("metric", metric, "costs", str(costs), why)
        settings["metric"] = read_costs(costs, encoding)
    if class_weight is not None:
        balanced = class_weight == _BALANCED
        settings["class_weight"] = _BALANCED if balanced else read_class_weight(Path(class_weight), encoding)
    return settings


def read_costs(path: Path, encoding: str = "utf-8") -> CostMatrix:
    """Read a cost matrix from a CSV file.

    The header names the labels that may be decided, after an empty field or any title; each row starts with
    the true label.
    """
    rows = _csv_rows(path, encoding)
    _, header = next(rows, (1, []))
    classes = [name.strip() for name in header[1:]]
    if not classes:
        raise RecordError(str(path), 1, "there is no header with the labels", "costs")
    found: dict[str, list[float]] = {}
    for line, row in rows:
        label = row[0].strip()
        if len(row) != len(header):
            problem = f"this row has {len(row)} fields, the header has {len(header)}"
            raise RecordError(str(path), line, problem, "costs")
        if label in found or label not in classes:
            problem = f"{label!r} has two rows" if label in found else f"{label!r} is not in the header"
            raise RecordError(str(path), line, problem, "costs")
        found[label] = [_number(path, line, name, cell) for name, cell in zip(classes, row[1:], strict=True)]
    missing = [name for name in classes if name not in found]
    if missing:
        raise RecordError(str(path), 1, f"{missing[0]!r} is in the header, but has no row", "costs")
    return CostMatrix([found[name] for name in classes], classes)


def read_class_weight(path: Path, encoding: str = "utf-8") -> dict[str, float]:
    """Read class weights from a JSON file: an object of labels and numbers."""
    if not path.is_file() and not path.suffix:
        raise ParameterError("class_weight", str(path), (_BALANCED, "a JSON file"))
    text = _text_of(path, encoding, 'a JSON file of class weights, {"label": weight}')
    try:
        found = json.loads(text)
    except json.JSONDecodeError as error:
        raise RecordError(str(path), error.lineno, f"this is not JSON ({error.msg})", "weights") from None
    if not isinstance(found, dict):
        raise RecordError(str(path), 1, f"this is a {type(found).__name__}, not an object", "weights")
    check_class_weight(found)
    return found


def _csv_rows(path: Path, encoding: str) -> Iterator[tuple[int, list[str]]]:
    text = _text_of(path, encoding, "a CSV file of costs")
    # Some programs separate fields by semicolons or tabs; a quoted label may have any mark in it.
    header = re.sub(r'"[^"]*"', "", text.lstrip("\r\n").partition("\n")[0])
    delimiter = max(",;\t", key=header.count)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    while True:
        line = rows.line_num + 1
        try:
            row = next(rows, None)
        except csv.Error as error:
            raise RecordError(str(path), line, f"this row cannot be read ({error})", "costs") from None
        if row is None:
            return
        if any(cell.strip() for cell in row):
            yield line, row


def _number(path: Path, line: int, label: str, cell: str) -> float:
    try:
        return float(cell)
    except ValueError:
        problem = f"the cost of deciding {label!r} is {cell!r}, not a number"
        raise RecordError(str(path), line, problem, "costs") from None


def _text_of(path: Path, encoding: str, expected: str) -> str:
    if not path.is_file():
        folder = path.absolute().parent
        raise FileMissingError(str(path), os.listdir(folder) if folder.is_dir() else (), expected)
    return read_text(str(path), encoding)
