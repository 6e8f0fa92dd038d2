"""What workers do: count the rows of a partition, and add blobs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pyarrow as pa

from textbayes.distributed import Plan, count_batches, merge
from textbayes.distributed.spark.cells import blob_cells, join_cells, table_rows
from textbayes.distributed.spark.files import received

Batches = Iterator[pa.RecordBatch]


def counter(plan: Plan, file: str | None) -> Callable[[Batches], Batches]:
    """Return the function that counts a partition by a plan, whose file was sent by the name ``file``."""
    return partial(_count, plan, file)


def _count(plan: Plan, file: str | None, batches: Batches) -> Batches:
    if file is not None:
        plan = plan.with_file(received(file))
    for shard, blob in count_batches(batches, plan):
        yield from blob_cells(shard, blob)


# By its types, Spark knows that it takes the rows of a group some at a time.
def merge_cells(key: tuple[Any, ...], batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Add the blobs of one shard."""
    rows = (row for batch in batches for row in table_rows(batch))
    yield from blob_cells(key[0].as_py(), merge(blob for _, blob in join_cells(rows)))
