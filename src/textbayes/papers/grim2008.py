"""Structural Poisson mixtures, one a class, on documents with one label.

Reuters-21578: documents with just one topic, of the 33 topics that at least twenty of these have in the whole
collection; training and test by LEWISSPLIT, whatever TOPICS says: 6,431 and 2,510 documents, as in the paper.
Title, dateline and story of these 8,941: words of letters, with hyphens and apostrophes inside, lower case,
English stop words dropped, Porter stems, stems that occur fewer than three times dropped: 10,038 terms (the
paper has 10,105). The paper cuts before it splits, so the words of test documents count for the cut; their
labels do not. Of many readings this one comes nearest to the counts (experiments/grim_reuters_recipe.py).

20 Newsgroups: 19,997 messages, headers dropped; two thirds, drawn at random once, for training (the paper has
19,956 messages). Tokens of two or more letters, lower case, English stop words dropped, Porter stems; terms
that occur fewer than three times in the training documents dropped.

A column of a table fixes the components and the share of parameters kept. 33 components on Reuters are one a
class, 35 two in the two largest classes, 43 two in the ten largest: the paper tells only their total. On 20
Newsgroups every class has as many. The share kept is the paper's, by the largest gains γ (eq. 21).

The paper's estimates (eq. 19) are unsmoothed, and would rule a class out at the first word that it lacks. How
they are drawn to the background, and how strongly, is chosen for each column on the training documents alone:
three stratified folds, the fewest errors. Then the model learns from all training documents, from three
random starts; the mean of their errors is ours.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.model_selection import StratifiedKFold

from textbayes.datasets import Corpus
from textbayes.estimators import PoissonMixtureNB, TextCounter
from textbayes.papers.corpora import NEWSGROUPS, REUTERS, Corpora
from textbayes.papers.paper import Paper
from textbayes.papers.records import Finding, read_source

Labels = NDArray[Any]

LEAST_DOCUMENTS = 20
LEAST_OCCURRENCES = 3
# The one document that bears its topic twice, which makes two topics to who counts them.
TOPIC_TWICE = "19918"
HYPHENATED = "[a-z]+(?:[-'][a-z]+)*"
STRENGTHS = (("mix", 0.1), ("mix", 0.2), ("mix", 0.3), ("prior", 30.0), ("prior", 100.0), ("prior", 300.0))
QUICK_STRENGTHS = (("mix", 0.1), ("mix", 0.3))
FOLDS = 3
STARTS = 3


@dataclass(frozen=True)
class Side:
    """Counts with one label a document, for learning and for testing."""

    train: csr_matrix
    labels: Labels
    test: csr_matrix
    truth: Labels


@dataclass(frozen=True)
class Column:
    """An experiment of a table.

    Parameters
    ----------
    method : str
        What the published numbers call it.
    components : int or dict of str to int
        How many components a class has.
    keep : float
        The share of the parameters that is kept.
    """

    method: str
    components: int | dict[str, int]
    keep: float


def single_label_documents(corpus: Corpus, least: int = LEAST_DOCUMENTS) -> Corpus:
    """Keep documents with just one label, of the labels that at least so many of these have.

    Examples
    --------
    >>> from textbayes.datasets import Corpus, Document
    >>> labels = [("x",), ("x",), ("y",), ("x", "y")]
    >>> corpus = Corpus("tiny", [Document(text, of) for text, of in zip("abcd", labels, strict=True)])
    >>> single_label_documents(corpus, least=2).texts
    ['a', 'b']
    """
    single = corpus.where(lambda document: len(document.labels) == 1)
    sizes = Counter(single.label)
    return single.where(lambda document: sizes[document.label] >= least)


def reuters_documents(corpus: Corpus) -> Corpus:
    """Keep the paper's documents of ModLewis: those of ModApte, and five with a topic and TOPICS="NO"."""
    documents = single_label_documents(corpus.where(lambda document: document.id != TOPIC_TWICE))
    return documents.where(lambda document: document.split is not None)


