"""Cost of a search: TextClassifier("auto") compared with named recipes on a fixed split.

A search takes seconds to minutes, so each contestant runs once, and the figures are rough. The test documents
are used only for the final evaluation.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numpy as np

from corpora import newsgroups_or_docstrings
from textbayes import TextClassifier
from textbayes.datasets import Corpus, load_docstrings, load_newsgroups
from textbayes.evaluation import f1

T = TypeVar("T")

RECIPES = ("complement", "twcnb", "auto")


def main() -> None:
    """Run the benchmark and print its results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--newsgroups", action="store_true", help="20 Newsgroups, not the built-in corpus")
    corpus = _newsgroups() if parser.parse_args().newsgroups else load_docstrings()
    train, test = corpus.train, corpus.test
    print(f"{corpus.name}: {len(train):,} documents learned, {len(test):,} classified")
    print("              learn  teach 1  classify 1     file  accuracy  macro F1")
    for recipe in RECIPES:
        print(_line(recipe, train, test))


def _newsgroups() -> Corpus:
    newsgroups_or_docstrings(1)  # sets TEXTBAYES_DATA
    return load_newsgroups()


def _line(recipe: str, train: Corpus, test: Corpus) -> str:
    classifier, learn = _timed(lambda: TextClassifier(recipe).fit(train.texts, train.label))
    predicted = classifier.predict(test.texts)
    text, label = [test.texts[0]], [test.label[0]]
    one = float(np.median([_timed(lambda: classifier.predict(text))[1] for _ in range(21)]))
    _, teach = _timed(lambda: classifier.teach(text, label).predict(text))
    with tempfile.TemporaryDirectory() as folder:
        classifier.save(Path(folder, "model.tb"))
        size = Path(folder, "model.tb").stat().st_size / 1e6
    right, macro = np.mean(predicted == np.array(test.label)), f1(test.label, predicted).macro
    times = f"{learn:7.2f} s {teach:6.2f} s {1000 * one:8.2f} ms {size:5.0f} MB"
    return f"{recipe:10} {times} {right:9.1%} {macro:9.3f}"


def _timed(work: Callable[[], T]) -> tuple[T, float]:
    start = time.perf_counter()
    result = work()
    return result, time.perf_counter() - start


if __name__ == "__main__":
    main()
