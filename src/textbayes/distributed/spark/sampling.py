"""A sample of a data frame, the same in any partitioning."""

from __future__ import annotations

from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from textbayes.distributed.spark.columns import quoted
from textbayes.errors.checks import check_whole


def sample_texts(frame: DataFrame, text: str, label: str, size: int) -> tuple[list[str], list[Any]]:
    """Bring the texts with the smallest hashes, and their labels, to the driver.

    Equal texts are ordered by their labels, so the sample depends on the rows alone.
    """
    check_whole("sample_size", size)
    rows = frame.select(F.col(quoted(text)).alias("text"), F.col(quoted(label)).alias("label"))
    chosen = rows.orderBy(F.xxhash64("text"), "text", "label").limit(size).toArrow()
    return chosen.column("text").to_pylist(), chosen.column("label").to_pylist()
