"""``textbayes relabel``: correct the labels of texts that a model has learned."""

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
from textbayes.cli.updates import print_update, relabel_model
from textbayes.persistence.lock import WAIT

app = typer.Typer(add_completion=False)


@app.command()
def relabel_command(
    model: ModelFile,
    data: Data,
    new_label: Annotated[
        str, typer.Option("--new-label", metavar="COLUMN", help="The column of the right label.")
    ] = "new_label",
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
        typer.Option(
            "--settle/--no-settle", help="Leave no trace of the old labels, or do so later: faster."
        ),
    ] = True,
    wait: Wait = WAIT,
    as_json: Json = False,
) -> None:
    """Correct the labels of texts.

    Forgets the texts with their label and learns them with the new one, in one step. The model must have
    learned exactly these texts with the old labels; otherwise nothing changes.
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
    update = relabel_model(model, source, output, new_label, weight, settle, wait)
    print_update(output or model, "relabelled", update, as_json)
