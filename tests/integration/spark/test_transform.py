"""Predictions on the cluster, in pipelines and in cross-validation."""

import numpy as np
import pytest
from spark_texts import docstrings, frame_of

from textbayes import TextClassifier
from textbayes.distributed.spark import TextBayesEstimator, TextBayesModel
from textbayes.errors import BatchError, ParameterError

TEXTS, LABELS = docstrings(200)
SMALL = (["wheat corn", "crude oil", "corn harvest", "oil output"], ["grain", "oil", "grain", "oil"])


@pytest.fixture(scope="module")
def classifier():
    return TextClassifier("complement", keep_documents=False).fit(TEXTS, LABELS)


def test_predictions_are_those_of_the_classifier(spark, classifier):
    found = TextBayesModel(classifier).transform(frame_of(spark, TEXTS, LABELS)).collect()
    texts = [row["text"] for row in found]
    assert [row["prediction"] for row in found] == classifier.predict(texts).tolist()
    for name, expected in (
        ("probability", classifier.predict_proba(texts)),
        ("rawPrediction", classifier.decision_function(texts)),
    ):
        np.testing.assert_array_equal(np.array([row[name].toArray() for row in found]), expected)


def test_columns_can_be_named_and_left_out(spark, classifier):
    model = TextBayesModel(classifier).setParams(
        rawPredictionCol="", probabilityCol="", predictionCol="topic"
    )
    frame = frame_of(spark, *SMALL)
    assert model.transform(frame).columns == ["text", "label", "topic"]
    other = model.transform(frame, {model.predictionCol: "chapter"})
    assert other.columns == ["text", "label", "chapter"]
    assert model.getPredictionCol() == "topic"


def test_columns_of_other_types_pass_through(spark, classifier):
    rows = [("corn", 1, None, [1.5], {"a": 1})]
    schema = "text string not null, id long not null, day date, numbers array<double>, facts map<string,int>"
    frame = spark.createDataFrame(rows, schema)
    found = TextBayesModel(classifier).transform(frame).collect()
    assert [tuple(row)[:5] for row in found] == rows


def test_odd_names_of_columns(spark, classifier):
    frame = frame_of(spark, *SMALL).toDF("the.text", "a `label`")
    model = TextBayesModel(classifier).setParams(inputCol="the.text", predictionCol="the.topic")
    found = model.transform(frame)
    assert found.columns == ["the.text", "a `label`", "rawPrediction", "probability", "the.topic"]
    assert found.count() == len(SMALL[0])


def test_mistakes(spark, classifier):
    model = TextBayesModel(classifier)
    with pytest.raises(ParameterError, match="predictionCol"):
        model.setParams(predictionCol="label").transform(frame_of(spark, *SMALL))
    with pytest.raises(BatchError, match="no column 'body'"):
        model.setParams(inputCol="body").transform(frame_of(spark, *SMALL))


def test_a_missing_text_is_named(spark, classifier):
    frame = spark.createDataFrame([("corn",), (None,)], "text string")
    with pytest.raises(Exception, match=r"textbayes\.errors\.TextsError"):
        TextBayesModel(classifier).transform(frame).collect()


def test_pipelines_and_evaluators(spark):
    from pyspark.ml import Pipeline
    from pyspark.ml.evaluation import MulticlassClassificationEvaluator
    from pyspark.ml.feature import StringIndexer

    frame = frame_of(spark, *SMALL).withColumnRenamed("label", "topic")
    indexer = StringIndexer(inputCol="topic", outputCol="label")
    estimator = TextBayesEstimator(model="complement", dimensions=2**16)
    predicted = Pipeline(stages=[indexer, estimator]).fit(frame).transform(frame)
    assert dict(predicted.dtypes)["prediction"] == "double"
    assert MulticlassClassificationEvaluator(metricName="accuracy").evaluate(predicted) == 1.0
    log_loss = MulticlassClassificationEvaluator(metricName="logLoss").evaluate(predicted)
    assert 0 < log_loss < 1


@pytest.mark.slow
def test_cross_validation(spark):
    from pyspark.ml.evaluation import MulticlassClassificationEvaluator
    from pyspark.ml.tuning import CrossValidator, ParamGridBuilder

    frame = frame_of(spark, SMALL[0] * 10, [0.0, 1.0, 0.0, 1.0] * 10, 2, "double").cache()
    estimator = TextBayesEstimator(model="multinomial", dimensions=2**16)
    grid = ParamGridBuilder().addGrid(estimator.parameters, [{"alpha": 0.1}, {"alpha": 10.0}])
    grid = grid.addGrid(estimator.ngram_range, [(1, 1), (1, 2)]).build()
    evaluator = MulticlassClassificationEvaluator(metricName="logLoss")
    found = CrossValidator(
        estimator=estimator, estimatorParamMaps=grid, evaluator=evaluator, numFolds=2, seed=1, parallelism=2
    ).fit(frame)
    assert len(found.avgMetrics) == 4
    assert found.bestModel.classifier.model_.alpha == 0.1
