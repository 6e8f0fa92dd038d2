"""Which documents are learned from and which are tested with, run by run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from textbayes.errors import (
    EvaluationEmptyError,
    ParameterError,
)
from textbayes.errors.checks import check_number, check_whole
from textbayes.measures import as_indicator, deal_folds, draw_share, strata
from textbayes.statistics import Targets

Indices = NDArray[np.intp]
Labels = tuple[Any, ...]
Splits = Sequence[str | None] | None


def label_sets(labels: Any) -> list[Labels]:
    """Make each document's labels a tuple: of one for a label, empty for None.

    A row of an indicator becomes the numbers of its columns.
    """
    if sparse.issparse(labels) or (isinstance(labels, np.ndarray) and labels.ndim == 2):
        cells = as_indicator(labels)
        sets = [tuple(each.tolist()) for each in np.split(cells.indices, cells.indptr[1:-1])]
    else:
        sets = [_labels_of(each) for each in labels]
    if not sets:
        raise EvaluationEmptyError("there are no documents", "documents with labels")
    return sets


def _labels_of(each: Any) -> Labels:
    if isinstance(each, tuple | list | set | frozenset):
        return tuple(sorted(set(each)))
    return () if each is None else (each.item() if isinstance(each, np.generic) else each,)


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """One division of the documents.

    Attributes
    ----------
    name : str
        What tables call it, such as "run 3".
    train, test : array of int
        Positions of the documents learned from, and of those tested with; sorted, none in both.
    documents_per_class : int or None
        At a learning curve's point, how many documents of each class are learned from.

    Examples
    --------
    A run unpacks as its name and its two sides.

    >>> from textbayes.evaluation import KFold
    >>> for name, train, test in KFold(2).divide(["a", "b", "a", "b"]):
    ...     print(name, len(train), len(test))
    fold 1 2 2
    fold 2 2 2
    """

    name: str
    train: Indices
    test: Indices
    documents_per_class: int | None = None

    def __iter__(self) -> Iterator[Any]:
        return iter((self.name, self.train, self.test))


class EvaluationProtocol(Protocol):
    """What :func:`compare` asks of a protocol, of yours too.

    A protocol sees labels only to spread classes evenly. Whatever learns from labels is part of a model, and
    is fitted to the training side of each run.

    Examples
    --------
    >>> from textbayes.evaluation import EvaluationProtocol, KFold
    >>> protocol: EvaluationProtocol = KFold(10)
    >>> protocol.test_share
    0.1
    """

    @property
    def test_share(self) -> float | None:
        """The share of the documents that a run tests with, or None if there is one run only."""

    def divide(self, labels: Any, splits: Splits = None) -> Iterator[Run]:
        """Divide documents with these labels, and these splits if the corpus has some."""


@dataclass(frozen=True)
class FixedSplit:
    """The split that the corpus comes with: one run.

    Parameters
    ----------
    train, test : str
        The names of the two splits.

    Examples
    --------
    >>> from textbayes.evaluation import FixedSplit
    >>> (run,) = FixedSplit().divide(["a", "b", "b"], ["train", "test", None])
    >>> run.train.tolist(), run.test.tolist()
    ([0], [1])
    """

    train: str = "train"
    test: str = "test"

    @property
    def test_share(self) -> float | None:
        """None: there is one run."""
        return None

    def divide(self, labels: Any, splits: Splits = None) -> Iterator[Run]:  # noqa: ARG002
        """Yield the one run; documents of neither split are left out."""
        found = [] if splits is None else list(splits)
        train, test = (_positions(found, name) for name in (self.train, self.test))
        for name, side in ((self.train, train), (self.test, test)):
            if not len(side):
                known = sorted({split for split in found if split})
                allowed = known or "KFold or RepeatedHoldOut as protocol: the corpus has no splits"
                raise ParameterError("split", name, allowed)
        yield Run("split", train, test)


@dataclass(frozen=True)
class KFold:
    """Every document is tested once, by a model of the other folds.

    Parameters
    ----------
    folds : int, default=5
        How many parts the documents are divided into.
    seed : int, default=0
        Which division.

    Notes
    -----
    Classes are spread evenly. One with fewer documents than there are folds is missing from the test side of
    some, and one with a single document from the training side of one. A document with several labels counts
    for the rarest of them; documents with none are spread evenly too.

    Examples
    --------
    >>> from textbayes.evaluation import KFold
    >>> [len(run.test) for run in KFold(3).divide(["spam", "mail"] * 5)]
    [4, 3, 3]
    """

    folds: int = 5
    seed: int = 0

    def __post_init__(self) -> None:
        check_whole("folds", self.folds, 2)
        check_whole("seed", self.seed, 0)

    @property
    def test_share(self) -> float | None:
        """One fold of all."""
        return 1 / self.folds

    def divide(self, labels: Any, splits: Splits = None) -> Iterator[Run]:  # noqa: ARG002
        """Yield a run for each fold; ``splits`` are not looked at."""
        sets = label_sets(labels)
        if len(sets) < self.folds:
            raise ParameterError("folds", self.folds, f"at most {len(sets)}, one document for each fold")
        fold_of = deal_folds(_strata(sets), self.folds, np.random.default_rng(self.seed))
        for fold in range(self.folds):
            train, test = np.flatnonzero(fold_of != fold), np.flatnonzero(fold_of == fold)
            yield Run(f"fold {fold + 1}", train, test)


@dataclass(frozen=True)
class RepeatedHoldOut:
    """Random divisions, again and again: by default ten of 66 and 34 per cent (Frank 2006).

    Parameters
    ----------
    runs : int, default=10
        How many divisions.
    test_share : float, default=.34
        The share of the documents that is tested with.
    seed : int, default=0
        Which divisions. Run 3 is the same however many there are.

    Notes
    -----
    Each class gives its share. One with two documents or more is on both sides; a single document is always
    learned from. A document with several labels counts for the rarest of them, so another of its classes may
    miss its share.

    Examples
    --------
    >>> from textbayes.evaluation import RepeatedHoldOut
    >>> labels = ["spam"] * 70 + ["mail"] * 30
    >>> [(run.name, len(run.test), sum(run.test < 70)) for run in RepeatedHoldOut(2).divide(labels)]
    [('run 1', 34, np.int64(24)), ('run 2', 34, np.int64(24))]
    """

    runs: int = 10
    test_share: float = 0.34
    seed: int = 0

    def __post_init__(self) -> None:
        check_whole("runs", self.runs, 1)
        check_number("test_share", self.test_share, above=0, below=1)
        check_whole("seed", self.seed, 0)

    def divide(self, labels: Any, splits: Splits = None) -> Iterator[Run]:  # noqa: ARG002
        """Yield the runs; ``splits`` are not looked at."""
        groups = _groups(label_sets(labels))
        for run in range(self.runs):
            train, test = draw_share(groups, self.test_share, np.random.default_rng([self.seed, run]))
            yield Run(f"run {run + 1}", train, test)


@dataclass(frozen=True)
class LearningCurve:
    """How figures rise with the number of documents learned from.

    Parameters
    ----------
    documents_per_class : sequence of int, default=(1, 2, 5, 10, 20, 50)
        The points of the curve.
    runs : int, default=10
        How many random divisions.
    test_share : float, default=.34
        The share of the documents that is tested with: the same documents at every point of a run.
    seed : int, default=0
        Which divisions.

    Notes
    -----
    Within a run a point's documents include those of the points before. A class with too few gives all it
    has; a point that no class can fill is an error. A document with several labels is taken if one of them
    lacks documents, so that others may get more; one without labels is only tested with.

    Examples
    --------
    >>> from textbayes.evaluation import LearningCurve
    >>> curve = LearningCurve((1, 2), runs=1)
    >>> [(run.name, len(run.train)) for run in curve.divide(["spam"] * 5 + ["mail"] * 5)]
    [('run 1, 1 a class', 2), ('run 1, 2 a class', 4)]
    """

    documents_per_class: tuple[int, ...] = (1, 2, 5, 10, 20, 50)
    runs: int = 10
    test_share: float = 0.34
    seed: int = 0

    def __post_init__(self) -> None:
        points = self.documents_per_class
        if not points or any(b <= a for a, b in pairwise(points)):
            raise ParameterError("documents_per_class", points, "whole numbers that increase")
        for point in points:
            check_whole("documents_per_class", point, 1)
        check_whole("runs", self.runs, 1)
        check_number("test_share", self.test_share, above=0, below=1)
        check_whole("seed", self.seed, 0)

    def divide(self, labels: Any, splits: Splits = None) -> Iterator[Run]:  # noqa: ARG002
        """Yield each run's points, from few documents to many; ``splits`` are not looked at."""
        sets = label_sets(labels)
        groups = _groups(sets)
        for run in range(self.runs):
            random = np.random.default_rng([self.seed, run])
            pool, test = draw_share(groups, self.test_share, random)
            self._check_largest(pool, sets)
            order, taken = random.permutation(pool).tolist(), list[int]()
            for size in self.documents_per_class:
                taken = _add_until(taken, order, sets, size)
                yield Run(f"run {run + 1}, {size} a class", np.sort(taken), test, size)

    def _check_largest(self, pool: Indices, sets: list[Labels]) -> None:
        sizes = Counter(label for at in pool.tolist() for label in sets[at])
        largest = max(sizes.values(), default=0)
        if largest < self.documents_per_class[-1]:
            why = f"The largest class has {largest} documents to learn from; larger points would be the same"
            allowed = f"numbers up to {largest}, or a smaller test_share"
            raise ParameterError("documents_per_class", self.documents_per_class[-1], allowed, why)


