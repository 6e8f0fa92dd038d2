"""A model that a stream teaches learns every batch exactly once."""

import numpy as np
import pytest
from spark_texts import frame_of

from textbayes import TextClassifier, TextCounter
from textbayes.distributed.spark import TextBayesModel
from textbayes.distributed.spark import streaming as module
from textbayes.errors import ParameterError

TEXTS = ["wheat corn", "crude oil", "corn harvest", "oil output", "gold mine", "gold price"]
LABELS = ["grain", "oil", "grain", "oil", "gold", "gold"]
SCHEMA = "text string, label string"


class CrashError(Exception):
    """The driver is gone."""


def fresh(count):
    counter = TextCounter(dimensions=2**12)
    return TextClassifier("complement", counter, keep_documents=False).fit(TEXTS[:count], LABELS[:count])


class Stream:
    """Files that come one by one, each a batch, and the model that learns them."""

    def __init__(self, spark, folder):
        self.spark, self.folder, self.path = spark, folder / "in", str(folder / "model")
        self.folder.mkdir()

    def add(self, start, end):
        frame = frame_of(self.spark, TEXTS[start:end], LABELS[start:end], 1).coalesce(1)
        frame.write.mode("append").json(str(self.folder))

    def run(self, model):
        source = self.spark.readStream.schema(SCHEMA).option("maxFilesPerTrigger", 1).json(str(self.folder))
        query = model.teach_stream(source, self.path, {"availableNow": True})
        query.awaitTermination(240)
        assert not query.isActive

    def check(self, count):
        found, expected = TextBayesModel.load(self.path).classifier, fresh(count)
        assert found.class_documents_.tolist() == expected.class_documents_.tolist()
        np.testing.assert_array_equal(found.predict(TEXTS), expected.predict(TEXTS))
        np.testing.assert_allclose(found.decision_function(TEXTS), expected.decision_function(TEXTS), 1e-12)


@pytest.fixture
def stream(spark, tmp_path):
    return Stream(spark, tmp_path)


def test_a_stream_goes_on_after_a_restart(stream):
    base = TextBayesModel(fresh(2))
    stream.add(2, 4)
    stream.run(base)
    stream.check(4)
    stream.add(4, 6)
    stream.run(base)
    stream.check(6)
    stream.run(base)
    stream.check(6)
    assert base.classifier.class_documents_.tolist() == [1, 1]


@pytest.mark.parametrize("place", [pytest.param("before", marks=pytest.mark.slow), "after"])
def test_a_crash_around_saving(stream, place, monkeypatch):
    """A batch is learned again if the model was not saved, and not if Spark did not note it as done."""
    written = module.write_slot

    def crash(*slot):
        if place == "after":
            written(*slot)
        raise CrashError

    base = TextBayesModel(fresh(2))
    stream.add(2, 4)
    monkeypatch.setattr(module, "write_slot", crash)
    with pytest.raises(Exception, match="CrashError"):
        stream.run(base)
    monkeypatch.setattr(module, "write_slot", written)
    stream.run(base)
    stream.check(4)


def test_a_data_frame_that_is_no_stream(spark, tmp_path):
    with pytest.raises(ParameterError, match="dataset"):
        TextBayesModel(fresh(2)).teach_stream(frame_of(spark, TEXTS, LABELS), str(tmp_path))
