"""The corpora of the benchmarks."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from textbayes.datasets import data_home, load_docstrings, load_newsgroups
from textbayes.errors import CorpusMissingError

_SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


@dataclass(frozen=True, slots=True)
class BenchmarkCorpus:
    """Texts and the name of their corpus."""

    name: str
    texts: list[str]
    stand_in: bool = False

    @property
    def bytes(self) -> int:
        """The size of the texts in UTF-8."""
        return sum(len(text.encode()) for text in self.texts)


def use_shared_corpora() -> None:
    """Use ``shared/data`` beside the repository for corpora, unless ``TEXTBAYES_DATA`` is set."""
    if "TEXTBAYES_DATA" not in os.environ and _SHARED.is_dir():
        os.environ["TEXTBAYES_DATA"] = str(_SHARED)


def newsgroups_or_docstrings(documents: int | None = None) -> BenchmarkCorpus:
    """Load all of 20 Newsgroups, or the built-in corpus if it is missing.

    The corpus is looked up in ``TEXTBAYES_DATA``, then in ``shared/data`` beside the repository, then in the
    user's cache folder. ``documents`` limits the number of documents, for a quick trial.
    """
    use_shared_corpora()
    try:
        corpus, stand_in = load_newsgroups(), False
    except CorpusMissingError:
        corpus, stand_in = load_docstrings(), True
    return BenchmarkCorpus(corpus.name, corpus.texts[:documents], stand_in)


def missing_note() -> str:
    """Return a note that the built-in corpus is used instead."""
    return (
        f"20 Newsgroups is not in {data_home()}, so this run uses the built-in corpus. The targets "
        "do not apply to it. Run `textbayes data fetch newsgroups` to get 20 Newsgroups."
    )
