"""Tokens of a text, and the text split at their ends."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np


class Token(NamedTuple):
    """A term at its place in the text.

    Parameters
    ----------
    start, end : int
        Position of its first character, and of the character after its last.
    term : str
        The term it was counted as.
    known : bool
        Whether the model has a column for it; if not, it contributes nothing.
    """

    start: int
    end: int
    term: str
    known: bool


def segments(text: str, leads: Sequence[tuple[Token, float]]) -> Iterator[tuple[str, float, bool]]:
    """Split the text where tokens begin and end: (part, contribution, whether a known token covers it).

    Tokens may overlap, as word n-grams and character n-grams do. A token's contribution is spread evenly over
    its characters, so the contributions of the parts sum to those of the tokens.
    """
    cuts = sorted({0, len(text), *(t.start for t, _ in leads), *(t.end for t, _ in leads)})
    number_of = {cut: number for number, cut in enumerate(cuts)}
    contributions = np.zeros(len(cuts))
    covered = np.zeros(len(cuts), dtype=bool)
    for token, lead in leads:
        for number in range(number_of[token.start], number_of[token.end]):
            share = (cuts[number + 1] - cuts[number]) / max(token.end - token.start, 1)
            contributions[number] += lead * share
            covered[number] |= token.known
    for number in range(len(cuts) - 1):
        part = text[cuts[number] : cuts[number + 1]]
        yield part, float(contributions[number]), bool(covered[number])


def largest_size(contributions: Iterable[float]) -> float:
    """Return the largest finite absolute value, or 1 if there is none above 0."""
    return max((abs(one) for one in contributions if np.isfinite(one)), default=0.0) or 1.0
