"""``textbayes inspect``: what a model has learned."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from textbayes.cli.console import data_console, print_json, working
from textbayes.cli.documents import Json, ModelFile
from textbayes.cli.models import load_model

app = typer.Typer(add_completion=False)


@app.command()
def inspect_command(
    model: ModelFile,
    terms: Annotated[
        int, typer.Option("--terms", metavar="K", min=1, help="How many terms of each class.")
    ] = 10,
    between: Annotated[
        tuple[str, str] | None,
        typer.Option(
            "--between",
            metavar="LABEL LABEL",
            help="Show only the terms that tell these two classes apart.",
            show_default=False,
        ),
    ] = None,
    loo: Annotated[
        bool, typer.Option("--loo/--no-loo", help="Leave each document out, to see what is confused.")
    ] = True,
    as_json: Json = False,
) -> None:
    """Show what a model has learned.

    Class sizes, each class's strongest terms, and the classes that it confuses.
    """
    classifier = load_model(model)
    with working("Leaving one out…" if loo else "Looking…"):
        found = classifier.inspect(terms, leave_one_out=loo and between is None)
    if between is None:
        if as_json:
            print_json(found.to_dict())
        else:
            data_console().print(found)
        return
    apart = found.between(*between, terms)
    if as_json:
        print_json({"between": list(between), "terms": [list(pair) for pair in apart]})
    else:
        data_console().print(_table(between, apart))


def _table(between: tuple[str, str], apart: list[tuple[str, float]]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("term", overflow="fold")
    table.add_column("says", justify="right")
    table.add_column("for", overflow="fold")
    for term, says in apart:
        label = between[0] if says > 0 else between[1]
        table.add_row(Text(term), f"{abs(says):.2f}", Text(label))
    return table
