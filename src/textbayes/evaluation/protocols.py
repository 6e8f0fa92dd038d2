"""Protocols: which documents each run learns from, and which it tests with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Protocol

import numpy as np
from sklearn.preprocessing import MultiLabelBinarizer

from textbayes.errors import (
    ParameterError,
)
from textbayes.errors.checks import check_number, check_whole
from textbayes.evaluation.collection import Indices, Labels, label_sets
from textbayes.measures import deal_folds, draw_share, strata
from textbayes.statistics import Targets

Splits = Sequence[str | None] | None

_PROTOCOLS = (
    "FixedSplit, StratifiedFolds (which also takes several labels per document), RepeatedHoldOut, "
    "LearningCurve, or a scikit-learn splitter that needs no groups"
)


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """One division of the documents.

    Attributes
    ----------
    name : str
        The name in tables, such as "run 3".
    train, test : array of int
        Positions of the training documents and of the test documents; sorted, none in both.
    documents_per_class : int or None
        At a point of a learning curve, the number of training documents per class.

    Examples
    --------
    A run unpacks as its name and its two sides.

    >>> from textbayes.evaluation import StratifiedFolds
    >>> for name, train, test in StratifiedFolds(2).divide(["a", "b", "a", "b"]):
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
    """The methods that :func:`compare` needs of a protocol; your own class can have them.

    :func:`compare` also takes scikit-learn's splitters, such as ``StratifiedKFold``.

    A protocol sees labels only to spread classes evenly. Whatever learns from labels is part of a model, and
    is fitted to the training side of each run.

    Examples
    --------
    >>> from textbayes.evaluation import EvaluationProtocol, StratifiedFolds
    >>> protocol: EvaluationProtocol = StratifiedFolds(10)
    >>> protocol.test_share
    0.1
    """

    @property
    def test_share(self) -> float | None:
        """The share of the documents that a run tests with; None if there is only one run."""

    def divide(self, labels: Any, splits: Splits = None) -> Iterator[Run]:
        """Yield the runs over documents with these labels, and these splits if the corpus has some."""


@dataclass(frozen=True)
class FixedSplit:
    """One run by the split of the corpus.

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
        """Yield the run; documents of neither split are left out."""
        found = [] if splits is None else list(splits)
        train, test = (_positions(found, name) for name in (self.train, self.test))
        for name, side in ((self.train, train), (self.test, test)):
            if not len(side):
                known = sorted({split for split in found if split})
                allowed = known or "StratifiedFolds or RepeatedHoldOut as protocol: the corpus has no splits"
                raise ParameterError("split", name, allowed)
        yield Run("split", train, test)


@dataclass(frozen=True)
class StratifiedFolds:
    """Stratified cross-validation, also of documents with several labels or none.

    Every document is tested once, by a model fitted to the other folds.

    Parameters
    ----------
    folds : int, default=5
        The number of folds.
    seed : int, default=0
        The seed of the shuffle.

    Notes
    -----
    Every class is spread evenly over the folds. A class with fewer documents than folds is missing from the
    test side of some folds; a class with a single document is missing from one training side. A document with
    several labels counts for the rarest of them; documents without labels are spread evenly too.

    Examples
    --------
    >>> from textbayes.evaluation import StratifiedFolds
    >>> [len(run.test) for run in StratifiedFolds(3).divide(["spam", "mail"] * 5)]
    [4, 3, 3]
    """

    folds: int = 5
    seed: int = 0

    def __post_init__(self) -> None:
        check_whole("folds", self.folds, 2)
        check_whole("seed", self.seed, 0)

    @property
    def test_share(self) -> float | None:
        """One fold."""
        return 1 / self.folds

    def divide(self, labels: Any, splits: Splits = None) -> Iterator[Run]:  # noqa: ARG002
        """Yield a run for each fold; ``splits`` are ignored."""
        sets = label_sets(labels)
        if len(sets) < self.folds:
            raise ParameterError("folds", self.folds, f"at most {len(sets)}, one document for each fold")
        fold_of = deal_folds(_strata(sets), self.folds, np.random.default_rng(self.seed))
        for fold in range(self.folds):
            train, test = np.flatnonzero(fold_of != fold), np.flatnonzero(fold_of == fold)
            yield Run(f"fold {fold + 1}", train, test)


@dataclass(frozen=True)
class RepeatedHoldOut:
    """Repeated stratified hold-out: by default ten random divisions into 66 % and 34 % (Frank 2006).

    Parameters
    ----------
    runs : int, default=10
        The number of divisions.
    test_share : float, default=.34
        The share of the documents to test with.
    seed : int, default=0
        The seed of the divisions. Run 3 is the same for any number of runs.

    Notes
    -----
    Each class gives its share. A class with two or more documents is on both sides; a single document is
    always in the training side. A document with several labels counts for the rarest of them, so another of
    its classes may miss its share.

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
        """Yield the runs; ``splits`` are ignored."""
        groups = _groups(label_sets(labels))
        for run in range(self.runs):
            train, test = draw_share(groups, self.test_share, np.random.default_rng([self.seed, run]))
            yield Run(f"run {run + 1}", train, test)


