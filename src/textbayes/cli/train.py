"""``textbayes train``: labelled texts → a model file."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from textbayes.cli.batches import LabelledBatches, LaterListsError
from textbayes.cli.class_sizes import class_sizes, hint_at_splits
from textbayes.cli.config import Config, WriteConfig
from textbayes.cli.config import write_config as write_options
from textbayes.cli.console import (
    amount,
    data_console,
    format_size,
    message_console,
    print_json,
    print_message,
    show_status,
)
from textbayes.cli.documents import (
    Data,
    Delimiter,
    Encoding,
    Format,
    Json,
    LabelColumn,
    MaxRecord,
    NoHeader,
    OnError,
    Only,
    Separator,
    TextColumn,
    WeightColumn,
)
from textbayes.cli.joined_labels import joined_labels_hint
from textbayes.cli.models import Model, check_budget, check_model, check_writable
from textbayes.cli.objectives import ClassWeight, Costs, Metric, search_settings
from textbayes.cli.sources import Source, labels_of, source_of, weights_of, with_weights
from textbayes.cli.text_options import (
    Characters,
    Lowercase,
    MinDf,
    Ngrams,
    Stemmer,
    StopWords,
    Tokens,
    Unit,
    counter_of,
    options_of,
)
from textbayes.cli.workers import Workers, check_workers, fit_in_processes
from textbayes.errors import ParameterConflictError
from textbayes.errors.printable import printable
from textbayes.estimators import AutoNB, TextClassifier, TextCounter
from textbayes.estimators.auto import Compared, described_updates
from textbayes.estimators.base.progress import progress_shown
from textbayes.estimators.text.model_names import AUTO, find_variant
from textbayes.evaluation import LeaveOneOut, leave_one_out
from textbayes.measures import metric_title, shown_figures
from textbayes.persistence.lock import LONG_WAIT, write_lock

app = typer.Typer(add_completion=False)


@dataclass(frozen=True)
class Trained:
    """A trained model and the figures about it.

    Parameters
    ----------
    classifier : TextClassifier
        The model.
    documents, classes, terms : int
        How many it learned.
    multilabel : bool
        Whether documents have several labels.
    seconds : float
        The training time, without the leave-one-out; for "auto" also without reading the data.
    leave_one_out : LeaveOneOut or None
        The leave-one-out estimate; None if it was not requested or the model has none.
    search : dict or None
        For a model that was searched for: ``recipe``, ``metric``, ``score`` on held-out documents (log loss
        and mean cost are negative), ``low`` and ``high`` of its 95 % interval, the number of candidates
        ``tried``, its ``updates`` ("exact" or "any"), and ``alternative_score``, that of the best recipe of
        the other kind.
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
    context: typer.Context,
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
            help="The time limit of the search; only with --model auto.",
            show_default=False,
        ),
    ] = None,
    metric: Metric = None,
    costs: Costs = None,
    class_weight: ClassWeight = None,
    multilabel: Annotated[
        bool, typer.Option("--multilabel", help="A text may have no label, or several.")
    ] = False,
    no_documents: Annotated[
        bool,
        typer.Option(
            "--no-documents",
            help="Keep no documents: a smaller file, which inspect, teach and compact can do less with.",
        ),
    ] = False,
    dimensions: Annotated[
        int | None,
        typer.Option(
            "--dimensions",
            metavar="N",
            help="Hash terms to this many columns, without a vocabulary.",
            show_default=False,
        ),
    ] = None,
    calibrate: Annotated[
        bool,
        typer.Option(
            "--calibrate/--no-calibrate", help="Calibrate probabilities, or keep those of the model."
        ),
    ] = True,
    unit: Unit = None,
    tokens: Tokens = None,
    ngrams: Ngrams = None,
    characters: Characters = None,
    lowercase: Lowercase = None,
    stop_words: StopWords = None,
    stemmer: Stemmer = None,
    min_df: MinDf = None,
    loo: Annotated[
        bool, typer.Option("--loo/--no-loo", help="Estimate the accuracy by leave-one-out.")
    ] = True,
    workers: Workers = None,
    config: Config = None,  # noqa: ARG001 (its callback reads the file)
    write_config: WriteConfig = None,
    text: TextColumn = None,
    label: LabelColumn = None,
    weight: WeightColumn = None,
    separator: Separator = None,
    format: Format = None,
    encoding: Encoding = "utf-8",
    no_header: NoHeader = False,
    delimiter: Delimiter = None,
    on_error: OnError = "stop",
    only: Only = None,
    max_record: MaxRecord = None,
    as_json: Json = False,
) -> None:
    """Train a model on labelled texts.

    Columns are guessed by name, and printed. An existing model file is replaced at the end. By default,
    train searches for the best model, which takes seconds to minutes; --model complement is fast, and reads
    DATA of any size.
    """
    check_model(model)
    check_budget(budget, model)
    check_writable(output)
    search = search_settings(metric, costs, class_weight, model, encoding)
    if budget is not None:
        search["budget"] = budget
    counting = {
        "unit": unit,
        "tokens": tokens,
        "ngrams": ngrams,
        "characters": characters,
        "lowercase": lowercase,
        "stop_words": stop_words,
        "stemmer": stemmer,
        "min_df": min_df,
        "dimensions": dimensions,
    }
    counter = counter_of(model, counting, encoding)
    no_documents = no_documents or workers is not None
    classifier = make_classifier(model, no_documents, counter, search, calibrate)
    if write_config is not None:
        options = {**context.params, **options_of(model, counting, encoding)}
        write_options(write_config, options, context.command)
    source = source_of(
        data,
        only,
        text=text,
        label=label,
        separator=separator,
        format=format,
        encoding=encoding,
        no_header=no_header,
        delimiter=delimiter,
        on_error=on_error,
        max_record=max_record,
    )
    if workers is not None:
        check_workers(workers, model, weight, source)
    _check_source(source, classifier, model)
    if workers is not None:
        trained = train_in_processes(source, multilabel, classifier, workers)
        hint_at_splits(source.paths, classifier.classes_.tolist())
    elif model == AUTO or weight is not None:
        corpus = with_weights(source, weight).corpus(multilabel or None)
        labels = labels_of(corpus.documents, source.name, multilabel or None)
        weights = None if weight is None else weights_of(corpus.documents, weight, 0)
        # Before the search, which may take minutes.
        hint_at_splits(source.paths, (label for document in corpus for label in document.labels))
        trained = train(corpus.texts, labels, classifier, loo, weights)
    else:
        trained = train_batches(source, multilabel, classifier, loo, output.absolute().parent)
        hint_at_splits(source.paths, classifier.classes_.tolist())
    _warn_if_constant(trained)
    if separator is not None:
        trained.classifier.label_separator = separator
    for hint in joined_labels_hint(trained.classifier.classes_.tolist()) if separator is None else ():
        print_message(hint)
    # The work is done: better wait for another writer than lose it.
    with show_status(f"Writing {output.name}…"), write_lock(output, LONG_WAIT):
        trained.classifier.save(output)
    if as_json:
        print_json(_record(trained, output))
    else:
        _print(trained, output, loo and no_documents)


