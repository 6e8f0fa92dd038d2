"""Bytes of any length ↔ cells of a data frame.

Spark and gRPC limit the size of a message, and Arrow that of a column. So no cell is larger than CELL bytes.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator
from typing import Any

import pyarrow as pa

from textbayes.errors import BlobError

CELL = 1 << 24
"""The largest number of bytes of a cell."""
SCHEMA = "shard int, source string, piece int, pieces int, blob binary"
"""The columns of statistics: a blob of a shard has a source of its own, and is split into pieces."""
_TYPES = pa.schema(
    [
        ("shard", pa.int32()),
        ("source", pa.string()),
        ("piece", pa.int32()),
        ("pieces", pa.int32()),
        ("blob", pa.binary()),
    ]
)


def blob_cells(shard: int, blob: bytes) -> Iterator[pa.RecordBatch]:
    """Yield the cells of a blob, one row at a time."""
    source, pieces = uuid.uuid4().hex, max(1, -(-len(blob) // CELL))
    for piece in range(pieces):
        part = blob[piece * CELL : (piece + 1) * CELL]
        row = {"shard": shard, "source": source, "piece": piece, "pieces": pieces, "blob": part}
        yield pa.RecordBatch.from_pylist([row], schema=_TYPES)


def join_cells(rows: Iterable[Any]) -> Iterator[tuple[int, bytes]]:
    """Yield blobs, with their shards, as soon as all of their cells were seen; the cells come in any order.

    Parameters
    ----------
    rows : iterable
        Rows with the columns of SCHEMA, as mappings or rows of Spark.

    Examples
    --------
    >>> from textbayes.distributed.spark.cells import blob_cells, join_cells, table_rows
    >>> rows = (row for cells in blob_cells(3, b"counts") for row in table_rows(cells))
    >>> list(join_cells(rows))
    [(3, b'counts')]
    """
    waiting: dict[str, dict[int, bytes]] = {}
    for row in rows:
        found = waiting.setdefault(row["source"], {})
        found[row["piece"]] = row["blob"]
        if len(found) == row["pieces"]:
            del waiting[row["source"]]
            yield row["shard"], b"".join(found[piece] for piece in range(len(found)))
    if waiting:
        raise BlobError.of_missing(f"pieces of {len(waiting)} blobs")


def table_rows(table: pa.Table | pa.RecordBatch) -> Iterator[dict[str, Any]]:
    """Yield the rows of a table of cells, one at a time: to_pylist would copy all blobs at once."""
    columns = [table.column(name) for name in _TYPES.names]
    for values in zip(*columns, strict=True):
        yield dict(zip(_TYPES.names, (value.as_py() for value in values), strict=True))
