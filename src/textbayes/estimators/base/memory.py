"""Memory that the C library keeps for later."""

from __future__ import annotations

import ctypes
import gc
from functools import cache
from typing import Any


def release_memory(cycles: bool = False) -> None:
    """Return free memory to the system; with ``cycles``, look for objects that only hold each other first.

    The threads of a search free arrays of many sizes, and glibc keeps most of their memory: on 20 Newsgroups
    half of the peak. Elsewhere this does nothing.
    """
    if cycles:
        gc.collect()
    trim = _trimmer()
    if trim is not None:
        trim(0)


@cache
def _trimmer() -> Any:
    try:
        return ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):
        return None
