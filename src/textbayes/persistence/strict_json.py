"""JSON by the standard: no NaN, no infinities, no duplicate names."""

from __future__ import annotations

import json
import math
from typing import Any


def finite(value: Any) -> Any:
    """Replace NaN and infinities, which JSON lacks, with None.

    Examples
    --------
    >>> from textbayes.persistence import finite
    >>> finite({"score": [1.5, float("-inf")]})
    {'score': [1.5, None]}
    """
    if isinstance(value, dict):
        return {key: finite(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [finite(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def parse_json(text: str) -> Any:
    """Parse JSON; refuse duplicate names, NaN and infinities.

    Raises
    ------
    ValueError
        If the text is not valid JSON.
    RecursionError
        If it is nested too deeply.

    Examples
    --------
    >>> from textbayes.persistence import parse_json
    >>> parse_json('{"labels": ["spam", "ham"]}')
    {'labels': ['spam', 'ham']}
    """
    return json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse_constant)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    unique = dict(pairs)
    if len(unique) != len(pairs):
        raise ValueError("a name occurs twice")
    return unique


def _refuse_constant(word: str) -> Any:
    raise ValueError(f"{word} is not a number")
