"""Settings of a counter, checked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from textbayes._native import available_threads
from textbayes.counts.cuts import Cuts
from textbayes.counts.reading import TextReader
from textbayes.errors import ParameterConflictError
from textbayes.errors.checks import check_whole
from textbayes.text import TextSettings

# More threads would only cost memory.
_MOST_THREADS = 1024


@dataclass(frozen=True)
class CounterSettings:
    """Settings of a counter; :class:`textbayes.TextCounter` describes each.

    Parameters
    ----------
    text : TextSettings
        The terms of a text.
    cuts : Cuts
        The limits on terms.
    dimensions : int or None
        The number of hashed columns; None to keep a vocabulary.
    threads : int
        The number of threads.
    """

    text: TextSettings
    cuts: Cuts
    dimensions: int | None
    threads: int

    def reader(self) -> TextReader:
        """Return a reader of texts, for any vocabulary."""
        return TextReader(self.text.rules(), self.threads, self.dimensions)


COUNTER_PARAMETERS = (
    "lowercase",
    "tokens",
    "unit",
    "numbers",
    "stop_words",
    "stemmer",
    "ngram_range",
    "characters",
    "min_count",
    "min_df",
    "max_df",
    "max_features",
    "dimensions",
    "n_jobs",
)
"""The parameters of a TextCounter, as ``counter_settings`` takes them."""
ADDED_PARAMETERS: dict[str, Any] = {"characters": None}
"""Those that older model files lack, with the values that these files mean."""


def counter_settings(
    *,
    min_count: Any,
    min_df: Any,
    max_df: Any,
    max_features: Any,
    dimensions: Any,
    n_jobs: Any,
    **text: Any,
) -> CounterSettings:
    """Check the parameters of a TextCounter; the rules of its tokens are checked when they are compiled."""
    cuts = Cuts(min_count, min_df, max_df, max_features)
    if dimensions is not None:
        allowed = "a whole number from 1 to 2147483647, such as 2**20, or None to keep a vocabulary"
        check_whole("dimensions", dimensions, most=2**31 - 1, allowed=allowed)
        for cut in cuts.active:
            value = getattr(cuts, cut)
            raise ParameterConflictError(
                cut, value, "dimensions", dimensions, "Hashed columns have no vocabulary to cut"
            )
    return CounterSettings(TextSettings(**text), cuts, dimensions, _threads(n_jobs))


def _threads(n_jobs: object) -> int:
    if n_jobs is None or n_jobs == -1:
        return available_threads()
    allowed = "None or -1 for all cores, or a whole number from 1 up"
    return min(check_whole("n_jobs", n_jobs, allowed=allowed), _MOST_THREADS)
