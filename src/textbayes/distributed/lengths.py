"""A step for models that need it: the mean length of documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from textbayes.distributed.contents import Contents
from textbayes.persistence import Stored
from textbayes.statistics import Targets


class LengthTally:
    """Sum the lengths of documents, by each transform.

    Parameters
    ----------
    contents : Contents
        How texts become rows, with document frequencies.
    """

    is_full = False

    def __init__(self, contents: Contents) -> None:
        self._contents, self._documents = contents, 0
        self._transforms = [transform for transform in contents.transforms if transform is not None]
        self._lengths = np.zeros(len(self._transforms))

    def add(self, texts: Any, targets: Targets) -> None:
        """Add the lengths of texts."""
        self._documents += len(targets)
        counts = self._contents.read_counts(texts)
        self._lengths += [transform.lengths_of(counts).sum() for transform in self._transforms]

    def parts(self, shards: int) -> Iterator[tuple[int, Stored]]:
        """Yield the sums: they are of no term."""
        yield shards, Stored({"documents": self._documents}, {"lengths": self._lengths})


def merge_lengths(parts: Sequence[Stored]) -> Stored:
    """Add the lengths of documents."""
    lengths = np.sum([part.array("lengths", np.float64) for part in parts], axis=0)
    return Stored({"documents": sum(part.size("documents") for part in parts)}, {"lengths": lengths})


def mean_lengths(part: Stored) -> list[float]:
    """Return the mean length by each transform."""
    lengths: list[float] = (part.array("lengths", np.float64) / max(part.size("documents"), 1)).tolist()
    return lengths
