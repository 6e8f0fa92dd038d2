"""A text cut where its tokens begin and end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np


class Token(NamedTuple):
    """A term where it stands in the text.

    Parameters
    ----------
    start, end : int
        Its first character, and the one behind its last.
    term : str
        What it was counted as.
    known : bool
        Whether the model has a column for it; otherwise it says nothing.
    """

    start: int
    end: int
    term: str
    known: bool


def segments(text: str, leads: Sequence[tuple[Token, float]]) -> Iterator[tuple[str, float, bool]]:
    """Cut the text where tokens begin and end: (part, what it says, whether a known token covers it).

    Tokens may overlap, as runs of words and pairs of characters do. What a token says is spread over its
    characters, so that the parts say together what the tokens say.
    """
    cuts = sorted({0, len(text), *(t.start for t, _ in leads), *(t.end for t, _ in leads)})
    number_of = {cut: number for number, cut in enumerate(cuts)}
    says = np.zeros(len(cuts))
    covered = np.zeros(len(cuts), dtype=bool)
    for token, lead in leads:
        for number in range(number_of[token.start], number_of[token.end]):
            says[number] += lead * (cuts[number + 1] - cuts[number]) / max(token.end - token.start, 1)
            covered[number] |= token.known
    for number in range(len(cuts) - 1):
        part = text[cuts[number] : cuts[number + 1]]
        yield part, float(says[number]), bool(covered[number])


def strongest_of(says: Iterable[float]) -> float:
    """Return the size to measure others by: the largest there is, but for what rules a class out."""
    return max((abs(one) for one in says if np.isfinite(one)), default=0.0) or 1.0
