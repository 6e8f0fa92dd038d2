"""``textbayes merge``: several models → one model of all their documents."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from textbayes.cli.console import amount, print_json, print_lines, show_status
from textbayes.cli.documents import Json, Wait
from textbayes.cli.models import changing
from textbayes.estimators import TextClassifier
from textbayes.estimators.text.loading import load_learner
from textbayes.persistence.lock import WAIT

app = typer.Typer(add_completion=False)


@app.command()
def merge_command(
    models: Annotated[
        list[Path],
        typer.Argument(
            metavar="MODEL...", help="Two or more model files of the same kind.", show_default=False
        ),
    ],
    output: Annotated[
        Path,
        typer.Option("-o", "--output", metavar="MODEL", help="The model file to write.", show_default=False),
    ],
    wait: Wait = WAIT,
    as_json: Json = False,
) -> None:
    """Merge models into one.

    The result is the same as one model trained on all their documents.
    """
    if len(models) < 2:
        raise typer.BadParameter("Pass at least two model files.")
    with changing(output, wait), show_status("Merging…"):
        merged = merge([load_learner(path, "merge") for path in models])
        merged.save(output)
    classes = len(merged.classes_)
    if as_json:
        print_json({"model": str(output), "merged": len(models), "classes": classes})
    else:
        summary = f"Merged {len(models)} models; the result has {amount(classes, 'class', 'classes')}."
        print_lines(summary, f"Model: {output}")


def merge(models: Sequence[TextClassifier]) -> TextClassifier:
    """Merge models into the first of them.

    Examples
    --------
    >>> from textbayes import TextClassifier
    >>> from textbayes.cli.merge import merge
    >>> one = TextClassifier().fit(["wheat corn"], ["grain"])
    >>> merge([one, TextClassifier().fit(["crude oil"], ["oil"])]).classes_
    array(['grain', 'oil'], dtype='<U5')
    """
    first, *others = models
    for other in others:
        first.merge(other)
    return first
