"""``textbayes teach``: more labelled texts for a model."""

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
def teach_command(
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
    """Teach a model more texts.

    It is then what it would be, had it learned them with the others. New labels and new words are welcome.
    The model file is replaced in one step.
    """
    source = source_of(
        data, only, text=text, label=label, separator=separator, format=format, encoding=encoding
    )
    change = change_model(model, source, output, TextClassifier.teach)
    tell_change(change, "taught", as_json)
