"""DATA, the documents that commands read, and the options for reading them: arguments for typer."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from textbayes.datasets.files import ON_ERROR
from textbayes.datasets.formats import FORMATS
from textbayes.datasets.streams import MAX_RECORD

Data = Annotated[
    list[str],
    typer.Argument(
        metavar="DATA",
        help="Files with documents, folders with a subfolder per class, or - for stdin.",
        show_default=False,
    ),
]
TextColumn = Annotated[
    list[str] | None,
    typer.Option(
        "--text",
        metavar="COLUMN",
        help="The text column, if its name is not recognised. Give several to join their texts.",
        show_default=False,
    ),
]
LabelColumn = Annotated[
    str | None,
    typer.Option("--label", metavar="COLUMN", help="The label column, if its name is not recognised."),
]
IdColumn = Annotated[
    str | None,
    typer.Option("--id", metavar="COLUMN", help="The id column, if it is not called id."),
]
WeightColumn = Annotated[
    str | None,
    typer.Option(
        "--weight",
        metavar="COLUMN",
        help="The column of weights: a text of weight 2 counts as two.",
        show_default=False,
    ),
]
Separator = Annotated[
    str | None,
    typer.Option("--separator", metavar="MARK", help="The separator between several labels, such as ';'."),
]
Format = Annotated[
    str | None,
    typer.Option(
        "--format",
        metavar="FORMAT",
        help=f"One of {', '.join(FORMATS)}; default: by the file name; for stdin and .txt by the first line.",
        autocompletion=lambda: list(FORMATS),
    ),
]
NoHeader = Annotated[
    bool,
    typer.Option("--no-header", help="CSV or TSV without a header: name columns by number, from 1."),
]
Delimiter = Annotated[
    str | None,
    typer.Option(
        "--delimiter", metavar="MARK", help="The character between the fields of CSV or TSV, or 'tab'."
    ),
]
OnError = Annotated[
    str,
    typer.Option(
        "--on-error",
        metavar="ACTION",
        help="For lines that cannot be read and documents without a text or a label: stop, skip (leave them "
        "out) or report (and print them).",
        autocompletion=lambda: list(ON_ERROR),
    ),
]
MaxRecord = Annotated[
    int | None,
    typer.Option(
        "--max-record",
        metavar="N",
        min=1,
        help=f"The most characters of a line, a row or an object. Default: {MAX_RECORD:,}.",
        show_default=False,
    ),
]
Encoding = Annotated[str, typer.Option("--encoding", metavar="NAME", help="The encoding of text files.")]
Only = Annotated[
    str | None,
    typer.Option("--only", metavar="SPLIT", help="Use only documents with this value in the column 'split'."),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
ModelFile = Annotated[
    Path,
    typer.Argument(metavar="MODEL", help="A model file, from `textbayes train`.", show_default=False),
]
OtherFile = Annotated[
    Path | None,
    typer.Option("-o", "--output", metavar="MODEL", help="Write here and leave MODEL unchanged."),
]
Wait = Annotated[
    float,
    typer.Option(
        "--wait",
        metavar="SECONDS",
        min=0,
        help="How long to wait while another program changes the model file.",
    ),
]
