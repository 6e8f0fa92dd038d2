"""Update a model file with labelled texts."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from textbayes.cli.console import amount, data_console, print_json, print_message, shortened, show_status
from textbayes.cli.models import check_writable
from textbayes.cli.sources import Source, labels_of
from textbayes.datasets.corpus import Corpus
from textbayes.errors import NoDocumentsError, NotLearnedError, UnfittedError
from textbayes.estimators.text.loading import load_learner
from textbayes.estimators.views.update import Learn, ModelUpdate, update_classifier


def update_model(model: Path, source: Source, output: Path | None, learn: Learn) -> ModelUpdate:
    """Load a model, teach or forget documents, and save it; after an error the file is unchanged."""
    check_writable(output or model)
    classifier = load_learner(model, "teach or forget")
    corpus = source.corpus(classifier.multilabel_)
    labels = labels_of(corpus.documents, source.name, classifier.multilabel_)
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
            lines.append(f"{title}: {', '.join(map(str, labels))}")
    if not update.settled:
        lines.append("Not settled: the model approximates one trained on its documents.")
        lines.append(f"To refit it: textbayes settle {shlex.quote(str(path))}")
    data_console().print("\n".join([*lines, f"Model: {path}"]), markup=False, soft_wrap=True)
