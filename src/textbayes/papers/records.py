"""What a paper printed, what we found, and the two side by side."""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

Place = float | str | None


@dataclass(frozen=True, slots=True)
class Measure:
    """How a kind of number is judged.

    Parameters
    ----------
    tolerance : float
        How far ours may be on the worse side of what was published and still meet it.
    better : int
        1 if larger is better, -1 if smaller is, 0 if any distance counts.

    Examples
    --------
    >>> from textbayes.papers.records import MEASURES
    >>> MEASURES["micro F1"].met(0.82, 0.83), MEASURES["micro F1"].met(0.80, 0.83)
    (True, False)
    >>> MEASURES["% errors"].met(5.0, 6.17), MEASURES["wins"].met(12, 8)
    (True, False)
    """

    tolerance: float
    better: int = 1

    def met(self, ours: float, published: float) -> bool:
        """Tell whether a number of ours is as good as the published one, or near enough."""
        distance = ours - published
        worse = abs(distance) if self.better == 0 else -self.better * distance
        return worse <= self.tolerance + 1e-9


# .02, and .03 for macro averages; percent where a paper prints percent. A p-value that bounds what was found
# is met by a smaller one. Wins are whole problems out of 4, 10 or 20: two of them may go the other way.
MEASURES = {
    "accuracy": Measure(0.02),
    "AUC": Measure(0.02),
    "micro F1": Measure(0.02),
    "macro F1": Measure(0.03),
    "micro recall": Measure(0.02),
    "macro recall": Measure(0.03),
    "macro recall gained": Measure(0.03),
    "F1": Measure(0.02),
    "% errors": Measure(2.0, better=-1),
    "best alpha": Measure(0.1, better=0),
    "theta": Measure(0.0, better=0),
    "one-tailed p": Measure(0.0, better=-1),
    "sign test p": Measure(0.05, better=0),
    "wins": Measure(2, better=0),
    "losses": Measure(2, better=0),
    "significant wins": Measure(2, better=0),
    "significant losses": Measure(2, better=0),
    "odds ratio": Measure(0.001, better=0),
    "rank correlation": Measure(0.02),
    "share of terms in common": Measure(0.02),
    "greatest difference of AUC": Measure(0.0, better=-1),
}


@dataclass(frozen=True, slots=True)
class Finding:
    """One number that a recipe gave.

    Parameters
    ----------
    table : str
        The table or figure it belongs to, as the paper numbers it; "experiment" for one of ours.
    corpus, method : str
        What was classified, and how.
    measure : str
        A key of ``MEASURES``.
    ours : float
        The number.
    at : float or str, optional
        Where on the horizontal axis of a figure it stands.

    Examples
    --------
    >>> from textbayes.papers.records import Finding
    >>> Finding("figure 2", "Reuters-21578", "MI", "micro recall", 0.861, at=100).quantity
    'MI at 100, micro recall'
    """

    table: str
    corpus: str
    method: str
    measure: str
    ours: float
    at: Place = None

    @property
    def quantity(self) -> str:
        """What was measured, in words."""
        return quantity_name(self.method, self.at, self.measure)


@dataclass(frozen=True, slots=True)
class Published:
    """One number that a paper printed, and on which page."""

    table: str
    corpus: str
    method: str
    at: Place
    measure: str
    value: float
    page: int

    @property
    def quantity(self) -> str:
        """What was measured, in the words of a finding."""
        return quantity_name(self.method, self.at, self.measure)


@dataclass(frozen=True, slots=True)
class Record:
    """A number of a paper beside ours.

    Parameters
    ----------
    paper, table, corpus, method, measure : str
        What it is the number of.
    at : float, str or None
        Where on the horizontal axis of a figure.
    published, ours : float or None
        The numbers; None for what was not printed, or not measured.
    page : int or None
        Where it was printed.
    seconds : float or None
        What measuring took, together with what was measured in the same step.
    why : str
        Why ours is missing, or misses what was published; empty otherwise.

    Examples
    --------
    >>> from textbayes.papers import Record
    >>> what = ("kim2003", "table 4", "Reuters-21578", "PNB-IG", "micro F1", None)
    >>> record = Record(*what, published=0.797, ours=0.786, page=7, seconds=1.2)
    >>> record.met, record.as_dict()["difference"]
    (True, -0.011)
    """

    paper: str
    table: str
    corpus: str
    method: str
    measure: str
    at: Place
    published: float | None
    ours: float | None
    page: int | None
    seconds: float | None
    why: str = ""

    @property
    def quantity(self) -> str:
        """What was measured, in words."""
        return quantity_name(self.method, self.at, self.measure)

    @property
    def difference(self) -> float | None:
        """Ours minus published, where both are there."""
        return None if self.ours is None or self.published is None else self.ours - self.published

    @property
    def met(self) -> bool | None:
        """Whether ours meets or betters what was published; None where there is nothing to compare."""
        if self.ours is None or self.published is None:
            return None
        return MEASURES[self.measure].met(self.ours, self.published)

    def as_dict(self) -> dict[str, Any]:
        """Return the eight fields that ``textbayes papers run --json`` prints."""
        return {
            "paper": self.paper,
            "table": self.table,
            "corpus": self.corpus,
            "quantity": self.quantity,
            "published": self.published,
            "ours": _rounded(self.ours),
            "difference": _rounded(self.difference),
            "seconds": None if self.seconds is None else round(self.seconds, 3),
        }


def quantity_name(method: str, at: Place, measure: str) -> str:
    """Join a method, a place on an axis and a measure.

    Examples
    --------
    >>> from textbayes.papers.records import quantity_name
    >>> quantity_name("PNB", 0.8, "micro F1"), quantity_name("UM", None, "macro F1")
    ('PNB at 0.8, micro F1', 'UM, macro F1')
    """
    if at is None:
        return f"{method}, {measure}"
    return f"{method} at {at if isinstance(at, str) else f'{at:,g}' if at < 1 else f'{at:,.10g}'}, {measure}"


def read_published(paper: str) -> list[Published]:
    """Read the numbers of a paper, with their pages.

    Examples
    --------
    >>> from textbayes.papers.records import read_published
    >>> [number.value for number in read_published("rennie2003") if number.method == "MNB"]
    [0.582, 0.848, 0.739, 0.27]
    """
    return [Published(**number) for number in read_source(paper)["numbers"]]


def read_source(paper: str) -> dict[str, Any]:
    """Read the data file of a paper: citation, how pages are counted, readings, numbers."""
    file = files("textbayes.papers") / "published" / f"{paper}.json"
    content: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return content


def _rounded(value: float | None) -> float | None:
    # Enough to see any difference; more would only differ from machine to machine.
    return None if value is None else float(f"{value:.6g}")
