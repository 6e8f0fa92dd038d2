"""Columns of a data frame: what they must be, and what is added to them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql.types import (
    ArrayType,
    BooleanType,
    ByteType,
    DataType,
    DoubleType,
    FloatType,
    IntegerType,
    LongType,
    ShortType,
    StringType,
    StructField,
)

from textbayes.errors import BatchError, ParameterError

LABEL_TYPES: dict[str, tuple[DataType, pa.DataType]] = {
    "string": (StringType(), pa.string()),
    "boolean": (BooleanType(), pa.bool_()),
    "tinyint": (ByteType(), pa.int8()),
    "smallint": (ShortType(), pa.int16()),
    "int": (IntegerType(), pa.int32()),
    "bigint": (LongType(), pa.int64()),
    "float": (FloatType(), pa.float32()),
    "double": (DoubleType(), pa.float64()),
}
"""The types of labels, by the names that Spark has for them, as Spark and Arrow have them."""
_LIST = "array<"
_WANTED = f"one of {', '.join(LABEL_TYPES)}, or an array of one of them (several labels a text)"


def check_text(frame: DataFrame, name: str) -> None:
    """Check that a data frame has a column of texts."""
    found = column_type(frame, name)
    if not isinstance(found, StringType):
        raise BatchError.of_type(name, found.simpleString(), "a column of strings")


def check_label(frame: DataFrame, name: str) -> str:
    """Check that a data frame has a column of labels, and return the name of its type."""
    found = column_type(frame, name)
    item = found.elementType if isinstance(found, ArrayType) else found
    # A string column may have a collation or a length, which labels do not need.
    kind = "string" if isinstance(item, StringType) else item.simpleString()
    if kind not in LABEL_TYPES:
        raise BatchError.of_type(name, found.simpleString(), _WANTED)
    return f"{_LIST}{kind}>" if isinstance(found, ArrayType) else kind


def column_type(frame: DataFrame, name: str) -> DataType:
    """Return the type of a column; the name has to be written as in the data frame."""
    types = {field.name: field.dataType for field in frame.schema.fields}
    if name not in types:
        raise BatchError.of_column(name, types)
    return types[name]


def quoted(name: str) -> str:
    """Quote the name of a column."""
    return "`" + name.replace("`", "``") + "`"


def is_plain(names: Iterable[str]) -> bool:
    """Return whether mapInArrow finds columns of these names: pyspark looks them up without quotes."""
    known = list(names)
    return len(set(known)) == len(known) and not any("." in name or "`" in name for name in known)


def check_new(frame: DataFrame, parameter: str, name: str) -> None:
    """Check that a data frame does not have a column yet that will be added."""
    if name in frame.columns:
        why = "The data frame has a column of this name, which the predictions would hide"
        raise ParameterError(parameter, name, "a name that is not in use, or '' to leave the column out", why)


def label_field(name: str, kind: str) -> StructField:
    """Return the field of a column of labels, such as that of predictions."""
    item = LABEL_TYPES[_item(kind)][0]
    return StructField(name, ArrayType(item) if kind.startswith(_LIST) else item)


def label_array(predicted: Any, kind: str) -> pa.Array:
    """Return labels as an Arrow column of a type.

    Examples
    --------
    >>> from textbayes.distributed.spark.columns import label_array
    >>> label_array([1, 0], "double").to_pylist()
    [1.0, 0.0]
    """
    item = LABEL_TYPES[_item(kind)][1]
    labels = predicted.tolist() if hasattr(predicted, "tolist") else predicted
    return pa.array(labels).cast(item) if not kind.startswith(_LIST) else _lists(labels, item)


def vector_field(name: str) -> StructField:
    """Return the field of a column of vectors."""
    # Imported here: workers, which only make arrays, start faster without pyspark.ml.
    from pyspark.ml.linalg import VectorUDT

    return StructField(name, VectorUDT())


def vector_array(values: Any) -> pa.Array:
    """Return the rows of a matrix as dense vectors of pyspark.ml."""
    rows, width = values.shape
    offsets = pa.array(np.arange(rows + 1, dtype=np.int32) * width)
    dense = pa.ListArray.from_arrays(offsets, pa.array(values.ravel()))
    sparse = [pa.nulls(rows, pa.int32()), pa.nulls(rows, pa.list_(pa.int32()))]
    names = ["type", "size", "indices", "values"]
    return pa.StructArray.from_arrays([pa.array(np.ones(rows, np.int8)), *sparse, dense], names=names)


def kind_of(classes: Any, multilabel: bool) -> str:
    """Return the name of the type that a model's labels have."""
    kind = {"U": "string", "O": "string", "b": "boolean"}.get(classes.dtype.kind, "bigint")
    return f"{_LIST}{kind}>" if multilabel else kind


def _item(kind: str) -> str:
    return kind.removeprefix(_LIST).removesuffix(">")


def _lists(labels: list[list[Any]], item: pa.DataType) -> pa.Array:
    offsets = [0]
    for own in labels:
        offsets.append(offsets[-1] + len(own))
    flat = pa.array([label for own in labels for label in own])
    return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), flat.cast(item))
