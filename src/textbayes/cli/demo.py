"""``textbayes demo``: what the library does, on this machine, in a few seconds."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Annotated, Any

import numpy as np
import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from textbayes.cli.console import data_console, print_json, working
from textbayes.datasets.corpus import Corpus
from textbayes.datasets.docstrings import load_docstrings
from textbayes.estimators import ComplementNB, FrequencyTransform, TextCounter

_ROUNDS = 3
_NEW_CLASS = "a class it had never seen"
_EXAMPLES = 3
_EXCERPT = 36  # beside two labels in 80 columns


@dataclass(frozen=True, slots=True)
class Speed:
    """How fast one counter counted the corpus: the best of a few rounds.

    Parameters
    ----------
    name : str
        The counter.
    threads : int
        How many it used.
    seconds, tokens_per_second, megabytes_per_second : float
        The time of its best round, and what follows from it.
    times_scikit_learn : float
        Its speed as a multiple of scikit-learn's, measured in turn with it.
    """

    name: str
    threads: int
    seconds: float
    tokens_per_second: float
    megabytes_per_second: float
    times_scikit_learn: float


@dataclass(frozen=True, slots=True)
class Example:
    """One text of the test split, with its class and the class that was predicted."""

    text: str
    label: str
    predicted: str


@dataclass(frozen=True, slots=True)
class DemoReport:
    """Everything that the demonstration found out.

    Parameters
    ----------
    documents, classes, largest_class, smallest_class, tokens, megabytes
        The size of the corpus; megabytes of UTF-8.
    load_seconds : float
        How long it took to gather it.
    speeds : list of Speed
        textbayes on all cores and on one, then scikit-learn.
    terms : int
        The size of the vocabulary.
    same_vocabulary, same_counts : bool
        Whether scikit-learn found exactly the same terms, and the same counts.
    train, test : int
        How many documents were learnt from, and how many were predicted.
    accuracy, peer_accuracy, majority : float
        The share predicted correctly, by scikit-learn's MultinomialNB with its defaults, and by always naming
        the largest class.
    forgotten_to_the_bit : bool
        Whether the model was as before after it was taught a document of a new class and forgot it again.
    examples : list of Example
        A few predictions.
    """

    documents: int
    classes: int
    largest_class: int
    smallest_class: int
    tokens: int
    megabytes: float
    load_seconds: float
    speeds: list[Speed]
    terms: int
    same_vocabulary: bool
    same_counts: bool
    train: int
    test: int
    accuracy: float
    peer_accuracy: float
    majority: float
    forgotten_to_the_bit: bool
    examples: list[Example]


def demo(as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """Count and classify the built-in corpus, beside scikit-learn.

    Takes some seconds and no network: the corpus is the documentation of the packages installed here.
    """
    with working("Counting the documentation of this Python…"):
        report = run_demo()
    if as_json:
        print_json(asdict(report))
    else:
        _tell(report, data_console())


def run_demo(corpus: Corpus | None = None) -> DemoReport:
    """Count and classify a corpus, by default the built-in one, and return what was found.

    Examples
    --------
    >>> from textbayes.cli.demo import run_demo
    >>> from textbayes.datasets import Corpus, Document
    >>> train = [Document("Wheat rose.", ("grain",), "train"), Document("Oil fell.", ("crude",), "train")]
    >>> report = run_demo(Corpus("tiny", [*train, Document("Wheat, wheat!", ("grain",), "test")]))
    >>> report.same_counts, report.accuracy
    (True, 1.0)
    """
    start = time.perf_counter()
    corpus = load_docstrings() if corpus is None else corpus
    load_seconds = time.perf_counter() - start
    texts = corpus.texts
    speeds, ours, theirs = _race(texts)
    sizes = Counter(corpus.label)
    return DemoReport(
        documents=len(corpus),
        classes=len(sizes),
        largest_class=max(sizes.values()),
        smallest_class=min(sizes.values()),
        tokens=int(ours[1].sum()),
        megabytes=_megabytes(texts),
        load_seconds=load_seconds,
        speeds=speeds,
        terms=len(ours[0]),
        same_vocabulary=np.array_equal(ours[0], theirs[0]),
        same_counts=ours[1].shape == theirs[1].shape and (ours[1] != theirs[1]).nnz == 0,
        **_classify(corpus),
    )


def _race(texts: list[str]) -> tuple[list[Speed], tuple[Any, Any], tuple[Any, Any]]:
    """Time the counters in turn, so that whatever else the machine does slows down all of them."""
    from sklearn.feature_extraction.text import CountVectorizer

    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    runners: list[tuple[str, int, Callable[[], Any]]] = [
        ("textbayes", cores, lambda: TextCounter(n_jobs=cores)),
        ("textbayes", 1, lambda: TextCounter(n_jobs=1)),
        ("scikit-learn", 1, CountVectorizer),
    ]
    best = [float("inf")] * len(runners)
    found: list[tuple[Any, Any]] = [(None, None)] * len(runners)
    for _ in range(_ROUNDS):
        for place, (_name, _threads, make) in enumerate(runners):
            counter, start = make(), time.perf_counter()
            counts = counter.fit_transform(texts)
            best[place] = min(best[place], time.perf_counter() - start)
            found[place] = (counter.get_feature_names_out(), counts)
    tokens, megabytes = int(found[0][1].sum()), _megabytes(texts)
    speeds = [
        Speed(name, threads, seconds, tokens / seconds, megabytes / seconds, best[-1] / seconds)
        for (name, threads, _make), seconds in zip(runners, best, strict=True)
    ]
    return speeds, found[0], found[-1]


def _megabytes(texts: list[str]) -> float:
    return sum(len(text.encode("utf-8", "surrogatepass")) for text in texts) / 1e6


def _classify(corpus: Corpus) -> dict[str, Any]:
    from sklearn.naive_bayes import MultinomialNB as Peer

    train, test = corpus.train, corpus.test
    counter, transform = TextCounter(), FrequencyTransform()
    counts, test_counts = counter.fit_transform(train.texts), counter.transform(test.texts)
    X, X_test = transform.fit_transform(counts), transform.transform(test_counts)
    model = ComplementNB(alpha=0.1).fit(X, train.label)
    predicted, truth = model.predict(X_test), np.array(test.label)
    largest = Counter(train.label).most_common(1)[0][0]
    pairs = list(zip(test, predicted, strict=True))
    return {
        "train": len(train),
        "test": len(test),
        "accuracy": float(np.mean(predicted == truth)),
        "peer_accuracy": float(np.mean(Peer().fit(counts, train.label).predict(test_counts) == truth)),
        "majority": test.label.count(largest) / len(test),
        "forgotten_to_the_bit": _learn_and_forget(model, X_test[:1]),
        "examples": [
            Example(" ".join(document.text.split())[:200], str(document.label), str(label))
            for document, label in pairs[:: max(1, len(pairs) // _EXAMPLES)][:_EXAMPLES]
        ],
    }


def _learn_and_forget(model: ComplementNB, X: Any) -> bool:
    """Teach a model a document of a new class, forget it, and tell whether it is as before."""
    before = model.decision_function(X)
    model.partial_fit(X, [_NEW_CLASS])
    learned = _NEW_CLASS in model.classes_
    model.forget(X, [_NEW_CLASS])
    return learned and model.decision_function(X).tobytes() == before.tobytes()


def _tell(report: DemoReport, console: Console) -> None:
    console.print(
        f"[bold]The corpus.[/] {report.documents:,} documentation strings of the packages installed here, in "
        f"{report.classes} classes of {report.smallest_class} to {report.largest_class} documents: "
        f"{report.tokens:,} tokens, {report.megabytes:.1f} MB, read in {report.load_seconds:.1f} s.\n"
    )
    console.print("[bold]Counting[/] all of it from raw text, the best of three rounds each:\n")
    console.print(_speed_table(report.speeds))
    console.print(f"\n{_agreement(report)}\n")
    console.print(
        f"[bold]Classifying.[/] Complement naive Bayes on transformed counts, learnt from {report.train:,} "
        f"documents, names the right class of {report.accuracy:.1%} of the {report.test:,} others. "
        f"scikit-learn's MultinomialNB: {report.peer_accuracy:.1%}. Always the largest class: "
        f"{report.majority:.1%}.\n"
    )
    console.print(_example_table(report.examples))
    if report.forgotten_to_the_bit:
        console.print(
            "\n[green]✓[/] It was then taught a document of a class it had never seen, and made to forget "
            "it: the model is back to the bit."
        )


def _agreement(report: DemoReport) -> str:
    if report.same_vocabulary and report.same_counts:
        same = f"The same {report.terms:,} terms and the same counts as scikit-learn's CountVectorizer."
        return f"[green]✓[/] {same}"
    differing = "vocabulary differs" if not report.same_vocabulary else "counts differ"
    return (
        f"[yellow]![/] {report.terms:,} terms; the {differing} from scikit-learn's CountVectorizer. "
        "A combining mark continues a word here and ends it there; any other difference is a bug to report."
    )


def _speed_table(speeds: list[Speed]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 2), header_style="dim")
    table.add_column("")
    for column in ("threads", "seconds", "tokens/s", "MB/s", "× scikit-learn"):
        table.add_column(column, justify="right", no_wrap=True)
    for speed in speeds:
        table.add_row(
            speed.name,
            str(speed.threads),
            f"{speed.seconds:.3f}",
            f"{speed.tokens_per_second / 1e6:.2f} M",
            f"{speed.megabytes_per_second:.1f}",
            f"{speed.times_scikit_learn:.1f}",
            style="bold" if speed is speeds[0] else None,
        )
    return table


def _example_table(examples: list[Example]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 2), header_style="dim")
    table.add_column("a text it had not seen", no_wrap=True)
    table.add_column("predicted", overflow="fold")
    table.add_column("its class", overflow="fold")
    for example in examples:
        colour = "green" if example.predicted == example.label else "red"
        table.add_row(Text(_shortened(example.text)), f"[{colour}]{example.predicted}[/]", example.label)
    return table


def _shortened(text: str) -> str:
    return text if len(text) <= _EXCERPT else text[: _EXCERPT - 1].rstrip() + "…"
