"""Cost of the default model compared with the recipe "complement", or with other searches.

For every corpus, each contestant trains in its own process, so that the peak memory is its own; it includes
the texts of the corpus. A search takes seconds to minutes, so each trains once. Short steps are repeated, and
the median counts. The test documents are used only to measure the accuracy and to have texts to teach.

With ``--peers`` it is compared with searches of scikit-learn and with fastText instead, on samples of a
corpus: see search_peers.py.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any, TypeVar

import numpy as np

import search_peers
from corpora import use_shared_corpora
from textbayes import TextClassifier
from textbayes.datasets import Corpus, data_home, load_docstrings, load_newsgroups, read_documents
from textbayes.evaluation import f1

T = TypeVar("T")

RECIPES = ("complement", "auto")
REPEATS = 11
# Training documents in the comparison with other searches; 0 for all.
SIZES = (1000, 4000, 0)


def _stored(name: str) -> Corpus:
    return Corpus(name, list(read_documents(data_home() / f"{name}.jsonl.zst")))


CORPORA: dict[str, Callable[[], Corpus]] = {
    "docstrings": load_docstrings,
    "r8": lambda: _stored("r8-all-terms"),
    "webkb": lambda: _stored("webkb-stemmed"),
    "newsgroups": load_newsgroups,
}


def main() -> None:
    """Measure every corpus and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in list(CORPORA)[1:]:
        parser.add_argument(f"--{name}", action="store_true", help=f"also {name}, from TEXTBAYES_DATA")
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    add_peer_options(parser)
    options = parser.parse_args()
    use_shared_corpora()
    if options.one:
        print(json.dumps(measured(*options.one)))
        return
    if options.one_peer:
        name, size, search = options.one_peer
        found = search_peers.measured_peer(search, CORPORA[name](), int(size), options.fasttext)
        print(json.dumps(found))
        return
    if options.peers:
        compare(options)
        return
    print(f"{'corpus, recipe':24}{_line(HEADINGS)}", flush=True)
    for name in ["docstrings", *(name for name in list(CORPORA)[1:] if getattr(options, name))]:
        for recipe in RECIPES:
            command = [sys.executable, __file__, "--one", name, recipe]
            told = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout
            print(f"{f'{name}, {recipe}':24}{_line(shown(json.loads(told)))}", flush=True)


def add_peer_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the comparison with other searches."""
    names = [*search_peers.NAMES]
    parser.add_argument(
        "--peers", action="store_true", help="compare with searches of scikit-learn, fastText"
    )
    parser.add_argument(
        "--sizes", type=int, nargs="+", default=SIZES, metavar="N", help="training documents; 0 for all"
    )
    parser.add_argument("--only", nargs="+", choices=names, default=names, metavar="NAME", help=str(names))
    parser.add_argument(
        "--fasttext", default=sys.executable, metavar="PYTHON", help="a Python with fastText installed"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures of --peers to FILE")
    parser.add_argument("--keep", action="store_true", help="keep the figures in FILE that this run lacks")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw the figures of --peers")
    parser.add_argument("--one-peer", nargs=3, help=argparse.SUPPRESS)


def compare(options: argparse.Namespace) -> None:
    """Compare with other searches, on the corpora asked for or the built-in one."""
    asked = [name for name in list(CORPORA)[1:] if getattr(options, name)] or ["docstrings"]
    documents = {name: len(CORPORA[name]().train) for name in asked}
    found = search_peers.compare_peers(documents, options.sizes, options.only, options.fasttext)
    if options.keep and options.json and options.json.exists():
        before = json.loads(options.json.read_text(encoding="utf-8"))
        found["rows"] = search_peers.joined_rows(before["rows"], found["rows"])
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    if options.plot:
        search_peers.plot_peers(found, options.plot)


HEADINGS = ["text", "train", "peak", "file", "teach 1", "predict 1", "settle", "accuracy", "macro F1"]


def _line(cells: list[str]) -> str:
    return "".join(f"{cell:>11}" for cell in cells)


def shown(row: dict[str, Any]) -> list[str]:
    """Format the figures of a recipe."""
    return [
        f"{row['text_mb']:.1f} MB",
        f"{row['train']:.1f} s",
        f"{row['peak_mb']:,.0f} MB",
        f"{row['file_mb']:.1f} MB",
        f"{1000 * row['teach']:.2f} ms",
        f"{1000 * row['predict']:.2f} ms",
        "–" if row["settle"] is None else f"{row['settle']:.1f} s",
        f"{row['accuracy']:.1%}",
        f"{row['macro_f1']:.3f}",
    ]


def measured(name: str, recipe: str) -> dict[str, Any]:
    """Train a recipe in this process, and measure it."""
    corpus = CORPORA[name]()
    train, test = corpus.train, corpus.test
    classifier, seconds = _timed(lambda: TextClassifier(recipe).fit(train.texts, train.label))
    # Linux counts in kB.
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    predicted = classifier.predict(test.texts)
    texts, labels = test.texts[:REPEATS], test.label[:REPEATS]
    with tempfile.TemporaryDirectory() as folder:
        classifier.save(Path(folder, "model.tb"))
        size = Path(folder, "model.tb").stat().st_size / 1e6
    one = [_timed(lambda text=text: classifier.predict([text]))[1] for text in texts]
    taught = [
        _timed(lambda text=text, label=label: classifier.teach([text], [label]).predict([text]))[1]
        for text, label in zip(texts, labels, strict=True)
    ]
    unsettled = not classifier.is_settled_
    settle = _timed(classifier.settle)[1]
    return {
        "text_mb": sum(len(text.encode("utf-8", "surrogatepass")) for text in train.texts) / 1e6,
        "train": seconds,
        "peak_mb": peak,
        "file_mb": size,
        "teach": median(taught),
        "predict": median(one),
        "settle": settle if unsettled else None,
        "accuracy": float(np.mean(predicted == np.array(test.label))),
        "macro_f1": float(f1(test.label, predicted).macro),
    }


def _timed(work: Callable[[], T]) -> tuple[T, float]:
    start = time.perf_counter()
    result = work()
    return result, time.perf_counter() - start


if __name__ == "__main__":
    main()
