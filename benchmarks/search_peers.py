"""The default model beside searches of scikit-learn and fastText, by the number of training documents.

Every contestant learns from the same texts, in a process of its own, from the texts to the fitted model with
its search. The searches of scikit-learn use one core and ours all, so CPU seconds are compared.
"""

from __future__ import annotations

import json
import os
import platform
import re
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix, hstack
from sklearn.compose import ColumnTransformer
from sklearn.exceptions import ConvergenceWarning
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, HalvingGridSearchCV, StratifiedKFold, train_test_split
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import Pipeline
from sklearn.svm import LinearSVC
from threadpoolctl import threadpool_limits

from textbayes import TextClassifier, TextCounter
from textbayes.datasets import Corpus
from textbayes.evaluation import f1

FOLDS = 5
_FASTTEXT = Path(__file__).with_name("fasttext_peer.py")
_OURS = "TextClassifier()"
_PACKAGES = ("textbayes", "scikit-learn", "numpy", "scipy")
# Grids of C. Halving drops most candidates on few documents, so it can try more of them.
_SVM_GRID = (0.1, 0.5, 2.0, 10.0)
_LOGISTIC_GRID = (1.0, 10.0, 100.0)
_HALVING_GRID = (0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0)


@dataclass(frozen=True)
class Split:
    """Texts and labels of both sides."""

    train: Sequence[str]
    labels: Sequence[str]
    test: Sequence[str]
    truth: Sequence[str]

    @classmethod
    def of(cls, corpus: Corpus, size: int | None) -> Split:
        """Take a stratified sample of the training side, or all of it, and the whole test side."""
        texts, labels = list(corpus.train.texts), list(corpus.train.label)
        if size is not None and size < len(texts):
            texts, _, labels, _ = train_test_split(
                texts, labels, train_size=size, stratify=labels, random_state=0
            )
        return cls(texts, labels, list(corpus.test.texts), list(corpus.test.label))


@dataclass(frozen=True)
class Columns:
    """Counts of words and pairs, and of 2 to 5 characters inside words if asked; tf-idf of each block."""

    characters: bool

    def counters(self) -> list[TextCounter]:
        """Return a counter for each block."""
        words = TextCounter(ngram_range=(1, 2))
        characters = TextCounter(unit="char_wb", ngram_range=(2, 5), min_df=2)
        return [words, characters] if self.characters else [words]

    def tfidf(self, widths: list[int]) -> ColumnTransformer:
        """Return a transformer that gives each block its own tf-idf and length."""
        ends = np.cumsum([0, *widths]).tolist()
        blocks = [
            (f"block {start}", TfidfTransformer(sublinear_tf=True), slice(start, end))
            for start, end in pairwise(ends)
        ]
        return ColumnTransformer(blocks, sparse_threshold=1.0)


