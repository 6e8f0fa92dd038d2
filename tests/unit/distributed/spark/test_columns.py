"""Labels and vectors as Arrow columns."""

import numpy as np
import pytest

pytest.importorskip("pyspark", reason="pyspark is not installed: pip install 'textbayes[spark]'")

from pyspark.ml.linalg import DenseVector, VectorUDT
from pyspark.sql.types import ArrayType, DoubleType, StringType

from textbayes.distributed.spark.columns import kind_of, label_array, label_field, vector_array


@pytest.mark.parametrize(
    ("predicted", "kind", "expected"),
    [
        (np.array(["oil", "corn"]), "string", ["oil", "corn"]),
        (np.array([1, 0]), "double", [1.0, 0.0]),
        (np.array([1, 0]), "smallint", [1, 0]),
        (np.array([True, False]), "boolean", [True, False]),
        ([["oil", "corn"], [], ["oil"]], "array<string>", [["oil", "corn"], [], ["oil"]]),
        ([[], []], "array<string>", [[], []]),
        ([[3], [4, 5]], "array<int>", [[3], [4, 5]]),
    ],
)
def test_labels_have_the_type_of_those_learned(predicted, kind, expected):
    assert label_array(predicted, kind).to_pylist() == expected


def test_fields():
    assert label_field("prediction", "double").dataType == DoubleType()
    assert label_field("prediction", "array<string>").dataType == ArrayType(StringType())


@pytest.mark.parametrize(
    ("classes", "multilabel", "kind"),
    [
        (np.array(["a"]), False, "string"),
        (np.array([3]), False, "bigint"),
        (np.array([True]), False, "boolean"),
        (np.array(["a"]), True, "array<string>"),
    ],
)
def test_the_type_of_classes(classes, multilabel, kind):
    assert kind_of(classes, multilabel) == kind


def test_vectors_are_those_of_pyspark():
    matrix = np.array([[0.25, 0.75], [1.0, 0.0]])
    made = [tuple(row.values()) for row in vector_array(matrix).to_pylist()]
    assert [VectorUDT().deserialize(row) for row in made] == [DenseVector(row) for row in matrix]
    assert vector_array(np.empty((0, 3))).to_pylist() == []
