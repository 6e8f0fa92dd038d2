"""Paper, the value that each paper's module declares."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from textbayes.papers.corpora import Corpora
from textbayes.papers.records import Finding, Published, read_published, read_source

Step = Callable[[Corpora], Iterator[Finding]]


@dataclass(frozen=True)
class Paper:
    """A paper: its published numbers, and the functions that rebuild its tables.

    Parameters
    ----------
    name : str
        Author and year, as in ``textbayes papers run NAME``.
    recipe : str
        A description of the experiments: the docstring of the paper's module.
    steps : mapping of str to callable
        For each table or figure, a function from the corpora to findings.
    axes : mapping of str to str
        The title of the horizontal axis of each figure.
    reasons : mapping of str to str
        Why a quantity misses the published number, by a prefix of "table: quantity". The longest matching
        prefix applies.

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
        """The title."""
        return self.citation.partition("). ")[2].partition(". ")[0].rstrip(".")

    @property
    def readings(self) -> list[str]:
        """Notes on how the numbers were read from the paper."""
        source = read_source(self.name)
        return [source["pages"], *source["reading"]]

    @property
    def published(self) -> list[Published]:
        """The published numbers."""
        return read_published(self.name)

    def reason(self, table: str, corpus: str, quantity: str) -> str:
        """Return why a quantity misses the published number, or an empty string."""
        names = (f"{table}: {quantity}", f"{corpus}: {quantity}")
        matching = [key for key in self.reasons if any(name.startswith(key) for name in names)]
        return self.reasons[max(matching, key=len)] if matching else ""