def make_classifier(
    model: str = AUTO,
    no_documents: bool = False,
    counter: TextCounter | None = None,
    search: Mapping[str, Any] | None = None,
    calibrate: bool = True,
) -> TextClassifier:
    """Make the classifier that the options of the command describe, and check them.

    Parameters
    ----------
    model : str, default="auto"
        Name of a model.
    no_documents : bool, default=False
        Whether to keep no documents.
    counter : TextCounter, optional
        How texts are counted; None for the default of the model.
    search : mapping, optional
        Parameters of the search of "auto", such as ``budget``, ``metric`` and ``class_weight``.
    calibrate : bool, default=True
        Whether to calibrate the probabilities of a named model; "auto" always does.

    Examples
    --------
    >>> from textbayes.cli.train import make_classifier
    >>> make_classifier("complement", no_documents=True)
    TextClassifier(keep_documents=False, model='complement')
    """
    classifier = TextClassifier(model, counter, keep_documents=not no_documents, calibrate=calibrate)
    classifier.set_params(**{f"model__{name}": value for name, value in (search or {}).items()})
    return classifier


def _check_source(source: Source, classifier: TextClassifier, model: str) -> None:
    """Check that the texts can be read as often as needed; say what --no-documents cannot do."""
    if classifier.keep_documents:
        return
    if classifier.reads_texts_again and not source.can_be_read_again:
        why = f"Without documents, {model} reads the texts twice, and {source.name} gives them once"
        raise ParameterConflictError("no_documents", True, "DATA", source.path, why)
    if not find_variant(model).additive:
        print_message(f"{model} learns from all documents at once: they are in memory while it learns.")


