"""``textbayes explain``: the contribution of each word of a text."""

from __future__ import annotations

import errno
import re
import sys
from pathlib import Path
from typing import Annotated

import typer

from textbayes.cli.console import data_console, print_json, print_message
from textbayes.cli.documents import Json, ModelFile
from textbayes.cli.models import load_model
from textbayes.datasets.streams import STANDARD_INPUT, decode_text, shown_path
from textbayes.errors import FileWriteError

app = typer.Typer(add_completion=False)

_DOCTYPE = b"<!doctype html>"
# Characters that could move the cursor or colour the rest.
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]|\r(?!\n)")


@app.command()
def explain_command(
    model: ModelFile,
    text: Annotated[
        str, typer.Argument(metavar="TEXT", help="The text, or - for stdin.", show_default=False)
    ],
    html: Annotated[
        Path | None,
        typer.Option("--html", metavar="FILE", help="Also write an HTML page.", show_default=False),
    ] = None,
    as_json: Json = False,
) -> None:
    """Show how each word of a text contributes.

    Marks the words that count for and against the predicted class, by colour on a terminal and by + and -
    elsewhere. The contributions add up to the score.
    """
    classifier = load_model(model)
    if html is not None:
        _check_page(html)
    text = _read(text)
    explanation = classifier.explain(text if as_json else _CONTROL.sub(_replacement, text))
    if html is not None:
        html.write_text(explanation.to_html(), encoding="utf-8")
        print_message(f"Page: {html}")
    if as_json:
        print_json(explanation.to_dict())
    else:
        data_console().print(explanation)


def _replacement(control: re.Match[str]) -> str:
    """Return what stands for a control character: it separates words, too."""
    return " " if control[0].isspace() else "\N{REPLACEMENT CHARACTER}"


def _check_page(path: Path) -> None:
    """Check that a page replaces no other kind of file."""
    if path.is_file():
        with open(path, "rb") as file:
            start = file.read(len(_DOCTYPE))
        if start and start.lower() != _DOCTYPE:
            raise FileWriteError(str(path), errno.EEXIST, "it exists and is not a page of HTML")


def _read(text: str) -> str:
    if text != STANDARD_INPUT:
        # An argument that is not UTF-8 contains lone surrogates.
        return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return decode_text(sys.stdin.buffer.read(), shown_path(text), "utf-8")
