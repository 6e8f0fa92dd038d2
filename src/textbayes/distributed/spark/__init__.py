"""Spark: fits and predictions on a cluster, on classic Spark and over Spark Connect."""

from textbayes.errors import ExtraMissingError

try:
    from textbayes.distributed.spark.estimator import TextBayesEstimator
    from textbayes.distributed.spark.model import TextBayesModel
except ModuleNotFoundError as error:
    raise ExtraMissingError("spark", str(error)) from error

__all__ = ["TextBayesEstimator", "TextBayesModel"]
