"""Three labellings of the built-in corpus: modules, packages, and kinds of docstrings; one or several."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from sklearn.model_selection import StratifiedShuffleSplit

from text_problems import Problem
from textbayes import TextCounter
from textbayes.datasets import Document, load_docstrings

LABELLINGS = ("module", "package", "kind")
DIVISIONS = 2
# Smaller classes cannot be divided.
_LEAST_DOCUMENTS = 6


def divided(labelling: str, division: int) -> tuple[list[str], list[str], list[str], list[str]]:
    """Divide the training split of the built-in corpus, two thirds for training; its test split is unused.

    Returns the texts and labels to learn, then the texts and labels held out.
    """
    documents = list(load_docstrings().train)
    labels = [_label(document, labelling) for document in documents]
    sizes = Counter(labels)
    known = [at for at, label in enumerate(labels) if sizes[label] >= _LEAST_DOCUMENTS]
    texts, y = [documents[at].text for at in known], np.array([labels[at] for at in known])
    number = max(DIVISIONS, division + 1)
    divisions = StratifiedShuffleSplit(number, test_size=1 / 3, random_state=0).split(texts, y)
    learned, held = list(divisions)[division]
    return (
        [texts[at] for at in learned],
        y[learned].tolist(),
        [texts[at] for at in held],
        y[held].tolist(),
    )


def problem_of(labelling: str, division: int) -> Problem:
    """Count a division of the built-in corpus."""
    texts, labels, held, truth = divided(labelling, division)
    counter = TextCounter(ngram_range=(1, 2))
    train, test = counter.fit_transform(texts), counter.transform(held)
    pairs = np.array([" " in term for term in counter.get_feature_names_out()])
    return Problem(train, np.array(labels), test, np.array(truth), pairs)


def problem_of_several(labellings: Sequence[str], division: int, most: int) -> Problem:
    """Give every docstring a label of each labelling; two thirds for training, at most some of them.

    Labels with fewer than two training documents are left out.
    """
    documents = list(load_docstrings().train)
    given = [{f"{of} {_label(document, of)}" for of in labellings} for document in documents]
    labels = sorted(set().union(*given))
    y = np.array([[label in own for label in labels] for own in given], dtype=int)
    order = np.random.default_rng(division).permutation(len(documents))
    held, learned = order[: len(order) // 3], order[len(order) // 3 :][:most]
    kept = y[learned].sum(axis=0) > 1
    counter = TextCounter(ngram_range=(1, 2))
    train = counter.fit_transform([documents[at].text for at in learned])
    test = counter.transform([documents[at].text for at in held])
    pairs = np.array([" " in term for term in counter.get_feature_names_out()])
    return Problem(train, y[learned][:, kept], test, y[held][:, kept], pairs)


def _label(document: Document, labelling: str) -> str:
    """Return the module of a docstring, its package, or the kind of object it documents."""
    if labelling == "module":
        return document.label
    if labelling == "package":
        return document.label.split(".")[0]
    _, _, name = document.id.partition(":")
    parts = name.split(".")
    if not name:
        return "module"
    if parts[-1][:1].isupper():
        return "class"
    return "method" if any(part[:1].isupper() for part in parts) else "function"
