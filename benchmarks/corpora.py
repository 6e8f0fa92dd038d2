"""The texts that benchmarks run on."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from textbayes.datasets import data_home, load_docstrings, load_newsgroups
from textbayes.errors import CorpusMissingError

_SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


@dataclass(frozen=True, slots=True)
class BenchmarkCorpus:
    """Texts, and how a table calls them."""

    name: str
    texts: list[str]
    stand_in: bool = False

    @property
    def bytes(self) -> int:
        """The size of the texts in UTF-8."""
        return sum(len(text.encode()) for text in self.texts)


def newsgroups_or_docstrings(documents: int | None = None) -> BenchmarkCorpus:
    """Load all of 20 Newsgroups, or the built-in corpus where that is absent.

    It is looked for in ``TEXTBAYES_DATA``, else in ``shared/data`` beside the repository, else in the user's
    cache folder. ``documents`` takes only so many, for trying a benchmark out.
    """
    if "TEXTBAYES_DATA" not in os.environ and _SHARED.is_dir():
        os.environ["TEXTBAYES_DATA"] = str(_SHARED)
    try:
        corpus, stand_in = load_newsgroups(), False
    except CorpusMissingError:
        corpus, stand_in = load_docstrings(), True
    return BenchmarkCorpus(corpus.name, corpus.texts[:documents], stand_in)


def missing_note() -> str:
    """Say why the figures are not those of 20 Newsgroups."""
    return (
        f"20 Newsgroups is not in {data_home()}, so this is the built-in corpus: its ratios are not those "
        "that the targets are about. `textbayes data fetch newsgroups` gets it."
    )
