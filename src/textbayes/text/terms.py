"""Terms as people see them."""

from __future__ import annotations

import re

CHARACTERS_MARK = "\0"
"""The first character of a character n-gram that is counted beside words; no word begins with it."""

# Characters that could move the cursor of a terminal or colour the rest.
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def is_character_term(term: str) -> bool:
    """Return whether a term is a character n-gram that was counted beside words.

    Examples
    --------
    >>> from textbayes import TextCounter
    >>> from textbayes.text import is_character_term
    >>> terms = TextCounter(characters=(3, 3)).terms("oil")
    >>> [is_character_term(term) for term in terms]
    [False, True, True, True]
    """
    return term.startswith(CHARACTERS_MARK)


def shown_term(term: str) -> str:
    """Return a term as it is printed: a character n-gram is between ‹ and ›.

    Examples
    --------
    >>> from textbayes import TextCounter
    >>> from textbayes.text import shown_term
    >>> [shown_term(term) for term in TextCounter(characters=(3, 3)).terms("oil")]
    ['oil', '‹ oi›', '‹oil›', '‹il ›']
    """
    if not is_character_term(term):
        return term
    characters = term.removeprefix(CHARACTERS_MARK)
    return f"‹{_CONTROL.sub(chr(0xFFFD), characters)}›"
