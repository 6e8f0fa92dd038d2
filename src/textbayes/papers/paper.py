"""What every paper's module declares."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from textbayes.papers.corpora import Corpora
from textbayes.papers.records import Finding, Published, read_published, read_source

Step = Callable[[Corpora], Iterator[Finding]]


@dataclass(frozen=True)
class Paper:
    """A paper: what it printed, and how its tables are built again.

    Parameters
    ----------
    name : str
        Author and year, as in ``textbayes papers run NAME``.
    recipe : str
        How the numbers are made, in words: the docstring of the paper's module.
    steps : mapping of str to callable
        For each table or figure, a function from the corpora to findings, one at a time.
    axes : mapping of str to str
        What stands on the horizontal axis of a figure.
    reasons : mapping of str to str
        Why a quantity misses what was published: by "table: quantity", or by the beginning of that. The
        longest that fits is taken.

    Examples
    --------
    >>> from textbayes.papers import find_papers
    >>> find_papers(["frank2006"])[0].title
    'Naive Bayes for text classification with unbalanced classes'
    """

    name: str
    recipe: str
    steps: Mapping[str, Step]
    axes: Mapping[str, str] = field(default_factory=dict)
    reasons: Mapping[str, str] = field(default_factory=dict)

    @property
    def citation(self) -> str:
        """Authors, year and title."""
        citation: str = read_source(self.name)["citation"]
        return citation

    @property
    def title(self) -> str:
        """The title alone."""
        return self.citation.partition("). ")[2].partition(". ")[0].rstrip(".")

    @property
    def readings(self) -> list[str]:
        """How the numbers were read off the paper."""
        source = read_source(self.name)
        return [source["pages"], *source["reading"]]

    @property
    def published(self) -> list[Published]:
        """What the paper printed."""
        return read_published(self.name)

    def reason(self, table: str, corpus: str, quantity: str) -> str:
        """Return why a quantity misses what was published, or an empty string."""
        names = (f"{table}: {quantity}", f"{corpus}: {quantity}")
        fitting = [key for key in self.reasons if any(name.startswith(key) for name in names)]
        return self.reasons[max(fitting, key=len)] if fitting else ""
