"""Numbers that JSON can represent."""

from __future__ import annotations

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
