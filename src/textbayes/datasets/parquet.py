"""Parquet → documents."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from textbayes.datasets.columns import ColumnNames, Columns
from textbayes.datasets.corpus import Document
from textbayes.errors import FileReadError, NoDocumentsError

_ROWS = 128  # per batch; documents may be long
_BUFFER = 1 << 20  # in bytes; without a buffer pyarrow reads the whole column chunk


def read_parquet(path: str, names: ColumnNames, _encoding: str) -> Iterator[Document]:
    """Read one document per row, in batches of rows, and only the columns in use."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path, buffer_size=_BUFFER) as file:
            columns = Columns.find(path, "row", names, file.schema_arrow.names)
            if not file.metadata.num_rows:
                raise NoDocumentsError(path, "one row per document")
            batches = file.iter_batches(_ROWS, columns=columns.used)
            records = chain.from_iterable(batch.to_pylist() for batch in batches)
            for number, record in enumerate(records, start=1):
                yield columns.document(number, record)
    except (pa.ArrowException, OSError) as error:
        if getattr(error, "errno", None) is not None:
            raise  # an error of the system, such as "permission denied", and not of pyarrow
        raise FileReadError(path, None, str(error)) from error
