"""Predictions of a stream of texts, without typer."""

from __future__ import annotations

import csv
import select
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from textbayes.answering import Answerer, Layout, load_answerer, predict_texts
from textbayes.cli.bad_records import BadDocument
from textbayes.cli.console import print_message
from textbayes.cli.layout import Given, Predicted, output_names
from textbayes.cli.outputs import DIGITS, check_output, open_output, output_format
from textbayes.cli.sources import is_stream, source_of
from textbayes.datasets.corpus import Document
from textbayes.datasets.streams import STANDARD_INPUT
from textbayes.errors import ParameterError, TextbayesError

# Documents are classified in batches of at most this many documents and characters.
_DOCUMENTS = 512
_CHARACTERS = 1 << 20


def write_predictions(
    model: Path,
    data: str | Sequence[str],
    *,
    top: int | None = None,
    proba: bool = False,
    reject_below: float | None = None,
    as_csv: bool = False,
    text: str | Sequence[str] | None = None,
    id: str | None = None,
    format: str | None = None,
    encoding: str = "utf-8",
    no_header: bool = False,
    delimiter: str | None = None,
    on_error: str = "stop",
    only: str | None = None,
    output: Path | None = None,
    columns: Sequence[str] | None = None,
    with_text: bool = False,
    exact: bool = False,
    max_record: int | None = None,
) -> None:
    """Classify documents and write the predictions: the options of ``textbayes predict``."""
    output = None if output is None or str(output) == STANDARD_INPUT else output
    written = output_format(output, as_csv)
    if output is not None:
        check_output(output, [str(model), *([data] if isinstance(data, str) else data)])
    classifier = _load(model)
    # CSV has a column per class, so a huge --top would fill memory.
    top = min(top or 0, len(classifier.classes_))
    others = [name for given in columns or () for name in _names(given)]
    source = source_of(
        data,
        only,
        text=text,
        id=id,
        format=format,
        encoding=encoding,
        no_header=no_header,
        delimiter=delimiter,
        on_error=on_error,
        max_record=max_record,
        columns=others or None,
    )
    more = _stdin_has_more if is_stream(source) else _always
    layout = Layout(classifier.multilabel_, top, proba, None if written == "parquet" else DIGITS)
    errors = on_error == "report"
    given = _given_names(others, with_text, output_names(layout, errors))
    documents = source.documents(labelled=False)
    found = predict(classifier, documents, top, proba, reject_below, more, given, with_text)
    with open_output(output, written, layout, classifier, given, errors, exact) as file:
        for batch in found:
            file.write(batch)
    if output is not None:
        print_message(f"Predictions: {output}")


def _names(columns: str) -> list[str]:
    """Split the names of columns, as CSV does."""
    return [name for row in csv.reader([columns]) for name in row if name]


def _given_names(others: list[str], with_text: bool, taken: list[str]) -> list[str]:
    """Return names for the columns that are repeated; one that the output has itself gets a prefix."""
    if len(set(others)) < len(others):
        raise ParameterError("columns", ",".join(others), "columns of DATA, each once")
    if with_text:
        taken = [*taken, "text"]
    named = [f"input_{name}" if name in taken else name for name in others]
    return ["text", *named] if with_text else named


def predict(
    classifier: Answerer,
    documents: Iterable[Document],
    top: int = 0,
    proba: bool = False,
    reject_below: float | None = None,
    more: Callable[[], bool] = lambda: True,
    given: Sequence[str] = (),
    with_text: bool = False,
) -> Iterator[list[Predicted]]:
    """Classify documents in batches.

    Parameters
    ----------
    classifier : TextClassifier or TextAnswerer
        The model.
    documents : iterable of Document
        The documents.
    top : int, default=0
        The number of most likely classes to return.
    proba : bool, default=False
        Whether to return probabilities.
    reject_below : float, optional
        Return no label whose probability is lower.
    more : function, optional
        Returns whether another document can be read without waiting. If not, the batch is classified at once.
    given : sequence of str, optional
        Names for what is repeated of each document: its text, with ``with_text``, and its ``others``.
    with_text : bool, default=False
        Whether to repeat the text.

    Yields
    ------
    list of (str, Prediction or BadDocument), or of (str, Prediction or BadDocument, dict)
        The ids and predictions of a batch, in order, and what is repeated of each document. A BadDocument
        stands for itself. If the documents end with an error, those before it come first.

    Examples
    --------
    >>> from textbayes import TextClassifier
    >>> from textbayes.cli.predicting import predict
    >>> from textbayes.datasets import Document
    >>> classifier = TextClassifier().fit(["wheat corn", "crude oil"], ["grain", "oil"])
    >>> batches = predict(classifier, [Document("corn", id="7"), Document("밀", id="8")], reject_below=0.6)
    >>> [(id, prediction.label) for id, prediction in next(batches)]
    [('7', 'grain'), ('8', None)]
    """
    for batch in _batches(documents, more):
        texts = [each.text for each in batch if not isinstance(each, BadDocument)]
        found = iter(predict_texts(classifier, texts, top, proba, reject_below) if texts else ())
        answers = [(each.id, each if isinstance(each, BadDocument) else next(found)) for each in batch]
        if not given:
            yield [*answers]
            continue
        repeated = (_repeated(each, given, with_text) for each in batch)
        yield [(*answer, own) for answer, own in zip(answers, repeated, strict=True)]


def _repeated(document: Document, given: Sequence[str], with_text: bool) -> Given:
    if isinstance(document, BadDocument):
        return dict.fromkeys(given)
    values = (document.text, *document.others) if with_text else document.others
    return dict(zip(given, values, strict=True))


def _load(path: Path) -> Answerer:
    """Load what answers from a file; only if that is not enough, the classifier, with scikit-learn."""
    answerer = load_answerer(path)
    if answerer is not None:
        return answerer
    from textbayes.cli.models import load_model

    return load_model(path)


def _batches(documents: Iterable[Document], more: Callable[[], bool]) -> Iterator[list[Document]]:
    batch: list[Document] = []
    characters = 0
    try:
        for document in documents:
            batch.append(document)
            characters += len(document.text)
            if len(batch) == _DOCUMENTS or characters >= _CHARACTERS or not more():
                yield batch
                batch, characters = [], 0
    except (TextbayesError, OSError):
        # The documents before a bad one have their answers.
        if batch:
            yield batch
        raise
    if batch:
        yield batch


def _always() -> bool:
    return True


def _stdin_has_more() -> bool:
    """Return whether standard input can be read without waiting."""
    try:
        return bool(select.select([sys.stdin], [], [], 0)[0])
    except (OSError, ValueError):  # on Windows, select works on sockets only
        return True
