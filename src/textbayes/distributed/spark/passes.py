"""Passes over a data frame, as ``textbayes.distributed.fit_by`` asks for them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from pyspark.sql import DataFrame

from textbayes.distributed import Plan
from textbayes.distributed.spark.cells import SCHEMA, join_cells
from textbayes.distributed.spark.columns import is_plain, quoted
from textbayes.distributed.spark.faults import worker_errors
from textbayes.distributed.spark.files import send_file
from textbayes.distributed.spark.workers import counter, merge_cells


def run_on(frame: DataFrame) -> Callable[[Plan], Iterator[bytes]]:
    """Return the function for ``fit_by`` that counts all rows of a data frame."""

    def run(plan: Plan) -> Iterator[bytes]:
        return collect_blobs(merge_statistics(count_frame(frame, plan)))

    return run


def count_frame(frame: DataFrame, plan: Plan) -> DataFrame:
    """Return the statistics of a data frame, by partition and shard; nothing runs yet."""
    file = None if plan.file is None else send_file(frame.sparkSession, plan.file)
    rows = frame.select(quoted(plan.text), quoted(plan.label))
    if not is_plain(rows.columns):
        rows, plan = rows.toDF("text", "label"), replace(plan, text="text", label="label")
    return rows.mapInArrow(counter(plan, file), SCHEMA)


def merge_statistics(statistics: DataFrame) -> DataFrame:
    """Return statistics with one blob for each shard; nothing runs yet."""
    return statistics.groupBy("shard").applyInArrow(merge_cells, SCHEMA)


def collect_blobs(statistics: DataFrame) -> Iterator[bytes]:
    """Bring blobs to the driver, partition by partition."""
    # Without the shuffle, classic Spark would also merge partition by partition, on one core of the cluster.
    with worker_errors():
        for _, blob in join_cells(statistics.repartition("shard").toLocalIterator()):
            yield blob
