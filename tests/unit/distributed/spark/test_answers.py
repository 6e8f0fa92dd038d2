"""Predictions for batches, as workers make them."""

import numpy as np
import pyarrow as pa
import pytest

pytest.importorskip("pyspark", reason="pyspark is not installed: pip install 'textbayes[spark]'")

from textbayes import TextClassifier
from textbayes.distributed import blobs
from textbayes.distributed.spark import answers
from textbayes.distributed.spark.answers import Columns, answered, loaded, predictor
from textbayes.errors import TextbayesError, WorkerVersionError

TEXTS, LABELS = ["wheat corn", "crude oil", "gold mine"], ["grain", "oil", "gold"]
BATCH = pa.record_batch({"id": [1, 2, 3], "text": TEXTS})


@pytest.fixture
def model_file(tmp_path, monkeypatch):
    """Return the name of a model file, which workers find in a folder."""
    TextClassifier("complement", keep_documents=False).fit(TEXTS, LABELS).save(tmp_path / "model.tb")
    monkeypatch.setattr(answers, "received", lambda name: str(tmp_path / name))
    return "model.tb"


def test_all_columns(model_file, tmp_path):
    predict = predictor(model_file, Columns("text", "prediction", "probability", "scores", "string"))
    (found,) = predict(iter([BATCH]))
    classifier = TextClassifier.load(tmp_path / "model.tb")
    assert found.schema.names == ["id", "text", "scores", "probability", "prediction"]
    assert found.column("prediction").to_pylist() == classifier.predict(TEXTS).tolist()
    for name, expected in (
        ("probability", classifier.predict_proba(TEXTS)),
        ("scores", classifier.decision_function(TEXTS)),
    ):
        values = np.array([row["values"] for row in found.column(name).to_pylist()])
        np.testing.assert_array_equal(values, expected)


def test_an_empty_name_leaves_a_column_out(model_file):
    (found,) = predictor(model_file, Columns("text", "label", "", "", "string"))(iter([BATCH]))
    assert found.schema.names == ["id", "text", "label"]


def test_two_classes_have_two_scores():
    classifier = TextClassifier("complement").fit(TEXTS[:2], LABELS[:2])
    found = answered(BATCH, classifier, Columns("text", "", "", "scores", "string"))
    scores = np.array([row["values"] for row in found.column("scores").to_pylist()])
    np.testing.assert_array_equal(scores[:, 1], classifier.decision_function(TEXTS))
    np.testing.assert_array_equal(scores[:, 0], -scores[:, 1])


def test_large_batches_are_split_by_the_number_of_classes(model_file, monkeypatch):
    monkeypatch.setattr(answers, "_CELLS", 6)
    found = list(predictor(model_file, Columns("text", "label", "", "", "string"))(iter([BATCH])))
    assert [len(batch) for batch in found] == [2, 1]
    assert [label for batch in found for label in batch.column("label").to_pylist()] == LABELS


def test_a_file_is_loaded_once(model_file, tmp_path):
    assert loaded(str(tmp_path / model_file)) is loaded(str(tmp_path / model_file))


def test_another_version_is_refused(model_file, monkeypatch):
    predict = predictor(model_file, Columns("text", "label", "", "", "string"))
    monkeypatch.setattr(blobs, "package_version", lambda: "0.0.1")
    with pytest.raises(WorkerVersionError, match=r"textbayes 0\.0\.1"):
        next(predict(iter([BATCH])))


def test_a_missing_text_is_refused(model_file):
    batch = pa.record_batch({"text": ["corn", None]})
    with pytest.raises(TextbayesError, match=r"1"):
        next(predictor(model_file, Columns("text", "label", "", "", "string"))(iter([batch])))
