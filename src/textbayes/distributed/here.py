"""Passes in this process, and in other processes of this machine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from textbayes.distributed.counting import count_batches, merge
from textbayes.distributed.plan import Plan

if TYPE_CHECKING:
    import pyarrow as pa


def run_here(parts: Sequence[Iterable[pa.RecordBatch]]) -> Callable[[Plan], list[bytes]]:
    """Return a function for ``fit_by`` that counts in this process, part by part.

    Parameters
    ----------
    parts : sequence of iterables
        The data; each part is iterated once in every pass.
    """

    def run(plan: Plan) -> list[bytes]:
        return merge_shards(blob for part in parts for blob in count_batches(part, plan))

    return run


def merge_shards(blobs: Iterable[tuple[int, bytes]]) -> list[bytes]:
    """Merge blobs by their shards."""
    found: dict[int, list[bytes]] = {}
    for shard, blob in blobs:
        found.setdefault(shard, []).append(blob)
    return [merge(own) for own in found.values()]
