"""Interleaved timings: medians, ratios with their spread, targets.

Single timings are unreliable on a shared machine. So every round runs every contestant once, each round
starts with another contestant, and ratios are computed within a round: a temporary slowdown affects both
sides.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from statistics import median

Run = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Timing:
    """The seconds of one contestant, by round."""

    seconds: tuple[float, ...]

    @property
    def median(self) -> float:
        """The median over the rounds."""
        return median(self.seconds)

    def __str__(self) -> str:
        return _with_unit(self.median)

    @property
    def spread(self) -> str:
        """The fastest and the slowest round."""
        return f"{_with_unit(min(self.seconds))} – {_with_unit(max(self.seconds))}"


@dataclass(frozen=True, slots=True)
class Ratio:
    """The time of one contestant over that of another: median, minimum and maximum over the rounds."""

    median: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{_digits(self.median)} ×  ({_digits(self.low)} – {_digits(self.high)})"


@dataclass(frozen=True, slots=True)
class Target:
    """A measurement and its bound."""

    promise: str
    measured: float
    bound: float
    at_least: bool = True

    @property
    def passed(self) -> bool:
        """True if the measurement is within the bound."""
        return self.measured >= self.bound if self.at_least else self.measured <= self.bound

    def as_json(self) -> dict[str, object]:
        """Return the target and whether it is met."""
        return {**asdict(self), "passed": self.passed}


def interleave(contestants: Mapping[str, Run], rounds: int, repeat: int = 1) -> dict[str, Timing]:
    """Run every contestant once to warm up, then once per round, interleaved.

    Parameters
    ----------
    contestants : mapping of str to callable
        The functions to time, by name.
    rounds : int
        The number of timings of each.
    repeat : int, default=1
        The number of calls per timing, for functions too short to time alone; the result is per call.
    """
    names = list(contestants)
    for name in names:
        contestants[name]()
    seconds: dict[str, list[float]] = {name: [] for name in names}
    for number in range(rounds):
        turn = number % len(names)
        for name in names[turn:] + names[:turn]:
            seconds[name].append(_seconds(contestants[name], repeat))
    return {name: Timing(tuple(seconds[name])) for name in names}


def _seconds(run: Run, repeat: int) -> float:
    gc.collect()  # do not time the garbage of another contestant
    start = time.perf_counter()
    for _ in range(repeat):
        result = run()
    elapsed = time.perf_counter() - start
    del result  # not part of the timing
    return elapsed / repeat


def ratio(slow: Timing, fast: Timing) -> Ratio:
    """Divide two timings round by round.

    >>> ratio(Timing((4.0, 9.0, 8.0)), Timing((2.0, 3.0, 1.0)))
    Ratio(median=3.0, low=2.0, high=8.0)
    """
    ratios = [a / b for a, b in zip(slow.seconds, fast.seconds, strict=True)]
    return Ratio(median(ratios), min(ratios), max(ratios))


def fastest(timings: Mapping[str, Timing]) -> str:
    """Return the name of the contestant with the smallest median."""
    return min(timings, key=lambda name: timings[name].median)


def _with_unit(seconds: float) -> str:
    for unit, scale in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= scale:
            return f"{_digits(seconds / scale)} {unit}"
    return f"{_digits(seconds / 1e-6)} µs"


def _digits(value: float) -> str:
    """Format with three significant digits."""
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"
