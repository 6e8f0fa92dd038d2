"""Tables as text, Markdown, HTML and for rich; records as CSV and JSON."""

from __future__ import annotations

import html
import json
import math
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from textbayes.errors.printable import printable, printable_json
from textbayes.persistence import finite
from textbayes.persistence.spreadsheets import rows_as_csv


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table: headings, lines of equal length, a title above and a note below.

    Examples
    --------
    >>> sheet = Sheet("Two models", ["model", "accuracy"], [["mnb", ".81"], ["밀", ".9"]], "Made up.")
    >>> print(sheet.text())
    Two models
    <BLANKLINE>
    model  accuracy
    ─────  ────────
    mnb         .81
    밀           .9
    <BLANKLINE>
    Made up.
    """

    title: str
    headings: Sequence[str]
    lines: Sequence[Sequence[str]]
    note: str = ""

    def __post_init__(self) -> None:
        """Show labels and names as a screen may."""
        object.__setattr__(self, "title", printable(self.title))
        object.__setattr__(self, "headings", [printable(heading) for heading in self.headings])
        object.__setattr__(self, "lines", [[printable(cell) for cell in line] for line in self.lines])
        object.__setattr__(self, "note", printable(self.note))

    def text(self) -> str:
        """Return aligned plain text: words to the left, numbers to the right."""
        widths = [max(map(cell_len, column)) for column in zip(self.headings, *self.lines, strict=True)]
        rule = ["─" * width for width in widths]
        lines = [self._aligned(line, widths) for line in (self.headings, rule, *self.lines)]
        return "\n\n".join(part for part in (self.title, "\n".join(lines), self.note) if part)

    def markdown(self) -> str:
        """Return Markdown."""
        rule = ["---" if words else "---:" for words in self._words()]
        lines = [f"| {' | '.join(map(_escaped, line))} |" for line in (self.headings, rule, *self.lines)]
        return "\n\n".join(part for part in (self.title, "\n".join(lines), self.note) if part) + "\n"

    def html(self) -> str:
        """Return an HTML table."""
        head = "".join(f"<th>{html.escape(heading)}</th>" for heading in self.headings)
        body = "".join(f"<tr>{self._html_cells(line)}</tr>" for line in self.lines)
        caption = f"<caption>{html.escape(self.title)}</caption>" if self.title else ""
        note = f"<p>{html.escape(self.note)}</p>" if self.note else ""
        return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{note}"

    def rich(self) -> Table:
        """Return a table for rich."""
        # As Text: a label such as [red] is no markup.
        table = Table(title=Text(self.title), caption=Text(self.note))
        for heading, words in zip(self.headings, self._words(), strict=True):
            table.add_column(Text(heading), justify="left" if words else "right")
        for line in self.lines:
            table.add_row(*map(Text, line))
        return table

    def _words(self) -> list[bool]:
        """Find the columns of words: those in which a cell begins with a letter."""
        return [
            any(cell[:1].isalpha() for cell in column)
            for column in zip(*(self.lines or [self.headings]), strict=True)
        ]

    def _aligned(self, line: Sequence[str], widths: list[int]) -> str:
        # By the width in a terminal: Korean letters are two columns wide.
        cells = [
            cell + " " * (width - cell_len(cell)) if words else " " * (width - cell_len(cell)) + cell
            for cell, width, words in zip(line, widths, self._words(), strict=True)
        ]
        return "  ".join(cells).rstrip()

    def _html_cells(self, line: Sequence[str]) -> str:
        return "".join(
            f'<td style="text-align:{"left" if words else "right"}">{html.escape(cell)}</td>'
            for cell, words in zip(line, self._words(), strict=True)
        )


def share(value: float | None, digits: int = 3) -> str:
    """Format a share as in tables: .812; – for None and NaN."""
    if value is None or math.isnan(value):
        return "–"
    return f"{value:.{digits}f}".replace("0.", ".", 1) if abs(value) < 1 else f"{value:.{digits}f}"


def csv_text(records: Sequence[dict[str, Any]], exact: bool = False) -> str:
    """Format records as CSV, with their keys as headings; unless exact, no cell is a formula."""
    return rows_as_csv([records[0], *(record.values() for record in records)], exact=exact)


def json_text(value: Any) -> str:
    """Format a value as JSON; NaN, which JSON lacks, becomes null."""
    return printable_json(json.dumps(finite(value), indent=2, ensure_ascii=False, default=str)) + "\n"


def written(text: str, path: str | os.PathLike[str] | None) -> str:
    """Return a text; write it to a file if a path is given."""
    if path is not None:
        # A label may hold characters that UTF-8 cannot encode.
        Path(path).write_text(text, encoding="utf-8", errors="backslashreplace")
    return text


def _escaped(cell: str) -> str:
    # A label is no link and no HTML.
    return cell.replace("|", "\\|").replace("<", "\\<").replace("](", "]\\(")
