"""Many classes: time and memory to fit, to learn one more document, and to predict.

The counts are generated, because no public corpus has 100,000 classes: three words in ten come from the terms
of the class, the others from all terms by Zipf's law. Every model is measured in its own process on the same
counts.
"""

from __future__ import annotations

import argparse
import multiprocessing
import pickle
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, vstack
from sklearn.naive_bayes import MultinomialNB as PeerMultinomialNB

from corpora import BenchmarkCorpus
from measure import Target
from memory import grown_memory
from options import asked, report_options
from report import Report, machine
from textbayes import CentroidClassifier, ComplementNB, MultinomialNB, PoissonNB


@dataclass(frozen=True, slots=True)
class Size:
    """The size of a problem."""

    documents: int
    classes: int
    terms: int
    predicted: int = 1_000

    def divided(self, parts: int) -> Size:
        """Divide all sizes by n."""
        parts_of = (
            max(10, value // parts) for value in (self.documents, self.classes, self.terms, self.predicted)
        )
        return Size(*parts_of)

    def __str__(self) -> str:
        return f"{self.documents:,} documents × {self.classes:,} classes × {self.terms:,} terms"


MIDDLE = Size(20_000, 5_000, 50_000)
LARGE = Size(1_000_000, 100_000, 1_000_000, 10_000)
# PoissonNB has its own size: with a weighting it computes weights in blocks of classes × terms.
LARGE_POISSON = Size(50_000, 5_000, 50_000, 1_000)
WORDS = 80
OWN_WORDS, OWN_TERMS = 24, 40
UPDATES = 15
PEER = "scikit-learn MultinomialNB"
PEER_BYTES = 16 << 30

MODELS: dict[str, Callable[[], Any]] = {
    "MultinomialNB": MultinomialNB,
    "MultinomialNB, class_length": lambda: MultinomialNB(class_length="min"),
    "ComplementNB": ComplementNB,
    "ComplementNB, norm": lambda: ComplementNB(norm=True),
    "ComplementNB, class": lambda: ComplementNB(against="class"),
    "ComplementNB, all": lambda: ComplementNB(against="all"),
    "CentroidClassifier": CentroidClassifier,
    "PoissonNB": PoissonNB,
    PEER: PeerMultinomialNB,
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """Measurements of one model: seconds and bytes, and the seconds of each update with one prediction."""

    fit_seconds: float
    fit_bytes: int
    first_seconds: float = float("nan")
    predict_seconds: float = float("nan")
    predict_bytes: int = 0
    update_seconds: list[float] = field(default_factory=list)
    accuracy: float = float("nan")

    @property
    def update(self) -> float:
        """The median update in seconds."""
        return median(self.update_seconds) if self.update_seconds else float("nan")


def main() -> None:
    """Run the benchmark and write its report."""
    options = _options()
    size = LARGE if options.large else MIDDLE
    report = Report(f"Many classes: {size.divided(options.divide)}", _facts())
    with tempfile.TemporaryDirectory() as folder:
        outcomes = {
            name: _measured(name, _written(own, Path(folder)), report)
            for name, own in _contestants(options, size).items()
        }
    known = {name: outcome for name, outcome in outcomes.items() if outcome is not None}
    raw = {name: asdict(outcome) for name, outcome in known.items()}
    if options.large and "PoissonNB" in known:
        report.note(f"PoissonNB: {LARGE_POISSON.divided(options.divide)}.")
    report.add_rows("each model in its own process", HEADINGS, _cells(outcomes), raw)
    if not options.large and known.keys() - {PEER}:
        report.add_targets(_targets(known))
    report.deliver(options, "scale_large" if options.large else "scale")


def _options() -> argparse.Namespace:
    parser = report_options(__doc__)
    parser.add_argument("--large", action="store_true", help=str(LARGE))
    parser.add_argument("--peer", action="store_true", help=f"{PEER} too: about 10 GB and half a minute")
    parser.add_argument("--model", action="append", choices=list(MODELS), help="only this one; repeatable")
    parser.add_argument("--divide", type=int, default=1, metavar="N", help="an Nth of the size, for a trial")
    options = asked(parser)
    if options.divide < 1:
        parser.error("--divide takes a whole number from 1 up")
    return options


def _facts() -> dict[str, str]:
    facts = machine(BenchmarkCorpus("generated", []), UPDATES)
    return {
        **facts,
        "corpus": f"generated, {WORDS} words per document",
        "date": facts["date"].partition(",")[0],
    }


def _contestants(options: argparse.Namespace, size: Size) -> dict[str, Size]:
    # The peer's tables of 100,000 × 1,000,000 would take 800 GB each.
    peers = {PEER} if options.large or not options.peer else set()
    chosen = options.model or [name for name in MODELS if name not in peers]
    sizes = {name: LARGE_POISSON if options.large and name == "PoissonNB" else size for name in chosen}
    return {name: own.divided(options.divide) for name, own in sizes.items()}


def made_up(size: Size, seed: int = 0) -> tuple[csr_matrix, NDArray[np.int64]]:
    """Generate counts and classes: the training documents, then the test documents."""
    random = np.random.default_rng(seed)
    documents = size.documents + size.predicted
    # Spread the documents evenly over the classes.
    y = np.concatenate(
        [np.arange(size.documents) % size.classes, random.integers(size.classes, size=size.predicted)]
    )
    blocks = [_block(y[at : at + 50_000], size.terms, random) for at in range(0, documents, 50_000)]
    return vstack(blocks, format="csr"), y


def _block(y: NDArray[np.int64], terms: int, random: np.random.Generator) -> csr_matrix:
    zipf = np.exp(random.random((len(y), WORDS - OWN_WORDS)) * np.log(terms)).astype(np.int64) - 1
    own = y[:, None] * OWN_TERMS + random.integers(OWN_TERMS, size=(len(y), OWN_WORDS))
    columns = np.concatenate([zipf, _hashed(own, terms)], axis=1)
    keys = (np.arange(len(y))[:, None] * terms + columns).ravel()
    distinct, counts = np.unique(keys, return_counts=True)
    rows, columns = np.divmod(distinct, terms)
    starts = np.searchsorted(rows, np.arange(len(y) + 1))
    return csr_matrix((counts, columns.astype(np.int32), starts), shape=(len(y), terms))


def _hashed(numbers: NDArray[np.int64], columns: int) -> NDArray[np.int64]:
    """Map numbers to pseudo-random columns, deterministically."""
    mixed = numbers.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(31))) * np.uint64(0xBF58476D1CE4E5B9)
    return ((mixed ^ (mixed >> np.uint64(29))) % np.uint64(columns)).astype(np.int64)