def _groups(sets: list[Labels]) -> list[Indices]:
    groups = _strata(sets)
    if all(len(group) == 1 for group in groups):
        raise ParameterError("labels", sets[:3], "two documents or more of a class")
    return groups


def _strata(sets: list[Labels]) -> list[Indices]:
    """Group documents by the rarest of their labels."""
    classes = sorted({label for labels in sets for label in labels})
    code_of = {label: code for code, label in enumerate(classes)}
    codes = np.array([code_of[label] for labels in sets for label in labels], dtype=np.uint32)
    starts = np.concatenate([[0], np.cumsum([len(labels) for labels in sets])]).astype(np.int64)
    return strata(Targets(np.arange(len(classes)), starts, codes, multilabel=True))


def _add_until(taken: list[int], order: Iterable[int], sets: Sequence[Labels], size: int) -> list[int]:
    """Take more documents in the given order until every class has ``size`` of them, or all it has.

    A document is taken if one of its classes lacks documents, so others may get more than ``size``.
    """
    have = Counter(label for at in taken for label in sets[at])
    chosen, already = list(taken), set(taken)
    for at in order:
        if at not in already and any(have[label] < size for label in sets[at]):
            chosen.append(at)
            have.update(sets[at])
    return chosen


def _positions(splits: list[str | None], name: str) -> Indices:
    return np.array([at for at, split in enumerate(splits) if split == name], dtype=np.int64)
