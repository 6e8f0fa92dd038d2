"""Parameters of the estimator become a TextClassifier; mistakes are named."""

import numpy as np
import pytest

pytest.importorskip("pyspark", reason="pyspark is not installed: pip install 'textbayes[spark]'")

from textbayes import TextClassifier, TextCounter
from textbayes.counts import COUNTER_PARAMETERS
from textbayes.distributed.spark import TextBayesEstimator, TextBayesModel
from textbayes.distributed.spark.params import TEXT_OPTIONS, Parameters
from textbayes.distributed.spark.settings import make_classifier
from textbayes.errors import ParameterError


def test_defaults_are_those_of_the_classifier():
    made = make_classifier(TextBayesEstimator())
    assert made.get_params() == TextClassifier(keep_documents=False).get_params()


def test_options_are_those_of_the_counter():
    options = {"ngram_range": (1, 2), "min_df": np.int64(2), "stop_words": ("a", "the"), "lowercase": False}
    made = make_classifier(TextBayesEstimator(model="complement", **options))
    counter = TextCounter(ngram_range=(1, 2), min_df=2, stop_words=["a", "the"], lowercase=False)
    assert made.counter.get_params() == counter.get_params()
    assert {*TEXT_OPTIONS, "n_jobs"} == set(COUNTER_PARAMETERS)
    assert all(TextBayesEstimator().hasParam(name) for name in TEXT_OPTIONS)


def test_auto_keeps_its_counter_but_for_what_is_set():
    assert make_classifier(TextBayesEstimator()).counter is None
    made = make_classifier(TextBayesEstimator(min_count=2))
    assert made.counter.get_params() == {
        **TextCounter(ngram_range=(1, 2), characters=(2, 5)).get_params(),
        "min_count": 2,
    }


def test_parameters_of_the_model():
    made = make_classifier(TextBayesEstimator(model="twcnb", parameters={"alpha": 0.5}))
    assert made.model.get_params()["alpha"] == 0.5
    assert made.model.get_params()["norm"] is True
    assert made.transform is not None


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"model": "complemnt"}, "model='complemnt' is not an option. Did you mean 'complement'"),
        ({"model": "complement", "parameters": {"alfa": 1}}, "Did you mean 'alpha'"),
        ({"model": "complement", "parameters": 3}, "parameters=3"),
    ],
)
def test_mistakes(settings, message):
    with pytest.raises(ParameterError, match=message):
        make_classifier(TextBayesEstimator(**settings))


def test_mistakes_in_names():
    with pytest.raises(ParameterError, match="Did you mean 'inputCol'"):
        TextBayesEstimator(inputcol="text")
    with pytest.raises(ParameterError, match="Did you mean 'ngram_range'"):
        TextBayesEstimator().setParams(ngramRange=(1, 2))
    with pytest.raises(TypeError, match="positional"):
        TextBayesEstimator("text")


def test_every_parameter_has_its_type():
    assert {one.name for one in TextBayesEstimator().params} == set(Parameters.__annotations__)


def test_a_model_takes_the_columns_of_parameters():
    classifier = TextClassifier("complement").fit(["corn", "oil"], [0, 1])
    model = TextBayesModel(classifier).setParams(inputCol="body", probabilityCol="")
    assert (model.getInputCol(), model.getProbabilityCol()) == ("body", "")
    assert model.getOrDefault("label_type") == "bigint"
    twin = model.copy({model.predictionCol: "topic"})
    assert twin.classifier is classifier
    assert (twin.getPredictionCol(), model.getPredictionCol()) == ("topic", "prediction")
    with pytest.raises(ParameterError, match="Did you mean 'labelCol'"):
        model.setParams(labelcol="x")


def test_setters_return_the_estimator():
    made = TextBayesEstimator().setInputCol("a").setLabelCol("b").setPredictionCol("c")
    made = made.setProbabilityCol("").setRawPredictionCol("")
    assert (made.getInputCol(), made.getLabelCol(), made.getPredictionCol()) == ("a", "b", "c")
    assert (made.getProbabilityCol(), made.getRawPredictionCol()) == ("", "")
    assert "shards" in made.explainParams()
