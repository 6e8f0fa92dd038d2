"""Numbers for tables and JSON."""

from __future__ import annotations

import math
from collections.abc import Iterable

# More decimals would show rounding errors.
_MOST = 12


def decimals_for(values: Iterable[float], least: int = 3) -> int:
    """Return the number of decimals that shows the largest number with three significant digits.

    A column of numbers uses the same for all, so that it is aligned. Infinite numbers are ignored.

    Examples
    --------
    >>> from textbayes.estimators.views.numbers import decimals_for
    >>> decimals_for([2.5, -0.0004]), decimals_for([0.0004, -0.00051])
    (3, 6)
    """
    largest = max((abs(value) for value in values if math.isfinite(value)), default=0.0)
    if not largest:
        return least
    return min(max(least, 2 - math.floor(math.log10(largest))), _MOST)


def plain_number(value: float) -> float | None:
    """Return a number as JSON can hold it; None for an infinite one.

    Examples
    --------
    >>> from textbayes.estimators.views.numbers import plain_number
    >>> plain_number(-0.5), plain_number(float("-inf"))
    (-0.5, None)
    """
    return float(value) if math.isfinite(value) else None
