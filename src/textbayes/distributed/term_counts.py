"""The first step: the documents and occurrences of each term."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textbayes._native import Vocabulary
from textbayes.counts import TermCounts
from textbayes.counts.storing import restore_vocabulary, store_vocabulary
from textbayes.distributed.contents import Contents
from textbayes.persistence import Stored
from textbayes.statistics import Targets

# Terms of a worker before it passes them on: some hundred megabytes.
_MOST_TERMS = 1 << 22


class TermTally:
    """Count the documents and occurrences of each term, by the vocabulary or by hashed columns.

    Parameters
    ----------
    contents : Contents
        How texts are counted.
    """

    def __init__(self, contents: Contents) -> None:
        self._reader = contents.reader
        self._vocabulary, self._counts = Vocabulary(), TermCounts()

    def add(self, texts: Any, targets: Targets) -> None:  # noqa: ARG002
        """Count texts."""
        counting = self._reader.count(texts)
        if self._reader.dimensions is None:
            counting.name_and_grow(self._vocabulary)
        else:
            counting.name_hashed(self._reader.dimensions)
        width = self._reader.width(self._vocabulary)
        sums = (array.astype(np.int64) for array in counting.sums(width))
        self._counts.merge(TermCounts(len(counting), *sums), np.arange(width))

    @property
    def is_full(self) -> bool:
        """Whether the counts are so many that they are passed on."""
        return len(self._vocabulary) > _MOST_TERMS

    def parts(self, shards: int) -> Iterator[tuple[int, Stored]]:
        """Yield the counts by shards, then the number of documents."""
        counts, hashed = self._counts, self._reader.dimensions is not None
        seen = np.flatnonzero(counts.documents_with).astype(np.uint32)
        shard_of = seen % shards if hashed else self._vocabulary.hashed(shards)[seen]
        for shard in np.unique(shard_of).tolist():
            columns = seen[shard_of == shard]
            own = None if hashed else self._vocabulary.select(columns)
            yield shard, _store(own, columns, counts.take(columns))
        yield shards, Stored({"documents": counts.documents})


def merge_terms(parts: Sequence[Stored]) -> Stored:
    """Add the counts of one shard."""
    if "documents" in parts[0].configuration:
        return Stored({"documents": sum(part.size("documents") for part in parts)})
    columns, vocabulary, counts = join_terms(parts)
    return _store(vocabulary, columns, counts)


def join_terms(parts: Sequence[Stored]) -> tuple[NDArray[np.uint32], Vocabulary | None, TermCounts]:
    """Return the hashed columns or the terms of several parts, and their counts."""
    counts = TermCounts()
    if not parts or parts[0].has_part("vocabulary"):
        vocabulary = Vocabulary()
        for part in parts:
            theirs = restore_vocabulary(part.part("vocabulary"))
            counts.merge(_counts(part), vocabulary.join(theirs))
        return np.empty(0, dtype=np.uint32), vocabulary, counts
    columns = np.unique(np.concatenate([part.array("columns", np.uint32) for part in parts]))
    for part in parts:
        counts.merge(_counts(part), np.searchsorted(columns, part.array("columns", np.uint32)))
    return columns, None, counts


def _store(vocabulary: Vocabulary | None, columns: Any, counts: TermCounts) -> Stored:
    arrays = {"documents_with": counts.documents_with, "occurrences": counts.occurrences}
    if vocabulary is None:
        return Stored({}, {**arrays, "columns": columns})
    return Stored({}, arrays).with_part("vocabulary", store_vocabulary(vocabulary))


def _counts(part: Stored) -> TermCounts:
    documents_with = part.array("documents_with", np.int64)
    return TermCounts(0, documents_with, part.array("occurrences", np.int64, len(documents_with)))
