"""``textbayes predict``: a model and a stream of texts → a stream of labels."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from textbayes.cli.documents import (
    Data,
    Delimiter,
    Encoding,
    Format,
    IdColumn,
    MaxRecord,
    ModelFile,
    NoHeader,
    OnError,
    Only,
    TextColumn,
)
from textbayes.cli.predicting import write_predictions

app = typer.Typer(add_completion=False)


@app.command()
def predict_command(
    model: ModelFile,
    data: Data,
    top: Annotated[
        int | None,
        typer.Option("--top", metavar="K", min=1, help="Add the K most likely classes.", show_default=False),
    ] = None,
    proba: Annotated[bool, typer.Option("--proba", help="Add probabilities.")] = False,
    reject_below: Annotated[
        float | None,
        typer.Option(
            "--reject-below",
            metavar="P",
            min=0.0,
            max=1.0,
            help="Give no label if its probability is below P.",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="Write here: JSON Lines, CSV, TSV or Parquet, by the ending of its name.",
            show_default=False,
        ),
    ] = None,
    columns: Annotated[
        list[str] | None,
        typer.Option(
            "--columns",
            metavar="A,B",
            help="Repeat these columns of DATA; repeatable.",
            show_default=False,
        ),
    ] = None,
    with_text: Annotated[bool, typer.Option("--with-text", help="Repeat the text.")] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Write CSV.")] = False,
    exact: Annotated[
        bool,
        typer.Option(
            "--exact", help="CSV and TSV: no apostrophe in front of cells that a spreadsheet would calculate."
        ),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Write JSON Lines, the default.")] = False,
    text: TextColumn = None,
    id: IdColumn = None,
    format: Format = None,
    encoding: Encoding = "utf-8",
    no_header: NoHeader = False,
    delimiter: Delimiter = None,
    on_error: OnError = "stop",
    only: Only = None,
    max_record: MaxRecord = None,
) -> None:
    """Classify texts.

    Memory does not grow with the input. Documents from a pipe are classified as they arrive. Probabilities
    have four decimals, in Parquet all.
    """
    if as_csv and as_json:
        raise typer.BadParameter("--csv and --json exclude each other: pass one of them.")
    write_predictions(
        model,
        data,
        top=top,
        proba=proba,
        reject_below=reject_below,
        as_csv=as_csv,
        text=text,
        id=id,
        format=format,
        encoding=encoding,
        no_header=no_header,
        delimiter=delimiter,
        on_error=on_error,
        max_record=max_record,
        only=only,
        output=output,
        columns=columns,
        with_text=with_text,
        exact=exact,
    )
