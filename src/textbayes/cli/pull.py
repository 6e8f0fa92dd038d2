"""``textbayes pull``: get the documents of a model on a server, or the model itself."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from textbayes.cli.console import amount, format_size, print_json, print_lines, show_count, show_status
from textbayes.cli.models import check_writable
from textbayes.cli.outputs import check_output, output_format
from textbayes.cli.remote import Address, Timeout, TokenFile, open_client
from textbayes.errors import ParameterConflictError, ParameterError
from textbayes.errors.printable import printable_text
from textbayes.persistence.replacing import replacing
from textbayes.persistence.spreadsheets import rows_as_csv

app = typer.Typer(add_completion=False)

_OTHERS = ("weight", "version", "time", "actor", "source")
_DELIMITERS = {"csv": ",", "tsv": "\t"}


@app.command()
def pull_command(
    url: Address,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", metavar="FILE", help="Write here: .jsonl, .csv or .tsv. Default: stdout."
        ),
    ] = None,
    model: Annotated[
        Path | None,
        typer.Option("--model", metavar="MODEL", help="Write the model file here, not the documents."),
    ] = None,
    version: Annotated[
        int | None,
        typer.Option("--version", metavar="N", min=0, help="With --model: the model as of this version."),
    ] = None,
    search: Annotated[
        str | None, typer.Option("--search", metavar="WORDS", help="Only documents with these words.")
    ] = None,
    label: Annotated[
        str | None, typer.Option("--class", metavar="LABEL", help="Only documents of this class.")
    ] = None,
    as_csv: Annotated[bool, typer.Option("--csv", help="Write CSV instead of JSON Lines.")] = False,
    separator: Annotated[
        str, typer.Option("--separator", metavar="MARK", help="The separator of several labels in CSV.")
    ] = ";",
    exact: Annotated[
        bool,
        typer.Option("--exact", help="Keep cells of CSV that a spreadsheet takes for formulas as they are."),
    ] = False,
    token_file: TokenFile = None,
    timeout: Timeout = 60.0,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print what was written to a file as JSON.")
    ] = False,
) -> None:
    """Get documents or the model from a server."""
    if model is not None:
        _pull_model(url, token_file, timeout, model, version, output, as_json)
        return
    if version is not None:
        raise ParameterConflictError("version", version, "model", None, "Documents are those of now")
    format = output_format(output, as_csv)
    if format == "parquet":
        raise ParameterError("output", str(output), "a name that ends with .jsonl, .csv or .tsv")
    if output is not None:
        check_output(output, ())
    with open_client(url, token_file, timeout) as client:
        read = show_count(client.documents(search=search, label=label), f"Reading {client.url}")
        found = _Counted(read)
        _write(output, _lines(found, _DELIMITERS.get(format), separator, exact))
        address = client.url
    if output is not None and as_json:
        print_json({"url": address, "output": str(output), "documents": found.number})
    elif output is not None:
        print_lines(f"Wrote {amount(found.number, 'document')} to {output}.")


def _pull_model(
    url: str,
    token_file: Path | None,
    timeout: float,
    model: Path,
    version: int | None,
    output: Path | None,
    as_json: bool,
) -> None:
    if output is not None:
        raise ParameterConflictError("output", str(output), "model", str(model), "A model is one file")
    check_writable(model)
    with open_client(url, token_file, timeout) as client, show_status(f"Reading {client.url}…"):
        client.download(model, version)
        address = client.url
    if as_json:
        print_json({"url": address, "model": str(model), "version": version, "bytes": model.stat().st_size})
        return
    print_lines(f"Wrote {model} ({format_size(model.stat().st_size)}).")


def _lines(
    documents: Iterable[dict[str, Any]], delimiter: str | None, separator: str, exact: bool
) -> Iterator[str]:
    """Yield a line for each document, and for CSV a heading first."""
    if delimiter is None:
        for document in documents:
            yield json.dumps(_record(document), ensure_ascii=False) + "\n"
        return
    several: bool | None = None
    for document in documents:
        if several is None:
            several = isinstance(document["labels"], list)
            heading = ["id", "text", "labels" if several else "label", *_OTHERS]
            yield rows_as_csv([heading], delimiter, exact)
        label = _joined(document["labels"], separator) if several else document["labels"]
        row = [document["id"], document["text"], label, *(document.get(name) for name in _OTHERS)]
        yield rows_as_csv([row], delimiter, exact)
    if several is None:
        yield rows_as_csv([["id", "text", "label", *_OTHERS]], delimiter, exact)


def _record(document: dict[str, Any]) -> dict[str, Any]:
    name = "labels" if isinstance(document["labels"], list) else "label"
    return {
        "id": document["id"],
        "text": document["text"],
        name: document["labels"],
        **{other: document.get(other) for other in _OTHERS},
    }


def _joined(labels: list[Any], separator: str) -> str:
    texts = [str(label) for label in labels]
    for text in texts:
        if separator in text:
            raise ParameterError(
                "separator", separator, "a mark that no label has", f"The label {text!r} has it"
            )
    return separator.join(texts)


class _Counted:
    """Documents that are counted as they are read."""

    def __init__(self, documents: Iterable[dict[str, Any]]) -> None:
        self._documents, self.number = documents, 0

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for document in self._documents:
            self.number += 1
            yield document


def _write(path: Path | None, lines: Iterable[str]) -> None:
    """Write lines to stdout, or to a file that is replaced as a whole."""
    if path is None:
        is_screen = sys.stdout.isatty()
        for line in lines:
            sys.stdout.write(printable_text(line) if is_screen else line)
        return
    with replacing(path) as file:
        for line in lines:
            file.write(line.encode("utf-8", "replace"))  # a text may hold a lone surrogate
