"""Parquet → documents."""

from __future__ import annotations

import errno
from collections.abc import Iterable, Iterator
from itertools import chain, repeat
from pathlib import Path
from typing import Any

from textbayes.datasets.corpus import Document
from textbayes.datasets.reading import Reading, Share, documents_of
from textbayes.errors import FileReadError, NoDocumentsError, RecordError, TextbayesError

_ROWS = 128  # per batch; documents may be long
_BUFFER = 1 << 20  # in bytes; without a buffer pyarrow reads the whole column chunk


def read_parquet(path: str, reading: Reading) -> Iterator[Document]:
    """Read one document per row, in batches of rows, and only the columns in use."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    if not Path(path).is_file():
        raise FileReadError(path, errno.ESPIPE, "Parquet is read from its end, so it has to be a file")
    try:
        with pq.ParquetFile(path, buffer_size=_BUFFER) as file:
            columns = reading.find(path, "row", file.schema_arrow.names)
            if not file.metadata.num_rows:
                raise NoDocumentsError(path, "one row per document")
            share = reading.share or Share(0)
            groups = range(share.start, share.stop or file.metadata.num_row_groups)
            batches = file.iter_batches(_ROWS, row_groups=list(groups), columns=columns.used)
            yield from documents_of(columns, _records(batches, path, reading.most, share.before), reading)
    except (pa.ArrowException, OSError) as error:
        if getattr(error, "errno", None) is not None:
            raise  # an error of the system, such as "permission denied", and not of pyarrow
        raise FileReadError(path, None, str(error)) from error


def _records(
    batches: Iterable[Any], path: str, most: int, number: int
) -> Iterator[tuple[int, dict[str, object] | TextbayesError]]:
    """Yield the rows after the first ``number``, with an error in the place of one with too long a text."""
    for batch in batches:
        # Rows with long texts become Python objects one by one.
        parts = (batch,) if batch.nbytes <= most else map(batch.slice, range(len(batch)), repeat(1))
        for record in chain.from_iterable(part.to_pylist() for part in parts):
            number += 1
            if any(isinstance(value, str) and len(value) > most for value in record.values()):
                problem = f"a text of this row has over {most:,} characters"
                yield number, RecordError(path, number, problem, "length", "row")
            else:
                yield number, record
