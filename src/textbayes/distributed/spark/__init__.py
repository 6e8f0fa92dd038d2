"""Spark: fits and predictions on a cluster, on classic Spark and over Spark Connect."""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING

from textbayes.errors import ExtraMissingError
from textbayes.lazy import lazy_names as _lazy_names

if TYPE_CHECKING:
    from textbayes.distributed.spark.estimator import TextBayesEstimator
    from textbayes.distributed.spark.model import TextBayesModel

__all__ = ["TextBayesEstimator", "TextBayesModel"]

_MODULES = {"TextBayesEstimator": "estimator", "TextBayesModel": "model"}

try:
    _import_module("pyspark.sql")
except ModuleNotFoundError as error:
    raise ExtraMissingError("spark", str(error)) from error

if not TYPE_CHECKING:
    # Workers need neither pyspark.ml nor scikit-learn to predict.
    __getattr__ = _lazy_names(__name__, _MODULES)


def __dir__() -> list[str]:
    return __all__
