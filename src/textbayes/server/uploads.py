"""Files that are uploaded: CSV or JSON Lines, read by the readers of files, within limits."""

from __future__ import annotations

import io
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from textbayes.datasets import Document, read_documents
from textbayes.datasets.columns import Columns
from textbayes.errors import RequestSizeError, RequestSlowError, TextbayesError
from textbayes.persistence import parse_json
from textbayes.server.settings import Settings

FORMATS = {"text/csv": "csv", "application/x-ndjson": "jsonl"}
"""The formats of uploads by their content type."""

_MOST_COLUMNS = 1000
_LONGEST = 1 << 22
_CHECKED = 256


@dataclass(frozen=True, slots=True)
class Upload:
    """The records of an uploaded file.

    Parameters
    ----------
    format : {"csv", "jsonl"}
        The format.
    columns : tuple of str
        The columns of CSV, or of the first object of JSON Lines.
    texts : list of str
        The text of each record.
    records : list of dict
        All fields of each record.
    """

    format: str
    columns: tuple[str, ...]
    texts: list[str]
    records: list[dict[str, Any]]


def read_upload(body: bytes, format: str, column: str | None, settings: Settings) -> Upload:
    r"""Read an uploaded file.

    Parameters
    ----------
    body : bytes
        The file, in UTF-8.
    format : {"csv", "jsonl"}
        Its format.
    column : str, optional
        The column of the texts; by default the one with a usual name, such as ``text``.
    settings : Settings
        The limits on time and records.

    Raises
    ------
    TextbayesError
        If a record cannot be read, or there are too many.

    Examples
    --------
    >>> from textbayes.server import Settings
    >>> from textbayes.server.uploads import read_upload
    >>> upload = read_upload(b"id,text\n7,wheat corn\n", "csv", None, Settings("news.tb"))
    >>> upload.texts, upload.records
    (['wheat corn'], [{'id': '7', 'text': 'wheat corn'}])
    """
    end = time.monotonic() + settings.upload_seconds
    with TemporaryDirectory(prefix="textbayes-") as folder:
        file = Path(folder, f"upload.{format}")
        file.write_bytes(body)
        try:
            columns = _columns(file, format, column)
            if len(columns) > _MOST_COLUMNS:
                raise RequestSizeError("The file", len(columns), _MOST_COLUMNS, "columns")
            others = columns if format == "csv" else ()
            documents = list(_limited(_documents(file, format, column, others), settings, end))
        except TextbayesError as error:  # the client has no use for a folder of this machine
            error.what, error.why, error.todo = (
                part.replace(f"{folder}{os.sep}", "") for part in (error.what, error.why, error.todo)
            )
            raise
    texts = [document.text for document in documents]
    if format == "csv":
        records = [dict(zip(columns, document.others, strict=True)) for document in documents]
    else:
        records = [_record(line) for line in io.StringIO(body.decode("utf-8-sig"), None) if line.strip()]
    return Upload(format, columns, texts, records)


def _documents(file: Path, format: str, column: str | None, others: tuple[str, ...]) -> Iterator[Document]:
    return read_documents(
        file, format=format, text=column, labelled=False, columns=others, max_record=_LONGEST
    )


def _columns(file: Path, format: str, column: str | None) -> tuple[str, ...]:
    found: list[Columns] = []
    documents = read_documents(
        file, format=format, text=column, labelled=False, max_record=_LONGEST, report=found.append
    )
    for _ in documents:
        break
    return found[0].all if found else ()


def _limited(documents: Iterator[Document], settings: Settings, end: float) -> Iterator[Document]:
    for number, document in enumerate(documents, start=1):
        if number > settings.upload_rows:
            raise RequestSizeError("The file", None, settings.upload_rows, "records")
        if number % _CHECKED == 0 and time.monotonic() > end:
            raise RequestSlowError("records", settings.upload_seconds)
        yield document


def _record(line: str) -> dict[str, Any]:
    record = parse_json(line)
    assert isinstance(record, dict)  # the reader has checked it
    return record
