"""compare: models × runs → figures."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Protocol

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from textbayes.errors import ParameterError
from textbayes.errors.checks import check_number, check_option
from textbayes.errors.printable import printable
from textbayes.evaluation.cache import ResultCache, description
from textbayes.evaluation.collection import Collection, as_collection
from textbayes.evaluation.comparison import Comparison
from textbayes.evaluation.fitting import RunDocuments, check_metrics, measure
from textbayes.evaluation.protocols import EvaluationProtocol, Run, as_protocol
from textbayes.evaluation.results import Result, Results

Report = Callable[[int, int, str], None]

_MODELS = 'a dict of models, such as {"mnb": make_pipeline(TextCounter(), MultinomialNB())}'


class Splitter(Protocol):
    """A splitter of scikit-learn."""

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[tuple[Any, Any]]:
        """Yield the positions of training and test documents."""


def compare(
    models: Mapping[str, Any] | Iterable[Any],
    corpus: Any,
    protocol: EvaluationProtocol | Splitter,
    metrics: Iterable[str] = ("accuracy", "macro_f1"),
    *,
    against: str = "first",
    confidence: float = 0.95,
    cache: str | os.PathLike[str] | None = None,
    progress: bool | Report | None = None,
) -> Comparison:
    """Compare models on the same runs.

    Every model is cloned and fitted to the training side of each run as a whole: vocabulary cuts, idf, term
    selection and everything else that a pipeline learns see nothing of the test side.

    Parameters
    ----------
    models : dict of name and model, or iterable of models
        Models that take texts, such as ``make_pipeline(TextCounter(), MultinomialNB())``. Models without a
        name are named after their last step.
    corpus : Corpus, pair (texts, labels), or any object with ``texts`` and ``labels``
        The documents. If each has one label, models learn labels; otherwise an indicator.
    protocol : FixedSplit, StratifiedFolds, RepeatedHoldOut, LearningCurve, or a scikit-learn splitter
        Which documents each run learns from, and which it tests with: a protocol, of your own too (see
        EvaluationProtocol), or a splitter such as ``StratifiedKFold(5)`` or ``ShuffleSplit(10)``. A splitter
        is given the labels; with several labels per document, an indicator, which stratified ones refuse.
    metrics : iterable of str, default=("accuracy", "macro_f1")
        Any of "accuracy" (with several labels per document: all of them right), "micro_f1", "macro_f1",
        "micro_break_even", "macro_break_even", "macro_auc", "log_loss", "calibration_error", "tree_f1",
        "macro_tree_f1".
    against : str, default="first"
        The model that p-values compare with: "first", "best" by the first metric, or a name. The best model
        is chosen by the result, so p-values against it are too small.
    confidence : float, default=.95
        The confidence of the intervals.
    cache : path, optional
        A folder for results, with a file for each model and run, named by a content hash. Stored results are
        not computed again, so an interrupted comparison continues where it stopped. A class of your own is
        identified by its name and parameters: empty the folder when you edit the class.
    progress : bool or function, optional
        Whether to show a progress bar on stderr; by default only in a terminal. A function is called with the
        number of fits done, their total, and the next fit.

    Returns
    -------
    Comparison
        It prints as a table.

    Raises
    ------
    ParameterError, ParameterConflictError
        Before any work, if a model or a metric cannot be used.

    Notes
    -----
    With several runs, intervals and p-values come from the corrected resampled t-test. With one run,
    intervals come from 1,000 bootstrap samples of the test documents (for metrics of decisions), and p-values
    from McNemar's test (accuracy and micro F1, the latter over all decisions) or the sign test over classes
    (the others), the tests of Yang and Liu (1999). Intervals stay within the range of the metric.

    Break-even and AUC rank the documents of a class. With one label per document they rank by the log odds of
    the class, from ``predict_log_proba``, because unnormalised scores of different documents cannot be
    compared. Models without it, and all models if documents have several labels, rank by
    ``decision_function``.

    Models whose pipelines begin with equal TextCounters share the counts of a run, so the seconds of the
    first one include the counting.

    Examples
    --------
    >>> from sklearn.pipeline import make_pipeline
    >>> from textbayes import ComplementNB, MultinomialNB, TextCounter
    >>> from textbayes.evaluation import StratifiedFolds, compare
    >>> texts = ["wheat rose", "corn and wheat", "corn fell", "oil was cut", "crude oil", "crude fell"]
    >>> models = {
    ...     "mnb": make_pipeline(TextCounter(), MultinomialNB()),
    ...     "cnb": make_pipeline(TextCounter(), ComplementNB()),
    ... }
    >>> found = compare(models, (texts, ["grain"] * 3 + ["oil"] * 3), StratifiedFolds(3), ["accuracy"])
    >>> found.models
    ('mnb', 'cnb')
    """
    named = _named(models)
    names = check_metrics(metrics, named)
    if against not in named:
        check_option("against", against, ("first", "best", *named))
    check_number("confidence", confidence, above=0, below=1)
    collection = as_collection(corpus)
    checked = as_protocol(protocol, collection.labels)
    runs = list(checked.divide(collection.labels, collection.splits))
    results = tuple(_results(named, collection, runs, names, ResultCache(cache), progress))
    return Comparison(Results(collection, results), checked, names, against, confidence)


def _results(
    models: dict[str, Any],
    collection: Collection,
    runs: list[Run],
    metrics: tuple[str, ...],
    cache: ResultCache,
    progress: bool | Report | None,
) -> Iterator[Result]:
    # Without a cache a model needs no description.
    known = {name: description(model) if cache.folder else None for name, model in models.items()}
    with _reporting(progress) as report:
        for at, run in enumerate(runs):
            documents: RunDocuments | None = None
            digest = collection.digest(run) if cache.folder else ""
            for place, (name, model) in enumerate(models.items()):
                report(at * len(models) + place, len(runs) * len(models), f"{name}, {run.name}")
                key = cache.key(known[name], digest)
                kept = cache.get(key) or {"values": {}}
                if not set(metrics) <= set(kept["values"]):
                    documents = documents or RunDocuments(collection, run)
                    # Stored metrics are measured again, so that two lists of metrics can share a file.
                    kept = measure(model, documents, tuple(dict.fromkeys((*kept["values"], *metrics))))
                    cache.put(key, kept)
                yield Result(name, run, **kept)
        report(len(runs) * len(models), len(runs) * len(models), "done")


def _named(models: Mapping[str, Any] | Iterable[Any]) -> dict[str, Any]:
    named = dict(models) if isinstance(models, Mapping) else _called_after_their_last_step(models)
    if not named:
        raise ParameterError("models", named, _MODELS)
    for name, model in named.items():
        if isinstance(model, type) or not all(hasattr(model, each) for each in ("fit", "get_params")):
            raise ParameterError(f"models[{name!r}]", model, _MODELS)
    return named


def _called_after_their_last_step(models: Iterable[Any]) -> dict[str, Any]:
    named: dict[str, Any] = {}
    for model in models:
        last = model.steps[-1][1] if hasattr(model, "steps") else model
        name = type(last).__name__
        if name in named:
            raise ParameterError(
                "models", name, _MODELS, f"Two models are called {name}, so they need other names"
            )
        named[name] = model
    return named


@contextmanager
def _reporting(progress: bool | Report | None) -> Iterator[Report]:
    console = Console(stderr=True)
    if callable(progress):
        yield progress
    elif progress is False or (progress is None and not console.is_terminal):
        yield lambda *_: None
    else:
        columns = (
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
        )
        with Progress(*columns, console=console, transient=True) as bar:
            task = bar.add_task("")
            yield lambda done, total, what: bar.update(
                task, completed=done, total=total, description=printable(what)
            )
