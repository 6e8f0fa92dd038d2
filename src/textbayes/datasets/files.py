"""Your own files → documents, one at a time."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Literal

from textbayes.datasets.archives import missing_path
from textbayes.datasets.columns import ColumnNames, Columns
from textbayes.datasets.corpus import Document
from textbayes.datasets.formats import (
    DELIMITED,
    FORMATS,
    SNIFFED,
    STREAMED,
    format_of_name,
    format_of_start,
)
from textbayes.datasets.reading import BadRecord, OnError, Reading, Share
from textbayes.datasets.streams import MAX_RECORD, STANDARD_INPUT, Lines, known_encoding, open_text
from textbayes.errors import FileMissingError, NoDocumentsError, ParameterConflictError, ParameterError
from textbayes.errors.checks import check_whole

PathLike = str | os.PathLike[str]

ON_ERROR = ("stop", "skip", "report")
"""What can be done about a record that cannot be used."""

_DELIMITERS = {"tab": "\t", "\\t": "\t"}


def read_documents(
    path: PathLike | Sequence[PathLike],
    *,
    text: str | Sequence[str] | None = None,
    label: str | None = None,
    id: str | None = None,
    split: str | None = None,
    separator: str | None = None,
    format: str | None = None,
    encoding: str = "utf-8",
    header: bool = True,
    delimiter: str | None = None,
    on_error: Literal["stop", "skip", "report"] | OnError = "stop",
    labelled: bool | Literal["required"] = True,
    columns: Sequence[str] = (),
    max_record: int = MAX_RECORD,
    part: Sequence[Share] | None = None,
    report: Callable[[Columns], None] | None = None,
) -> Iterator[Document]:
    r"""Read documents from files or folders, one at a time.

    A file may be larger than memory: at most a line, a row or a small batch of rows is held at a time.

    Parameters
    ----------
    path : str or path, or a sequence of them
        JSON Lines, a JSON array, CSV, TSV or text with a document per line (plain, or compressed by gzip,
        zstd, bzip2 or xz), Parquet, a folder with a subfolder per class, or ``"-"`` for standard input.
        Several files have the same columns for the text and the label.
    text : str or sequence of str, optional
        The text column. By default ``text``, else ``body``, ``content``, ``message``, ``document``,
        ``review``, ``sentence`` or similar. The texts of several columns are joined by line breaks.
    label : str, optional
        The label column. By default ``label`` or ``labels``, else ``class``, ``category``, ``topic``,
        ``target``, ``y`` or similar; without any, documents have no labels.
    id, split : str, optional
        The columns of the id and the split; by default ``id`` and ``split`` if they exist. A record without
        an id has the number of its line (in Parquet: its row, in a JSON array: its object), counted from 1;
        if there are several files, their name, a colon and the number.
    separator : str, optional
        The separator between several labels in one string, such as ``","``.
    format : {"jsonl", "json", "csv", "tsv", "text", "fasttext", "parquet", "folder"}, optional
        By default chosen by the file name. The first line of standard input and of ``.txt`` decides between
        ``"jsonl"``, ``"json"``, ``"fasttext"`` and, for anything else, ``"text"``; that of ``.json``
        between ``"json"`` and ``"jsonl"``.
    encoding : str, default="utf-8"
        The encoding of text files. A byte-order mark is dropped.
    header : bool, default=True
        Whether the first row of CSV or TSV has the names of the columns. If not, columns are named by their
        numbers, from 1: ``text="2"``.
    delimiter : str, optional
        The character between the fields of CSV or TSV; ``"tab"`` for a tab. By default a comma, or a
        semicolon or a tab if the first row has one of these and no comma; in TSV a tab.
    on_error : {"stop", "skip", "report"} or function, default="stop"
        What to do about a record that cannot be used: raise its error, leave it out, or leave it out with a
        warning. A function is called with a :class:`BadRecord`; if it returns a document, that takes the
        place of the record.
    labelled : bool or "required", default=True
        Whether to look for a label column. Pass False to read texts that are only to be classified. If
        required, a file without labels is an error.
    columns : sequence of str, optional
        Other columns to read, of any type: the ``others`` of each document. The first object of JSON Lines
        must have them; a later one without them has None.
    max_record : int, default=67108864
        The most characters of a record: a line, a row, an object, or a file of a folder. A longer one is a
        record that cannot be used, and no more of it is in memory.
    part : sequence of Share, optional
        The files to read, or shares of them, if other processes read the others. The columns are those of the
        first file in any case. By default, all are read.
    report : function, optional
        Called with the columns of each file once they are found, to show a guess. Not called for a folder.

    Yields
    ------
    Document
        In the order of the file; in a folder, sorted by class and then by name.

    Raises
    ------
    TextbayesError
        At the first record that cannot be used, unless ``on_error`` says otherwise; the message names the
        file and the line.

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
    if isinstance(path, str | os.PathLike):
        paths = [os.fspath(path)]
    else:
        paths = [os.fspath(each) for each in path]
        if not paths:
            raise NoDocumentsError("[]", "the path of a file or more")
    files = [(each, _choose_format(each, format, header, delimiter)) for each in paths]
    if separator == "":
        raise ParameterError(
            "separator", separator, "a string of one character or more, such as ',' or a space"
        )
    names = ColumnNames(
        _text_columns(text),
        label,
        id,
        split,
        separator,
        bool(labelled),
        labelled == "required",
        tuple(columns),
        report,
    )
    reading = Reading(
        names,
        known_encoding(encoding),
        header,
        _known_delimiter(delimiter),
        _handler(on_error),
        several=len(paths) > 1,
        most=check_whole("max_record", max_record),
    )
    return _read(files, reading, list(map(Share, range(len(files)))) if part is None else part)


