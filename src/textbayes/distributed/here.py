"""Passes in this process."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from textbayes.distributed.counting import count_batches, merge
from textbayes.distributed.plan import Plan

if TYPE_CHECKING:
    import pyarrow as pa

# Blobs of a shard that wait until they are merged: more would fill memory, fewer take more time.
_MOST_WAITING = 8


def run_here(parts: Sequence[Iterable[pa.RecordBatch]]) -> Callable[[Plan], list[bytes]]:
    """Return a function for ``fit_by`` that counts in this process, part by part.

    Parameters
    ----------
    parts : sequence of iterables
        The data; each part is iterated once in every pass.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from textbayes import TextClassifier
    >>> from textbayes.distributed import fit_by, run_here
    >>> parts = [[pa.record_batch({"text": ["corn"], "label": ["grain"]})]]
    >>> parts += [[pa.record_batch({"text": ["crude oil"], "label": ["oil"]})]]
    >>> fit_by(TextClassifier("centroid", keep_documents=False), run_here(parts)).classes_
    array(['grain', 'oil'], dtype='<U5')
    """

    def run(plan: Plan) -> list[bytes]:
        return merge_shards(blob for part in parts for blob in count_batches(part, plan))

    return run


def merge_shards(blobs: Iterable[tuple[int, bytes]]) -> list[bytes]:
    """Merge blobs by their shards; few of them wait in memory.

    Parameters
    ----------
    blobs : iterable of (int, bytes)
        What ``count_batches`` yields, of any number of parts.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from textbayes import TextClassifier, TextCounter
    >>> from textbayes.distributed import count_batches, merge_shards, plan_fit
    >>> counter = TextCounter(dimensions=2**20)
    >>> plan = plan_fit(TextClassifier("complement", counter, keep_documents=False), shards=1)
    >>> batch = pa.record_batch({"text": ["corn", "crude oil"], "label": ["grain", "oil"]})
    >>> len(merge_shards(blob for _ in range(3) for blob in count_batches([batch], plan)))
    2
    """
    return list(merge_by_shard(blobs).values())


def merge_by_shard(blobs: Iterable[tuple[int, bytes]]) -> dict[int, bytes]:
    """Merge blobs by their shards; return the blob of each shard."""
    found: dict[int, list[bytes]] = {}
    for shard, blob in blobs:
        waiting = found.setdefault(shard, [])
        waiting.append(blob)
        if len(waiting) == _MOST_WAITING:
            found[shard] = [merge(waiting)]
    return {shard: waiting[0] if len(waiting) == 1 else merge(waiting) for shard, waiting in found.items()}
