"""Rates: how many requests a second a token, or an address, may send."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable

_MOST = 10_000


class Rates:
    """Counts requests. Each sender may send ``rate`` a second on average, and as many at once.

    Parameters
    ----------
    rate : float
        Requests a second.

    Examples
    --------
    >>> from textbayes.server.access import Rates
    >>> rates = Rates(2, clock=lambda: 0.0)
    >>> [rates.wait("ann") for _ in range(3)], rates.wait("bob")
    ([0.0, 0.0, 0.5], 0.0)
    """

    def __init__(self, rate: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.rate, self._clock = rate, clock
        self._burst = max(1.0, rate)
        self._left: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()

    def wait(self, sender: Hashable) -> float:
        """Count a request and return 0, or return how many seconds the sender must wait for it."""
        now = self._clock()
        left, since = self._left.pop(sender, (self._burst, now))
        left = min(self._burst, left + (now - since) * self.rate)
        wait = 0.0 if left >= 1 else (1 - left) / self.rate
        self._left[sender] = (left if wait else left - 1, now)
        if len(self._left) > _MOST:  # the one that has sent nothing for the longest time
            self._left.popitem(last=False)
        return wait
