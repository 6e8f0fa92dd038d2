"""The strongest terms of a class, as people read them."""

from __future__ import annotations

from collections.abc import Iterable

from textbayes.text import CHARACTERS_MARK, is_character_term, shown_term


def strongest_terms(ranked: Iterable[tuple[str, float]], most: int) -> list[tuple[str, float]]:
    r"""Return the first terms: words, then character n-grams if there are too few words.

    If a word is strong, so are its character n-grams. So a character n-gram that is part of a listed term is
    left out, and so is one that contains a listed character n-gram.

    Parameters
    ----------
    ranked : iterable of (str, float)
        Terms and their evidence, the strongest first.
    most : int
        The number of terms to return.

    Examples
    --------
    >>> from textbayes.estimators.views.ranking import strongest_terms
    >>> strongest_terms([("\0heat", 3.0), ("wheat", 2.0), ("\0corn", 1.5), ("\0corns", 1.0)], 3)
    [('wheat', 2.0), ('‹corn›', 1.5)]
    """
    found: list[tuple[str, float]] = []
    others: list[tuple[str, float]] = []
    for term, evidence in ranked:
        if len(found) == most:
            return found
        (others if is_character_term(term) else found).append((term, evidence))
    listed = [f" {term} " for term, _ in found]
    grams: list[str] = []
    for term, evidence in others:
        gram = term.removeprefix(CHARACTERS_MARK)
        if len(found) == most:
            break
        if any(gram in one for one in listed) or any(gram in one or one in gram for one in grams):
            continue
        grams.append(gram)
        found.append((shown_term(term), evidence))
    return found
