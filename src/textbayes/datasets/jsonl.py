"""JSON Lines → documents."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from textbayes.datasets.corpus import Document
from textbayes.datasets.objects import Numbered, documents_of_objects, parse_object
from textbayes.datasets.reading import Reading
from textbayes.datasets.streams import COMPRESSIONS, DamagedLine, TextStream

# How every JSON object starts, even if it is broken further on; hardly any text does.
_START = re.compile(r'\{\s*(["}]|$)')


def read_jsonl(text: TextStream, reading: Reading) -> Iterator[Document]:
    """Read one document per line, from a JSON object with named fields.

    The columns are those of the first object. Blank lines are skipped.
    """
    return documents_of_objects(_objects(text), text.path, "line", reading, "one JSON object per line")


def starts_jsonl(start: str) -> bool:
    """Return whether a first line is a JSON object, or a broken one."""
    return _START.match(start) is not None


def is_jsonl(path: Path) -> bool:
    """Return whether a path is a file with the name of a JSON Lines file."""
    name = path.name
    for ending in COMPRESSIONS:
        name = name.removesuffix(ending)
    return path.is_file() and name.endswith(".jsonl")


def _objects(text: TextStream) -> Iterator[Numbered]:
    for number, line in enumerate(text.lines(), start=text.first):
        if isinstance(line, DamagedLine):
            yield number, line.error
        elif not line.isspace():
            yield parse_object(line, text.path, number, "jsonl")