def two_thirds(corpus: Corpus) -> tuple[Corpus, Corpus]:
    """Divide a corpus at random, two thirds for training."""
    order = np.random.default_rng(0).permutation(len(corpus))
    cut = round(len(corpus) * 2 / 3)
    train, test = ([corpus[int(at)] for at in part] for part in (order[:cut], order[cut:]))
    return Corpus(corpus.name, train), Corpus(corpus.name, test)


def columns(table: str, labels: Labels) -> list[Column]:
    """Return the experiments of a table: components by their total, parameters as the paper kept them."""
    sizes = Counter(labels.tolist())
    return [
        Column(
            setting["method"],
            _components(_total(setting["method"]), sizes),
            setting["% of parameters"] / 100,
        )
        for setting in read_source("grim2008")["settings"]
        if setting["table"] == table
    ]


def _total(method: str) -> int:
    return int(method.partition(": ")[2].partition(" ")[0])


def _components(total: int, sizes: Counter[str]) -> int | dict[str, int]:
    each, more = divmod(total, len(sizes))
    if not more:
        return each
    return {label: each + 1 for label, _ in sizes.most_common(more)} | {
        label: each for label, _ in sizes.most_common()[more:]
    }


def make_counter(tokens: str = "letters") -> TextCounter:
    """No English stop words, Porter stems, nothing that occurs fewer than three times."""
    return TextCounter(tokens=tokens, stop_words="english", stemmer="porter", min_count=LEAST_OCCURRENCES)


def counted(train: Corpus, test: Corpus, counter: TextCounter | None = None) -> Side:
    """Count both sides, with the vocabulary of the first unless a counter has one."""
    counter = counter or make_counter().fit(train.texts)
    sides = [(counter.transform(part.texts), np.array(part.label)) for part in (train, test)]
    return Side(*sides[0], *sides[1])


def training_folds(
    train: Corpus, counter: TextCounter | None = None, *, folds: int = FOLDS
) -> Iterator[Side]:
    """Divide the training documents; each fold has a vocabulary of its own unless a counter has one."""
    labels = np.array(train.label)
    for split in StratifiedKFold(folds, shuffle=True, random_state=0).split(labels, labels):
        learned, held = (Corpus(train.name, [train[int(at)] for at in part]) for part in split)
        yield counted(learned, held, counter)


def error_percent(side: Side, column: Column, strength: tuple[str, float], start: int = 0) -> float:
    """Learn from one side, and return the errors on the other, in percent."""
    smoothing, background = strength
    model = PoissonMixtureNB(
        column.components, keep=column.keep, smoothing=smoothing, background=background, random_state=start
    )
    predicted = model.fit(side.train, side.labels).predict(side.test)
    return 100 * float(np.mean(predicted != side.truth))


def _table(
    table: str, corpus: str, train: Corpus, test: Corpus, quick: bool, counter: TextCounter | None = None
) -> Iterator[Finding]:
    folds = list(islice(training_folds(train, counter), 1 if quick else FOLDS))
    final = counted(train, test, counter)
    strengths = QUICK_STRENGTHS if quick else STRENGTHS
    for column in columns(table, final.labels)[:: 6 if quick else 1]:
        in_folds = [np.mean([error_percent(fold, column, each) for fold in folds]) for each in strengths]
        best = strengths[int(np.argmin(in_folds))]
        found = [error_percent(final, column, best, start) for start in range(1 if quick else STARTS)]
        yield Finding(table, corpus, column.method, "% errors", float(np.mean(found)))


def table_1(corpora: Corpora) -> Iterator[Finding]:
    """Reuters."""
    corpus = reuters_documents(corpora.reuters_lewis)
    counter = make_counter(HYPHENATED).fit(corpus.texts)
    yield from _table("table 1", REUTERS, corpus.train, corpus.test, corpora.quick, counter)


def table_2(corpora: Corpora) -> Iterator[Finding]:
    """20 Newsgroups."""
    train, test = two_thirds(corpora.newsgroups)
    yield from _table("table 2", NEWSGROUPS, train, test, corpora.quick)


PAPER = Paper(name="grim2008", recipe=__doc__, steps={"table 1": table_1, "table 2": table_2})
