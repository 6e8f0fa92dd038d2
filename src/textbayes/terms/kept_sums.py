"""Kim's sums of every pair and term, kept from one document learned to the next."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from textbayes._native import PoissonSums
from textbayes.statistics import LengthStatistics
from textbayes.terms.means import MeansSettings, Mixing, mixing_of


class Mixings(NamedTuple):
    """Of each class by slot, of its complement, and of all documents: what they give a term."""

    own: Mixing
    rest: Mixing
    everything: tuple[float, float, float]


class KeptSums:
    """The sums Σ x/D and Σ x·dl/D of eq. 8, D = dl + θ|V|, for each pair seen and each term.

    They depend on a term's own documents alone while θ and |V| stay, so that after a document is learned or
    forgotten only those of its terms are worked out anew.
    """

    def __init__(self) -> None:
        self._known: tuple[LengthStatistics, float] | None = None
        self.sums = PoissonSums(0.0)

    def refresh(self, statistics: LengthStatistics, theta: float) -> None:
        """Bring the sums up to date."""
        added = theta * statistics.columns
        if self._known is None or self._known[0] is not statistics or self._known[1] != added:
            self._known, self.sums = (statistics, added), PoissonSums(added)
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
