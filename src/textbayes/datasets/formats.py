"""The formats of files: names, endings and readers. Options, messages and documentation use this table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from textbayes.datasets.corpus import Document
from textbayes.datasets.delimited import read_csv, read_tsv
from textbayes.datasets.folders import read_folder
from textbayes.datasets.json_arrays import read_json, starts_json
from textbayes.datasets.jsonl import read_jsonl, starts_jsonl
from textbayes.datasets.parquet import read_parquet
from textbayes.datasets.plain_lines import read_fasttext, read_plain_lines, starts_fasttext
from textbayes.datasets.reading import Reading
from textbayes.datasets.streams import COMPRESSIONS, TextStream


class Format(NamedTuple):
    """A format of files.

    Parameters
    ----------
    about : str
        What a document is.
    endings : tuple of str
        The endings of file names.
    read_text, read_path : function
        The reader: of text, which may be compressed or come from standard input, or of a path.
    starts : function, optional
        Says by the first line that is not blank whether a text has this format, if its name does not tell.
    delimited : bool
        Whether it has a header and a delimiter.
    """

    about: str
    endings: tuple[str, ...] = ()
    read_text: Callable[[TextStream, Reading], Iterator[Document]] | None = None
    read_path: Callable[[str, Reading], Iterator[Document]] | None = None
    starts: Callable[[str], bool] | None = None
    delimited: bool = False


FORMATS: dict[str, Format] = {
    "jsonl": Format("a line with a JSON object", (".jsonl", ".ndjson"), read_jsonl, starts=starts_jsonl),
    "json": Format("an object of a JSON array", (".json",), read_json, starts=starts_json),
    "csv": Format("a row below the header, comma-separated", (".csv",), read_csv, delimited=True),
    "tsv": Format("a row below the header, tab-separated", (".tsv", ".tab"), read_tsv, delimited=True),
    "text": Format("a line of plain text", (".txt",), read_plain_lines),
    "fasttext": Format(
        "a line with labels, such as `__label__spam`, and a text",
        (".ft",),
        read_fasttext,
        starts=starts_fasttext,
    ),
    "parquet": Format("a row", (".parquet", ".pq"), read_path=read_parquet),
    "folder": Format("a file; its label is the name of its folder", read_path=read_folder),
}
"""The formats by name."""

STREAMED = tuple(name for name, found in FORMATS.items() if found.read_text is not None)
"""The formats that may be compressed, or come from standard input."""

DELIMITED = tuple(name for name, found in FORMATS.items() if found.delimited)
"""The formats with a header and a delimiter."""

SNIFFED = {"json": (("json",), "jsonl"), "text": (("jsonl", "json", "fasttext"), "text")}
"""Files whose first line decides between formats, and what they are otherwise."""


def format_of_name(path: str) -> str | None:
    """Return the format that the name of a file tells, or None.

    Examples
    --------
    >>> from textbayes.datasets.formats import format_of_name
    >>> format_of_name("mail.csv.xz"), format_of_name("mail.xls")
    ('csv', None)
    """
    lower = path.lower()
    plain = next((lower.removesuffix(ending) for ending in COMPRESSIONS if lower.endswith(ending)), lower)
    for name, found in FORMATS.items():
        if found.endings and (plain if found.read_text else lower).endswith(found.endings):
            return name
    return None


def format_of_start(name: str, start: str) -> str:
    """Return the format of a text: the one that its name tells, or another that its first line tells.

    Examples
    --------
    >>> from textbayes.datasets.formats import format_of_start
    >>> format_of_start("text", "free prize"), format_of_start("text", '{"text": "free prize"}')
    ('text', 'jsonl')
    """
    others, otherwise = SNIFFED.get(name, ((), name))
    for other in others:
        starts = FORMATS[other].starts
        if starts is not None and starts(start):
            return other
    return otherwise


def formats_table() -> str:
    """Return the table of formats of the documentation."""
    rows = ["| format | endings | one document is |", "|---|---|---|"]
    for name, found in FORMATS.items():
        endings = ", ".join(f"`{ending}`" for ending in found.endings) or "a folder"
        rows.append(f"| `{name}` | {endings} | {found.about} |")
    return "\n".join(rows)