def train_batches(
    source: Source,
    multilabel: bool,
    classifier: TextClassifier,
    loo: bool = True,
    folder: Path | None = None,
) -> Trained:
    """Train a model on documents of which only some are in memory at a time.

    Parameters
    ----------
    source : Source
        The documents.
    multilabel : bool
        Whether documents have lists of labels; if not, the first batch decides.
    classifier : TextClassifier
        The classifier to fit.
    loo : bool, default=True
        Whether to run the leave-one-out, if documents are kept.
    folder : path, optional
        The folder for temporary files.
    """
    start, read = time.perf_counter(), 0
    with ExitStack() as shown:

        def watch(documents: int) -> None:
            nonlocal read
            # While documents are read, their number is shown instead.
            shown.close()
            if documents:
                read = documents
                shown.enter_context(show_status(f"Learning {documents:,} documents…"))

        try:
            classifier.fit_batches(LabelledBatches(source, multilabel or None, watch), folder)
        except LaterListsError:
            shown.close()
            print_message(
                "A text has several labels, after texts with one: reading them again, with --multilabel."
            )
            classifier.fit_batches(LabelledBatches(source, True, watch), folder)
    seconds = time.perf_counter() - start
    quality = None
    if loo and classifier.keep_documents:
        with show_status("Leaving one out…"):
            quality = classifier.leave_one_out()
    return _trained(classifier, read, seconds, quality)


def train_in_processes(source: Source, multilabel: bool, classifier: TextClassifier, workers: int) -> Trained:
    """Train a model on files that several processes read.

    Parameters
    ----------
    source : Source
        The files.
    multilabel : bool
        Whether documents have lists of labels; if not, they do if one has several.
    classifier : TextClassifier
        The classifier to fit, without documents.
    workers : int
        The number of processes.
    """
    start = time.perf_counter()
    documents = fit_in_processes(source, multilabel, classifier, workers)
    return _trained(classifier, documents, time.perf_counter() - start, None, _search(classifier.model_))


def _trained(
    classifier: TextClassifier,
    documents: int,
    seconds: float,
    quality: LeaveOneOut | None,
    search: dict[str, Any] | None = None,
) -> Trained:
    return Trained(
        classifier,
        documents=documents,
        classes=len(classifier.classes_),
        terms=classifier.model_.n_features_in_,
        multilabel=classifier.multilabel_,
        seconds=seconds,
        leave_one_out=quality,
        search=search,
    )


def train(
    texts: Sequence[str],
    labels: Sequence[Any],
    classifier: TextClassifier | None = None,
    loo: bool = True,
    sample_weight: Sequence[float] | None = None,
) -> Trained:
    """Train a model and estimate its quality by leave-one-out.

    Parameters
    ----------
    texts, labels
        The documents.
    classifier : TextClassifier, optional
        The classifier to fit; ``make_classifier()`` by default.
    loo : bool, default=True
        Whether to run the leave-one-out. "auto" skips it, because its search already gives an estimate.
    sample_weight : sequence of float, optional
        A weight for each document. Without documents, leave-one-out is then skipped.

    Examples
    --------
    >>> from textbayes.cli.train import make_classifier, train
    >>> texts, labels = ["wheat corn", "corn rice", "crude oil", "oil gas"], ["grain"] * 2 + ["oil"] * 2
    >>> trained = train(texts, labels, make_classifier("complement"))
    >>> trained.documents, trained.classes, trained.terms
    (4, 2, 6)
    >>> train(texts, labels).search["metric"]
    'macro_f1'
    """
    start = time.perf_counter()
    classifier = make_classifier() if classifier is None else classifier
    with progress_shown(message_console().is_terminal):
        classifier.fit(texts, labels, sample_weight)
    seconds = time.perf_counter() - start
    search, quality = _search(classifier.model_), None
    if loo and search is None and (sample_weight is None or classifier.keep_documents):
        with show_status("Leaving one out…"):
            weighted = sample_weight is not None
            quality = classifier.leave_one_out() if weighted else leave_one_out(classifier, texts, labels)
    return _trained(classifier, len(texts), seconds, quality, search)


