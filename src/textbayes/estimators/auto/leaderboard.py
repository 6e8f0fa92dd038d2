"""The candidates that a search tried, best first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, overload

import numpy as np

from textbayes.estimators.auto.candidate import Candidate
from textbayes.measures import CostMatrix, metric_title, shown_figures
from textbayes.persistence import Stored, pack_texts, unpack_texts

_NUMBERS = ("score", "low", "high", "seconds")
# What a choice allows, and the name of the alternative.
_UPDATES = {
    "exact": ("exact updates", "the best of all recipes"),
    "any": ("approximate updates", "the best recipe with exact updates"),
}


@dataclass(frozen=True)
class Entry:
    """One line of the leaderboard.

    Parameters
    ----------
    name : str
        The candidate as text.
    score : float
        Metric of the held-out scores; larger is better. Log loss and mean cost are negative.
    interval : (float, float)
        Its 95 % interval.
    seconds : float
        Time to evaluate it.
    candidate : Candidate or None
        None for a blend.
    chosen : bool
        Whether the recipe uses it.
    documents : int
        Number of documents that it was evaluated on; 0 if unknown, in an older model file.
    """

    name: str
    score: float
    interval: tuple[float, float]
    seconds: float
    candidate: Candidate | None = None
    chosen: bool = False
    documents: int = 0


class Compared(NamedTuple):
    """The choice between a recipe with exact updates and one that must be settled after updates.

    Parameters
    ----------
    updates : {"exact", "any"}
        The choice: exact updates, or any recipe.
    score, other_score : float
        Held-out scores of the choice and of the alternative.

    Examples
    --------
    >>> from textbayes.estimators.auto.leaderboard import Compared
    >>> print(Compared("exact", 0.869, 0.871))
    exact updates; the best of all recipes scored .871, .002 more

    A loss or cost is a negative score:

    >>> print(Compared("exact", -0.25, -0.24))
    exact updates; the best of all recipes had .240, .010 less
    """

    updates: str
    score: float
    other_score: float

    def __str__(self) -> str:
        own, other = _UPDATES[self.updates]
        lead = self.other_score - self.score
        if min(self.score, self.other_score) < 0:
            much = f"{_share(abs(lead))} {'more' if lead < 0 else 'less'}"
            return f"{own}; {other} had {_share(abs(self.other_score))}, {much}"
        much = f"{_share(abs(lead))} {'less' if lead < 0 else 'more'}"
        return f"{own}; {other} scored {_share(self.other_score)}, {much}"


def described_updates(updates: str) -> str:
    """Describe the updates of a recipe in words.

    Examples
    --------
    >>> from textbayes.estimators.auto.leaderboard import described_updates
    >>> described_updates("exact"), described_updates("any")
    ('exact updates', 'approximate updates')
    """
    return _UPDATES[updates][0]


class Leaderboard(Sequence[Entry]):
    """The candidates that a search tried, best first. It prints as a table.

    Parameters
    ----------
    metric : str
        Metric of the scores. Log loss and mean cost are printed as they are, though they count negatively.
    entries : sequence of Entry
        The candidates and blends.
    compared : Compared, optional
        The choice between exact updates and any, if the search compared them.

    Examples
    --------
    >>> from textbayes.estimators.auto import Entry, Leaderboard
    >>> Leaderboard("macro_f1", [Entry("a", 0.5, (0.25, 0.75), 0.1), Entry("b", 0.75, (0.5, 1.0), 2.0)])
      macro_f1   95 % interval  documents  seconds
          .750    .500 – 1.000                2.00  b
          .500     .250 – .750                0.10  a
    """

    def __init__(self, metric: str, entries: Sequence[Entry], compared: Compared | None = None) -> None:
        self.metric, self.compared = metric, compared
        self._entries = sorted(entries, key=lambda entry: -entry.score)

    @overload
    def __getitem__(self, index: int) -> Entry: ...
    @overload
    def __getitem__(self, index: slice) -> Leaderboard: ...
    def __getitem__(self, index: int | slice) -> Entry | Leaderboard:
        if isinstance(index, slice):
            return Leaderboard(self.metric, self._entries[index], self.compared)
        return self._entries[index]

    def __len__(self) -> int:
        return len(self._entries)

    def untimed(self) -> Leaderboard:
        """Return the leaderboard with 0 for all seconds: the same search gives the same one again.

        Examples
        --------
        >>> from textbayes.estimators.auto import Entry, Leaderboard
        >>> Leaderboard("macro_f1", [Entry("a", 0.5, (0.25, 0.75), 0.1)]).untimed()[0].seconds
        0.0
        """
        return Leaderboard(self.metric, [replace(entry, seconds=0.0) for entry in self], self.compared)

    def __repr__(self) -> str:
        # A name such as macro_f1 is what AutoNB takes; a cost matrix has none.
        title = metric_title(self.metric) if self.metric == CostMatrix.name else self.metric
        lines = [f"  {title:>8}   95 % interval  documents  seconds"]
        for entry in self._entries:
            mark = "*" if entry.chosen else " "
            score, low, high = map(_share, self.shown(entry))
            interval = f"{low} – {high}"
            documents = f"{entry.documents:,}" if entry.documents else ""
            figures = f"{score:>8} {interval:>15} {documents:>10} {entry.seconds:8.2f}"
            lines.append(f"{mark} {figures}  {entry.name}")
        if self.compared is not None:
            lines.append(str(self.compared))
        return "\n".join(lines)

    def shown(self, entry: Entry) -> tuple[float, float, float]:
        """Return the score of a line and the ends of its interval, as they are printed."""
        score, *ends = shown_figures(self.metric, entry.score, *entry.interval)
        return score, min(ends), max(ends)

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return a dict for each entry, for a data frame or JSON."""
        return [
            {
                "name": entry.name,
                "score": entry.score,
                "low": entry.interval[0],
                "high": entry.interval[1],
                "seconds": entry.seconds,
                "chosen": entry.chosen,
                "documents": entry.documents,
            }
            for entry in self._entries
        ]

    def store(self) -> Stored:
        """Return names and numbers as arrays, and the candidates."""
        lines = [(entry.score, *entry.interval, entry.seconds) for entry in self]
        columns = np.array(lines, dtype=np.float64).reshape(-1, len(_NUMBERS)).T
        arrays = {name: column.copy() for name, column in zip(_NUMBERS, columns, strict=True)}
        chosen = np.array([entry.chosen for entry in self], dtype=np.uint8)
        names = pack_texts("names", [entry.name for entry in self])
        documents = np.array([entry.documents for entry in self], dtype=np.int64)
        stored = Stored(
            {"metric": self.metric}, {**arrays, **names, "chosen": chosen, "documents": documents}
        )
        if self.compared is not None:
            stored.configuration["updates"] = self.compared.updates
            stored.arrays["compared"] = np.array(self.compared[1:])
        for number, entry in enumerate(self):
            if entry.candidate is not None:
                stored = stored.with_part(str(number), entry.candidate.store())
        return stored

    @classmethod
    def restore(cls, stored: Stored) -> Leaderboard:
        """Load a leaderboard."""
        names = unpack_texts(stored, "names")
        score, low, high, seconds = (stored.array(name, np.float64, len(names)).tolist() for name in _NUMBERS)
        chosen = stored.array("chosen", np.uint8, len(names))
        # An older file does not have them.
        documents = np.zeros(len(names), dtype=np.int64)
        if "documents" in stored.arrays:
            documents = stored.array("documents", np.int64, len(names))
        sound = bool(np.all(chosen <= 1)) and not np.isnan([score, low, high, seconds]).any()
        stored.check(sound, "its leaderboard is invalid")
        entries = [
            Entry(
                name,
                score[number],
                (low[number], high[number]),
                seconds[number],
                Candidate.restore(stored.part(str(number))) if stored.has_part(str(number)) else None,
                bool(chosen[number]),
                int(documents[number]),
            )
            for number, name in enumerate(names)
        ]
        return cls(stored.value("metric", str), entries, _restore_compared(stored))


def _restore_compared(stored: Stored) -> Compared | None:
    if "updates" not in stored.configuration:
        return None
    updates, scores = stored.value("updates", str), stored.array("compared", np.float64, 2)
    stored.check(updates in _UPDATES and bool(np.isfinite(scores).all()), "its leaderboard is invalid")
    return Compared(updates, *scores.tolist())


def _share(value: float) -> str:
    return f"{value:.3f}".replace("0.", ".", 1) if abs(value) < 1 else f"{value:.3f}"
