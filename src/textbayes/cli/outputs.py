"""Where predictions go: standard output, or a file of JSON Lines, CSV, TSV or Parquet."""

from __future__ import annotations

import errno
import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol, TextIO

from textbayes.answering import Answerer, Layout
from textbayes.cli.bad_records import BadDocument
from textbayes.cli.layout import Predicted, csv_heading, csv_text, json_text
from textbayes.datasets.streams import STANDARD_INPUT
from textbayes.errors import FileWriteError, ParameterError
from textbayes.errors.printable import printable_text
from textbayes.persistence.replacing import replacing

DIGITS = 4
"""Decimals of a probability in text; Parquet has all."""

_ENDINGS = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "jsonl",
    ".csv": "csv",
    ".tsv": "tsv",
    ".parquet": "parquet",
    ".pq": "parquet",
}
_DELIMITERS = {"csv": ",", "tsv": "\t"}
# Rows of Parquet are written in groups of about this many.
_ROWS = 1 << 16


class Output(Protocol):
    """Takes predictions."""

    def write(self, batch: Sequence[Predicted]) -> None:
        """Write the predictions of a batch."""


def output_format(path: Path | None, as_csv: bool) -> str:
    """Return the format of the output: by the name of the file, or --csv, or JSON Lines.

    Examples
    --------
    >>> from pathlib import Path
    >>> from textbayes.cli.outputs import output_format
    >>> output_format(Path("labels.parquet"), False), output_format(None, True), output_format(None, False)
    ('parquet', 'csv', 'jsonl')
    """
    if path is None:
        return "csv" if as_csv else "jsonl"
    found = _ENDINGS.get(path.suffix.lower())
    if as_csv:
        if found not in (None, "csv", "tsv"):
            why = f"The name says that the file is {found}"
            raise ParameterError("output", str(path), "a name that ends with .csv, or leave --csv out", why)
        return found or "csv"
    if found is None:
        why = f"The ending of {str(path)!r} does not tell a format"
        raise ParameterError("output", str(path), f"a name that ends with {', '.join(_ENDINGS)}", why)
    return found


def check_output(path: Path, inputs: Iterable[str]) -> None:
    """Check that an output can be written, and is not one of the inputs."""
    if path.is_dir():
        raise FileWriteError(str(path), errno.EISDIR, os.strerror(errno.EISDIR))
    folder = path.absolute().parent
    if not folder.is_dir():
        raise FileWriteError(str(path), errno.ENOENT, f"there is no folder {str(folder)!r}")
    for name in inputs:
        if name != STANDARD_INPUT and path.exists() and Path(name).exists() and path.samefile(name):
            raise FileWriteError(str(path), errno.EEXIST, "it is read by this command")


def write_page(path: Path, text: str) -> None:
    """Write a whole file: the old one is replaced when the new one is complete. A device is written to."""
    if path.exists() and not path.is_file():
        path.write_text(text, encoding="utf-8")
        return
    with replacing(path) as file:
        file.write(text.encode("utf-8"))


@contextmanager
def open_output(
    path: Path | None,
    format: str,
    layout: Layout,
    classifier: Answerer,
    given: list[str],
    errors: bool,
    exact: bool = False,
) -> Iterator[Output]:
    """Open the output.

    Parameters
    ----------
    path : Path or None
        The file; None for standard output.
    format : {"jsonl", "csv", "tsv", "parquet"}
        The format.
    layout : Layout
        The fields of a prediction.
    classifier : Answerer
        The model, whose labels have a type.
    given : list of str
        The columns that are repeated.
    errors : bool
        Whether there is a column for the reason of a missing prediction.
    exact : bool, default=False
        Whether cells of CSV and TSV stay exact, even if a spreadsheet would take them for formulas.
    """
    if format == "parquet":
        assert path is not None
        with _parquet(path, layout, classifier, given, errors) as output:
            yield output
    elif path is None:
        yield _TextOutput(sys.stdout, format, layout, given, errors, exact)
    else:
        # A text may hold a lone surrogate, which UTF-8 lacks.
        with open(path, "w", encoding="utf-8", errors="replace", newline="") as stream:
            yield _TextOutput(stream, format, layout, given, errors, exact)


