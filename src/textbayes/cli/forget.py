"""``textbayes forget``: remove labelled texts from a model."""

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
from textbayes.estimators.views.update import forget_quickly
from textbayes.persistence.lock import WAIT

app = typer.Typer(add_completion=False)


@app.command()
def forget_command(
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
        bool,
        typer.Option("--settle/--no-settle", help="Leave no trace of the texts, or do so later: faster."),
    ] = True,
    wait: Wait = WAIT,
    as_json: Json = False,
) -> None:
    """Make a model forget texts.

    The result is the same as training without them. The model must have learned exactly these texts with the
    same labels; otherwise nothing changes.
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
    learn = TextClassifier.forget if settle else forget_quickly
    update = update_model(model, source, output, learn, weight, wait)
    print_update(output or model, "forgot", update, as_json)
