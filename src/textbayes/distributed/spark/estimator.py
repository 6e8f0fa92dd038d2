"""TextBayesEstimator: a data frame of labelled texts → a TextBayesModel."""

from __future__ import annotations

import logging
from typing import Any, Unpack

from pyspark.ml import Estimator
from pyspark.ml.util import MLReadable, MLWritable
from pyspark.sql import DataFrame

from textbayes.distributed import Plan, finish, fit_by, plan_fit
from textbayes.distributed.spark.columns import check_label, check_text
from textbayes.distributed.spark.model import TextBayesModel
from textbayes.distributed.spark.params import Parameters, TextBayesColumns, TextBayesSettings
from textbayes.distributed.spark.passes import collect_blobs, count_frame, merge_statistics, run_on
from textbayes.distributed.spark.sampling import sample_texts
from textbayes.distributed.spark.settings import make_classifier
from textbayes.distributed.spark.storing import SettingsReader, SettingsWriter
from textbayes.estimators import TextClassifier
from textbayes.estimators.text.model_names import AUTO

LOG = logging.getLogger("textbayes.spark")
"""The log of fits: what is counted, and what "auto" has found."""


class TextBayesEstimator(
    TextBayesColumns,
    TextBayesSettings,
    Estimator[TextBayesModel],
    MLWritable,
    MLReadable["TextBayesEstimator"],
):
    """Fit a TextClassifier on a Spark cluster.

    Workers count their rows, add up what they counted, and send the sums to the driver. The model equals the
    one that ``TextClassifier(keep_documents=False)`` fits on one machine, to the bit if counts are whole.
    It works on classic Spark and over Spark Connect. All workers need this version of textbayes.

    Parameters
    ----------
    inputCol : str, default="text"
        The column of the texts: strings.
    labelCol : str, default="label"
        The column of the labels: strings, whole numbers (also as doubles, such as those of StringIndexer),
        booleans, or arrays of them for several labels a text.
    predictionCol, probabilityCol, rawPredictionCol : str
        The columns that the model adds: see :class:`TextBayesModel`.
    model : str, default="auto"
        The name of a model, such as "complement", as for :class:`textbayes.TextClassifier`. "auto" searches
        on a sample, on the driver, and fits what it finds on all texts.
    parameters : dict, optional
        Parameters of the model, such as ``{"alpha": 0.1}``.
    calibrate : bool, default=True
        Calibrate probabilities, as for :class:`textbayes.TextClassifier`.
    sample_size : int, default=20000
        The number of texts that "auto" searches on: those with the smallest hashes, in any partitioning.
    shards : int, default=64
        The number of parts that statistics are split into, by a hash of the term. A part has to be smaller
        than 256 MB.
    lowercase, tokens, unit, numbers, stop_words, stemmer, ngram_range, characters
        How texts are counted: see :class:`textbayes.TextCounter`.
    min_count, min_df, max_df, max_features
        Which terms are dropped: see :class:`textbayes.TextCounter`.
    dimensions : int, optional
        Hash terms to this many columns, without a vocabulary. The data is then read once rather than twice,
        for models without a transform of counts.

    Notes
    -----
    The data is read one to three times: a vocabulary takes a pass, mean lengths another. Call ``cache()`` on
    a data frame that takes long to compute. It must not change between the passes.

    Parameters are set by name: ``setParams(min_df=2)``, ``fit(data, {estimator.min_df: 2})``, or a grid of
    ``pyspark.ml.tuning``. Those that are not set have the defaults of TextClassifier and TextCounter.

    Examples
    --------
    >>> from textbayes.distributed.spark import TextBayesEstimator
    >>> estimator = TextBayesEstimator(model="complement", dimensions=2**20, ngram_range=(1, 2))
    >>> estimator.setInputCol("body").getInputCol()
    'body'

    With a Spark session::

        data = spark.createDataFrame(
            [("wheat and corn", "grain"), ("crude oil", "oil")], ["text", "label"]
        )
        model = TextBayesEstimator(model="complement", dimensions=2**20).fit(data)
        model.transform(data).select("text", "prediction").show()
        model.classifier.save("model.tb")  # a TextClassifier, which needs no Spark
    """

    def __init__(self, **parameters: Unpack[Parameters]) -> None:
        super().__init__()
        self.setParams(**parameters)

    def fit_statistics(self, dataset: DataFrame) -> DataFrame:
        """Count texts, for a model that is made later.

        Parameters
        ----------
        dataset : DataFrame
            Labelled texts.

        Returns
        -------
        DataFrame
            Sums that add. Store them, ``union`` them with those of other texts, counted by an estimator with
            the same parameters, and make the model with ``finish``.

        Raises
        ------
        ParameterError
            If the texts must be read more than once: only hashed columns (``dimensions``), and a model
            without a transform of counts, need one pass.

        Examples
        --------
        With a Spark session::

            estimator = TextBayesEstimator(model="complement", dimensions=2**20)
            estimator.fit_statistics(monday).write.parquet("hdfs:///sums/monday")
            estimator.fit_statistics(tuesday).write.parquet("hdfs:///sums/tuesday")
            model = estimator.finish(spark.read.parquet("hdfs:///sums/monday", "hdfs:///sums/tuesday"))
        """
        self._check(dataset)
        return merge_statistics(count_frame(dataset, self._plan()))

    def finish(self, statistics: DataFrame) -> TextBayesModel:
        """Make the model of statistics that ``fit_statistics`` counted, united with others or not.

        Raises
        ------
        BlobError
            If they were counted by an estimator with other parameters.
        """
        classifier, plan = make_classifier(self), self._plan()
        return self._model(finish(collect_blobs(merge_statistics(statistics)), plan, classifier))

    def _fit(self, dataset: DataFrame) -> TextBayesModel:
        kind, classifier = self._check(dataset), make_classifier(self)
        passes = self._passes()
        if self.getOrDefault("model") == AUTO:
            columns, size = (self.getInputCol(), self.getLabelCol()), self.getOrDefault("sample_size")
            passes |= {"sample": lambda: sample_texts(dataset, *columns, size), "log": LOG.info}
        return self._model(fit_by(classifier, run_on(dataset), **passes)).setParams(label_type=kind)

    def _plan(self) -> Plan:
        return plan_fit(make_classifier(self), **self._passes())

    def _passes(self) -> dict[str, Any]:
        shards = self.getOrDefault("shards")
        return {"text": self.getInputCol(), "label": self.getLabelCol(), "shards": shards}

    def _check(self, dataset: DataFrame) -> str:
        check_text(dataset, self.getInputCol())
        return check_label(dataset, self.getLabelCol())

    def _model(self, classifier: TextClassifier) -> TextBayesModel:
        model = TextBayesModel(classifier)
        return self._copyValues(model)

    def write(self) -> SettingsWriter:
        """Return what saves the parameters to a path of any Hadoop file system."""
        return SettingsWriter(self)

    @classmethod
    def read(cls) -> SettingsReader:
        """Return what loads an estimator that was saved."""
        return SettingsReader(cls)
