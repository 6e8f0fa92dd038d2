"""A figure and its standard error → an interval that stays within the figure's range."""

from __future__ import annotations

import math
import sys

NORMAL_95 = 1.96
"""The 97.5 % point of the normal distribution, for an interval of 95 %."""


def share_interval(
    value: float, error: float, documents: int, width: float = NORMAL_95
) -> tuple[float, float]:
    """Return the interval of a figure from 0 to 1, such as accuracy or F1.

    It is Wilson's interval (Wilson 1927) of a share of n documents, where n is the number of documents for
    which a share has this standard error: n = value · (1 - value) / error². For accuracy, n is the number of
    documents. n is never larger than that, so that no errors on few documents do not look certain.

    Parameters
    ----------
    value : float
        The figure, from 0 to 1.
    error : float
        Its standard error.
    documents : int
        The number of documents on which it was measured.
    width : float, default=1.96
        The quantile of the normal or t distribution.

    Examples
    --------
    >>> from textbayes.measures import share_interval
    >>> [round(end, 3) for end in share_interval(0.986, 0.011, 110)]
    [0.942, 0.997]
    >>> [round(end, 3) for end in share_interval(1.0, 0.0, 40)]
    [0.912, 1.0]
    """
    if not documents:
        return 0.0, 1.0
    spread, size = value * (1.0 - value), float(documents)
    if error**2 * size > spread > 0.0:
        # Not 0, which a tiny spread would become.
        size = max(spread / error**2, sys.float_info.min)
    by = width**2 / size
    middle = (value + by / 2) / (1 + by)
    reach = math.sqrt(by * (spread + by / 4)) / (1 + by)
    # Rounding may leave the ends just outside.
    return max(0.0, min(middle - reach, value)), min(1.0, max(middle + reach, value))


def loss_interval(value: float, error: float, width: float = NORMAL_95) -> tuple[float, float]:
    """Return the interval of a figure from 0 up without a largest value, such as log loss.

    Examples
    --------
    >>> from textbayes.measures import loss_interval
    >>> [round(end, 2) for end in loss_interval(0.05, 0.1)]
    [0.0, 0.25]
    """
    return max(0.0, value - width * error), value + width * error
