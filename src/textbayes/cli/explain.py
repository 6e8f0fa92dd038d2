"""``textbayes explain``: what each word of a text says."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Annotated

import typer

from textbayes.cli.console import data_console, print_json, say
from textbayes.cli.documents import Json, ModelFile
from textbayes.cli.models import load_model
from textbayes.datasets.streams import STANDARD_INPUT, decode_text, shown_path
from textbayes.errors import FileNotReplacedError

app = typer.Typer(add_completion=False)

_DOCTYPE = b"<!doctype html>"
# What would move the cursor or colour the rest. It parts words, as the sign that is shown for it does.
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]|\r(?!\n)")


@app.command()
def explain_command(
    model: ModelFile,
    text: Annotated[
        str, typer.Argument(metavar="TEXT", help="The text, or - for stdin.", show_default=False)
    ],
    html: Annotated[
        Path | None,
        typer.Option("--html", metavar="FILE", help="Write a page of HTML too.", show_default=False),
    ] = None,
    as_json: Json = False,
) -> None:
    """Show what each word of a text says.

    Words that speak for the chosen class and against it are marked, by colour on a terminal and by + and -
    elsewhere, and what they say adds up to the score.
    """
    classifier = load_model(model)
    if html is not None:
        _check_page(html)
    whole = _whole(text)
    explanation = classifier.explain(whole if as_json else _CONTROL.sub("\N{REPLACEMENT CHARACTER}", whole))
    if html is not None:
        html.write_text(explanation.to_html(), encoding="utf-8")
        say(f"Page: {html}")
    if as_json:
        print_json(explanation.to_dict())
    else:
        data_console().print(explanation)


def _check_page(path: Path) -> None:
    """Check that a page replaces nothing but a page."""
    if path.is_file():
        with open(path, "rb") as file:
            start = file.read(len(_DOCTYPE))
        if start and start.lower() != _DOCTYPE:
            raise FileNotReplacedError(str(path), "page of HTML")


def _whole(text: str) -> str:
    if text != STANDARD_INPUT:
        # An argument that is not UTF-8 comes with halves of surrogate pairs.
        return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return decode_text(sys.stdin.buffer.read(), shown_path(text), "utf-8")
