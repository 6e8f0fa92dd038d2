"""A fit on the cluster gives the model of one machine."""

import numpy as np
import pytest
from spark_texts import docstrings, frame_of

from textbayes import TextClassifier, TextCounter
from textbayes.distributed.spark import TextBayesEstimator
from textbayes.errors import BatchError, BlobError, LabelsError, ParameterError, WorkerVersionError

TEXTS, LABELS = docstrings()
SMALL = (["wheat corn", "crude oil", "corn harvest", "oil output"], ["grain", "oil", "grain", "oil"])


def check_equal(model, local, texts=TEXTS, exact=True):
    """Compare a model of Spark with that of one machine."""
    found = model.classifier
    assert found.classes_.tolist() == local.classes_.tolist()
    np.testing.assert_array_equal(found.class_documents_, local.class_documents_)
    tolerance = 0 if exact else 1e-12
    for method in ("decision_function", "predict_proba"):
        pair = [getattr(each, method)(texts) for each in (found, local)]
        np.testing.assert_allclose(*pair, rtol=tolerance, atol=tolerance)


def local_fit(model, texts=TEXTS, labels=LABELS, **options):
    counter = TextCounter(**options) if options else None
    return TextClassifier(model, counter, keep_documents=False).fit(texts, labels)


@pytest.mark.parametrize("partitions", [pytest.param(1, marks=pytest.mark.slow), 5])
def test_hashed_columns_in_one_pass(spark, partitions):
    estimator = TextBayesEstimator(model="complement", dimensions=2**16)
    model = estimator.fit(frame_of(spark, TEXTS, LABELS, partitions, seed=partitions))
    check_equal(model, local_fit("complement", dimensions=2**16))


def test_a_vocabulary_with_cuts(spark):
    options = {"ngram_range": (1, 2), "min_df": 2, "stop_words": "english"}
    model = TextBayesEstimator(model="multinomial", shards=5, **options).fit(frame_of(spark, TEXTS, LABELS))
    local = local_fit("multinomial", **options)
    check_equal(model, local)
    assert model.classifier.counter_.vocabulary_ == local.counter_.vocabulary_


def test_document_frequencies_and_lengths(spark, tmp_path):
    model = TextBayesEstimator(model="twcnb").fit(frame_of(spark, TEXTS, LABELS, 4))
    check_equal(model, local_fit("twcnb"), exact=False)
    model.classifier.save(tmp_path / "model.tb")
    np.testing.assert_array_equal(
        TextClassifier.load(tmp_path / "model.tb").predict(TEXTS), model.classifier.predict(TEXTS)
    )


@pytest.mark.slow
def test_many_partitions(spark):
    model = TextBayesEstimator(model="complement", dimensions=2**10).fit(frame_of(spark, *SMALL, 70))
    check_equal(model, local_fit("complement", *SMALL, dimensions=2**10), SMALL[0])


def test_several_labels(spark):
    texts, labels = SMALL[0], [["grain"], ["oil"], ["grain", "food"], ["oil", "trade"]]
    frame = frame_of(spark, texts, labels, 2, "array<string>")
    model = TextBayesEstimator(model="complement", dimensions=2**16).fit(frame)
    local = local_fit("complement", texts, labels, dimensions=2**16)
    check_equal(model, local, texts)
    found = {row["text"]: row["prediction"] for row in model.transform(frame).collect()}
    assert found == dict(zip(texts, local.predict(texts), strict=True))


def test_statistics_can_be_stored_united_and_finished(spark, tmp_path):
    estimator = TextBayesEstimator(model="complement", dimensions=2**16)
    halves = [(TEXTS[:200], LABELS[:200]), (TEXTS[200:], LABELS[200:])]
    for number, half in enumerate(halves):
        estimator.fit_statistics(frame_of(spark, *half, 2)).write.parquet(str(tmp_path / f"{number}"))
    statistics = spark.read.parquet(str(tmp_path / "0"), str(tmp_path / "1"))
    check_equal(estimator.finish(statistics), local_fit("complement", dimensions=2**16))
    with pytest.raises(BlobError, match="plan"):
        TextBayesEstimator(model="complement", dimensions=2**15).finish(statistics)


def test_statistics_are_one_pass(spark):
    for settings in ({"model": "complement"}, {"model": "twcnb", "dimensions": 2**10}, {"model": "auto"}):
        with pytest.raises(ParameterError):
            TextBayesEstimator(**settings).fit_statistics(frame_of(spark, *SMALL))


@pytest.mark.parametrize(
    ("rows", "schema", "message"),
    [
        ([("corn", "grain"), (None, "oil")], "text string, label string", "'text' is null"),
        ([("corn", "grain"), ("oil", None)], "text string, label string", "'label' is null"),
        ([("corn", "grain")], "body string, label string", "no column 'text'"),
        ([("corn", "grain")], "text string, labels string", "Did you mean 'labels'"),
        ([(1, "grain")], "text int, label string", "'text' is of type int"),
        ([("corn", b"grain")], "text string, label binary", "'label' is of type binary"),
    ],
)
def test_columns_that_cannot_be_learned(rows, schema, message, spark):
    with pytest.raises(BatchError, match=message) as caught:
        TextBayesEstimator(model="complement", dimensions=64).fit(spark.createDataFrame(rows, schema))
    assert caught.value.todo


def test_labels_that_are_no_whole_numbers(spark):
    frame = spark.createDataFrame([("corn", 1.0), ("oil", 0.5)], "text string, label double")
    with pytest.raises(LabelsError, match=r"0\.5"):
        TextBayesEstimator(model="complement", dimensions=64).fit(frame)


@pytest.mark.parametrize(
    "settings",
    [{"min_df": -1}, {"shards": 0}, {"dimensions": 0}, {"model": "linear-svm"}, {"ngram_range": 2}],
)
def test_parameters_that_a_new_user_may_try(settings, spark):
    with pytest.raises(ParameterError):
        TextBayesEstimator(**{"model": "complement", **settings}).fit(frame_of(spark, *SMALL))


def test_no_rows(spark):
    empty = spark.createDataFrame([], "text string, label string")
    with pytest.raises(ValueError, match=r"document|text|class"):
        TextBayesEstimator(model="complement", dimensions=64).fit(empty)


def test_workers_of_another_version(spark, monkeypatch):
    monkeypatch.setattr("textbayes.distributed.plan.package_version", lambda: "0.0.1")
    with pytest.raises(WorkerVersionError, match=r"textbayes 0\.0\.1"):
        TextBayesEstimator(model="complement", dimensions=64).fit(frame_of(spark, *SMALL))


def test_odd_names_of_columns(spark):
    frame = frame_of(spark, *SMALL).toDF("the.text", "a `label`")
    columns = {"inputCol": "the.text", "labelCol": "a `label`"}
    model = TextBayesEstimator(model="complement", dimensions=64, **columns).fit(frame)
    check_equal(model, local_fit("complement", *SMALL, dimensions=64), SMALL[0])
