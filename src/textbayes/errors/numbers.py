"""The range of positive numbers that models calculate with.

A product of a count, a weight and a smoothing parameter, summed over all documents and squared, is a number
then, and so is its inverse. Model files are checked in the same way: sums are at most 1e150.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

LEAST, MOST = 1e-50, 1e50


def out_of_range(values: NDArray[Any]) -> NDArray[np.bool_]:
    """Return which numbers are too large or too small; 0 is neither.

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes.errors.numbers import out_of_range
    >>> out_of_range(np.array([0.0, 1e-60, 1.0, 1e60])).tolist()
    [False, True, False, True]
    """
    return np.asarray((values > MOST) | ((values < LEAST) & (values > 0)))
