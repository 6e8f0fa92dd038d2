"""``textbayes train``: labelled texts → a model file."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from textbayes.cli.console import (
    amount,
    data_console,
    format_size,
    print_json,
    say,
    talk_console,
    working,
)
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
from textbayes.cli.models import Model, check_budget, check_model, check_writable
from textbayes.estimators import AutoNB, TextClassifier
from textbayes.estimators.base.progress import progress_shown
from textbayes.estimators.text.model_names import AUTO
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
    search : dict or None
        Of a model that was searched for: ``recipe``, ``metric``, ``score`` on documents that it did not
        learn, ``low`` and ``high`` of its 95 % interval, and how many were ``tried``.
    """

    classifier: TextClassifier = field(repr=False)
    documents: int
    classes: int
    terms: int
    multilabel: bool
    seconds: float
    leave_one_out: LeaveOneOut | None
    search: dict[str, Any] | None = None


@app.command()
def train_command(
    data: Data,
    output: Annotated[
        Path,
        typer.Option("-o", "--output", metavar="MODEL", help="The model file to write.", show_default=False),
    ],
    model: Model = AUTO,
    budget: Annotated[
        float | None,
        typer.Option(
            "--budget",
            metavar="SECONDS",
            help="Search no longer than this; only with --model auto.",
            show_default=False,
        ),
    ] = None,
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
    Without --model the best one is searched for: seconds to minutes. --model complement is quick.
    """
    check_model(model)
    check_budget(budget, model)
    check_writable(output)
    source = source_of(
        data, only, text=text, label=label, separator=separator, format=format, encoding=encoding
    )
    corpus = source.corpus()
    labels = labels_of(corpus.documents, source.name, multilabel or None)
    trained = train(corpus.texts, labels, model, loo, budget)
    _say_if_pointless(trained, labels)
    with working(f"Writing {output.name}…"):
        trained.classifier.save(output)
    if as_json:
        print_json(_record(trained, output))
    else:
        _tell(trained, output)


def train(
    texts: Sequence[str],
    labels: Sequence[Any],
    model: str = AUTO,
    loo: bool = True,
    budget: float | None = None,
) -> Trained:
    """Learn a model, and measure it by leaving one out.

    Parameters
    ----------
    texts, labels
        What to learn.
    model : str, default="auto"
        A recipe.
    loo : bool, default=True
        Whether it is measured. A search is a measurement, so that there "auto" leaves nothing out again.
    budget : float, optional
        Seconds after which "auto" tries nothing more.

    Examples
    --------
    >>> from textbayes.cli.train import train
    >>> texts, labels = ["wheat corn", "corn rice", "crude oil", "oil gas"], ["grain"] * 2 + ["oil"] * 2
    >>> trained = train(texts, labels, "complement")
    >>> trained.documents, trained.classes, trained.terms
    (4, 2, 6)
    >>> train(texts, labels).search["metric"]
    'macro_f1'
    """
    start = time.perf_counter()
    classifier = TextClassifier(model)
    if budget is not None:
        classifier.set_params(model__budget=budget)
    with _watching(f"Learning {len(texts):,} documents…", model):
        classifier.fit(texts, labels)
        classes = classifier.classes_
    seconds = time.perf_counter() - start
    search, quality = _search(classifier.model_), None
    if loo and search is None:
        with working("Leaving one out…"):
            quality = leave_one_out(classifier, texts, labels)
    return Trained(
        classifier,
        documents=len(texts),
        classes=len(classes),
        terms=classifier.model_.n_features_in_,
        multilabel=classifier.multilabel_,
        seconds=seconds,
        leave_one_out=quality,
        search=search,
    )


def _watching(what: str, model: str) -> AbstractContextManager[None]:
    """Show what is being worked on: a search has a bar of its own."""
    return progress_shown(talk_console().is_terminal) if model == AUTO else working(what)


def _search(model: Any) -> dict[str, Any] | None:
    if not isinstance(model, AutoNB):
        return None
    board = model.leaderboard_
    # The blend, where there is one, is chosen or not with its own line; of its members each has one too.
    chosen = min((entry for entry in board if entry.chosen), key=lambda entry: entry.candidate is not None)
    return {
        "recipe": model.recipe_.summary(),
        "metric": board.metric,
        "score": model.best_score_,
        "low": chosen.interval[0],
        "high": chosen.interval[1],
        "tried": len(board),
    }


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
        "search": trained.search,
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
    if trained.search is not None:
        _tell_search(trained.search, console)
    size = format_size(output.stat().st_size)
    console.print(Text(f"Model: {output} ({size})"), soft_wrap=True)


def _tell_search(search: dict[str, Any], console: Console) -> None:
    console.print(Text(f"Best of {search['tried']} tried: {search['recipe']}."), soft_wrap=True)
    metric = search["metric"].replace("_f1", " F1")
    console.print(
        f"On documents it did not learn: {metric} {search['score']:.3f} "
        f"(95 %: {search['low']:.3f} to {search['high']:.3f}).",
        soft_wrap=True,
    )
