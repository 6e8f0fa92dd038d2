"""Kinds of columns: words, word pairs, and character n-grams."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from textbayes.errors import ParameterError
from textbayes.text import is_character_term

Kinds = NDArray[np.uint8]

WORD, PAIR, CHARACTERS = range(3)
# The kinds of columns that a representation may use.
COLUMNS = {
    "all": (WORD, PAIR, CHARACTERS),
    "words": (WORD,),
    "pairs": (WORD, PAIR),
    "characters": (CHARACTERS,),
}


def check_terms(terms: Any, width: int | None = None) -> None:
    """Raise ParameterError unless there is a term, or a kind, for each column; by default of any number."""
    if terms is None:
        return
    given = np.asarray(terms)
    known = given.dtype.kind in "bOU" or (given.dtype.kind in "iu" and np.isin(given, (0, 1, 2)).all())
    if given.ndim != 1 or (width is not None and len(given) != width) or not known:
        columns = "every column" if width is None else f"{width} columns"
        allowed = f"a term for {columns}: TextCounter's get_feature_names_out(); or a kind, 0, 1 or 2"
        raise ParameterError("terms", given, allowed)


def column_kinds(terms: Any, width: int) -> Kinds:
    """Return the kind of each column; without terms, and in columns added later, it is a word.

    Examples
    --------
    >>> from textbayes.estimators.auto.column_kinds import column_kinds
    >>> column_kinds(["oil", "crude oil", chr(0) + "il "], 4)
    array([0, 1, 2, 0], dtype=uint8)
    """
    kinds = np.zeros(width, dtype=np.uint8)
    if terms is not None:
        given = np.asarray(terms)
        known = given if given.dtype.kind in "biu" else np.array([_kind(str(term)) for term in given])
        kinds[: len(known)] = known[:width]
    return kinds


def _kind(term: str) -> int:
    if is_character_term(term):
        return CHARACTERS
    return PAIR if " " in term else WORD


def used_columns(columns: str, kinds: Kinds) -> NDArray[np.bool_]:
    """Return a mask of the columns that a representation uses."""
    return np.isin(kinds, COLUMNS[columns])
