"""A client of Spark Connect: fits, predicts, saves and loads, and prints what it found as JSON.

With ``all`` as its last argument, it also fits in several passes, runs a pipeline, teaches a stream and
cross-validates.

Run by ``test_connect.py`` as a process of its own: pyspark has either a classic session or remote ones.
"""

import json
import sys
import warnings
from pathlib import Path

import numpy as np
from spark_texts import docstrings, frame_of

from textbayes import TextClassifier, TextCounter

TEXTS, LABELS = docstrings(200)


MODELS = {"complement": {"dimensions": 2**16}, "twcnb": {"min_df": 2}}


def fits(spark, models):
    """Compare fits with those of one machine."""
    from textbayes.distributed.spark import TextBayesEstimator

    frame = frame_of(spark, TEXTS, LABELS)
    found = {}
    for model in models:
        options = MODELS[model]
        fitted = TextBayesEstimator(model=model, **options).fit(frame)
        local = TextClassifier(model, TextCounter(**options), keep_documents=False).fit(TEXTS, LABELS)
        pair = [each.predict_proba(TEXTS) for each in (fitted.classifier, local)]
        found[model] = float(np.abs(np.subtract(*pair)).max())
    return found, fitted, frame


def predicts(model, frame):
    """Compare predictions of workers with those of the classifier."""
    rows = model.transform(frame).collect()
    texts = [row["text"] for row in rows]
    probabilities = np.array([row["probability"].toArray() for row in rows])
    same = [row["prediction"] for row in rows] == model.classifier.predict(texts).tolist()
    return same and np.array_equal(probabilities, model.classifier.predict_proba(texts))


def pipelines(spark):
    """Fit, save and load a pipeline with a double label, and evaluate it."""
    from pyspark.ml import Pipeline
    from pyspark.ml.evaluation import MulticlassClassificationEvaluator

    from textbayes.distributed.spark import TextBayesEstimator

    frame = frame_of(spark, TEXTS, [float(label > "m") for label in LABELS], kind="double")
    stages = [TextBayesEstimator(model="complement", dimensions=2**16)]
    predicted = Pipeline(stages=stages).fit(frame).transform(frame)
    return MulticlassClassificationEvaluator(metricName="accuracy").evaluate(predicted)


def cross_validation(spark):
    """Return the smoothing that cross-validation chooses."""
    from pyspark.ml.evaluation import MulticlassClassificationEvaluator
    from pyspark.ml.tuning import CrossValidator, ParamGridBuilder

    from textbayes.distributed.spark import TextBayesEstimator

    frame = frame_of(spark, TEXTS, [float(label > "m") for label in LABELS], kind="double")
    estimator = TextBayesEstimator(model="multinomial", dimensions=2**16)
    grid = ParamGridBuilder().addGrid(estimator.parameters, [{"alpha": 0.1}, {"alpha": 1000.0}]).build()
    evaluator = MulticlassClassificationEvaluator(metricName="accuracy")
    found = CrossValidator(
        estimator=estimator, estimatorParamMaps=grid, evaluator=evaluator, numFolds=2, seed=1
    ).fit(frame)
    return found.bestModel.classifier.model_.alpha


def errors(spark):
    """Return the error for a missing label."""
    from textbayes.distributed.spark import TextBayesEstimator

    frame = spark.createDataFrame([("corn", None)], "text string, label string")
    try:
        TextBayesEstimator(model="complement", dimensions=64).fit(frame)
    except Exception as error:
        return type(error).__name__
    return None


def streams(spark, folder):
    """Teach two files, one after the other, with a restart between them."""
    from textbayes.distributed.spark import TextBayesModel

    counter = TextCounter(dimensions=2**12)
    made = TextClassifier("complement", counter, keep_documents=False)
    base = TextBayesModel(made.fit(TEXTS[:50], LABELS[:50]))
    for start in (50, 100):
        rows = (TEXTS[start : start + 50], LABELS[start : start + 50])
        frame_of(spark, *rows, 1).write.mode("append").json(f"{folder}/in")
        source = spark.readStream.schema("text string, label string").json(f"{folder}/in")
        query = base.teach_stream(source, f"{folder}/taught", {"availableNow": True})
        query.awaitTermination(240)
        if query.exception() is not None:
            raise query.exception()
    found = TextBayesModel.load(f"{folder}/taught").classifier
    local = TextClassifier("complement", counter, keep_documents=False).fit(TEXTS[:150], LABELS[:150])
    return bool(np.array_equal(found.class_documents_, local.class_documents_))


def main(address, folder, *more):
    """Print what was found."""
    from pyspark.sql import SparkSession

    from textbayes.distributed.spark import TextBayesModel

    spark = SparkSession.builder.remote(address).getOrCreate()
    differences, model, frame = fits(spark, list(MODELS) if more else ["complement"])
    path = (Path(folder) / "model").as_uri()
    model.save(path)
    model.write().overwrite().save(path)
    loaded = TextBayesModel.load(path)
    found = {
        "session": type(spark).__module__,
        "differences": differences,
        "predicts": bool(predicts(loaded, frame)),
        "error": errors(spark),
    }
    if more:
        found |= {"accuracy": pipelines(spark), "streams": streams(spark, folder)}
        found["alpha"] = cross_validation(spark)
    print(json.dumps(found))
    spark.stop()


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main(*sys.argv[1:])
