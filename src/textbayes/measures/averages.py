"""A figure for each class, and its two averages."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from textbayes.measures.indicators import Counts, Reals


@dataclass(frozen=True, slots=True, eq=False)
class Averages:
    """A figure for each class, and two averages of it.

    Attributes
    ----------
    per_class : array of shape (classes,)
        The figure of each class; NaN where the class has none.
    micro : float
        The figure of all decisions pooled, so large classes count most.
    macro : float
        The mean over the classes that have a figure, so every class counts the same.

    Examples
    --------
    >>> from textbayes.evaluation import f1
    >>> print(f1(["a", "a", "b"], ["a", "b", "b"]))
    micro .667, macro .667, 2 classes
    """

    per_class: Reals
    micro: float
    macro: float

    def __str__(self) -> str:
        classes = int(np.count_nonzero(~np.isnan(self.per_class)))
        parts = (f"{name} {value:.3f}".replace(" 0.", " .") for name, value in self._averages())
        return f"{', '.join(parts)}, {classes} {'class' if classes == 1 else 'classes'}"

    def _averages(self) -> tuple[tuple[str, float], ...]:
        return ("micro", self.micro), ("macro", self.macro)


def shares(parts: Counts | Reals, wholes: Counts | Reals) -> Reals:
    """Divide; NaN where the divisor is 0."""
    found = np.full(parts.shape, np.nan)
    np.divide(parts, wholes, out=found, where=wholes > 0)
    return found


def mean_of_some(values: Reals) -> float:
    """Return the mean of the values that are not NaN, or NaN if there are none."""
    kept = values[~np.isnan(values)]
    return float(kept.mean()) if kept.size else float("nan")
