"""Predictions on workers: batches with texts → the same batches with more columns."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

import numpy as np
import pyarrow as pa

from textbayes._native import limit_threads
from textbayes.answering import load_answerer
from textbayes.distributed.blobs import check_version
from textbayes.distributed.spark.columns import label_array, vector_array
from textbayes.distributed.spark.files import received
from textbayes.persistence import package_version

# Scores of so many texts and classes are in memory at a time.
_CELLS = 1 << 21


@dataclass(frozen=True)
class Columns:
    """The columns of texts and of answers; "" leaves an answer out.

    Parameters
    ----------
    text : str
        The column of the texts.
    prediction, probability, scores : str
        The columns that are added.
    kind : str
        The type of the labels, such as "string" or "array<string>".
    """

    text: str
    prediction: str
    probability: str
    scores: str
    kind: str


def predictor(file: str, columns: Columns) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """Return the function that predicts the texts of a partition by the model that was sent as ``file``."""
    fields = (columns.text, columns.prediction, columns.probability, columns.scores, columns.kind)
    return partial(_predict, package_version(), file, fields)


def _predict(
    version: str, file: str, fields: tuple[str, ...], batches: Iterator[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    check_version(version)
    limit_threads(1)
    columns, answerer = Columns(*fields), loaded(received(file))
    for batch in batches:
        for part in _slices(batch, len(answerer.classes_)):
            yield answered(part, answerer, columns)


@lru_cache(maxsize=4)
def loaded(path: str) -> Any:
    """Map a model file, once in a process."""
    found = load_answerer(path, verify=False, mmap=True)
    if found is not None:
        return found
    from textbayes import load

    return load(path, verify=False, mmap=True)


def answered(batch: pa.RecordBatch, answerer: Any, columns: Columns) -> pa.RecordBatch:
    """Add the answers for the texts of a batch."""
    asked = {
        "decision_function": columns.scores,
        "predict_proba": columns.probability,
        "predict": columns.prediction,
    }
    asked = {method: name for method, name in asked.items() if name}
    found = answerer.answer(batch.column(columns.text), *asked)
    added = [_arrow(method, values, columns.kind) for method, values in zip(asked, found, strict=True)]
    names = [*batch.schema.names, *asked.values()]
    return pa.RecordBatch.from_arrays([*batch.columns, *added], names=names)


def _arrow(method: str, values: Any, kind: str) -> pa.Array:
    if method == "predict":
        return label_array(values, kind)
    return vector_array(_score_columns(values) if method == "decision_function" else values)


def _score_columns(scores: Any) -> Any:
    """Return a column for each class; of two classes, the score is the lead of the second."""
    return scores if scores.ndim == 2 else np.column_stack([-scores, scores])


def _slices(batch: pa.RecordBatch, classes: int) -> Iterator[pa.RecordBatch]:
    rows = max(1, _CELLS // max(1, classes))
    for start in range(0, batch.num_rows, rows):
        yield batch.slice(start, rows)
