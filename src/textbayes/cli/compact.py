"""``textbayes compact``: a model → a small model that learns nothing more."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from textbayes.answering import CompactClassifier
from textbayes.cli.console import format_size, print_json, print_lines, show_status
from textbayes.cli.documents import Json, ModelFile
from textbayes.cli.models import check_writable
from textbayes.estimators.text.loading import load_learner
from textbayes.persistence.lock import LONG_WAIT, write_lock

app = typer.Typer(add_completion=False)


@app.command()
def compact_command(
    model: ModelFile,
    output: Annotated[
        Path,
        typer.Option("-o", "--output", metavar="SMALL", help="The model file to write.", show_default=False),
    ],
    max_loss: Annotated[
        float | None,
        typer.Option(
            "--max-loss",
            metavar="LOSS",
            help="The largest loss of macro F1 on held-out documents.  [default: 0.002]",
            show_default=False,
        ),
    ] = None,
    size: Annotated[
        str | None,
        typer.Option(
            "--size", metavar="SIZE", help="The largest file instead, such as 5MB.", show_default=False
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Make a small model that learns nothing more.

    Leaves out terms and keeps no documents. The loss is measured on documents that are held out. Every
    command that does not change a model takes the result.
    """
    check_writable(output)
    classifier = load_learner(model, "compact")
    with show_status(f"Measuring on {classifier.documents_:,} documents…"):
        small = classifier.compact(max_loss, size)
        with write_lock(output, LONG_WAIT):
            small.save(output)
    if as_json:
        print_json(_record(small, output))
    else:
        lines = [f"{part[0].upper()}{part[1:]}." for part in str(small.compaction_).split("; ")]
        lines.append(f"Model: {output} ({format_size(small.nbytes)})")
        print_lines(*lines)


def _record(small: CompactClassifier, output: Path) -> dict[str, Any]:
    made = small.compaction_
    return {
        "model": str(output),
        "bytes": small.nbytes,
        "terms": made.terms,
        "all_terms": made.all_terms,
        "bits": made.bits,
        "held_out": made.held_out,
        "macro_f1": made.score if made.held_out else None,
        "loss": made.loss,
        "standard_error": made.error if made.held_out else None,
    }
