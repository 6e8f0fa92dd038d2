"""Plain text, one text per line, and the same with the labels of fastText → documents."""

from __future__ import annotations

import re
from collections.abc import Iterator

from textbayes.datasets.columns import Columns, is_text_column
from textbayes.datasets.corpus import Document
from textbayes.datasets.reading import Reading
from textbayes.datasets.streams import DamagedLine, TextStream
from textbayes.errors import NoDocumentsError, RecordError, TextbayesError

LABEL = "__label__"
"""What precedes a label of fastText."""

# fastText separates words by these characters only, not by other white space of Unicode.
_SPACE = " \t\v\f\0"
_LABELS = re.compile(rf"(?<![^{_SPACE}]){LABEL}([^{_SPACE}]*)[{_SPACE}]*")
_NO_COLUMNS = "For a file with columns, pass format= its format, such as csv"


def read_plain_lines(text: TextStream, reading: Reading) -> Iterator[Document]:
    """Read one document per line; an empty line is an empty text."""
    layout = "plain text, one text per line"
    note = " (its first line looks like a header: for CSV, pass format=csv)"
    note = note if _looks_like_header(text.start()) else ""
    columns = Columns.without(text.path, layout, reading.default_id(text.path, ""), note=note)
    reading.check_no_columns(columns, _NO_COLUMNS)
    if reading.names.required:
        raise columns.missing_label()
    return _documents(text, reading, columns, fasttext=False)


def read_fasttext(text: TextStream, reading: Reading) -> Iterator[Document]:
    """Read one document per line, with labels such as ``__label__spam`` before the text."""
    layout = f"fastText, one text per line, labels = {LABEL}…"
    columns = Columns.without(text.path, layout, reading.default_id(text.path, ""), LABEL)
    reading.check_no_columns(columns, _NO_COLUMNS)
    return _documents(text, reading, columns, fasttext=True)


def starts_fasttext(start: str) -> bool:
    """Return whether a first line has the labels of fastText."""
    return start.startswith(LABEL)


def _looks_like_header(start: str) -> bool:
    """Return whether a first line has several fields, of which one is called as text columns are."""
    return any(is_text_column(name) for mark in ",;\t" if mark in start for name in start[:1000].split(mark))


def _documents(text: TextStream, reading: Reading, columns: Columns, fasttext: bool) -> Iterator[Document]:
    number = 0
    for number, line in enumerate(text.lines(), start=1):
        if number == 1:
            reading.report(columns)
        found: str | TextbayesError = line.error if isinstance(line, DamagedLine) else line.rstrip("\r\n")
        labels: tuple[str, ...] = ()
        if fasttext and isinstance(found, str):
            if not found.strip():
                continue
            labels, found = _labelled(found, columns, number)
        place, id = columns.place(number), columns.default_id(number)
        if isinstance(found, TextbayesError):
            yield from reading.reject(text.path, place, id, found)
        else:
            yield Document(found, labels if reading.names.labelled else (), None, id, place)
    if not number:
        raise NoDocumentsError(text.path, "one text per line")


def _labelled(line: str, columns: Columns, number: int) -> tuple[tuple[str, ...], str | RecordError]:
    labels = tuple(dict.fromkeys(_LABELS.findall(line)))
    if "" in labels:
        return (), RecordError(columns.path, number, f"{LABEL} has no name", "fasttext")
    return labels, _LABELS.sub("", line)
