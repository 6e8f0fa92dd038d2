"""Predictions of a stream of texts, without typer."""

from __future__ import annotations

import select
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from textbayes.answering import Answerer, Layout, load_answerer, predict_texts
from textbayes.cli.bad_records import BadDocument
from textbayes.cli.layout import Predicted, csv_heading, csv_text, json_text
from textbayes.cli.sources import is_stream, source_of
from textbayes.datasets.corpus import Document
from textbayes.errors import TextbayesError

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
) -> None:
    """Classify documents and write the predictions on stdout: the options of ``textbayes predict``."""
    classifier = _load(model)
    # CSV has a column per class, so a huge --top would fill memory.
    top = min(top or 0, len(classifier.classes_))
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
    )
    more = _stdin_has_more if is_stream(source) else _always
    found = predict(classifier, source.documents(labelled=False), top, proba, reject_below, more)
    layout = Layout(classifier.multilabel_, top, proba)
    errors = on_error == "report"
    sys.stdout.write(csv_heading(layout, errors) if as_csv else "")
    for batch in found:
        sys.stdout.write(csv_text(batch, layout, errors) if as_csv else json_text(batch, layout))
        sys.stdout.flush()


def predict(
    classifier: Answerer,
    documents: Iterable[Document],
    top: int = 0,
    proba: bool = False,
    reject_below: float | None = None,
    more: Callable[[], bool] = lambda: True,
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

    Yields
    ------
    list of (str, Prediction or BadDocument)
        The ids and predictions of a batch, in order. A BadDocument stands for itself. If the documents end
        with an error, those before it come first.

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
        yield [(each.id, each if isinstance(each, BadDocument) else next(found)) for each in batch]


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
