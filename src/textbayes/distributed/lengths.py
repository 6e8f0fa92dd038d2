"""A step for models that need it: the mean length of documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from textbayes.distributed.contents import Contents
from textbayes.persistence import Stored
from textbayes.statistics import Targets


class LengthTally:
    """Sum the lengths of documents, in each representation.

    Parameters
    ----------
    contents : Contents
        How texts are represented, with document frequencies.
    """

    is_full = False

    def __init__(self, contents: Contents) -> None:
        self._contents, self._documents = contents, 0
        self._lengths = np.zeros(max(1, len(contents.groups)))

    def add(self, texts: Any, targets: Targets) -> None:
        """Add the lengths of texts."""
        self._documents += len(targets)
        self._lengths += self._contents.lengths_of(self._contents.representation.read_counts(texts))

    def parts(self, shards: int) -> Iterator[tuple[int, Stored]]:
        """Yield the sums: they are of no term."""
        yield shards, Stored({"documents": self._documents}, {"lengths": self._lengths})


def merge_lengths(parts: Sequence[Stored]) -> Stored:
    """Add the lengths of documents."""
    lengths = np.sum([part.array("lengths", np.float64) for part in parts], axis=0)
    return Stored({"documents": sum(part.size("documents") for part in parts)}, {"lengths": lengths})


def mean_lengths(part: Stored) -> list[float]:
    """Return the mean length in each representation."""
    lengths: list[float] = (part.array("lengths", np.float64) / max(part.size("documents"), 1)).tolist()
    return lengths
