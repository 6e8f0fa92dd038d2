"""Published numbers, our findings, and records that compare the two."""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

Place = float | str | None


@dataclass(frozen=True, slots=True)
class Measure:
    """How to compare numbers of one kind.

    Parameters
    ----------
    tolerance : float
        How much worse ours may be than the published number and still meet it.
    better : int
        1 if larger is better, -1 if smaller is better, 0 if any difference counts.

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
        """Return whether our number meets the published one, within the tolerance."""
        distance = ours - published
        worse = abs(distance) if self.better == 0 else -self.better * distance
        return worse <= self.tolerance + 1e-9


# .02, and .03 for macro averages; half a point for errors in percent. A smaller p-value meets a published
# bound. Wins are out of 4, 10 or 20 problems: two of them may differ.
MEASURES = {
    "accuracy": Measure(0.02),
    "AUC": Measure(0.02),
    "micro F1": Measure(0.02),
    "macro F1": Measure(0.03),
    "micro recall": Measure(0.02),
    "macro recall": Measure(0.03),
    "macro recall gained": Measure(0.03),
    "F1": Measure(0.02),
    "% errors": Measure(0.5, better=-1),
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
    """A number that we measured.

    Parameters
    ----------
    table : str
        The table or figure as numbered in the paper; "experiment" for one of our own.
    corpus, method : str
        The corpus and the method.
    measure : str
        A key of ``MEASURES``.
    ours : float
        The number.
    at : float or str, optional
        The position on the horizontal axis of a figure.

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
        """The name of the measured quantity."""
        return quantity_name(self.method, self.at, self.measure)


@dataclass(frozen=True, slots=True)
class Published:
    """A published number and its page."""

    table: str
    corpus: str
    method: str
    at: Place
    measure: str
    value: float
    page: int

    @property
    def quantity(self) -> str:
        """The name of the measured quantity, as in a finding."""
        return quantity_name(self.method, self.at, self.measure)


@dataclass(frozen=True, slots=True)
class Record:
    """A published number and ours.

    Parameters
    ----------
    paper, table, corpus, method, measure : str
        The quantity.
    at : float, str or None
        The position on the horizontal axis of a figure.
    published, ours : float or None
        The numbers; None if not published, or not measured.
    page : int or None
        The page of the published number.
    seconds : float or None
        The time of the measurement, including the quantities measured with it.
    why : str
        Why our number is missing, or misses the published one; empty otherwise.

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
        """The name of the measured quantity."""
        return quantity_name(self.method, self.at, self.measure)

    @property
    def difference(self) -> float | None:
        """Ours minus published, or None if one is missing."""
        return None if self.ours is None or self.published is None else self.ours - self.published

    @property
    def met(self) -> bool | None:
        """Whether our number meets or beats the published one; None if one is missing."""
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
    """Return the name of a quantity: its method, position on the axis and measure.

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
    """Read the published numbers of a paper.

    Examples
    --------
    >>> from textbayes.papers.records import read_published
    >>> [number.value for number in read_published("rennie2003") if number.method == "MNB"]
    [0.582, 0.848, 0.739, 0.27]
    """
    return [Published(**number) for number in read_source(paper)["numbers"]]


def read_source(paper: str) -> dict[str, Any]:
    """Read the data file of a paper: citation, page numbering, notes and numbers."""
    file = files("textbayes.papers") / "published" / f"{paper}.json"
    content: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return content


def _rounded(value: float | None) -> float | None:
    # Further digits may differ between machines.
    return None if value is None else float(f"{value:.6g}")
