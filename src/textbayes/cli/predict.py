"""``textbayes predict``: a model and texts → labels, as a stream."""

from __future__ import annotations

import select
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Annotated

import typer

from textbayes.cli.documents import (
    Data,
    Encoding,
    Format,
    IdColumn,
    ModelFile,
    Only,
    TextColumn,
    is_stream,
    source_of,
)
from textbayes.cli.layout import Predicted, csv_heading, csv_text, json_text
from textbayes.cli.models import load_model
from textbayes.datasets.corpus import Document
from textbayes.estimators import TextClassifier
from textbayes.estimators.views.prediction import Layout, predict_texts

app = typer.Typer(add_completion=False)

# Documents are classified some at a time; long ones fewer at a time.
_DOCUMENTS = 512
_CHARACTERS = 1 << 20


@app.command()
def predict_command(
    model: ModelFile,
    data: Data,
    top: Annotated[
        int | None,
        typer.Option("--top", metavar="K", min=1, help="Add the K likeliest classes.", show_default=False),
    ] = None,
    proba: Annotated[bool, typer.Option("--proba", help="Add probabilities.")] = False,
    reject_below: Annotated[
        float | None,
        typer.Option(
            "--reject-below",
            metavar="P",
            min=0.0,
            max=1.0,
            help="Give no label that is less probable.",
            show_default=False,
        ),
    ] = None,
    as_csv: Annotated[bool, typer.Option("--csv", help="Write CSV.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Write JSON Lines, the default.")] = False,
    text: TextColumn = None,
    id: IdColumn = None,
    format: Format = None,
    encoding: Encoding = "utf-8",
    only: Only = None,
) -> None:
    """Classify texts.

    Input of any length takes the same memory, and what comes through a pipe is classified as it comes.
    """
    if as_csv and as_json:
        raise typer.BadParameter("--csv and --json are two ways to write the same: pass one of them.")
    classifier = load_model(model)
    # A column for each would fill memory, if somebody asks for all by a large number.
    top = min(top or 0, len(classifier.classes_))
    source = source_of(data, only, text=text, id=id, format=format, encoding=encoding)
    more = _more_is_there if is_stream(source) else _always
    found = predict(classifier, source.documents(labelled=False), top, proba, reject_below, more)
    layout = Layout(classifier.multilabel_, top, proba)
    sys.stdout.write(csv_heading(layout) if as_csv else "")
    for some in found:
        sys.stdout.write(csv_text(some, layout) if as_csv else json_text(some, layout))
        sys.stdout.flush()


def predict(
    classifier: TextClassifier,
    documents: Iterable[Document],
    top: int = 0,
    proba: bool = False,
    reject_below: float | None = None,
    more: Callable[[], bool] = lambda: True,
) -> Iterator[list[Predicted]]:
    """Classify documents, some at a time.

    Parameters
    ----------
    classifier : TextClassifier
        The model.
    documents : iterable of Document
        What to classify.
    top : int, default=0
        How many of the likeliest classes to name.
    proba : bool, default=False
        Whether to give probabilities.
    reject_below : float, optional
        Give no label whose probability is less.
    more : function, optional
        Tells whether more documents are there at once. If not, those at hand are classified without waiting.

    Yields
    ------
    list of (str, Prediction)
        The ids and predictions of documents that were classified together, in order.

    Examples
    --------
    >>> from textbayes import TextClassifier
    >>> from textbayes.cli.predict import predict
    >>> from textbayes.datasets import Document
    >>> classifier = TextClassifier().fit(["wheat corn", "crude oil"], ["grain", "oil"])
    >>> some = predict(classifier, [Document("corn", id="7"), Document("밀", id="8")], reject_below=0.6)
    >>> [(id, prediction.label) for id, prediction in next(some)]
    [('7', 'grain'), ('8', None)]
    """
    for some in _batches(documents, more):
        found = predict_texts(classifier, [each.text for each in some], top, proba, reject_below)
        yield [(each.id, prediction) for each, prediction in zip(some, found, strict=True)]


def _batches(documents: Iterable[Document], more: Callable[[], bool]) -> Iterator[list[Document]]:
    some: list[Document] = []
    characters = 0
    for document in documents:
        some.append(document)
        characters += len(document.text)
        if len(some) == _DOCUMENTS or characters >= _CHARACTERS or not more():
            yield some
            some, characters = [], 0
    if some:
        yield some


def _always() -> bool:
    return True


def _more_is_there() -> bool:
    """Tell whether standard input has more now; somebody may be waiting for the answer."""
    try:
        return bool(select.select([sys.stdin], [], [], 0)[0])
    except (OSError, ValueError):  # where only sockets can be asked
        return True
