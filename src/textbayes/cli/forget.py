"""``textbayes forget``: labelled texts out of a model."""

from __future__ import annotations

import typer

from textbayes.cli.documents import (
    Data,
    Encoding,
    Format,
    Json,
    LabelColumn,
    ModelFile,
    Only,
    OtherFile,
    Separator,
    TextColumn,
    source_of,
)
from textbayes.cli.learning import change_model, tell_change
from textbayes.estimators import TextClassifier

app = typer.Typer(add_completion=False)


@app.command()
def forget_command(
    model: ModelFile,
    data: Data,
    output: OtherFile = None,
    text: TextColumn = None,
    label: LabelColumn = None,
    separator: Separator = None,
    format: Format = None,
    encoding: Encoding = "utf-8",
    only: Only = None,
    as_json: Json = False,
) -> None:
    """Make a model forget texts.

    It is then what it would be, had it never seen them. They have to be texts that it learned, word for word
    and with the same labels; if one is not, nothing is changed.
    """
    source = source_of(
        data, only, text=text, label=label, separator=separator, format=format, encoding=encoding
    )
    change = change_model(model, source, output, TextClassifier.forget)
    tell_change(change, "forgot", as_json)
