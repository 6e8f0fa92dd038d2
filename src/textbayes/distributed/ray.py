"""Passes by Ray Data."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import ray
from ray.data.aggregate import AggregateFnV2
from ray.data.block import BlockAccessor

from textbayes.distributed.counting import count_batches, merge
from textbayes.distributed.plan import Plan


def run_on_ray(dataset: ray.data.Dataset) -> Callable[[Plan], list[bytes]]:
    """Return a function for ``fit_by`` that counts a dataset of Ray Data.

    The dataset has a column of texts, and one of labels or lists of labels. It is read in every pass.
    """

    def run(plan: Plan) -> list[bytes]:
        # Workers on other machines cannot read a file of this one.
        file = None if plan.file is None else ray.put(Path(plan.file).read_bytes())
        counted = dataset.select_columns([plan.text, plan.label]).map_batches(
            _count, batch_format="pyarrow", batch_size=None, fn_kwargs={"plan": plan, "file": file}
        )
        return [row["blob"] for row in counted.groupby("shard").aggregate(_Merge()).iter_rows()]

    return run


def _count(table: pa.Table, plan: Plan, file: Any) -> pa.Table:
    plan = plan if file is None else plan.with_file(Path(_copy(file).name, "plan.tb"))
    found = list(count_batches(table.to_batches(), plan))  # nothing, of an empty block
    shards, blobs = ([pair[at] for pair in found] for at in (0, 1))
    return pa.table({"shard": pa.array(shards, pa.int32()), "blob": pa.array(blobs, pa.large_binary())})


@lru_cache(maxsize=1)
def _copy(file: Any) -> tempfile.TemporaryDirectory[str]:
    """Write the file of a plan, once for each worker and pass; its folder goes with the next one."""
    folder = tempfile.TemporaryDirectory(prefix="textbayes-")
    Path(folder.name, "plan.tb").write_bytes(ray.get(file))
    return folder


class _Merge(AggregateFnV2):  # type: ignore[misc]
    def __init__(self) -> None:
        super().__init__("blob", lambda: None, on="blob", ignore_nulls=True)

    def aggregate_block(self, block: Any) -> bytes:
        return merge(BlockAccessor.for_block(block).to_arrow()["blob"].to_pylist())

    def combine(self, current_accumulator: bytes, new: bytes) -> bytes:
        return merge([current_accumulator, new])
