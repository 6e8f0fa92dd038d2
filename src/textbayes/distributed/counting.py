"""Batches → blobs, on a worker; blobs → one blob."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from textbayes._native import limit_threads
from textbayes.distributed.blobs import Blob, check_alike
from textbayes.distributed.grouping import in_groups
from textbayes.distributed.lengths import LengthTally, merge_lengths
from textbayes.distributed.plan import Plan
from textbayes.distributed.sums import SumTally, merge_sums
from textbayes.distributed.term_counts import TermTally, merge_terms
from textbayes.errors import NoDocumentsError

if TYPE_CHECKING:
    import pyarrow as pa

STEPS: dict[str, tuple[Any, Any]] = {
    "terms": (TermTally, merge_terms),
    "lengths": (LengthTally, merge_lengths),
    "sums": (SumTally, merge_sums),
}
"""For each step what counts, and what adds its counts."""
# Blobs are added when they have this many bytes.
_MERGED_BYTES = 1 << 26


def count_batches(batches: Iterable[pa.RecordBatch], plan: Plan) -> Iterator[tuple[int, bytes]]:
    """Count labelled texts.

    Parameters
    ----------
    batches : iterable of pyarrow.RecordBatch
        Rows with the columns of the plan: texts, and their labels, or a list of labels for each.
    plan : Plan
        What is counted.

    Yields
    ------
    (int, bytes)
        The number of a shard, and a blob of its statistics. Numbers go up to ``plan.shards``, which stands
        for what is of no term. A shard may come several times, or never.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from textbayes import TextClassifier, TextCounter
    >>> from textbayes.distributed import count_batches, finish, merge_shards, plan_fit
    >>> batch = pa.record_batch({"text": ["wheat corn", "crude oil"], "label": ["grain", "oil"]})
    >>> counter = TextCounter(dimensions=2**20)
    >>> classifier = TextClassifier("multinomial", counter, keep_documents=False)
    >>> plan = plan_fit(classifier)
    >>> blobs = merge_shards(count_batches([batch], plan))
    >>> finish(blobs, plan, classifier).predict(["corn"])
    array(['grain'], dtype='<U5')
    """
    # Imported here: pyarrow takes a tenth of a second.
    from textbayes.distributed.columns import text_blocks

    contents = plan.contents()
    make, _ = STEPS[plan.step]
    tally = make(contents)
    for texts, targets in text_blocks(batches, plan.text, plan.label):
        with _threads(plan.threads):
            tally.add(texts, targets)
        if tally.is_full:
            yield from _blobs(tally, plan)
            tally = make(contents)
    yield from _blobs(tally, plan)


def merge(blobs: Iterable[bytes]) -> bytes:
    """Add the blobs of one shard.

    Parameters
    ----------
    blobs : iterable of bytes
        One blob or more, of one plan and one shard.

    Raises
    ------
    BlobError
        If they are of different plans or shards, or the sum is too large for a blob.
    WorkerVersionError
        If another version of textbayes made one of them.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from textbayes import TextClassifier, TextCounter
    >>> from textbayes.distributed import count_batches, merge, plan_fit
    >>> counter = TextCounter(dimensions=2**20)
    >>> plan = plan_fit(TextClassifier("complement", counter, keep_documents=False), shards=1)
    >>> batch = pa.record_batch({"text": ["corn", "crude oil"], "label": ["grain", "oil"]})
    >>> first, second = (dict(count_batches([batch], plan)) for _ in range(2))
    >>> len(merge([first[0], second[0]])) > 0
    True
    """
    whole: list[Blob] = []
    # Some at a time, so that not all of them are in memory.
    for some in in_groups(blobs, share=lambda blob: len(blob) / _MERGED_BYTES):
        found = [*whole, *map(Blob.from_bytes, some)]
        first = check_alike(found, "plan", "step", "shards", "shard")
        _, merge_step = STEPS[first.step]
        whole = [replace(first, contents=merge_step([blob.contents for blob in found]))]
    if not whole:
        raise NoDocumentsError("blobs", "one blob or more of one shard")
    return whole[0].to_bytes()


def _blobs(tally: Any, plan: Plan) -> Iterator[tuple[int, bytes]]:
    for shard, stored in tally.parts(plan.shards):
        yield shard, Blob(plan.key, plan.step, shard, plan.shards, stored).to_bytes()


@contextmanager
def _threads(limit: int) -> Iterator[None]:
    before = limit_threads(limit)
    try:
        yield
    finally:
        limit_threads(before)