def _written(size: Size, folder: Path) -> Path:
    """Write counts and classes to a file, so that the reading process has not generated them."""
    file = folder / f"{size.documents}-{size.classes}.pickle"
    if not file.exists():
        X, y = made_up(size)
        train, new = slice(size.documents), slice(size.documents, None)
        with file.open("wb") as out:
            pickle.dump((X[train], y[train], X[new], y[new]), out, protocol=pickle.HIGHEST_PROTOCOL)
    return file


def _measured(name: str, counts: Path, report: Report) -> Outcome | None:
    """Measure one model in a new process; return None, with a note, if the process dies."""
    spawned = multiprocessing.get_context("spawn")
    ours, theirs = spawned.Pipe(duplex=False)
    process = spawned.Process(target=_measure, args=(name, counts, theirs))
    process.start()
    theirs.close()  # so that recv() raises if the process dies
    try:
        outcome: Outcome = ours.recv()
    except EOFError:
        process.join()
        report.note(f"{name} ended with code {process.exitcode}: not enough memory?")
        return None
    process.join()
    print(f"{name}: fitted in {outcome.fit_seconds:.2f} s", file=sys.stderr, flush=True)
    return outcome


def _measure(name: str, counts: Path, answer: Any) -> None:
    if name == PEER:
        resource.setrlimit(resource.RLIMIT_AS, (PEER_BYTES, PEER_BYTES))  # fail rather than swap
    with counts.open("rb") as file:
        X, y, new, expected = pickle.load(file)  # trusted: written by the parent process
    _warm_up(name)
    fitted = grown_memory(lambda: MODELS[name]().fit(X, y))
    model = fitted.result
    first = grown_memory(lambda: model.predict(new))
    again = grown_memory(lambda: model.predict(new))
    updates = 1 if name == PEER else UPDATES
    answer.send(
        Outcome(
            fitted.seconds,
            fitted.bytes,
            first.seconds,
            again.seconds,
            max(first.bytes, again.bytes),
            [_update(model, new, expected, at) for at in range(min(updates, new.shape[0] - 1))],
            float(np.mean(first.result == expected)),
        )
    )


def _warm_up(name: str) -> None:
    X, y = made_up(Size(200, 10, 500, 10))
    MODELS[name]().fit(X, y).predict(X)


def _update(model: Any, new: csr_matrix, y: NDArray[np.int64], at: int) -> float:
    start = time.perf_counter()
    model.partial_fit(new[at], y[at : at + 1])
    model.predict(new[at + 1])
    return time.perf_counter() - start


HEADINGS = ("fit", "adds", "predict", "again", "adds", "update", "right")


def _cells(outcomes: dict[str, Outcome | None]) -> dict[str, list[str]]:
    return {name: _row(outcome) if outcome else ["–"] * len(HEADINGS) for name, outcome in outcomes.items()}


def _row(outcome: Outcome) -> list[str]:
    return [
        f"{outcome.fit_seconds:.2f} s",
        f"{outcome.fit_bytes / 1e6:,.0f} MB",
        f"{outcome.first_seconds:.2f} s",
        f"{outcome.predict_seconds:.2f} s",
        f"{outcome.predict_bytes / 1e6:,.0f} MB",
        f"{outcome.update * 1e3:,.1f} ms",
        f"{outcome.accuracy:.3f}",
    ]


def _targets(outcomes: dict[str, Outcome]) -> list[Target]:
    ours = {name: outcome for name, outcome in outcomes.items() if name != PEER}
    targets = []
    for name, outcome in ours.items():
        targets.append(Target(f"{name}: fit in under 2 s", outcome.fit_seconds, 2, at_least=False))
        megabytes = outcome.fit_bytes / 1e6
        targets.append(Target(f"{name}: fit adds under 150 MB", megabytes, 150, at_least=False))
        targets.append(
            Target(f"{name}: update + predict under 5 ms", outcome.update * 1e3, 5, at_least=False)
        )
    return targets


if __name__ == "__main__":
    main()
