"""Parameters of pyspark.ml → a TextClassifier that has learned nothing."""

from __future__ import annotations

from textbayes.distributed.spark.params import TextBayesSettings, check_names
from textbayes.errors import ParameterError
from textbayes.estimators import TextClassifier
from textbayes.estimators.text.model_names import default_counter, find_variant


def make_classifier(settings: TextBayesSettings) -> TextClassifier:
    """Make the classifier that an estimator fits."""
    model, options = settings.getOrDefault("model"), settings.text_options()
    find_variant(model)
    counter = default_counter(model).set_params(**options) if options else None
    calibrate = settings.getOrDefault("calibrate")
    made = TextClassifier(model, counter, keep_documents=False, calibrate=calibrate)
    parameters = settings.getOrDefault("parameters")
    check_parameters(model, parameters)
    return made.set_params(**{f"model__{name}": value for name, value in parameters.items()})


def check_parameters(model: str, parameters: object) -> None:
    """Raise ParameterError unless these are parameters of a model, by name."""
    if not isinstance(parameters, dict):
        raise ParameterError("parameters", parameters, "a dict, such as {'alpha': 0.1}")
    names = find_variant(model).make_model().get_params(deep=False)
    check_names(f"The model {model!r}", parameters, names)
