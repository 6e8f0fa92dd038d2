"""Estimators, models and pipelines on a file system of Hadoop."""

import numpy as np
import pytest
from spark_texts import frame_of

from textbayes import TextClassifier
from textbayes.distributed.spark import TextBayesEstimator, TextBayesModel, slots
from textbayes.distributed.spark.slots import newest_slot, write_slot
from textbayes.errors import ModelDamagedError, ModelForeignError, ParameterError

TEXTS, LABELS = ["wheat corn", "crude oil", "corn harvest", "oil output"], [0, 1, 0, 1]


@pytest.fixture
def model():
    classifier = TextClassifier("complement", keep_documents=False).fit(TEXTS, LABELS)
    return TextBayesModel(classifier).setParams(predictionCol="topic", label_type="double")


def same(model, other):
    np.testing.assert_array_equal(*(each.classifier.predict_proba(TEXTS) for each in (model, other)))
    return model.uid == other.uid and model.extractParamMap() == other.extractParamMap()


def test_a_model_survives(spark, model, tmp_path):
    path = (tmp_path / "model").as_uri()
    model.save(path)
    found = TextBayesModel.load(path)
    assert same(found, model)
    assert found.getOrDefault("label_type") == "double"
    with pytest.raises(Exception, match="PATH_ALREADY_EXISTS"):
        model.save(path)
    model.write().overwrite().save(path)
    assert same(TextBayesModel.read().load(path), model)


@pytest.mark.slow
def test_a_model_of_many_pieces(spark, model, tmp_path, monkeypatch):
    size = 1000
    monkeypatch.setattr(slots, "CELL", size)
    session, path = spark, str(tmp_path / "model")
    file = model.send(session)
    write_slot(session, path, file, 4)
    slot = newest_slot(session, path)
    assert slot.batch == 4
    assert slot.path.endswith("model-1")
    slots.read_slot(session, slot, tmp_path / "copy.tb")
    assert (tmp_path / "copy.tb").stat().st_size > 2 * size
    TextClassifier.load(tmp_path / "copy.tb")


def test_an_incomplete_model_is_not_loaded(spark, model, tmp_path):
    path = tmp_path / "model"
    model.save(str(path))
    for file in (path / "model-0").glob("part-*"):
        file.unlink()
    with pytest.raises(ModelForeignError, match="incomplete"):
        TextBayesModel.load(str(path))


def test_a_damaged_model_is_not_loaded(spark, model, tmp_path):
    path = str(tmp_path / "model")
    model.save(path)
    rows = spark.read.parquet(f"{path}/model-0").collect()
    (row,) = [row.asDict() for row in rows]
    row["bytes"] = bytes(row["bytes"][:-1]) + b"?"
    spark.createDataFrame([row], slots._SCHEMA).write.mode("overwrite").parquet(f"{path}/model-0")
    with pytest.raises(ModelDamagedError):
        TextBayesModel.load(path)


def test_estimators_survive_and_are_no_models(spark, tmp_path):
    path = str(tmp_path / "estimator")
    estimator = TextBayesEstimator(model="twcnb", ngram_range=(1, 2), parameters={"alpha": 0.5}, min_df=0.1)
    estimator.save(path)
    found = TextBayesEstimator.load(path)
    assert found.extractParamMap() == estimator.extractParamMap()
    assert found.text_options() == {"ngram_range": (1, 2), "min_df": 0.1}
    estimator.write().overwrite().save(path)
    with pytest.raises(ModelForeignError, match="TextBayesEstimator"):
        TextBayesModel.load(path)


def test_the_model_of_a_stream_is_not_overwritten(spark, model, tmp_path):
    path = str(tmp_path / "model")
    model.save(path)
    write_slot(spark, path, model.send(spark), 0)
    with pytest.raises(ParameterError, match="stream"):
        model.write().overwrite().save(path)


@pytest.mark.slow
def test_pipelines_survive(spark, tmp_path):
    from pyspark.ml import Pipeline, PipelineModel

    frame = frame_of(spark, TEXTS, LABELS, kind="int")
    pipeline = Pipeline(stages=[TextBayesEstimator(model="complement", dimensions=2**16)])
    pipeline.save(str(tmp_path / "pipeline"))
    fitted = Pipeline.load(str(tmp_path / "pipeline")).fit(frame)
    fitted.save(str(tmp_path / "model"))
    found = PipelineModel.load(str(tmp_path / "model")).transform(frame)
    assert all(row["prediction"] == row["label"] for row in found.collect())
    assert dict(found.dtypes)["prediction"] == "int"
