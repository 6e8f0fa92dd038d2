"""``textbayes teach``: add labelled texts to a model."""

from __future__ import annotations

from typing import Annotated

import typer

from textbayes.cli.documents import (
    Data,
    Delimiter,
    Encoding,
    Format,
    Json,
    LabelColumn,
    MaxRecord,
    ModelFile,
    NoHeader,
    OnError,
    Only,
    OtherFile,
    Separator,
    TextColumn,
    Wait,
    WeightColumn,
)
from textbayes.cli.sources import source_of
from textbayes.cli.updates import print_update, update_model
from textbayes.estimators import TextClassifier
from textbayes.estimators.views.update import teach_and_settle
from textbayes.persistence.lock import WAIT

app = typer.Typer(add_completion=False)


@app.command()
def teach_command(
    model: ModelFile,
    data: Data,
    output: OtherFile = None,
    text: TextColumn = None,
    label: LabelColumn = None,
    weight: WeightColumn = None,
    separator: Separator = None,
    format: Format = None,
    encoding: Encoding = "utf-8",
    no_header: NoHeader = False,
    delimiter: Delimiter = None,
    on_error: OnError = "stop",
    only: Only = None,
    max_record: MaxRecord = None,
    settle: Annotated[
        bool, typer.Option("--settle", help="Refit the model if it cannot learn the texts exactly.")
    ] = False,
    wait: Wait = WAIT,
    as_json: Json = False,
) -> None:
    """Teach a model more texts.

    The texts may have new labels and new words. Most models are then the same as after training on all texts
    together. The others learn quickly and approximately, and the command says so: --settle, or the command
    settle, refits them. The model file is replaced atomically.
    """
    source = source_of(
        data,
        only,
        text=text,
        label=label,
        separator=separator,
        format=format,
        encoding=encoding,
        no_header=no_header,
        delimiter=delimiter,
        on_error=on_error,
        max_record=max_record,
    )
    learn = teach_and_settle if settle else TextClassifier.teach
    update = update_model(model, source, output, learn, weight, wait)
    print_update(output or model, "taught", update, as_json)
