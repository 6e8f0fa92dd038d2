"""Tokens of a text, and the text split at their ends."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from textbayes.text import CHARACTERS_MARK, is_character_term

_WORD = re.compile(r"\S+")


class Token(NamedTuple):
    """A term at its place in the text.

    Parameters
    ----------
    start, end : int
        Position of its first character, and of the character after its last.
    term : str
        The term it was counted as; ``textbayes.text.shown_term`` makes a character n-gram readable.
    known : bool
        Whether the model has a column for it; if not, it contributes nothing.
    """

    start: int
    end: int
    term: str
    known: bool


class Stretch(NamedTuple):
    """A stretch of the text that is marked as one, such as a word.

    Parameters
    ----------
    parts : tuple of (str, float, bool)
        Its parts, each with the contribution that the whole stretch would have if all its characters had as
        much as those of the part, and whether a known token covers the part.
    lead : float
        The contribution of its characters.
    known : bool
        Whether a known token covers some of it.
    """

    parts: tuple[tuple[str, float, bool], ...]
    lead: float
    known: bool

    @property
    def text(self) -> str:
        """The characters."""
        return "".join(part for part, _, _ in self.parts)


def stretches(text: str, leads: Sequence[tuple[Token, float]]) -> Iterator[Stretch]:
    """Split the text into stretches to mark: its segments, or words if there are characters beside words."""
    parts = list(segments(text, leads))
    words = [token for token, _ in leads if is_single_word(token)]
    if not any(is_character_term(token.term) for token, _ in leads):
        yield from (Stretch((part,), *part[1:]) for part in parts)
        return
    cuts = {cut for token in words for cut in (token.start, token.end)}
    cuts |= {cut for word in _WORD.finditer(text) for cut in word.span()}
    group: list[tuple[str, float, bool]] = []
    end = 0
    for part in parts:
        group.append(part)
        end += len(part[0])
        if end in cuts or end == len(text):
            yield _stretch(group)
            group = []


def _stretch(parts: list[tuple[str, float, bool]]) -> Stretch:
    size = sum(len(part) for part, _, _ in parts)
    scaled = tuple((part, lead * size / max(len(part), 1), known) for part, lead, known in parts)
    return Stretch(scaled, sum(lead for _, lead, _ in parts), any(known for *_, known in parts))


def is_single_word(token: Token) -> bool:
    """Return whether a token is a word, not a run of words or characters."""
    return " " not in token.term and not is_character_term(token.term)


def words_of(text: str, tokens: Sequence[Token]) -> list[Token]:
    """Return for each token the one that it is listed with.

    A character n-gram is listed with a word that it overlaps, or the nearest word between the same spaces. If
    there is none, it is listed with all characters between the spaces. Any other token is listed by itself.
    """
    words = sorted((token for token in tokens if is_single_word(token)), key=lambda token: token.start)
    starts = [word.start for word in words]
    between = [match.span() for match in _WORD.finditer(text)]
    first_of = [start for start, _ in between]
    # One for each stretch: a copy of a long stretch for each n-gram in it would take quadratic time.
    outside: dict[int, Token] = {}
    found = []
    for token in tokens:
        if not is_character_term(token.term):
            found.append(token)
            continue
        start, end = between[bisect_right(first_of, token.start) - 1]
        # Two words may begin before the n-gram and overlap it: pairs of characters overlap each other.
        first = max(bisect_left(starts, start), bisect_right(starts, token.start) - 2)
        last = min(bisect_left(starts, end), bisect_left(starts, token.end) + 1)
        own = max(words[first:last], key=lambda word: _overlap(word, token), default=None)
        if own is None and start not in outside:
            outside[start] = Token(start, end, CHARACTERS_MARK + text[start:end], token.known)
        found.append(own or outside[start])
    return found


def _overlap(one: Token, other: Token) -> int:
    """Return the number of common characters; below 0, the distance."""
    return min(one.end, other.end) - max(one.start, other.start)


def segments(text: str, leads: Sequence[tuple[Token, float]]) -> Iterator[tuple[str, float, bool]]:
    """Split the text where tokens begin and end: (part, contribution, whether a known token covers it).

    Tokens may overlap, as word n-grams and character n-grams do. A token's contribution is spread evenly over
    its characters, so the contributions of the parts sum to those of the tokens.
    """
    spans = [_covered(text, token) for token, _ in leads]
    cuts = sorted({0, len(text), *(cut for span in spans for cut in span)})
    number_of = {cut: number for number, cut in enumerate(cuts)}
    contributions = np.zeros(len(cuts))
    covered = np.zeros(len(cuts), dtype=bool)
    for (token, lead), (start, end) in zip(leads, spans, strict=True):
        for number in range(number_of[start], number_of[end]):
            contributions[number] += lead * ((cuts[number + 1] - cuts[number]) / (end - start))
            covered[number] |= token.known
    for number in range(len(cuts) - 1):
        part = text[cuts[number] : cuts[number + 1]]
        yield part, float(contributions[number]), bool(covered[number])


def _covered(text: str, token: Token) -> tuple[int, int]:
    """Return the characters of a token; for the space beside a word, the nearest character of the word."""
    if token.start < token.end:
        return token.start, token.end
    at = token.start
    return (at, at + 1) if at < len(text) and not text[at].isspace() else (at - 1, at)


def largest_size(contributions: Iterable[float]) -> float:
    """Return the largest finite absolute value, or 1 if there is none above 0."""
    return max((abs(one) for one in contributions if np.isfinite(one)), default=0.0) or 1.0
