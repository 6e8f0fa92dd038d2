"""A model file, changed by labelled texts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from textbayes.cli.console import amount, data_console, print_json, say, shortened, working
from textbayes.cli.documents import Source, labels_of
from textbayes.cli.models import check_writable, load_model
from textbayes.datasets.corpus import Corpus
from textbayes.errors import NothingLeftError, NotLearnedYetError, TextNotLearnedError
from textbayes.estimators import TextClassifier


@dataclass(frozen=True)
class Change:
    """What became of a model.

    Parameters
    ----------
    model : str
        The file that was written.
    documents : int
        How many documents were taught or forgotten.
    classes : int
        How many classes the model has now.
    new, gone : list
        The classes that it did not have before, and those that it has no longer.
    """

    model: str
    documents: int
    classes: int
    new: list[Any]
    gone: list[Any]


def change_model(
    model: Path,
    source: Source,
    output: Path | None,
    learn: Callable[[TextClassifier, Sequence[str], Sequence[Any]], TextClassifier],
) -> Change:
    """Load a model, let it learn or forget documents, and save it; on any error the file is as it was."""
    check_writable(output or model)
    classifier = load_model(model)
    corpus = source.corpus()
    labels = labels_of(corpus.documents, source.name, classifier.multilabel_)
    before = classifier.classes_.tolist()
    with working(f"Learning {len(corpus):,} documents…"), _naming(corpus):
        learn(classifier, corpus.texts, labels)
        try:
            after = classifier.classes_.tolist()
        except NotLearnedYetError:
            raise NothingLeftError(str(model)) from None
        classifier.save(output or model)
    new, gone = sorted(set(after) - set(before)), sorted(set(before) - set(after))
    return Change(str(output or model), len(corpus), len(after), new, gone)


@contextmanager
def _naming(corpus: Corpus) -> Iterator[None]:
    """Say which document of a file an error is about."""
    try:
        yield
    except TextNotLearnedError as error:
        document = corpus[error.position]
        excerpt = shortened(document.text)
        say(f"{corpus.name}: the document {document.id!r} ({excerpt!r}) was never learned so.")
        raise


def tell_change(change: Change, verb: str, as_json: bool) -> None:
    """Print what became of a model."""
    if as_json:
        print_json({"model": change.model, verb: change.documents, **_classes(change)})
        return
    documents, classes = amount(change.documents, "document"), amount(change.classes, "class", "classes")
    lines = [f"{verb.capitalize()} {documents}; the model has {classes}."]
    lines += [f"{what}: {', '.join(map(str, some))}" for what, some in _changed(change) if some]
    lines += [f"Model: {change.model}"]
    data_console().print("\n".join(lines), markup=False, soft_wrap=True)


def _classes(change: Change) -> dict[str, Any]:
    return {"classes": change.classes, "new_classes": change.new, "gone_classes": change.gone}


def _changed(change: Change) -> tuple[tuple[str, list[Any]], ...]:
    return ("New classes", change.new), ("Classes without documents now", change.gone)