def _read(
    files: list[tuple[str, tuple[str, bool]]], reading: Reading, part: Sequence[Share]
) -> Iterator[Document]:
    for number, (path, (name, sniffed)) in enumerate(files):
        shares = [share for share in part if share.file == number]
        if not reading.has_columns and not any(share.start == 0 for share in shares):
            finding = reading.finding_columns()
            with closing(_read_file(path, name, sniffed, finding)) as documents:
                next(documents, None)
            reading.use_columns(finding)
        for share in shares:
            reading.share = share
            yield from _read_file(path, name, sniffed, reading)


def _read_file(path: str, name: str, sniffed: bool, reading: Reading) -> Generator[Document, None, None]:
    read_path = FORMATS[name].read_path
    if read_path is not None:
        yield from read_path(path, reading)
        return
    share = reading.share or Share(0)
    lines = Lines(share.start, share.stop, share.before)
    with open_text(path, reading.encoding, reading.on_error is not None, reading.most, lines) as text:
        read_text = FORMATS[format_of_start(name, text.start()) if sniffed else name].read_text
        assert read_text is not None
        yield from read_text(text, reading)


def file_format(path: PathLike, format: str | None = None) -> str | None:
    """Return the format of a file, or None if its first line tells."""
    chosen, sniffed = _format_of_path(os.fspath(path), format)
    return None if sniffed and chosen in SNIFFED else chosen


def _text_columns(text: str | Sequence[str] | None) -> str | tuple[str, ...] | None:
    if text is None or isinstance(text, str):
        return text
    columns = tuple(text)
    if not columns:
        raise ParameterError("text", list(columns), "one column or more")
    for name in columns:
        if columns.count(name) > 1:
            raise ParameterError("text", name, "each text column once", "Its words would count twice")
    return columns


def _known_delimiter(delimiter: str | None) -> str | None:
    if delimiter is None:
        return None
    mark = _DELIMITERS.get(delimiter, delimiter)
    if len(mark) != 1 or mark in '"\r\n':
        raise ParameterError("delimiter", delimiter, "one character, such as ';', or tab")
    return mark


def _handler(on_error: str | OnError) -> OnError | None:
    if callable(on_error):
        return on_error
    if on_error not in ON_ERROR:
        raise ParameterError("on_error", on_error, ON_ERROR)
    handlers: dict[str, OnError | None] = {"stop": None, "skip": _skip, "report": _warn}
    return handlers[on_error]


def _skip(_bad: BadRecord) -> None:
    return None


def _warn(bad: BadRecord) -> None:
    warnings.warn(f"{bad}; it is left out", stacklevel=2)


def _choose_format(path: str, name: str | None, header: bool, delimiter: str | None) -> tuple[str, bool]:
    """Return the name of the format, and whether the first line of the text may tell another."""
    if name is not None and name not in FORMATS:
        raise ParameterError("format", name, FORMATS)
    chosen, sniffed = _format_of_path(path, name)
    if header and delimiter is None:
        return chosen, sniffed
    if sniffed and chosen == "text":  # plain text has no delimiter, so this is CSV
        return "csv", False
    if chosen not in DELIMITED:
        option, value = ("delimiter", delimiter) if header else ("header", False)
        reason = f"{path} is {chosen}, and only {' and '.join(DELIMITED)} have a header and a delimiter"
        raise ParameterConflictError(option, value, "format", chosen, reason)
    return chosen, sniffed


def _format_of_path(path: str, name: str | None) -> tuple[str, bool]:
    if path == STANDARD_INPUT:
        return _format_among(name or "text", STREAMED), name is None
    if not path:  # Path("") would be the current folder
        raise FileMissingError(path)
    if not Path(path).exists():
        raise missing_path(Path(path))
    if Path(path).is_dir():
        return _format_among(name or "folder", ["folder"]), False
    files = [each for each in FORMATS if each != "folder"]
    found = name or format_of_name(path)
    if found is None:
        endings = [ending for each in FORMATS.values() for ending in each.endings]
        why = f"The name {path!r} has none of the endings that tell a format: {', '.join(endings)}"
        raise ParameterError("format", None, files, why)
    return _format_among(found, files), name is None


def _format_among(name: str, possible: Sequence[str]) -> str:
    if name not in possible:
        raise ParameterError("format", name, possible)
    return name
