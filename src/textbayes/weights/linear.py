"""Weights of a linear model: a default for every class and term, and a correction on the pairs seen."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from textbayes._native import CorrectionCache, Weights
from textbayes.persistence import Stored
from textbayes.statistics import ClassStatistics

Reals = NDArray[np.float64]

# The weights of a class that does not differ from all documents are log 1, up to rounding.
_NOTHING = 1e-13


def _none() -> Reals:
    return np.empty(0)


def reciprocal_lengths(lengths: Reals, columns: int) -> Reals:
    """1 / Σ|w|; 0 for a class whose weights are only rounding, so that it scores 0."""
    return np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > _NOTHING * columns)


class TermDefault(NamedTuple):
    """A rule for the default of a term with the sum n_t, for weights that change with every document.

    Parameters
    ----------
    kind : {"total", "ratio"}
        −log(n_t + a), or −log(1 + n_t / a).
    alpha : float
        a.
    """

    kind: str
    alpha: float

    def values(self, statistics: ClassStatistics) -> Reals:
        """Return the default of every term."""
        if self.kind == "total":
            return np.asarray(-np.log(statistics.term_values + self.alpha))
        return np.asarray(-np.log1p(statistics.term_values / self.alpha))


@dataclass(frozen=True)
class LinearWeights:
    """The score of a row x in class c, without a table of classes × terms:

    bias_c + scale_c · ( slope_c · Σ x_t + Σ x_t · default_t + Σ_{seen} x_t · correction_ct )

    where the correction of a seen pair, with sum n_ct, of a term with sum n_t is

    - log(1 + n_ct · class_factors_c), for the counts of the class,
    - plus log(n_t + a) − log(n_t − n_ct + a), a = complement_alpha, for the counts missing in the complement,
    - plus n_ct · linear_factors_c.

    Arrays over classes are by slot (see ClassStatistics). An empty array means zeros, or a scale of 1. The
    defaults are an array over terms, or a rule that needs no such array until rows are scored.
    """  # noqa: D400

    bias: Reals
    slope: Reals = field(default_factory=_none)
    default: Reals | TermDefault = field(default_factory=_none)
    scale: Reals = field(default_factory=_none)
    class_factors: Reals = field(default_factory=_none)
    complement_alpha: float | None = None
    linear_factors: Reals = field(default_factory=_none)

    def defaults(self, statistics: ClassStatistics) -> Reals:
        """Return the default of every term; empty for zeros."""
        return self.default.values(statistics) if isinstance(self.default, TermDefault) else self.default

    def to_core(self, statistics: ClassStatistics) -> Weights:
        """Convert the weights for the core."""
        return Weights(
            self.bias,
            self.slope,
            self.defaults(statistics),
            self.scale,
            self.class_factors,
            self.complement_alpha,
            self.linear_factors,
        )

    def normalised(self, statistics: ClassStatistics, cache: CorrectionCache | None = None) -> LinearWeights:
        """Divide the weights of each class by the sum of their absolute values (Rennie 2003, eq. 9).

        The cache recomputes only the corrections of terms that changed.
        """
        lengths = self.absolute_lengths(statistics, cache)
        return replace(self, scale=reciprocal_lengths(lengths, statistics.columns))

    def absolute_lengths(self, statistics: ClassStatistics, cache: CorrectionCache | None = None) -> Reals:
        """Return Σ_t |w_ct| of each class, by slot, before scaling."""
        cache = CorrectionCache() if cache is None else cache
        return self._default_lengths(statistics) + self.to_core(statistics).absolute_excess(
            statistics.sums, cache
        )

    def _default_lengths(self, statistics: ClassStatistics) -> Reals:
        """Return Σ_t |slope_c + default_t| of each class; mixed signs need one sort of the defaults."""
        default = self.defaults(statistics)
        default = default if default.size else np.zeros(statistics.columns)
        slope = self.slope if self.slope.size else np.zeros(len(self.bias))
        if default.min(initial=np.inf) + slope.min(initial=np.inf) >= 0:
            return np.asarray(np.sum(default) + len(default) * slope)
        ordered = np.sort(default)
        sums = np.concatenate([[0.0], np.cumsum(ordered)])
        below = np.searchsorted(ordered, -slope)
        # Sums with a default below −slope are negative: they count with the opposite sign.
        above_sum = sums[-1] - sums[below] + (len(ordered) - below) * slope
        return np.asarray(above_sum - (sums[below] + below * slope))

    def table(self, statistics: ClassStatistics) -> Reals:
        """Return all weights as an array (classes, terms), classes sorted; for inspection and tests."""
        table = np.zeros((len(self.bias), statistics.columns))
        terms, slots, _, _ = statistics.sums.pairs()
        table[slots, terms] = self.to_core(statistics).corrections(statistics.sums)
        if self.slope.size:
            table += self.slope[:, None]
        defaults = self.defaults(statistics)
        if defaults.size:
            table += defaults
        if self.scale.size:
            table *= self.scale[:, None]
        return table[statistics.order]


def weights_of_pairs(
    statistics: ClassStatistics,
    starts: NDArray[np.int64],
    classes: NDArray[np.uint32],
    values: Reals,
    biases: Reals,
) -> tuple[LinearWeights, ClassStatistics]:
    """Return linear weights that use the given values of pairs, by term, then class."""
    weights = LinearWeights(biases, linear_factors=np.ones(len(biases)))
    return weights, statistics.with_pairs(starts, classes, values)


def store_pair_weights(weights: LinearWeights, values: ClassStatistics) -> Stored:
    """Return the weights of pairs and the biases as arrays."""
    state = values.sums.state()
    names = ("pair_starts", "pair_classes", "pair_values")
    return Stored({}, {**{name: state[name] for name in names}, "biases": weights.bias})


def restore_pair_weights(
    statistics: ClassStatistics, stored: Stored, largest: float
) -> tuple[LinearWeights, ClassStatistics]:
    """Return the weights from ``store_pair_weights``; refuse weights above ``largest``."""
    starts = stored.array("pair_starts", np.int64, statistics.columns + 1)
    classes = stored.array("pair_classes", np.uint32)
    values = stored.array("pair_values", np.float64, len(classes))
    biases = stored.array("biases", np.float64, len(statistics.class_documents))
    small = bool(np.all(np.abs(values) <= largest)) and bool(
        np.all(np.abs(biases[statistics.order]) <= largest)
    )
    stored.check(small, "its weights are out of range")
    try:
        return weights_of_pairs(statistics, starts, classes, values, np.array(biases))
    except ValueError:
        stored.refuse("its pairs of class and term are invalid")
