"""Blobs become cells of limited size, and cells become blobs again."""

import random

import pytest

pytest.importorskip("pyspark", reason="pyspark is not installed: pip install 'textbayes[spark]'")

from textbayes.distributed.spark import cells
from textbayes.distributed.spark.cells import blob_cells, join_cells, table_rows
from textbayes.errors import BlobError


@pytest.fixture
def small_cells(monkeypatch):
    monkeypatch.setattr(cells, "CELL", 4)


def rows_of(*blobs):
    return [row for shard, blob in blobs for part in blob_cells(shard, blob) for row in table_rows(part)]


@pytest.mark.parametrize("blob", [b"", b"four", b"fivef", b"a longer blob of many cells"])
def test_a_blob_survives(blob, small_cells):
    rows = rows_of((3, blob))
    assert all(len(row["blob"]) <= 4 for row in rows)
    assert list(join_cells(rows)) == [(3, blob)]


def test_cells_come_in_any_order(small_cells):
    blobs = [(shard, bytes([shard]) * 11) for shard in range(5)] * 2
    rows = rows_of(*blobs)
    random.Random(1).shuffle(rows)
    assert sorted(join_cells(rows)) == sorted(blobs)


def test_a_missing_cell_is_an_error(small_cells):
    with pytest.raises(BlobError, match="pieces of 1 blobs"):
        list(join_cells(rows_of((0, b"whole"), (1, b"not whole"))[:-1]))
