"""Problems of the experiments: texts and labels of a corpus, their counts, and draws of documents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.model_selection import train_test_split

from textbayes import TextCounter
from textbayes.datasets import (
    Corpus,
    categories_in_both,
    data_home,
    load_docstrings,
    load_newsgroups,
    load_reuters21578,
    read_documents,
)

# Grim's single-label Reuters: the minimum number of documents per class.
LEAST_DOCUMENTS = 20
BUILT_IN = "docstrings"


@dataclass(frozen=True, eq=False)
class Texts:
    """Texts and labels of the training and test side; several labels are an indicator matrix."""

    train: Sequence[str]
    labels: NDArray[Any]
    test: Sequence[str]
    truth: NDArray[Any]
    categories: tuple[str, ...] = ()

    @property
    def multilabel(self) -> bool:
        """True if the labels are an indicator matrix."""
        return self.labels.ndim == 2

    def given(self) -> Any:
        """Return the labels as a TextClassifier takes them: one each, or lists of them."""
        if not self.multilabel:
            return self.labels
        return [[self.categories[at] for at in np.flatnonzero(row)] for row in self.labels]

    def counted(self) -> Problem:
        """Count words and word pairs."""
        counter = TextCounter(ngram_range=(1, 2))
        train, test = counter.fit_transform(self.train), counter.transform(self.test)
        pairs = np.array([" " in term for term in counter.get_feature_names_out()])
        return Problem(train, self.labels, test, self.truth, pairs)

    def drawn(self, each: int, draw: int) -> Texts:
        """Draw n training documents of each class, or all of a smaller class."""
        chosen = draw_of_each(self.labels, each, draw)
        return replace(self, train=[self.train[at] for at in chosen], labels=self.labels[chosen])

    def fewer_tests(self, most: int) -> Texts:
        """Keep a stratified sample of the test side, always the same."""
        if len(self.test) <= most:
            return self
        # A class of one document cannot be divided: its document is kept.
        sizes = Counter(self.truth.tolist())
        single = [at for at, label in enumerate(self.truth) if sizes[label] == 1]
        others = [at for at, label in enumerate(self.truth) if sizes[label] > 1]
        kept, _ = train_test_split(
            others, train_size=most - len(single), stratify=self.truth[others], random_state=0
        )
        chosen = sorted([*single, *kept])
        return replace(self, test=[self.test[at] for at in chosen], truth=self.truth[chosen])


@dataclass(frozen=True, eq=False)
class Problem:
    """Counts and labels of the training and test side."""

    train: csr_matrix
    labels: NDArray[Any]
    test: csr_matrix
    truth: NDArray[Any]
    pairs: NDArray[np.bool_]

    @property
    def multilabel(self) -> bool:
        """True if the labels are an indicator matrix."""
        return self.labels.ndim == 2


def _stored(name: str) -> Corpus:
    return Corpus(name, list(read_documents(data_home() / f"{name}.jsonl.zst")))


def grim_reuters() -> Corpus:
    corpus = load_reuters21578()
    corpus = corpus.where(lambda document: document.split is not None and len(document.labels) == 1)
    sizes = Counter(corpus.label)
    corpus = corpus.where(lambda document: sizes[document.label] >= LEAST_DOCUMENTS)
    learned = set(corpus.train.label)
    return corpus.where(lambda document: document.label in learned)


CORPORA: dict[str, Callable[[], Corpus]] = {
    BUILT_IN: load_docstrings,
    "R8": lambda: _stored("r8-all-terms"),
    "WebKB-4": lambda: _stored("webkb-stemmed"),
    "R52": lambda: _stored("r52-all-terms"),
    "Reuters, single-label": grim_reuters,
    "20 Newsgroups": load_newsgroups,
    "Reuters-90": load_reuters21578,
}


def texts_of(name: str) -> Texts:
    """Load a corpus, with its own division into a training and a test side."""
    corpus = CORPORA[name]()
    train, test = corpus.train, corpus.test
    if name != "Reuters-90":
        return Texts(train.texts, np.array(train.label), test.texts, np.array(test.label))
    categories = tuple(categories_in_both(corpus))
    labels, truth = (
        np.array([[category in document.labels for category in categories] for document in side], dtype=int)
        for side in (train, test)
    )
    return Texts(train.texts, labels, test.texts, truth, categories)


def drawn(problem: Problem, each: int, draw: int) -> Problem:
    """Draw n documents of each class, or all of a smaller class."""
    chosen = draw_of_each(problem.labels, each, draw)
    train = problem.train[chosen]
    # Drop terms that are in none of the drawn documents.
    known = np.flatnonzero(np.bincount(train.indices, minlength=train.shape[1]))
    return Problem(
        train[:, known], problem.labels[chosen], problem.test[:, known], problem.truth, problem.pairs[known]
    )


def draw_of_each(labels: NDArray[Any], each: int, draw: int) -> NDArray[np.intp]:
    """Return the numbers of n documents of each class, or of all of a smaller class."""
    random = np.random.default_rng(draw)
    return np.concatenate(
        [random.permutation(np.flatnonzero(labels == label))[:each] for label in np.unique(labels)]
    )