def _search(model: Any) -> dict[str, Any] | None:
    if not isinstance(model, AutoNB):
        return None
    board = model.leaderboard_
    # A blend has its own line; its members, which have lines too, are marked as chosen with it.
    chosen = min((entry for entry in board if entry.chosen), key=lambda entry: entry.candidate is not None)
    return {
        "recipe": model.recipe_.summary(),
        "metric": board.metric,
        "score": model.best_score_,
        "low": chosen.interval[0],
        "high": chosen.interval[1],
        "tried": len(board),
        "updates": model.updates_,
        "alternative_score": model.alternative_score_,
    }


def _warn_if_constant(trained: Trained) -> None:
    if not trained.classes:
        print_message("No document has a label: the model never predicts one.")
    elif trained.classes == 1 and not trained.multilabel:
        label = str(trained.classifier.classes_[0])
        print_message(f"All documents have the label {label!r}: the model always predicts it.")


def _record(trained: Trained, output: Path) -> dict[str, Any]:
    shown = {name: getattr(trained, name) for name in ("documents", "classes", "terms", "multilabel")}
    quality = trained.leave_one_out
    return {
        "model": str(output),
        **shown,
        "class_documents": [
            {"label": label, "documents": documents}
            for label, documents in zip(
                trained.classifier.classes_.tolist(),
                trained.classifier.class_documents_.tolist(),
                strict=True,
            )
        ],
        "seconds": trained.seconds,
        "bytes": output.stat().st_size,
        "leave_one_out": None if quality is None else asdict(quality),
        "search": trained.search,
    }


def _print(trained: Trained, output: Path, loo_is_skipped: bool) -> None:
    kind = ", several labels per text" if trained.multilabel else ""
    columns = "term" if trained.classifier.counter_.dimensions is None else "hashed column"
    console = data_console()
    console.print(
        f"{amount(trained.documents, 'document')}, {amount(trained.classes, 'class', 'classes')}, "
        f"{amount(trained.terms, columns)}{kind}; "
        f"learned in {trained.seconds:.2f} s.",
        soft_wrap=True,
    )
    classifier, quality = trained.classifier, trained.leave_one_out
    if trained.classes:
        sizes = class_sizes(classifier.classes_.tolist(), classifier.class_documents_.tolist())
        console.print(Text(sizes), soft_wrap=True)
    if quality is not None:
        console.print(str(quality), soft_wrap=True)
    elif loo_is_skipped and trained.search is None:
        skipped = "Leave-one-out was skipped: it needs the documents, which --no-documents does not keep."
        console.print(skipped, soft_wrap=True)
    if trained.search is not None:
        _print_search(trained.search, console)
    size = format_size(output.stat().st_size)
    console.print(Text(f"Model: {printable(output)} ({size})"), soft_wrap=True)


def _print_search(search: dict[str, Any], console: Console) -> None:
    console.print(Text(f"Best of {search['tried']} tried: {search['recipe']}."), soft_wrap=True)
    metric, names = search["metric"], ("score", "low", "high")
    score, *ends = shown_figures(metric, *(search[name] for name in names))
    console.print(
        f"On held-out documents: {metric_title(metric)} {score:.3f} "
        f"(95 %: {min(ends):.3f} to {max(ends):.3f}).",
        soft_wrap=True,
    )
    updates, alternative = search["updates"], search["alternative_score"]
    about = described_updates(updates)
    if alternative is not None:
        about = str(Compared(updates, search["score"], alternative))
    console.print(f"{about[0].upper()}{about[1:]}.", soft_wrap=True)
