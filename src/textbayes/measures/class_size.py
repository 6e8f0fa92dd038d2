"""Figures of classes, averaged by class size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from textbayes.errors import ParameterError, ShapeError
from textbayes.measures.averages import Averages, mean_of_some

# Kim (2003) makes five bins and prints no edges. Half decades give five, and the two sizes named in the
# text, fewer than 10 and more than 100, are among their edges.
CLASS_SIZE_BINS = (10, 30, 100, 300)


@dataclass(frozen=True, slots=True)
class SizeBin:
    """Classes of similar size, and the mean of their figures.

    Attributes
    ----------
    low, high : int
        The classes have from ``low`` to ``high`` documents; the last bin has no ``high`` (None).
    classes : int
        The number of classes of such a size that have a figure.
    mean : float
        The mean of their figures; NaN if there are none.

    Examples
    --------
    >>> from textbayes.evaluation import SizeBin
    >>> print(SizeBin(10, 29, 12, 0.61))
    10–29: .610 (12 classes)
    """

    low: int
    high: int | None
    classes: int
    mean: float

    @property
    def name(self) -> str:
        """The range of sizes, as a table or a plot shows it."""
        return f"{self.low}+" if self.high is None else f"{self.low}–{self.high}"

    def __str__(self) -> str:
        noun = "class" if self.classes == 1 else "classes"
        mean = f"{self.mean:.3f}".removeprefix("0") if self.classes else "–"
        return f"{self.name}: {mean} ({self.classes} {noun})"


def by_class_size(values: Any, class_sizes: Any, bins: Sequence[int] = CLASS_SIZE_BINS) -> list[SizeBin]:
    """Average figures of classes by size (Kim 2003, figure 3).

    Parameters
    ----------
    values : array of shape (classes,), or a result with ``per_class``
        The figure of each class, such as its F1. NaN is left out.
    class_sizes : array of shape (classes,)
        The number of training documents of each class.
    bins : sequence of int, default=(10, 30, 100, 300)
        The least size of every bin but the first, in rising order. The first bin starts at 0: a class
        without training documents is among the smallest.

    Returns
    -------
    list of SizeBin
        From small to large; one more than the numbers in ``bins``, including empty ones.

    Examples
    --------
    >>> from textbayes.evaluation import by_class_size
    >>> for found in by_class_size([0.2, 0.4, 0.9], [3, 8, 2000], bins=(10, 100)):
    ...     print(found)
    0–9: .300 (2 classes)
    10–99: – (0 classes)
    100+: .900 (1 class)
    """
    figures = np.asarray(values.per_class if isinstance(values, Averages) else values, dtype=np.float64)
    sizes = np.asarray(class_sizes)
    if figures.ndim != 1 or figures.shape != sizes.shape:
        raise ShapeError("values", figures.shape, "class_sizes", sizes.shape)
    if not len(bins) or min(bins) < 1 or np.any(np.diff(bins) < 1):
        raise ParameterError("bins", bins, "whole numbers from 1 up that increase, such as (10, 100)")
    bin_of = np.searchsorted(bins, sizes, side="right")
    lows: list[int] = [0, *map(int, bins)]
    highs: list[int | None] = [*(int(edge) - 1 for edge in bins), None]
    return [
        _size_bin(low, high, figures[bin_of == at])
        for at, (low, high) in enumerate(zip(lows, highs, strict=True))
    ]


def _size_bin(low: int, high: int | None, figures: Any) -> SizeBin:
    return SizeBin(low, high, int(np.count_nonzero(~np.isnan(figures))), mean_of_some(figures))
