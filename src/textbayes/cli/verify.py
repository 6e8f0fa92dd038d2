"""``textbayes verify``: whether model files are damaged."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from textbayes.cli.console import amount, format_size, print_error, print_json, print_lines, show_status
from textbayes.cli.documents import Json
from textbayes.errors import TextbayesError
from textbayes.estimators.text.verifying import Verified, verify

app = typer.Typer(add_completion=False)


@app.command()
def verify_command(
    models: Annotated[
        list[Path], typer.Argument(metavar="MODEL...", help="One or more model files.", show_default=False)
    ],
    as_json: Json = False,
) -> None:
    """Check that model files are not damaged.

    Compares all digests, checks all contents, and compares the sums of a model with its documents. Nothing is
    changed. The exit status is 2 if anything is wrong with one of the files.
    """
    records, sound = [], True
    for path in models:
        try:
            with show_status(f"Verifying {path.name}…"):
                found = verify(path)
        except TextbayesError as error:
            sound = False
            records.append({"model": str(path), "sound": False, "code": error.code, "error": error.what})
            if not as_json:
                print_error(error)
            continue
        records.append(_record(found))
        if not as_json:
            print_lines(f"{path}: {_summary(found)}")
    if as_json:
        print_json(records)
    if not sound:
        raise typer.Exit(2)


def _record(found: Verified) -> dict[str, Any]:
    facts = found.to_dict()
    return {"model": facts.pop("path"), "sound": True, **facts}


def _summary(found: Verified) -> str:
    parts = [f"sound; a {found.kind}, {format_size(found.bytes)}"]
    if found.documents is not None:
        parts.append(amount(found.documents, "document"))
    if found.sums_compared:
        parts.append("its sums are those of its documents")
    return ", ".join(parts)
