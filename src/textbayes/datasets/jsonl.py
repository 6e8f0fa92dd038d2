"""JSON Lines → documents."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from textbayes.datasets.columns import ColumnNames, Columns
from textbayes.datasets.corpus import Document
from textbayes.datasets.streams import open_stream, read_lines, shown_path
from textbayes.errors import FieldError, NoDocumentsError, RecordError
from textbayes.errors.base import shown


def read_jsonl(path: str, names: ColumnNames, encoding: str) -> Iterator[Document]:
    """Read one document per line, from a JSON object with named fields.

    The columns are those of the first object. Blank lines are skipped.
    """
    place = shown_path(path)
    columns = None
    with open_stream(path) as stream:
        for number, line in enumerate(read_lines(stream, place, encoding), start=1):
            if line.isspace():
                continue
            record = _parse(place, number, line)
            if columns is None:
                columns = Columns.find(place, "line", names, record)
                first, known = number, record.keys()
            elif columns.label is None and names.labelled and not record.keys() <= known:
                _check_label_is_not_late(columns, names, first, known, record)
            yield columns.document(number, record)
    if columns is None:
        raise NoDocumentsError(place, "one JSON object per line")


def is_jsonl(path: Path) -> bool:
    """Return whether a path is a file with the name of a JSON Lines file."""
    return path.is_file() and re.search(r"\.jsonl(\.gz|\.zst)?$", path.name) is not None


def _check_label_is_not_late(
    columns: Columns, names: ColumnNames, first: int, known: Collection[str], record: dict[str, Any]
) -> None:
    # If the first record has no label, later labels would be dropped silently.
    late = Columns.find(
        columns.path, columns.unit, replace(names, text=columns.text, report=None), record
    ).label
    if late is not None:
        raise FieldError(columns.place(first), late, None, "a label, null or a list of labels", known)


def _parse(path: str, number: int, line: str) -> dict[str, Any]:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:  # also an integer of 5,000 digits, and deep nesting
        column, reason = getattr(error, "colno", 1), getattr(error, "msg", error)
        raise RecordError(path, number, f"this is not JSON at column {column} ({reason})", "jsonl") from None
    if not isinstance(record, dict):
        raise RecordError(path, number, f"{shown(record)} is not a JSON object", "jsonl")
    return _without_lone_surrogates(record) if "\\ud" in line or "\\uD" in line else record


def _without_lone_surrogates(record: dict[str, Any]) -> dict[str, Any]:
    # "\ud83d", half an emoji, is valid JSON but not a character. Programs that cut strings by UTF-16 units
    # write it. It becomes U+FFFD, as in browsers.
    text = json.dumps(record, ensure_ascii=False)
    clean: dict[str, Any] = json.loads(text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))
    return clean
