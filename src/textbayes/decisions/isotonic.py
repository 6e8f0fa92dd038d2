"""Numbers and what came true → an isotonic map to probabilities."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from textbayes.persistence import Stored

Reals = NDArray[np.float64]

# A map has at most this many points, each the mean of this many cases or more.
_MOST_POINTS = 50
_LEAST_CASES = 10


@dataclass(frozen=True)
class IsotonicMap:
    """A map that never falls, linear between its points.

    Parameters
    ----------
    points, levels : array
        The points, and the probability at each. Empty for no map.
    """

    points: Reals = field(default_factory=lambda: np.empty(0))
    levels: Reals = field(default_factory=lambda: np.empty(0))

    def __bool__(self) -> bool:
        return bool(self.points.size)

    def __call__(self, values: Reals) -> Reals:
        """Return the probability at each value; beyond the outermost points it stays the same."""
        return np.asarray(np.interp(values, self.points, self.levels))

    def from_point(self, point: float) -> IsotonicMap:
        """Return a map that begins where the probability is the point itself, if its own points begin later.

        Examples
        --------
        >>> import numpy as np
        >>> from textbayes.decisions.isotonic import IsotonicMap
        >>> IsotonicMap(np.array([0.9]), np.array([0.8])).from_point(0.5)(np.array([0.5, 0.7, 1.0])).round(2)
        array([0.5 , 0.65, 0.8 ])
        """
        later = self.points > point
        points = np.concatenate([[point], self.points[later]])
        return IsotonicMap(points, np.maximum(np.concatenate([[point], self.levels[later]]), point))

    @classmethod
    def restore(cls, stored: Stored, points: str, levels: str, least: float, most: float) -> IsotonicMap:
        """Load a map whose points are between two numbers; a file without it has none."""
        if points not in stored.arrays:
            return cls()
        found = cls(stored.array(points, np.float64), stored.array(levels, np.float64))
        sound = (
            len(found.points) == len(found.levels)
            and _never_falls(found.points, least, most)
            and _never_falls(found.levels, 0.0, 1.0)
        )
        stored.check(sound, "its calibration is invalid")
        return found


def _never_falls(values: Reals, least: float, most: float) -> bool:
    return bool(np.all((values >= least) & (values <= most)) and np.all(np.diff(values) >= 0))


def fit_isotonic_map(values: Reals, came_true: Reals, weights: Reals, prior: float = 0.5) -> IsotonicMap:
    """Fit a map from values to how often they came true.

    Cases are sorted and binned, so that no point depends on a few cases. Bins with one level count two more
    cases that came true as often as ``prior`` says: no probability is exactly 0 or 1.

    Parameters
    ----------
    values, came_true, weights : array of shape (cases,)
        A number for each case, whether it came true, and how often the case counts.
    prior : float, default=0.5
        How often cases come true before any is seen.

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes.decisions.isotonic import fit_isotonic_map
    >>> values = np.repeat([0.2, 0.6, 0.9], 20)
    >>> came_true = np.repeat([0.0, 1.0, 0.0, 1.0], [12, 8, 5, 35])
    >>> fit_isotonic_map(values, came_true, np.ones(60)).levels.round(2).tolist()
    [0.41, 0.73, 0.95]
    """
    from sklearn.isotonic import isotonic_regression

    order = np.argsort(values, kind="stable")
    values, came_true, weights = values[order], came_true[order], weights[order]
    size = max(_LEAST_CASES, -(-len(values) // _MOST_POINTS))
    # The last bin takes what is left, so that it is not a small one.
    starts = np.arange(max(len(values) // size, 1)) * size
    # Equal values are in one bin: their order says nothing.
    starts = np.unique(np.searchsorted(values, values[starts]))
    cases = np.add.reduceat(weights, starts)
    points = np.add.reduceat(weights * values, starts) / cases
    # Rounding must not turn the order of points around.
    points = np.maximum.accumulate(points)
    hits = np.add.reduceat(weights * came_true, starts)
    pooled = isotonic_regression(hits / cases, sample_weight=cases)
    # Bins with one level are one block of cases.
    block = np.cumsum(np.concatenate([[0], np.diff(pooled) != 0]))
    shares = (np.bincount(block, hits) + 2.0 * prior) / (np.bincount(block, cases) + 2.0)
    return IsotonicMap(points, np.maximum.accumulate(shares[block]))
