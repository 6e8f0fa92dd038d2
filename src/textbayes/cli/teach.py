"""``textbayes teach``: add labelled texts to a model."""

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
)
from textbayes.cli.sources import source_of
from textbayes.cli.updates import print_update, update_model
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

    The result is the same as training on all texts together. The texts may have new labels and new words.
    The model file is replaced atomically.
    """
    source = source_of(
        data, only, text=text, label=label, separator=separator, format=format, encoding=encoding
    )
    update = update_model(model, source, output, TextClassifier.teach)
    print_update(output or model, "taught", update, as_json)
