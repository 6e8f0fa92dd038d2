"""Counts and label indicators of a training and a test part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.pipeline import make_pipeline

from textbayes.datasets import Corpus
from textbayes.estimators import FrequencyTransform, TextCounter


@dataclass(frozen=True)
class Problem:
    """A training and a test part.

    Parameters
    ----------
    train, test : csr_matrix of shape (documents, terms)
        Counts, with the vocabulary of the training part.
    topics, truth : array of bool, shape (documents, classes)
        The label indicators of the training and of the test part.
    classes : list of str
        The classes, in the order of the columns.
    """

    train: csr_matrix
    topics: NDArray[np.bool_]
    test: csr_matrix
    truth: NDArray[np.bool_]
    classes: list[str]

    def part(self, learned: NDArray[np.intp], held_out: NDArray[np.intp]) -> Problem:
        """Return the problem of training on some of the training documents and testing on others.

        Classes that lack documents in either part are dropped: they have no break-even point.
        """
        topics, truth = self.topics[learned], self.topics[held_out]
        present = np.flatnonzero(topics.any(axis=0) & truth.any(axis=0))
        return Problem(
            self.train[learned],
            topics[:, present],
            self.train[held_out],
            truth[:, present],
            [self.classes[column] for column in present],
        )

    def transformed(self, transform: FrequencyTransform) -> Problem:
        """Return the problem with both parts transformed; the transform is fitted on the training part."""
        return replace(self, train=transform.fit_transform(self.train), test=transform.transform(self.test))


def count_problem(train: Corpus, test: Corpus, classes: Sequence[str], counter: TextCounter) -> Problem:
    """Count both parts with the vocabulary of the training part.

    Examples
    --------
    >>> from textbayes import TextCounter
    >>> from textbayes.datasets import Corpus, Document
    >>> train = Corpus("train", [Document("wheat up", ("grain",)), Document("oil up", ("crude",))])
    >>> test = Corpus("test", [Document("wheat and oil", ("grain", "crude"))])
    >>> problem = count_problem(train, test, ["crude", "grain"], TextCounter())
    >>> problem.test.toarray(), problem.truth
    (array([[1, 0, 1]]), array([[ True,  True]]))
    """
    counts = counter.fit_transform(train.texts)
    return Problem(
        counts,
        indicator(train, classes),
        counter.transform(test.texts),
        indicator(test, classes),
        list(classes),
    )


def indicator(documents: Corpus, classes: Sequence[str]) -> NDArray[np.bool_]:
    """Return the label indicators, an array of shape (documents, classes).

    Examples
    --------
    >>> from textbayes.datasets import Corpus, Document
    >>> from textbayes.papers.problems import indicator
    >>> indicator(Corpus("tiny", [Document("a", ("x",)), Document("b", ())]), ["x", "y"])
    array([[ True, False],
           [False, False]])
    """
    columns = {name: column for column, name in enumerate(classes)}
    found = np.zeros((len(documents), len(classes)), dtype=bool)
    for row, document in enumerate(documents):
        found[row, [columns[label] for label in document.labels if label in columns]] = True
    return found


def on_transforms(classifier: Any) -> Any:
    """Put the transforms of Rennie 2003 (eqs. 10–12) before a classifier."""
    return make_pipeline(FrequencyTransform(), classifier)
