"""``textbayes merge``: several models → one that has learned what they have."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from textbayes.cli.console import amount, data_console, print_json, working
from textbayes.cli.documents import Json
from textbayes.cli.models import check_writable, load_model
from textbayes.estimators import TextClassifier

app = typer.Typer(add_completion=False)


@app.command()
def merge_command(
    models: Annotated[
        list[Path],
        typer.Argument(
            metavar="MODEL...", help="Two model files or more, of one recipe.", show_default=False
        ),
    ],
    output: Annotated[
        Path,
        typer.Option("-o", "--output", metavar="MODEL", help="The model file to write.", show_default=False),
    ],
    as_json: Json = False,
) -> None:
    """Join what models have learned.

    The result is what one model would be that had learned the documents of all of them.
    """
    if len(models) < 2:
        raise typer.BadParameter("Pass two model files or more.")
    check_writable(output)
    with working("Joining…"):
        merged = merge([load_model(path) for path in models])
        merged.save(output)
    classes = len(merged.classes_)
    if as_json:
        print_json({"model": str(output), "merged": len(models), "classes": classes})
    else:
        has = amount(classes, "class", "classes")
        told = f"Joined {len(models)} models; the result has {has}.\nModel: {output}"
        data_console().print(told, markup=False, soft_wrap=True)


def merge(models: Sequence[TextClassifier]) -> TextClassifier:
    """Join models into the first of them.

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
