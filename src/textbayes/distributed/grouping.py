"""Items of a stream, some at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")


def in_groups(items: Iterable[T], share: Callable[[T], float]) -> Iterator[list[T]]:
    """Yield items in groups, each as soon as it is full; only the last may be smaller.

    Parameters
    ----------
    items : iterable
        The items, which are read as they are needed.
    share : function
        What share of a group an item takes.

    Examples
    --------
    >>> from textbayes.distributed.grouping import in_groups
    >>> list(in_groups([b"ab", b"c", b"defgh", b"i"], share=lambda item: len(item) / 3))
    [[b'ab', b'c'], [b'defgh'], [b'i']]
    """
    group: list[T] = []
    filled = 0.0
    for item in items:
        group.append(item)
        filled += share(item)
        if filled >= 1:
            yield group
            group, filled = [], 0.0
    if group:
        yield group
