"""Your own files → documents, one at a time."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from textbayes.datasets.archives import missing_path
from textbayes.datasets.columns import ColumnNames, Columns
from textbayes.datasets.corpus import Document
from textbayes.datasets.delimited import read_csv, read_tsv
from textbayes.datasets.folders import read_folder
from textbayes.datasets.jsonl import read_jsonl
from textbayes.datasets.parquet import read_parquet
from textbayes.datasets.streams import STANDARD_INPUT, known_encoding
from textbayes.errors import FileMissingError, ParameterError


class _Format(NamedTuple):
    read: Callable[[str, ColumnNames, str], Iterator[Document]]
    endings: tuple[str, ...]
    streams: bool = True  # a text format: may be compressed, or come from standard input


FORMATS: dict[str, _Format] = {
    "jsonl": _Format(read_jsonl, (".jsonl", ".ndjson", ".json")),
    "csv": _Format(read_csv, (".csv",)),
    "tsv": _Format(read_tsv, (".tsv", ".tab")),
    "parquet": _Format(read_parquet, (".parquet", ".pq"), streams=False),
    "folder": _Format(read_folder, (), streams=False),
}
"""The formats by name."""


def read_documents(
    path: str | os.PathLike[str],
    *,
    text: str | None = None,
    label: str | None = None,
    id: str | None = None,
    split: str | None = None,
    separator: str | None = None,
    format: str | None = None,
    encoding: str = "utf-8",
    labelled: bool = True,
    report: Callable[[Columns], None] | None = None,
) -> Iterator[Document]:
    r"""Read documents from a file or folder, one at a time.

    The file may be larger than memory: at most a line, a row or a small batch of rows is held at a time.

    Parameters
    ----------
    path : str or path
        JSON Lines, CSV or TSV (plain, gzip or zstd), Parquet, a folder with a subfolder per class, or
        ``"-"`` for standard input.
    text : str, optional
        The text column. By default ``text``, else ``body``, ``content``, ``message``, ``document``,
        ``review``, ``sentence`` or similar.
    label : str, optional
        The label column. By default ``label`` or ``labels``, else ``class``, ``category``, ``topic``,
        ``target``, ``y`` or similar; without any, documents have no labels.
    id, split : str, optional
        The columns of the id and the split; by default ``id`` and ``split`` if they exist. Without an id
        column, the id is the number of the line (in Parquet: the row), counted from 1.
    separator : str, optional
        The separator between several labels in one string, such as ``","``.
    format : {"jsonl", "csv", "tsv", "parquet", "folder"}, optional
        By default chosen by the file name, and ``"jsonl"`` for standard input.
    encoding : str, default="utf-8"
        The encoding of text files. A byte-order mark is dropped.
    labelled : bool, default=True
        Whether to look for a label column. Pass False to read texts that are only to be classified.
    report : function, optional
        Called with the columns once they are found, to show a guess. Not called for a folder.

    Yields
    ------
    Document
        In the order of the file; in a folder, sorted by class and then by name.

    Raises
    ------
    TextbayesError
        At the first invalid record; the message names the file and the line.

    Notes
    -----
    A null label, an empty string and an empty list give a document without labels. Numbers become strings;
    ``3.0`` becomes ``"3"``. A lone surrogate in JSON (``"\ud83d"``) becomes U+FFFD. The file is opened when
    the first document is requested, and closed after the last, after an error, or with the iterator.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from textbayes.datasets import read_documents
    >>> folder = tempfile.TemporaryDirectory()
    >>> file = pathlib.Path(folder.name, "news.csv")
    >>> _ = file.write_text("body,topics\nWheat rose.,wheat;grain\nIt rained.,\n", encoding="utf-8")
    >>> for document in read_documents(file, separator=";"):
    ...     print(document.id, document.text, document.labels)
    2 Wheat rose. ('wheat', 'grain')
    3 It rained. ()
    >>> folder.cleanup()
    """
    name = os.fspath(path)
    chosen = _choose_format(name, format)
    if separator == "":
        raise ParameterError(
            "separator", separator, "a string of one character or more, such as ',' or a space"
        )
    names = ColumnNames(text, label, id, split, separator, labelled, report)
    return chosen.read(name, names, known_encoding(encoding))


def _choose_format(path: str, name: str | None) -> _Format:
    if name is not None and name not in FORMATS:
        raise ParameterError("format", name, FORMATS)
    if path == STANDARD_INPUT:
        return _format_among(name or "jsonl", [name for name, found in FORMATS.items() if found.streams])
    if not path:  # Path("") would be the current folder
        raise FileMissingError(path)
    if not Path(path).exists():
        raise missing_path(Path(path))
    if Path(path).is_dir():
        return _format_among(name or "folder", ["folder"])
    return _format_among(name or _format_of_name(path), [name for name in FORMATS if name != "folder"])


def _format_among(name: str, possible: list[str]) -> _Format:
    if name not in possible:
        raise ParameterError("format", name, possible)
    return FORMATS[name]


def _format_of_name(path: str) -> str:
    lower = path.lower()
    plain = lower.removesuffix(".gz").removesuffix(".zst")
    for name, found in FORMATS.items():
        if found.endings and (plain if found.streams else lower).endswith(found.endings):
            return name
    endings = [ending for found in FORMATS.values() for ending in found.endings]
    why = f"The name {path!r} has none of the endings that tell a format: {', '.join(endings)}"
    raise ParameterError("format", None, [name for name in FORMATS if name != "folder"], why)
