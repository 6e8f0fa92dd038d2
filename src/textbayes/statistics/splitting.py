"""Sums by parts: those of some terms, and those of no term, which add up to the whole."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from textbayes._native import Statistics

State = dict[str, NDArray[Any]]
_WHOLE = ("class_", "all")


class SumsPart(NamedTuple):
    """The sums of some terms, without totals of classes.

    Parameters
    ----------
    number : int
        The number of the part.
    columns : array
        The columns of its terms in the whole.
    classes : array
        The classes, in the whole, that its terms were seen in.
    sums : Statistics
        The sums over these columns and classes.
    """

    number: int
    columns: NDArray[np.uint32]
    classes: NDArray[np.uint32]
    sums: Statistics


def split_sums(sums: Statistics, part_of: NDArray[np.integer], parts: int) -> Iterator[SumsPart]:
    """Split sums by the part of each column; a part without documents is left out.

    Merged, all parts and ``sums_of_classes`` are the whole again.

    Parameters
    ----------
    sums : Statistics
        The whole.
    part_of : array of int
        For each column the number of its part, below ``parts``.
    parts : int
        The number of parts.
    """
    keys = np.where(sums.terms()[2] > 0, part_of, parts)
    order = np.argsort(keys, kind="stable").astype(np.uint32)
    classes = np.arange(len(sums.classes()[0]), dtype=np.uint32)
    state = sums.renumbered(order, classes).state()
    ends = np.searchsorted(keys[order], np.arange(parts + 1))
    for part in np.flatnonzero(np.diff(ends)).tolist():
        first, last = int(ends[part]), int(ends[part + 1])
        yield SumsPart(part, order[first:last], *_of_terms(state, first, last))


def sums_of_classes(sums: Statistics) -> Statistics:
    """Return the totals of the classes and of all documents, over no terms."""
    state = sums.state()
    totals = {name: array if name.startswith(_WHOLE) else array[:0] for name, array in state.items()}
    return Statistics.from_state({**totals, "pair_starts": np.zeros(1, dtype=np.int64)})


def _of_terms(state: State, first: int, last: int) -> tuple[NDArray[np.uint32], Statistics]:
    """Return the classes and the sums of consecutive terms."""
    starts = state["pair_starts"][first : last + 1]
    begin, end = int(starts[0]), int(starts[-1])
    classes, own = np.unique(state["pair_classes"][begin:end], return_inverse=True)
    part: State = {
        # Low parts are left out, as an empty array, if all are 0.
        name: array[begin:end] if name.startswith("pair_") else array[first:last]
        for name, array in state.items()
        if not name.startswith(_WHOLE)
    }
    part |= {"pair_starts": starts - begin, "pair_classes": own.astype(np.uint32)}
    part |= {"class_values": np.zeros(len(classes)), "class_values_low": np.empty(0)}
    part |= {"class_documents": np.zeros(len(classes), dtype=np.uint32), "all": np.zeros(5)}
    return classes.astype(np.uint32), Statistics.from_state(part)