@dataclass(frozen=True)
class Search:
    """A search of scikit-learn for C."""

    model: Any
    grid: tuple[float, ...]
    columns: Columns
    kind: Any = GridSearchCV

    def __call__(self, split: Split) -> tuple[Callable[[], Any], str]:
        """Count, search and refit; return a function that predicts the test side, and the choice."""
        counters = self.columns.counters()
        blocks = [counter.fit_transform(split.train) for counter in counters]
        tfidf = self.columns.tfidf([block.shape[1] for block in blocks])
        folds = StratifiedKFold(FOLDS, shuffle=True, random_state=0)
        pipeline = Pipeline([("tfidf", tfidf), ("model", self.model)])
        options = {"scoring": "f1_macro", "cv": folds, **self.options(split.labels)}
        (name,) = (
            name for name in pipeline.get_params() if name.startswith("model__") and name.endswith("__C")
        )
        found = self.kind(pipeline, {name: self.grid}, **options)
        # Its linear algebra would use all cores, mostly to wait.
        with threadpool_limits(1):
            found.fit(_joined(blocks), np.array(split.labels))

        def predict() -> Any:
            return found.predict(_joined([counter.transform(split.test) for counter in counters]))

        return predict, f"C={found.best_params_[name]:g}"

    def options(self, labels: Sequence[str]) -> dict[str, Any]:
        """Return the options of halving: start with a ninth of the documents, then a third, then all."""
        if self.kind is GridSearchCV:
            return {}
        # Folds need a class with a document for each.
        least = min(len(labels), FOLDS * len(set(labels)))
        return {"factor": 3, "min_resources": max(len(labels) // 9, least), "random_state": 0}


def _joined(blocks: list[csr_matrix]) -> csr_matrix:
    return hstack(blocks, format="csr")


def _ours(split: Split) -> tuple[Callable[[], Any], str]:
    classifier = TextClassifier().fit(split.train, split.labels)
    return lambda: classifier.predict(split.test), f"{len(classifier.model_.recipe_.members)} members"


_SVM = LinearSVC(dual=True, random_state=0)
# Faster than the default solver for many columns, and as good.
_LOGISTIC = OneVsRestClassifier(LogisticRegression(solver="liblinear", dual=True, random_state=0))
_WORDS, _ALL = Columns(characters=False), Columns(characters=True)
PEERS: dict[str, Callable[[Split], tuple[Callable[[], Any], str]]] = {
    _OURS: _ours,
    "LinearSVC, grid": Search(_SVM, _SVM_GRID, _WORDS),
    "LinearSVC, grid, characters": Search(_SVM, _SVM_GRID, _ALL),
    "LinearSVC, halving, characters": Search(_SVM, _HALVING_GRID, _ALL, HalvingGridSearchCV),
    "LogisticRegression, grid": Search(_LOGISTIC, _LOGISTIC_GRID, _WORDS),
    "LogisticRegression, grid, characters": Search(_LOGISTIC, _LOGISTIC_GRID, _ALL),
}
_BY_FASTTEXT = "fastText, best of three"
NAMES = (*PEERS, _BY_FASTTEXT)


def measured_peer(name: str, corpus: Corpus, size: int | None, fasttext: str) -> dict[str, Any]:
    """Train a contestant in this process and measure it."""
    warnings.simplefilter("ignore", ConvergenceWarning)
    warnings.filterwarnings("ignore", "The least populated class", UserWarning)
    split = Split.of(corpus, size)
    if name == _BY_FASTTEXT:
        return {"documents": len(split.train), **_by_fasttext(split, fasttext)}
    start, used = time.perf_counter(), time.process_time()
    predict, choice = PEERS[name](split)
    spent = {"seconds": time.perf_counter() - start, "cpu": time.process_time() - used}
    # Linux counts in kB.
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    macro = float(f1(split.truth, predict()).macro)
    return {"documents": len(split.train), **spent, "peak_mb": peak, "macro_f1": macro, "choice": choice}


def _by_fasttext(split: Split, python: str) -> dict[str, Any]:
    """Train fastText with another Python, because its packages need one of their own."""
    numbers = {label: number for number, label in enumerate(sorted(set(split.labels)))}
    divisible = min(Counter(split.labels).values()) > 1
    learned, held = train_test_split(
        np.arange(len(split.train)),
        test_size=1 / FOLDS,
        stratify=split.labels if divisible else None,
        random_state=0,
    )
    with tempfile.TemporaryDirectory() as folder:

        def write(name: str, texts: Sequence[str], labels: Sequence[str]) -> None:
            lines = [
                f"__label__{numbers[label]} {_spaced(text)}\n"
                for text, label in zip(texts, labels, strict=True)
            ]
            Path(folder, name).write_text("".join(lines), encoding="utf-8", errors="replace")

        for name, chosen in (("learned", learned), ("held", held)):
            write(name, [split.train[at] for at in chosen], [split.labels[at] for at in chosen])
        write("all", split.train, split.labels)
        # The labels of the test side stay here.
        write("test", split.test, [split.labels[0]] * len(split.test))
        done = subprocess.run([python, str(_FASTTEXT), folder], capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(_last_line(done.stderr))
        found = json.loads(done.stdout)
    names = {number: label for label, number in numbers.items()}
    given = [names[number] for number in found.pop("predicted")]
    return {**found, "macro_f1": float(f1(split.truth, given).macro)}


def _spaced(text: str) -> str:
    # fastText splits at spaces, and a line is a document.
    return " ".join(re.findall(r"\w+|[^\w\s]", text.lower()))


def compare_peers(
    corpora: dict[str, int], sizes: Sequence[int | None], names: Sequence[str], fasttext: str
) -> dict[str, Any]:
    """Measure every contestant at every size up to that of the corpus; print a line for each."""
    conditions, rows = _conditions(), []
    print(f"{'corpus, documents, search':62}{'seconds':>9}{'CPU':>9}{'peak':>11}{'macro F1':>10}", flush=True)
    for corpus, documents in corpora.items():
        # A size beyond the corpus is all of it.
        for size in sorted({min(size or documents, documents) for size in sizes}):
            for name in names:
                row = {
                    "corpus": corpus,
                    "documents": size,
                    "search": name,
                    **_in_process(corpus, size, name, fasttext),
                }
                rows.append(row)
                print(_line(row), flush=True)
    return {**conditions, "rows": rows}


def joined_rows(before: list[dict[str, Any]], now: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Join the rows of two runs: the new ones, and the old ones of other searches, sizes and corpora."""
    rows = {(row["corpus"], row["documents"], row["search"]): row for row in [*before, *now]}
    return [rows[key] for key in sorted(rows, key=lambda key: (key[0], key[1], NAMES.index(key[2])))]


def _in_process(corpus: str, size: int, name: str, fasttext: str) -> dict[str, Any]:
    program = Path(__file__).with_name("searching.py")
    command = [sys.executable, str(program), "--one-peer", corpus, str(size), name, "--fasttext", fasttext]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        # Such as fastText that is not installed: the others are still compared.
        return {"skipped": _last_line(done.stderr)}
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _last_line(text: str) -> str:
    return (text.strip().splitlines() or ["no message"])[-1]


def _line(row: dict[str, Any]) -> str:
    name = f"{row['corpus']}, {row['documents']:,}, {row['search']}"
    if "skipped" in row:
        return f"{name:62}  skipped: {row['skipped']}"
    return (
        f"{name:62}{row['seconds']:9.1f}{row['cpu']:9.1f}{row['peak_mb']:8,.0f} MB{row['macro_f1']:10.3f}"
        f"  {row['choice']}"
    )


def _conditions() -> dict[str, Any]:
    return {
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "machine": f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the start",
        "versions": f"Python {platform.python_version()}, "
        + ", ".join(f"{package} {version(package)}" for package in _PACKAGES),
    }


_PANELS = {"cpu": "CPU seconds", "peak_mb": "peak memory, MB", "macro_f1": "macro F1"}


def plot_peers(figures: dict[str, Any], path: Path) -> None:
    """Draw CPU seconds, memory and macro F1 over the number of documents: a row for each corpus."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    rows = [row for row in figures["rows"] if "skipped" not in row]
    corpora = list(dict.fromkeys(row["corpus"] for row in rows))
    searches = [name for name in NAMES if any(row["search"] == name for row in rows)]
    # The same figures give the same file.
    with mpl.rc_context({"svg.hashsalt": "textbayes", "svg.fonttype": "none"}):
        figure = Figure(figsize=(11, 3.4 * len(corpora) + 0.8), layout="constrained")
        axes = figure.subplots(len(corpora), len(_PANELS), squeeze=False)
        for corpus, line in zip(corpora, axes, strict=True):
            for (measure, title), ax in zip(_PANELS.items(), line, strict=True):
                _draw_panel(ax, [row for row in rows if row["corpus"] == corpus], searches, measure)
                ax.set_ylabel(title)
                ax.set_xlabel(f"training documents, {corpus}")
        handles, labels = axes[0, 0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=3, frameon=False)
        figure.savefig(path, metadata={"Date": None})


def _draw_panel(ax: Any, rows: list[dict[str, Any]], searches: list[str], measure: str) -> None:
    from matplotlib.ticker import LogLocator

    for at, search in enumerate(searches):
        points = sorted((row["documents"], row[measure]) for row in rows if row["search"] == search)
        ours = search == _OURS
        ax.plot(
            *zip(*points, strict=True),
            marker="o",
            label=search,
            color="black" if ours else f"C{at}",
            linewidth=2.5 if ours else 1.2,
        )
    ax.set_xscale("log")
    ticks = sorted({row["documents"] for row in rows})
    ax.set_xticks(ticks, [f"{tick:,}" for tick in ticks])
    if measure == "cpu":
        ax.set_yscale("log")
        ax.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        ax.yaxis.set_major_formatter("{x:,g}")
    elif measure == "peak_mb":
        ax.set_ylim(bottom=0)
        ax.yaxis.set_major_formatter("{x:,.0f}")
    ax.minorticks_off()
