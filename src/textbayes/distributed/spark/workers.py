"""What workers do: count the rows of a partition, and add blobs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pyarrow as pa
from pyspark import TaskContext

from textbayes.distributed import Plan, count_batches, merge
from textbayes.distributed.spark.cells import blob_cells, join_cells, table_rows
from textbayes.distributed.spark.files import received

FAN_IN = 64
"""The number of partitions whose blobs are added first, so that no task holds those of all partitions."""

Batches = Iterator[pa.RecordBatch]


def counter(plan: Plan, file: str | None) -> Callable[[Batches], Batches]:
    """Return the function that counts a partition by a plan, whose file was sent by the name ``file``."""
    return partial(_count, plan, file)


def _count(plan: Plan, file: str | None, batches: Batches) -> Batches:
    if file is not None:
        plan = plan.with_file(received(file))
    context = TaskContext.get()
    bucket = 0 if context is None else context.partitionId() // FAN_IN
    for shard, blob in count_batches(batches, plan):
        yield from blob_cells(shard, bucket, blob)


def merge_cells(key: tuple[Any, ...], table: pa.Table) -> pa.Table:
    """Add the blobs of one shard, those of one bucket or all."""
    shard = key[0].as_py()
    merged = merge(blob for _, blob in join_cells(table_rows(table)))
    return pa.Table.from_batches(list(blob_cells(shard, 0, merged)))
