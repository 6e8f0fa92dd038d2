"""``textbayes inspect``: what a model has learned."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from textbayes.cli.console import print_json, print_rich, show_status
from textbayes.cli.documents import Json, ModelFile
from textbayes.cli.models import load_model
from textbayes.errors.printable import printable
from textbayes.statistics import class_of_text

app = typer.Typer(add_completion=False)


@app.command()
def inspect_command(
    model: ModelFile,
    terms: Annotated[
        int, typer.Option("--terms", metavar="K", min=1, help="The number of terms per class.")
    ] = 10,
    of_class: Annotated[
        str | None,
        typer.Option("--class", metavar="LABEL", help="Show only this class.", show_default=False),
    ] = None,
    between: Annotated[
        tuple[str, str] | None,
        typer.Option(
            "--between",
            metavar="LABEL LABEL",
            help="Show only the terms that distinguish these two classes.",
            show_default=False,
        ),
    ] = None,
    loo: Annotated[
        bool, typer.Option("--loo/--no-loo", help="Find confused classes by leave-one-out.")
    ] = True,
    as_json: Json = False,
) -> None:
    """Show what a model has learned.

    Prints the size and the strongest terms of each class, and the classes that the model confuses.
    """
    if of_class is not None and between is not None:
        raise typer.BadParameter("--class and --between exclude each other: pass one of them.")
    classifier = load_model(model)
    if of_class is not None:
        label = class_of_text(of_class, classifier.classes_.tolist())
        with show_status("Inspecting…"):
            inspected = classifier.inspect(terms, leave_one_out=False).classes
        _print_class(next(one for one in inspected if one.label == label), as_json)
        return
    with show_status("Leaving one out…" if loo else "Inspecting…"):
        found = classifier.inspect(terms, leave_one_out=loo and between is None)
    if between is None:
        if as_json:
            print_json(found.to_dict())
        else:
            print_rich(found)
        return
    one, other = (class_of_text(name, classifier.classes_.tolist(), "label") for name in between)
    evidence = found.between(one, other, max(terms, found.vocabulary))
    if as_json:
        print_json({"between": [one, other], "terms": [list(pair) for pair in evidence[:terms]]})
    else:
        print_rich(_table(between, evidence, terms))


def _print_class(inspected: Any, as_json: bool) -> None:
    """Print the size and the strongest terms of a class."""
    if as_json:
        print_json(asdict(inspected))
        return
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("term", overflow="fold")
    table.add_column("evidence per 100 words", justify="right")
    for term, weight in inspected.terms:
        table.add_row(Text(printable(term)), f"{weight:.3g}")
    noun = "document" if inspected.documents == 1 else "documents"
    print_rich(Text(f"{printable(inspected.label)}: {inspected.documents:,g} {noun}"))
    print_rich(table)


def _table(between: tuple[str, str], evidence: list[tuple[str, float]], terms: int) -> Table:
    """The strongest terms, each with its share of the evidence of all terms."""
    whole = sum(abs(weight) for _, weight in evidence) or 1.0
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("term", overflow="fold")
    table.add_column("of all evidence", justify="right")
    table.add_column("for", overflow="fold")
    for term, weight in evidence[:terms]:
        label = between[0] if weight > 0 else between[1]
        table.add_row(Text(printable(term)), f"{abs(weight) / whole:.1%}", Text(printable(label)))
    return table
