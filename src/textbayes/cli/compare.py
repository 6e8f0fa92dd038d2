"""``textbayes compare``: compare models on the same texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from sklearn.pipeline import make_pipeline

from textbayes.cli.console import print_json, print_message, print_table
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
)
from textbayes.cli.models import check_model
from textbayes.cli.sources import labels_of, source_of
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
)
from textbayes.datasets.corpus import Corpus
from textbayes.errors.checks import check_option
from textbayes.estimators import TextClassifier, TextCounter
from textbayes.estimators.models.variants import NAMED
from textbayes.estimators.text.model_names import AUTO, MODEL_NAMES, default_counter, find_variant
from textbayes.evaluation import Comparison, FixedSplit, StratifiedFolds
from textbayes.evaluation import compare as compare_models
from textbayes.evaluation.comparing import Report
from textbayes.measures import METRICS

app = typer.Typer(add_completion=False)

_METRICS = ("accuracy", "macro_f1")
_FOLDS = 5


@app.command()
def compare_command(
    data: Data,
    models: Annotated[
        list[str] | None,
        typer.Option(
            "--model",
            metavar="NAME",
            help=f"A model to compare; repeatable. Default: all except {AUTO}: {', '.join(NAMED)}.",
            autocompletion=lambda: list(MODEL_NAMES),
            show_default=False,
        ),
    ] = None,
    folds: Annotated[
        int | None,
        typer.Option(
            "--folds",
            metavar="K",
            min=2,
            help=f"Cross-validate with K folds. Default: the splits of DATA if it has them, else {_FOLDS}.",
            show_default=False,
        ),
    ] = None,
    metrics: Annotated[
        list[str] | None,
        typer.Option(
            "--metric",
            metavar="NAME",
            help=f"A metric to show; repeatable: {', '.join(METRICS)}.",
            autocompletion=lambda: list(METRICS),
            show_default=False,
        ),
    ] = None,
    cache: Annotated[
        Path | None,
        typer.Option(
            "--cache", metavar="DIR", help="Save results here, to resume after a stop.", show_default=False
        ),
    ] = None,
    unit: Unit = None,
    tokens: Tokens = None,
    ngrams: Ngrams = None,
    characters: Characters = None,
    lowercase: Lowercase = None,
    stop_words: StopWords = None,
    stemmer: Stemmer = None,
    min_df: MinDf = None,
    text: TextColumn = None,
    label: LabelColumn = None,
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
    """Compare models on labelled texts.

    All models are trained and tested on the same documents. p-values compare each with the first.
    """
    for name in models or ():
        check_model(name)
    for name in metrics or ():
        check_option("metric", name, METRICS)
    counting = {
        "unit": unit,
        "tokens": tokens,
        "ngrams": ngrams,
        "characters": characters,
        "lowercase": lowercase,
        "stop_words": stop_words,
        "stemmer": stemmer,
        "min_df": min_df,
    }
    for name in models or NAMED:
        counter_of(name, counting, encoding)
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
    corpus = source.corpus(None, by_split=True)
    labels_of(corpus.documents, source.name)  # raises if a label is missing
    _print_splits(corpus, folds)
    found = compare(corpus, models, folds, metrics or _METRICS, cache, counting=counting, encoding=encoding)
    if as_json:
        print_json(found.to_dict())
    else:
        print_table(found)


def compare(
    corpus: Corpus,
    models: Sequence[str] | None = None,
    folds: int | None = None,
    metrics: Sequence[str] = _METRICS,
    cache: Path | None = None,
    progress: bool | Report | None = None,
    counting: Mapping[str, Any] | None = None,
    encoding: str = "utf-8",
) -> Comparison:
    """Compare models on the same splits.

    Parameters
    ----------
    corpus : Corpus
        The documents.
    models : sequence of str, optional
        Names of models; by default all except "auto", whose search takes longer than the rest together.
    folds : int, optional
        The number of folds; by default the split of the corpus if it has one, else 5 folds.
    metrics, cache, progress
        As for :func:`textbayes.evaluation.compare`.
    counting, encoding
        Options of the counter, as for :func:`textbayes.cli.text_options.counter_of`.

    Examples
    --------
    >>> from textbayes.cli.compare import compare
    >>> from textbayes.datasets import Corpus, Document
    >>> texts = ["wheat rose", "corn and wheat", "corn fell", "oil was cut", "crude oil", "crude fell"]
    >>> labels = ["grain"] * 3 + ["oil"] * 3
    >>> corpus = Corpus("tiny", [Document(text, (label,)) for text, label in zip(texts, labels)])
    >>> compare(corpus, ["multinomial", "complement"], folds=3, metrics=["accuracy"]).models
    ('multinomial', 'complement')
    """
    protocol = FixedSplit() if _is_split(corpus, folds) else StratifiedFolds(folds or _FOLDS)
    chosen = {name: _pipeline(name, counter_of(name, counting or {}, encoding)) for name in models or NAMED}
    return compare_models(chosen, corpus, protocol, metrics, cache=cache, progress=progress)


def _is_split(corpus: Corpus, folds: int | None) -> bool:
    """Return whether the models are compared on the corpus's own split."""
    return folds is None and set(corpus.splits) >= {"train", "test"}


def _print_splits(corpus: Corpus, folds: int | None) -> None:
    """Say which documents are learned, and which are tested."""
    sizes = Counter(split for split in corpus.splits if split)
    if not sizes:
        return
    parts = ", ".join(f"{count:,} {name}" for name, count in sorted(sizes.items()))
    if _is_split(corpus, folds):
        unused = f" Documents of other splits are not used ({parts})." if len(sizes) > 2 else ""
        print_message(
            f"Learning the {sizes['train']:,} documents of the split train, "
            f"testing with the {sizes['test']:,} of the split test.{unused}"
        )
    else:
        print_message(f"Using the documents of all splits ({parts}), divided into {folds or _FOLDS} folds.")


def _pipeline(name: str, counter: TextCounter | None = None) -> Any:
    """Return a pipeline from raw text, so that models with the same counter share its counts."""
    if name == AUTO:  # the search needs the text as well
        return TextClassifier(AUTO, counter)
    variant = find_variant(name)
    steps = (counter or default_counter(name), variant.make_transform(), variant.make_model())
    return make_pipeline(*(step for step in steps if step is not None))