@dataclass(frozen=True)
class LearningCurve:
    """Repeated hold-outs with growing training sides.

    Parameters
    ----------
    documents_per_class : sequence of int, default=(1, 2, 5, 10, 20, 50)
        The points of the curve.
    runs : int, default=10
        The number of random divisions.
    test_share : float, default=.34
        The share of the documents to test with: the same documents at every point of a run.
    seed : int, default=0
        The seed of the divisions.

    Notes
    -----
    Within a run, each point includes the documents of the points before. A class with too few documents gives
    all it has; a point that no class can fill is an error. A document with several labels is taken if one of
    them lacks documents, so others may get more; a document without labels is only tested with.

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
        """Yield the points of each run, from few documents to many; ``splits`` are ignored."""
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


@dataclass(frozen=True)
class SplitterRuns:
    """The runs of a scikit-learn splitter on one corpus."""

    splitter: Any
    runs: tuple[Run, ...]

    @property
    def test_share(self) -> float | None:
        """The mean share of the test documents; None if there is only one run."""
        shares = [len(run.test) / (len(run.train) + len(run.test)) for run in self.runs]
        return float(np.mean(shares)) if len(shares) > 1 else None

    def divide(self, labels: Any, splits: Splits = None) -> Iterator[Run]:  # noqa: ARG002
        """Yield the runs, which the splitter has already made."""
        return iter(self.runs)

    def __repr__(self) -> str:
        return repr(self.splitter)


def as_protocol(protocol: Any, labels: list[Labels]) -> EvaluationProtocol:
    """Recognise a protocol, or make one from a scikit-learn splitter."""
    if isinstance(protocol, type) or not any(hasattr(protocol, each) for each in ("divide", "split")):
        raise ParameterError("protocol", protocol, _PROTOCOLS)
    if hasattr(protocol, "divide"):
        return protocol  # type: ignore[no-any-return]
    try:
        sides = [tuple(map(np.sort, pair)) for pair in protocol.split(np.zeros((len(labels), 1)), _y(labels))]
    except (TypeError, ValueError) as error:
        why = f"{type(protocol).__name__} refuses these labels: {str(error).rstrip('.')}"
        raise ParameterError("protocol", protocol, _PROTOCOLS, why) from error
    runs = (Run(f"split {at}", train, test) for at, (train, test) in enumerate(sides, start=1))
    return SplitterRuns(protocol, tuple(runs))


def _y(labels: list[Labels]) -> Any:
    """One label per document, or an indicator."""
    if all(len(each) == 1 for each in labels):
        return np.array([label for (label,) in labels])
    return MultiLabelBinarizer().fit_transform(labels)


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
