"""Corpora with the labels of Reuters or 20 Newsgroups, and words that distinguish them."""

import numpy as np

from textbayes.datasets import Corpus, Document
from textbayes.papers.schneider2004 import LARGEST

COMMON = ("the", "of", "and", "said", "year", "report", "new", "week")


def texts_of(labels, random, own=6):
    """Return a text for each tuple of labels: common words, and words that only its labels use."""
    for named in labels:
        words = list(random.choice(COMMON, 12))
        for label in named:
            stem = "".join(filter(str.isalpha, label))
            words += [f"{stem}{'abcdefgh'[at]}" for at in random.integers(0, 8, own)]
        random.shuffle(words)
        yield " ".join(words)


def reuters(documents=400, seed=0):
    """Return documents with up to two of the ten largest topics; a third is for testing."""
    random = np.random.default_rng(seed)
    shares = 1 / np.arange(1, 11)  # small and large classes
    counts = random.choice([0, 1, 1, 1, 2], documents)
    labels = [tuple(random.choice(LARGEST, n, False, shares / shares.sum())) for n in counts]
    texts = texts_of(labels, random)
    splits = ["test" if at % 3 == 2 else "train" for at in range(documents)]
    made = [
        Document(text, tuple(map(str, named)), split, str(at))
        for at, (text, named, split) in enumerate(zip(texts, labels, splits, strict=True))
    ]
    return Corpus("Reuters", made)


def newsgroups(each=30, groups=("sci.space", "rec.autos", "talk.politics.misc"), seed=0):
    """Return messages of a few groups."""
    random = np.random.default_rng(seed)
    labels = [(group,) for group in groups for _ in range(each)]
    texts = texts_of(labels, random, own=3)
    return Corpus("20 Newsgroups", [Document(text, named) for text, named in zip(texts, labels, strict=True)])
