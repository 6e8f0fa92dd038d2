"""Parquet → documents."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from textbayes.datasets.corpus import Document
from textbayes.datasets.reading import Reading, documents_of
from textbayes.errors import FileReadError, NoDocumentsError

_ROWS = 128  # per batch; documents may be long
_BUFFER = 1 << 20  # in bytes; without a buffer pyarrow reads the whole column chunk


def read_parquet(path: str, reading: Reading) -> Iterator[Document]:
    """Read one document per row, in batches of rows, and only the columns in use."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path, buffer_size=_BUFFER) as file:
            columns = reading.find(path, "row", file.schema_arrow.names)
            if not file.metadata.num_rows:
                raise NoDocumentsError(path, "one row per document")
            batches = file.iter_batches(_ROWS, columns=columns.used)
            records = chain.from_iterable(batch.to_pylist() for batch in batches)
            yield from documents_of(columns, enumerate(records, start=1), reading)
    except (pa.ArrowException, OSError) as error:
        if getattr(error, "errno", None) is not None:
            raise  # an error of the system, such as "permission denied", and not of pyarrow
        raise FileReadError(path, None, str(error)) from error
