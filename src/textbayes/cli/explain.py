"""``textbayes explain``: the contribution of each word of a text, or of the texts of a file."""

from __future__ import annotations

import errno
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from textbayes.cli.bad_records import BadDocument
from textbayes.cli.console import data_console, json_of, print_json, print_message, shortened
from textbayes.cli.documents import (
    Delimiter,
    Encoding,
    Format,
    IdColumn,
    Json,
    MaxRecord,
    ModelFile,
    NoHeader,
    OnError,
    Only,
    TextColumn,
)
from textbayes.cli.models import load_model
from textbayes.cli.outputs import write_page
from textbayes.cli.sources import Source, source_of
from textbayes.datasets.formats import format_of_name
from textbayes.datasets.streams import MAX_RECORD, STANDARD_INPUT, known_encoding, read_text
from textbayes.errors import FileWriteError
from textbayes.errors.printable import printable
from textbayes.estimators import Explanation
from textbayes.estimators.views.explanation_rendering import explanations_html
from textbayes.statistics import class_of_text

app = typer.Typer(add_completion=False)

_DOCTYPE = b"<!doctype html>"


@app.command()
def explain_command(
    model: ModelFile,
    text: Annotated[
        str,
        typer.Argument(
            metavar="TEXT",
            help="The text, - for stdin, or a file: one text, or each of its documents.",
            show_default=False,
        ),
    ],
    of_class: Annotated[
        str | None,
        typer.Option(
            "--class", metavar="LABEL", help="Explain this class, not the best one.", show_default=False
        ),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(
            "--against",
            metavar="LABEL",
            help="Compare with this class, not the next best.",
            show_default=False,
        ),
    ] = None,
    top: Annotated[
        int | None,
        typer.Option(
            "--top", metavar="K", min=1, help="With --json, only the K best classes.", show_default=False
        ),
    ] = None,
    literal: Annotated[
        bool, typer.Option("--literal", help="Explain TEXT itself, even if a file has this name.")
    ] = False,
    html: Annotated[
        Path | None,
        typer.Option("--html", metavar="FILE", help="Also write an HTML page.", show_default=False),
    ] = None,
    text_column: TextColumn = None,
    id: IdColumn = None,
    format: Format = None,
    encoding: Encoding = "utf-8",
    no_header: NoHeader = False,
    delimiter: Delimiter = None,
    on_error: OnError = "stop",
    only: Only = None,
    max_record: MaxRecord = None,
    as_json: Json = False,
) -> None:
    """Show how each word of a text contributes.

    Marks the words that count for and against the predicted class, by colour on a terminal and by + and -
    elsewhere. The contributions add up to the score.
    """
    classifier = load_model(model)
    classes = classifier.classes_.tolist()
    chosen = tuple(None if name is None else class_of_text(name, classes) for name in (of_class, against))
    if top is not None and (of_class is not None or against is not None):
        raise typer.BadParameter("--top and --class exclude each other: pass one of them.")

    def record(explanation: Explanation) -> dict[str, Any]:
        shown = [label for label in chosen if label is not None]
        return explanation.to_dict(shown or (None if top is None else explanation.best_labels(top)))

    if html is not None:
        _check_page(html)

    def explain(text: str) -> Explanation:
        explanation: Explanation = classifier.explain(text, *chosen)
        return explanation

    is_file = not literal and _is_file(text)
    asks_for_data = any(each is not None for each in (text_column, id, format, delimiter, only)) or no_header
    if asks_for_data or (is_file and format_of_name(text) is not None):
        source = source_of(
            text,
            only,
            text=text_column,
            id=id,
            format=format,
            encoding=encoding,
            no_header=no_header,
            delimiter=delimiter,
            on_error=on_error,
            max_record=max_record,
        )
        _explain_documents(source, explain, html, record if as_json else None)
        return
    most = MAX_RECORD if max_record is None else max_record
    explanation = explain(_read(text, encoding, is_file, most))
    if html is not None:
        write_page(html, explanation.to_html())
        print_message(f"Page: {html}")
    if as_json:
        print_json(record(explanation))
    else:
        data_console().print(explanation)


def _explain_documents(
    source: Source,
    explain: Callable[[str], Explanation],
    html: Path | None,
    record: Callable[[Explanation], dict[str, Any]] | None,
) -> None:
    """Explain the texts of a source, one after the other; with ``record``, as JSON Lines."""

    def explained() -> Iterator[tuple[str, Explanation]]:
        for document in source.documents(labelled=False):
            if isinstance(document, BadDocument):
                if record is not None:
                    sys.stdout.write(json_of({"id": document.id, "error": document.reason}))
                continue
            explanation = explain(document.text)
            if record is not None:
                sys.stdout.write(json_of({"id": document.id, **record(explanation)}))
            else:
                _print_document(document.id, explanation)
            yield document.id, explanation

    if html is None:
        for _ in explained():
            pass
        return
    write_page(html, explanations_html(explained()))
    print_message(f"Page: {html}")


def _print_document(id: str, explanation: Explanation) -> None:
    console = data_console()
    console.print(f"Document {printable(id)}:", style="bold")
    console.print(explanation)
    console.print()


def _is_file(text: str) -> bool:
    """Return whether a text is the name of a file; say so if it only looks like one."""
    if text == STANDARD_INPUT:
        return False
    try:
        found = Path(text).is_file()
    except (OSError, ValueError):  # too long for a name, or with NUL
        return False
    if not found and len(text.split()) == 1 and format_of_name(text) is not None:
        print_message(f"There is no file {shortened(text)!r}: this explains the name as a text.")
    return found


def _check_page(path: Path) -> None:
    """Check that a page replaces no other kind of file."""
    if path.is_file():
        with open(path, "rb") as file:
            start = file.read(len(_DOCTYPE))
        if start and start.lower() != _DOCTYPE:
            raise FileWriteError(str(path), errno.EEXIST, "it exists and is not a page of HTML")


def _read(text: str, encoding: str, is_file: bool, most: int) -> str:
    if is_file or text == STANDARD_INPUT:
        return read_text(text, known_encoding(encoding), most)
    # An argument that is not UTF-8 contains lone surrogates.
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