class _TextOutput:
    """Writes lines, and flushes them: the reader may wait for each."""

    def __init__(
        self, stream: TextIO, format: str, layout: Layout, given: list[str], errors: bool, exact: bool
    ) -> None:
        self._stream, self._layout, self._errors, self._exact = stream, layout, errors, exact
        self._is_screen = stream.isatty()
        self._delimiter = _DELIMITERS.get(format)
        if self._delimiter is not None:
            self._write(csv_heading(layout, errors, given, self._delimiter, exact))

    def write(self, batch: Sequence[Predicted]) -> None:
        """Write the predictions of a batch."""
        if self._delimiter is None:
            self._write(json_text(batch, self._layout))
        else:
            self._write(csv_text(batch, self._layout, self._errors, self._delimiter, self._exact))
        self._stream.flush()

    def _write(self, text: str) -> None:
        self._stream.write(printable_text(text) if self._is_screen else text)


class _ParquetOutput:
    """Collects rows, and writes them in groups."""

    def __init__(self, path: Path, types: dict[str, Any], given: list[str], layout: Layout) -> None:
        self._path, self._types, self._given, self._layout = path, types, given, layout
        self._rows: list[dict[str, Any]] = []
        self._writer: Any = None

    def write(self, batch: Sequence[Predicted]) -> None:
        """Take the predictions of a batch."""
        self._rows += [_parquet_row(self._layout, *each) for each in batch]
        if len(self._rows) >= _ROWS:
            self.finish()

    def finish(self) -> None:
        """Write the rows that were collected."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        try:
            if self._writer is None:
                self._find_types()
                schema = pa.schema(list(self._types.items()))
                self._writer = pq.ParquetWriter(self._path, schema)
            columns = {
                name: pa.array([_parquet_value(row.get(name), kind) for row in self._rows], type=kind)
                for name, kind in self._types.items()
            }
            self._writer.write_table(pa.table(columns))
        except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
            reason = f"a column has values of another type than its first ones, unlike in Parquet: {error}"
            raise FileWriteError(str(self._path), None, reason) from None
        self._rows = []

    def close(self) -> None:
        """Close the file."""
        if self._writer is not None:
            self._writer.close()

    def _find_types(self) -> None:
        """Find the types of the columns that are repeated, by their first values."""
        import pyarrow as pa

        for name in self._given:
            try:
                found = pa.array([row.get(name) for row in self._rows]).type
            except (pa.ArrowInvalid, pa.ArrowTypeError):  # values of several types: as JSON
                found = pa.string()
            self._types[name] = pa.string() if pa.types.is_null(found) else found


@contextmanager
def _parquet(
    path: Path, layout: Layout, classifier: Answerer, given: list[str], errors: bool
) -> Iterator[_ParquetOutput]:
    import pyarrow as pa

    label, real = pa.array(classifier.classes_.tolist()).type, pa.float64()
    several = layout.multilabel
    # The types of the columns that are repeated come with their first values.
    types: dict[str, Any] = {"id": pa.string(), **dict.fromkeys(given)}
    types["labels" if several else "label"] = pa.list_(label) if several else label
    if layout.proba:
        types["probabilities" if several else "probability"] = pa.list_(real) if several else real
    for place in range(1, layout.top + 1):
        types |= {f"label_{place}": label, **({f"probability_{place}": real} if layout.proba else {})}
    types |= {"error": pa.string()} if errors else {}
    output = _ParquetOutput(path, types, given, layout)
    try:
        yield output
    finally:
        # The documents before an error have their answers.
        try:
            output.finish()
        finally:
            output.close()


def _parquet_value(value: Any, kind: Any) -> Any:
    if value is None or isinstance(value, str) or str(kind) != "string":
        return value
    return json.dumps(value, ensure_ascii=False, default=str)


def _parquet_row(layout: Layout, id: str, prediction: Any, given: Any = None) -> dict[str, Any]:
    row: dict[str, Any] = {"id": id, **(given or {})}
    if isinstance(prediction, BadDocument):
        return {**row, "error": prediction.reason}
    shown = prediction.to_dict(layout)
    for place, best in enumerate(shown.pop("top", ()), start=1):
        row |= {f"{name}_{place}": value for name, value in best.items()}
    return {**row, **shown}
