"""Update a model file with labelled texts."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from textbayes.cli.console import amount, print_json, print_lines, print_message, shortened, show_status
from textbayes.cli.models import changing, check_writable
from textbayes.cli.sources import Source, labels_of, missing_label, weight_of, weights_of, with_weights
from textbayes.datasets.columns import Columns
from textbayes.datasets.corpus import Corpus, Document
from textbayes.errors import FieldError, NoDocumentsError, NotLearnedError, UnfittedError
from textbayes.errors.printable import printable
from textbayes.estimators import TextClassifier
from textbayes.estimators.base.files import is_current
from textbayes.estimators.text.loading import load_learner
from textbayes.estimators.views.update import Learn, ModelUpdate, update_classifier
from textbayes.persistence.lock import WAIT
from textbayes.statistics import kind_of_classes


def update_model(
    model: Path,
    source: Source,
    output: Path | None,
    learn: Callable[..., TextClassifier],
    weight: str | None = None,
    wait: float = WAIT,
) -> ModelUpdate:
    """Load a model, teach or forget documents, and save it; after an error the file is unchanged.

    The documents may come slowly, from standard input, so they are read before the file is locked. If another
    program has changed it in the meantime, it is loaded again.

    Parameters
    ----------
    model, output : Path
        The model file, and another one to write to; None for the same.
    source : Source
        The documents.
    learn : function
        Such as ``TextClassifier.teach``.
    weight : str, optional
        The column of weights.
    wait : float, default=10
        How many seconds to wait while another program changes the file.
    """
    check_writable(output or model)
    classifier = load_learner(model, "teach or forget")
    source = with_weights(source.split_like(classifier), weight)
    corpus = source.corpus(classifier.multilabel_)
    if weight is not None:
        learn = partial(learn, sample_weight=weights_of(corpus.documents, weight, 0))
    with changing(output or model, wait):
        newest = _newest(classifier, model, "teach or forget")
        labels = _labels(newest, corpus.documents, source.name)
        return _updated(model, newest, corpus, labels, output, learn)


def relabel_model(
    model: Path,
    source: Source,
    output: Path | None,
    new_label: str,
    weight: str | None = None,
    settle: bool = True,
    wait: float = WAIT,
) -> ModelUpdate:
    """Load a model, relabel documents, and save it; after an error the file is unchanged.

    ``new_label`` is the column of the right labels; the others are those of :func:`update_model`.
    """
    check_writable(output or model)
    classifier = load_learner(model, "relabel")
    source = source.split_like(classifier)
    columns = [new_label, *([] if weight is None else [weight])]
    right = partial(_relabelled, column=new_label, separator=source.options.get("separator"))

    def check(document: Document) -> None:
        if not classifier.multilabel_ and not right(document).labels:
            raise missing_label(document, source.name, new_label)
        if weight is not None:
            weight_of(document, weight, 1)

    corpus = source.with_columns(columns, check).corpus(classifier.multilabel_)
    relabelled = [right(document) for document in corpus]
    learn: Callable[..., TextClassifier] = partial(TextClassifier.relabel, settle=settle)
    if weight is not None:
        learn = partial(learn, sample_weight=weights_of(corpus.documents, weight, 1))
    with changing(output or model, wait):
        newest = _newest(classifier, model, "relabel")
        labels = _labels(newest, corpus.documents, source.name)
        learn = partial(learn, new_labels=_labels(newest, relabelled, source.name))
        return _updated(model, newest, corpus, labels, output, learn)


def _newest(classifier: TextClassifier, model: Path, what: str) -> TextClassifier:
    """Return a loaded classifier, or that of the file now if another program has changed it."""
    return classifier if is_current(classifier, model) else load_learner(model, what)


def _relabelled(document: Document, column: str, separator: str | None) -> Document:
    """Return a document with the labels of its first other column."""
    value = document.others[0]
    try:
        labels = Columns("", "", (), column, None, None, separator, ()).labels(0, value)
    except FieldError:
        place = f"{document.place}: the document {document.id!r}"
        raise FieldError(place, column, value, "a string or a number, or a list of them") from None
    return replace(document, labels=labels)


def _labels(classifier: TextClassifier, documents: Sequence[Document], name: str) -> list[Any]:
    """Return the labels of documents, of the kind of the model's."""
    return labels_of(documents, name, classifier.multilabel_, kind_of_classes(classifier.classes_))


def _updated(
    model: Path,
    classifier: TextClassifier,
    corpus: Corpus,
    labels: list[Any],
    output: Path | None,
    learn: Learn,
) -> ModelUpdate:
    with show_status(f"Learning {len(corpus):,} documents…"), _naming_the_document(corpus):
        try:
            update = update_classifier(classifier, learn, corpus.texts, labels)
        except UnfittedError:
            left = "documents that stay; the file is unchanged"
            raise NoDocumentsError(f"Without these documents, {str(model)!r}", left) from None
        classifier.save(output or model)
    return update


@contextmanager
def _naming_the_document(corpus: Corpus) -> Iterator[None]:
    """Print which document of the file an error is about."""
    try:
        yield
    except NotLearnedError as error:
        if error.position is not None:
            document = corpus[error.position]
            excerpt = shortened(document.text)
            print_message(f"{corpus.name}: the model has not learned document {document.id!r} ({excerpt!r}).")
        raise


def print_update(path: Path, verb: str, update: ModelUpdate, as_json: bool) -> None:
    """Print an update of a model."""
    if as_json:
        print_json({"model": str(path), **update.to_dict(verb)})
        return
    documents, classes = amount(update.documents, "document"), amount(update.classes, "class", "classes")
    lines = [f"{verb.capitalize()} {documents}; the model has {classes}."]
    for title, labels in (("New classes", update.new), ("Classes without documents now", update.gone)):
        if labels:
            lines.append(f"{title}: {', '.join(map(printable, labels))}")
    if not update.settled:
        lines.append("Not settled: the model approximates one trained on its documents.")
        lines.append(f"To refit it: textbayes settle {shlex.quote(str(path))}")
    print_lines(*lines, f"Model: {path}")
