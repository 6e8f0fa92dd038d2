"""Documents of the same class, spread evenly over the sides of a run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from scipy import sparse

from textbayes.errors import EvaluationEmptyError
from textbayes.evaluation.metrics.truth import as_indicator

Indices = NDArray[np.int64]
Labels = tuple[Any, ...]


def label_sets(labels: Any) -> list[Labels]:
    """Make each document's labels a tuple: of one for a label, of none for None.

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


def strata(sets: Sequence[Labels]) -> list[Indices]:
    """Gather documents by the rarest of their labels, in sorted order; those without a label come last.

    The rarest, because a document is scarcest where its class is small.
    """
    sizes = Counter(label for labels in sets for label in labels)
    members: dict[Any, list[int]] = {label: [] for label in sorted(sizes)}
    without: list[int] = []
    for at, labels in enumerate(sets):
        rarest = min(labels, key=lambda label: (sizes[label], label)) if labels else None
        (without if rarest is None else members[rarest]).append(at)
    return [np.array(each, dtype=np.int64) for each in (*members.values(), without) if each]


def deal(groups: list[Indices], parts: int, random: Generator) -> list[Indices]:
    """Deal shuffled groups like cards: sizes of parts differ by one at most, in a group and in all."""
    dealt = np.concatenate([random.permutation(group) for group in groups])
    return [np.sort(dealt[part::parts]) for part in range(parts)]


def draw(groups: list[Indices], share: float, random: Generator) -> tuple[Indices, Indices]:
    """Draw a share of each group; return what is left, and what was drawn.

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


def add_until(taken: list[int], order: Iterable[int], sets: Sequence[Labels], size: int) -> list[int]:
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
