"""Scores of a Poisson model: eqs. 14 and 15 of Kim 2003."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from textbayes._native import PoissonScorer as CoreScorer
from textbayes._native import available_threads
from textbayes.counts import Rows
from textbayes.scores.explanation import Contributions
from textbayes.statistics import LengthStatistics
from textbayes.terms import PoissonSumsCache
from textbayes.terms.means import MeansSettings
from textbayes.weights import PoissonWeights, poisson_blocks

Reals = NDArray[np.float64]

# A model with fewer cells keeps its table (128 MiB); a larger one recomputes it in blocks each time.
_KEPT_CELLS = 1 << 24


class PoissonScorer:
    """Scores rows by a Poisson model, as long as its statistics do not change.

    With weighted terms, it uses tables of blocks of classes; without, a power series.
    """

    def __init__(
        self,
        statistics: LengthStatistics,
        theta: float,
        alpha: float,
        weighting: str | None,
        cache: PoissonSumsCache,
    ) -> None:
        self.statistics, self.theta = statistics, theta
        self._settings = (theta, alpha, weighting)
        # Built now, not on first use: the cached sums must not change while other threads score.
        self._series = _PoissonSeries(statistics, theta, alpha, cache) if weighting is None else None

    def ranking(self, rows: Rows) -> Reals:
        """z* of every row and class (eq. 15)."""
        if self._series is not None:
            return self._series.ranking(rows)
        return self._joined(rows, lambda _, z: z)

    def log_odds(self, rows: Rows, tau: float) -> Reals:
        """z of every row and class (eq. 14); 0 for a class whose terms all have the weight 0."""
        if self._series is not None:
            # Every term has the weight 1: W_c is |V|, and A_c is 0, since λ′ and μ′ both sum to 1.
            return tau / max(self.statistics.columns, 1) * self._series.ranking(rows)
        return self._joined(rows, lambda weights, z: _odds(weights, z, tau))

    @property
    def _is_small(self) -> bool:
        return len(self.statistics.order) * self.statistics.columns <= _KEPT_CELLS

    @cached_property
    def _blocks(self) -> list[PoissonWeights]:
        return list(poisson_blocks(self.statistics, *self._settings))

    def contributions(self, row: Rows, tau: float) -> Contributions:
        """Return the contributions to z of a row (eq. 14); for a fixed length, z is a sum over terms."""
        return self._parts(row, lambda weights: (_scale(weights, tau), weights.shift))

    def ranking_contributions(self, row: Rows) -> Contributions:
        """Return the contributions to z* of a row (eq. 15)."""
        return self._parts(row, lambda weights: (np.ones_like(weights.total), np.zeros_like(weights.total)))

    def _parts(self, row: Rows, scaled: Callable[[PoissonWeights], tuple[Reals, Reals]]) -> Contributions:
        """Return the contributions to scale · (shift + z*), with the scale and shift of each block."""
        length = float(row.sums()[0]) + self.theta * self.statistics.columns
        bias, entries = [np.empty(0)], [np.empty((len(row.columns), 0))]
        for weights in self._all_blocks():
            scale, shift = scaled(weights)
            bias.append(scale * (shift + weights.lead / length))
            entries.append((scale * weights.table[:, row.columns].T) * (row.values / length)[:, None])
        return Contributions(np.concatenate(bias), np.concatenate(entries, axis=1))

    def _all_blocks(self) -> Iterable[PoissonWeights]:
        return self._blocks if self._is_small else poisson_blocks(self.statistics, *self._settings)

    def _joined(self, rows: Rows, finish: Callable[[PoissonWeights, Reals], Reals]) -> Reals:
        parts = [finish(weights, z) for weights, z in self._each_block(rows)]
        return np.concatenate(parts, axis=1) if parts else np.zeros((len(rows), 0))

    def _each_block(self, rows: Rows) -> Iterator[tuple[PoissonWeights, Reals]]:
        matrix = rows.matrix
        lengths = (rows.sums() + self.theta * self.statistics.columns)[:, None]
        for weights in self._all_blocks():
            yield weights, (weights.lead + matrix @ weights.table.T) / lengths


class _PoissonSeries:
    """z* of eq. 15, as long as the statistics do not change.

    Over the terms that a class lacks, Σ x log μ′ comes from a power series around the mean of all documents;
    over the pairs seen it is computed pair by pair.

    Parameters
    ----------
    statistics : LengthStatistics
        The statistics of the training documents.
    theta, alpha : float
        θ of eq. 7 and α of eq. 9.
    cache : PoissonSumsCache
        Cached sums; updated here.
    """

    def __init__(
        self, statistics: LengthStatistics, theta: float, alpha: float, cache: PoissonSumsCache
    ) -> None:
        self.statistics = statistics
        cache.refresh(statistics, theta)
        mixings = cache.mixings(statistics, MeansSettings(theta, alpha, statistics.columns))
        self._scorer = CoreScorer(statistics.sums, cache.sums, mixings, statistics.order, theta)

    def ranking(self, rows: Rows) -> Reals:
        """z* of every row and class: shape (documents, classes), classes sorted."""
        flat = self._scorer.scores(rows, available_threads())
        return flat.reshape(len(rows), len(self.statistics.order))


def _odds(weights: PoissonWeights, ranking: Reals, tau: float) -> Reals:
    return _scale(weights, tau) * (weights.shift + ranking)


def _scale(weights: PoissonWeights, tau: float) -> Reals:
    return np.divide(tau, weights.total, out=np.zeros_like(weights.total), where=weights.total > 0)
