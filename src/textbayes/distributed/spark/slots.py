"""Two places for a model file in one folder, written in turn, so that one of them is always complete.

A slot is a Parquet table with the pieces of one file. Every row says how many there are, so a slot that was
written in part is recognised, whatever the file system promises.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pyarrow as pa
from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, SparkSession

from textbayes.distributed.spark.cells import CELL
from textbayes.distributed.spark.files import file_digest, received
from textbayes.errors import ModelDamagedError

SAVED = -1
"""The number of the batch of a model that no stream has taught."""
_SCHEMA = "batch long, piece int, pieces int, digest string, bytes binary"
_TYPES = pa.schema(
    [
        ("batch", pa.int64()),
        ("piece", pa.int32()),
        ("pieces", pa.int32()),
        ("digest", pa.string()),
        ("bytes", pa.binary()),
    ]
)
_SLOTS = 2


@dataclass(frozen=True)
class Slot:
    """A complete model file in a folder.

    Parameters
    ----------
    path : str
        The path of its table.
    batch : int
        The last batch that it has learned.
    digest : str
        The digest of the file.
    """

    path: str
    batch: int
    digest: str


def write_slot(session: SparkSession, path: str, file: str, batch: int) -> None:
    """Write a file, which was sent to the workers by this name, as the model after a batch."""
    digest, size = file.split("-")[1:3]
    pieces = max(1, -(-int(size.split(".")[0]) // CELL))
    numbers = session.range(0, pieces, 1, min(pieces, 8))
    read = partial(_read_pieces, file, CELL, (batch, pieces, digest))
    rows = numbers.mapInArrow(read, _SCHEMA)
    rows.write.mode("overwrite").parquet(_slot_path(path, (batch + 1) % _SLOTS))


def newest_slot(session: SparkSession, path: str) -> Slot | None:
    """Return the complete slot of the last batch; None if there is none."""
    found = [slot for number in range(_SLOTS) for slot in _complete(session, _slot_path(path, number))]
    return max(found, key=lambda slot: slot.batch, default=None)


def read_slot(session: SparkSession, slot: Slot, file: Path) -> None:
    """Write the model file of a slot to a local file, one piece at a time."""
    with file.open("wb") as target:
        for row in _read(session, slot.path).select("piece", "bytes").toLocalIterator():
            target.seek(row["piece"] * CELL)
            target.write(row["bytes"])
    if file_digest(file) != slot.digest:
        raise ModelDamagedError(slot.path, "its digest is not that of its bytes")


def _read_pieces(
    file: str, size: int, facts: tuple[int, int, str], batches: Iterator[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    batch, pieces, digest = facts
    with open(received(file), "rb") as source:
        for piece in (number for rows in batches for number in rows.column(0).to_pylist()):
            source.seek(piece * size)
            row = (batch, piece, pieces, digest, source.read(size))
            yield pa.RecordBatch.from_pylist([dict(zip(_TYPES.names, row, strict=True))], schema=_TYPES)


def _complete(session: SparkSession, path: str) -> list[Slot]:
    try:
        counted = _read(session, path).groupBy("batch", "digest", "pieces").count().collect()
    except AnalysisException:  # the path does not exist
        return []
    if len(counted) != 1 or counted[0]["count"] != counted[0]["pieces"]:
        return []
    return [Slot(path, counted[0]["batch"], counted[0]["digest"])]


def _read(session: SparkSession, path: str) -> DataFrame:
    return session.read.schema(_SCHEMA).parquet(path)


def _slot_path(path: str, number: int) -> str:
    return f"{path.rstrip('/')}/model-{number}"
