"""``textbayes train``: labelled texts → a model file."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from textbayes.cli.console import amount, data_console, format_size, print_json, say, working
from textbayes.cli.documents import (
    Data,
    Encoding,
    Format,
    Json,
    LabelColumn,
    Only,
    Separator,
    TextColumn,
    labels_of,
    source_of,
)
from textbayes.cli.models import Model, check_model, check_writable
from textbayes.estimators import TextClassifier
from textbayes.evaluation import LeaveOneOut, leave_one_out

app = typer.Typer(add_completion=False)


@dataclass(frozen=True)
class Trained:
    """A model that was learned, and what there is to say about it.

    Parameters
    ----------
    classifier : TextClassifier
        The model.
    documents, classes, terms : int
        How many it learned.
    multilabel : bool
        Whether documents have several labels.
    seconds : float
        How long learning took, without reading and without the leave-one-out.
    leave_one_out : LeaveOneOut or None
        How well it classifies each document when the model has not seen it; None where it was not asked
        for, and for a model that cannot say.
    """

    classifier: TextClassifier = field(repr=False)
    documents: int
    classes: int
    terms: int
    multilabel: bool
    seconds: float
    leave_one_out: LeaveOneOut | None


@app.command()
def train_command(
    data: Data,
    output: Annotated[
        Path,
        typer.Option("-o", "--output", metavar="MODEL", help="The model file to write.", show_default=False),
    ],
    model: Model = "auto",
    multilabel: Annotated[
        bool, typer.Option("--multilabel", help="A text may have no label, or several.")
    ] = False,
    loo: Annotated[bool, typer.Option("--loo/--no-loo", help="Measure by leaving one out.")] = True,
    text: TextColumn = None,
    label: LabelColumn = None,
    separator: Separator = None,
    format: Format = None,
    encoding: Encoding = "utf-8",
    only: Only = None,
    as_json: Json = False,
) -> None:
    """Learn a model from labelled texts.

    Columns are guessed by their names, and said. A model file that is there already is replaced at the end.
    """
    check_model(model)
    check_writable(output)
    source = source_of(
        data, only, text=text, label=label, separator=separator, format=format, encoding=encoding
    )
    corpus = source.corpus()
    labels = labels_of(corpus.documents, source.name, multilabel or None)
    trained = train(corpus.texts, labels, model, loo)
    _say_if_pointless(trained, labels)
    with working(f"Writing {output.name}…"):
        trained.classifier.save(output)
    if as_json:
        print_json(_record(trained, output))
    else:
        _tell(trained, output)


def train(texts: Sequence[str], labels: Sequence[Any], model: str = "auto", loo: bool = True) -> Trained:
    """Learn a model, and measure it by leaving one out.

    Examples
    --------
    >>> from textbayes.cli.train import train
    >>> trained = train(["wheat corn", "corn rice", "crude oil", "oil gas"], ["grain"] * 2 + ["oil"] * 2)
    >>> trained.documents, trained.classes, trained.terms
    (4, 2, 6)
    """
    start = time.perf_counter()
    with working(f"Learning {len(texts):,} documents…"):
        classifier = TextClassifier(model).fit(texts, labels)
        classes = classifier.classes_
    seconds = time.perf_counter() - start
    with working("Leaving one out…"):
        quality = leave_one_out(classifier, texts, labels) if loo else None
    return Trained(
        classifier,
        documents=len(texts),
        classes=len(classes),
        terms=classifier.model_.n_features_in_,
        multilabel=classifier.multilabel_,
        seconds=seconds,
        leave_one_out=quality,
    )


def _say_if_pointless(trained: Trained, labels: Sequence[Any]) -> None:
    if not trained.classes:
        say("No document has a label: the model can give none.")
    elif trained.classes == 1 and not trained.multilabel:
        say(f"All documents have the label {labels[0]!r}: the model can give no other answer.")


def _record(trained: Trained, output: Path) -> dict[str, Any]:
    shown = {name: getattr(trained, name) for name in ("documents", "classes", "terms", "multilabel")}
    quality = trained.leave_one_out
    return {
        "model": str(output),
        **shown,
        "seconds": trained.seconds,
        "bytes": output.stat().st_size,
        "leave_one_out": None if quality is None else asdict(quality),
    }


def _tell(trained: Trained, output: Path) -> None:
    kind = ", several labels a text" if trained.multilabel else ""
    console = data_console()
    console.print(
        f"{amount(trained.documents, 'document')}, {amount(trained.classes, 'class', 'classes')}, "
        f"{amount(trained.terms, 'term')}{kind}; "
        f"learned in {trained.seconds:.2f} s.",
        soft_wrap=True,
    )
    quality = trained.leave_one_out
    if quality is not None:
        console.print(str(quality), soft_wrap=True)
    size = format_size(output.stat().st_size)
    console.print(Text(f"Model: {output} ({size})"), soft_wrap=True)
