"""Labels → folds, samples and hold-outs in which every class has its share."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from textbayes.statistics import Targets

Places = NDArray[np.intp]


def strata(targets: Targets, by: str = "rarest", order: Places | None = None) -> list[Places]:
    """Group documents by one of their classes, in the order of the classes.

    Parameters
    ----------
    targets : Targets
        The classes of each document.
    by : {"rarest", "first"}, default="rarest"
        Which class counts for a document with several: the one with the fewest documents, because there the
        document is missed most, or the one named first. Documents without a class come last by the rarest
        and first by the first.
    order : array of int, optional
        The order of the documents within a group; as they are by default.

    Examples
    --------
    >>> from textbayes.measures import strata
    >>> from textbayes.statistics import as_label_targets
    >>> targets = as_label_targets([["oil"], ["oil", "gas"], [], ["oil"]])
    >>> [group.tolist() for group in strata(targets)]
    [[1], [0, 3], [2]]
    """
    class_of = _rarest_class(targets) if by == "rarest" else _first_class(targets)
    order = np.arange(len(targets)) if order is None else order
    order = order[np.argsort(class_of[order], kind="stable")]
    ends = np.flatnonzero(np.diff(class_of[order])) + 1
    return np.split(order, ends) if len(order) else []


def shuffled_strata(targets: Targets, seed: int) -> list[Places]:
    """Shuffle all documents, then group them by the rarest of their classes."""
    return strata(targets, order=np.random.default_rng(seed).permutation(len(targets)))


def deal_folds(groups: Sequence[Places], folds: int, random: np.random.Generator | None = None) -> Places:
    """Deal groups of documents into folds in turn, one group after the other.

    The sizes of folds differ by one at most, within a group and over all.

    Parameters
    ----------
    groups : sequence of array of int
        Documents by class, such as from :func:`strata`; each document once.
    folds : int
        The number of folds.
    random : numpy.random.Generator, optional
        Shuffles each group first.

    Returns
    -------
    array of int, shape (documents,)
        The fold of each document.

    Examples
    --------
    >>> from textbayes.measures import deal_folds, strata
    >>> from textbayes.statistics import as_targets
    >>> deal_folds(strata(as_targets(["a", "a", "b", "a", "b"])), 2).tolist()
    [0, 1, 1, 0, 0]
    """
    groups = groups if random is None else [random.permutation(group) for group in groups]
    order = np.concatenate([np.empty(0, np.intp), *groups])
    fold_of = np.empty(len(order), dtype=np.intp)
    fold_of[order] = np.arange(len(order)) % folds
    return fold_of


def draw_share(groups: Sequence[Places], share: float, random: np.random.Generator) -> tuple[Places, Places]:
    """Draw a share of each group at random; return the documents left and the documents drawn, sorted.

    Rounding is carried from group to group, so that small classes together give their share too.
    """
    left, drawn = [], []
    owed = 0.0
    for group in groups:
        owed += share * len(group)
        # A class of two or more is on both sides; a single document is kept.
        count = min(max(round(owed), 1), len(group) - 1)
        # What a class could not give is not asked of the next.
        owed = min(max(owed - count, -0.5), 0.5)
        shuffled = random.permutation(group)
        drawn.append(shuffled[:count])
        left.append(shuffled[count:])
    return np.sort(np.concatenate(left)), np.sort(np.concatenate(drawn))


def sample_in_proportion(targets: Targets, most: int, seed: int, least: int = 2) -> Places:
    """Draw at most ``most`` documents, from each class in proportion, but at least ``least`` of each class.

    If the classes are many, this is more than ``most``.

    Examples
    --------
    >>> from textbayes.measures import sample_in_proportion
    >>> from textbayes.statistics import as_targets
    >>> len(sample_in_proportion(as_targets(["a"] * 8 + ["b"]), 5, seed=0))
    5
    """
    if len(targets) <= most:
        return np.arange(len(targets))
    groups = shuffled_strata(targets, seed)
    order = np.concatenate(groups)
    rank = np.concatenate([np.arange(len(group), dtype=np.float64) for group in groups])
    size = np.concatenate([np.full(len(group), float(len(group))) for group in groups])
    # The first of each class come first; then documents by their rank in a class, relative to its size.
    place = np.where(rank < least, -1.0, (rank + 0.5) / size)
    drawn = max(most, int(np.count_nonzero(place < 0)))
    ties = np.random.default_rng(seed).permutation(len(order))
    return np.sort(order[np.lexsort((ties, place))[:drawn]])


def _first_class(targets: Targets) -> Places:
    """The first class of each document; −1 for none."""
    first = np.full(len(targets), -1)
    labelled = np.flatnonzero(np.diff(targets.starts))
    first[labelled] = targets.codes[targets.starts[labelled]]
    return first


def _rarest_class(targets: Targets) -> Places:
    """The class with the fewest documents of each document's classes; the number of classes for none."""
    classes = len(targets.classes)
    sizes = np.bincount(targets.codes, minlength=classes)
    place = np.empty(classes, dtype=np.intp)
    by_size = np.argsort(sizes, kind="stable")
    place[by_size] = np.arange(classes)
    found, labelled = np.full(len(targets), classes), np.diff(targets.starts) > 0
    if labelled.any():
        found[labelled] = by_size[np.minimum.reduceat(place[targets.codes], targets.starts[:-1][labelled])]
    return found
