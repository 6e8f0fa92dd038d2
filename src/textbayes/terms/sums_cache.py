"""Kim's sums of every pair and term, cached between updates."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from textbayes._native import PoissonSums
from textbayes.statistics import LengthStatistics
from textbayes.terms.means import MeansSettings, Mixing, mixing_of


class Mixings(NamedTuple):
    """The mixing of each class by slot, of its complement, and of all documents."""

    own: Mixing
    rest: Mixing
    everything: tuple[float, float, float]


class PoissonSumsCache:
    """The sums Σ x/D and Σ x·dl/D of eq. 8, D = dl + θ|V|, for each pair seen and each term.

    For fixed θ and |V| they depend only on the documents with the term, so learning or forgetting a document
    recomputes only the sums of its terms.
    """

    def __init__(self) -> None:
        self._known: tuple[object, float] | None = None
        self.sums = PoissonSums(0.0)

    def refresh(self, statistics: LengthStatistics, theta: float) -> None:
        """Update the sums."""
        added = theta * statistics.columns
        # A reader may still have statistics from before groups were added.
        newer = len(self.sums) > statistics.groups
        if newer or self._known is None or self._known != (statistics.origin, added):
            self._known, self.sums = (statistics.origin, added), PoissonSums(added)
        new = statistics.groups_from(len(self.sums))
        self.sums.refresh(statistics.sums, statistics.by_length, *new)

    def mixings(self, statistics: LengthStatistics, settings: MeansSettings) -> Mixings:
        """Mix the documents of each class, of its complement, and of all (eq. 9)."""
        sums = self.sums.of_classes(statistics.sums, statistics.by_length)
        own = mixing_of(settings, *(of[:-1] for of in sums))
        rest = mixing_of(settings, *(np.maximum(of[-1] - of[:-1], 0.0) for of in sums))
        everything = mixing_of(settings, *(of[-1:] for of in sums))
        uniform, by_length, floor = (float(part[0]) for part in everything)
        return Mixings(own, rest, (uniform, by_length, floor))
