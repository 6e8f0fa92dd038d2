"""TextBayesModel: texts of a data frame → labels, probabilities and scores."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any, Self
from weakref import WeakKeyDictionary

from pyspark.ml import Model
from pyspark.ml.param import Param
from pyspark.ml.util import MLReadable, MLWritable
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.query import StreamingQuery
from pyspark.sql.types import StructField, StructType

from textbayes.distributed.spark.answers import Columns, predictor
from textbayes.distributed.spark.columns import (
    check_new,
    check_text,
    is_plain,
    kind_of,
    label_field,
    vector_field,
)
from textbayes.distributed.spark.files import send_file
from textbayes.distributed.spark.params import TextBayesColumns, param
from textbayes.distributed.spark.storing import ModelReader, ModelWriter
from textbayes.distributed.spark.streaming import start_teaching
from textbayes.estimators import TextClassifier


class TextBayesModel(TextBayesColumns, Model, MLWritable, MLReadable["TextBayesModel"]):
    """A TextClassifier that predicts the texts of data frames.

    Every worker process maps the model into memory once, and predicts on one thread.

    Parameters
    ----------
    classifier : TextClassifier
        A fitted classifier, such as one that was loaded from a file. Do not change it afterwards: workers
        may have it already. Make another TextBayesModel of the changed classifier.

    Other Parameters
    ----------------
    inputCol, predictionCol, probabilityCol, rawPredictionCol : str
        Set by ``setParams``, or by the estimator. ``transform`` adds three columns; an empty name leaves
        one out. The prediction has the type of the labels. The probabilities and the scores of the classes,
        in the order of ``classifier.classes_``, are dense vectors of pyspark.ml. Leave them out if there are
        thousands of classes.
    label_type : str
        The type of the predictions, such as "string", "double" or "array<string>": that of the labels which
        were learned.

    Attributes
    ----------
    classifier : TextClassifier
        The classifier, which saves, serves and predicts without Spark.

    Examples
    --------
    >>> from textbayes import TextClassifier
    >>> from textbayes.distributed.spark import TextBayesModel
    >>> classifier = TextClassifier("complement").fit(["wheat corn", "crude oil"], ["grain", "oil"])
    >>> model = TextBayesModel(classifier).setParams(probabilityCol="", predictionCol="topic")
    >>> model.getOrDefault("label_type")
    'string'

    With a Spark session::

        model.transform(texts).select("text", "prediction").show()
        model.write().overwrite().save("hdfs:///models/news")
    """

    label_type: Param[str] = param("label_type", "type of the predictions, such as string or double")

    def __init__(self, classifier: TextClassifier) -> None:
        super().__init__()
        self.classifier = classifier
        self._setDefault(label_type=kind_of(classifier.classes_, classifier.multilabel_))
        # The name of the model's file on the workers of each session.
        self._sent: WeakKeyDictionary[SparkSession, str] = WeakKeyDictionary()

    def teach_stream(
        self, dataset: DataFrame, path: str, trigger: dict[str, Any] | None = None
    ) -> StreamingQuery:
        """Learn from the labelled texts of a stream, each batch exactly once.

        Parameters
        ----------
        dataset : DataFrame
            A streaming data frame with the columns of texts and labels.
        path : str
            A folder on any Hadoop file system, for the model and the checkpoint of the stream. If it has a
            model already, the stream goes on with that one, after the last batch that it has learned.
            Otherwise this model is saved there first.
        trigger : dict, optional
            When a batch begins, as ``DataStreamWriter.trigger`` takes it: ``{"availableNow": True}`` or
            ``{"processingTime": "10 minutes"}``. The model is saved after every batch, so batches should be
            large.

        Returns
        -------
        StreamingQuery
            The running query. ``TextBayesModel.load(path)`` loads the model as of the last batch at any time.
            This model itself does not change.

        Raises
        ------
        ParameterError
            If the data frame is no stream, or the model cannot learn more texts by addition.

        Notes
        -----
        The model and the number of the last batch that it has learned are written together. A batch that
        Spark repeats, because it crashed before it noted the batch as done, is recognised and skipped. The
        source of the stream has to repeat a batch with the same rows, as files and Kafka do.

        Examples
        --------
        With a Spark session::

            mails = spark.readStream.schema("text string, label string").json("hdfs:///mails")
            query = model.teach_stream(mails, "hdfs:///models/mails", {"availableNow": True})
            query.awaitTermination()
            model = TextBayesModel.load("hdfs:///models/mails")
        """
        return start_teaching(self, dataset, path, trigger)

    def send(self, session: SparkSession) -> str:
        """Send the model to the workers of a session, unless they have it; return the name of its file."""
        if session not in self._sent:
            with tempfile.TemporaryDirectory(prefix="textbayes-") as folder:
                path = Path(folder) / "model.tb"
                self.classifier.save(path)
                self._sent[session] = send_file(session, path)
        return self._sent[session]

    def _transform(self, dataset: DataFrame) -> DataFrame:
        check_text(dataset, self.getInputCol())
        added = self._added(dataset)
        names = [*dataset.columns, *(field.name for field in added)]
        if is_plain(names):
            return self._answer(dataset, added, self.getInputCol())
        numbered = dataset.toDF(*(f"column{number}" for number in range(len(dataset.columns))))
        text = numbered.columns[dataset.columns.index(self.getInputCol())]
        return self._answer(numbered, added, text).toDF(*names)

    def _added(self, dataset: DataFrame) -> list[StructField]:
        """Return the columns that transform adds."""
        kind = self.getOrDefault("label_type")
        fields = {
            "rawPredictionCol": vector_field(self.getRawPredictionCol()),
            "probabilityCol": vector_field(self.getProbabilityCol()),
            "predictionCol": label_field(self.getPredictionCol(), kind),
        }
        for parameter, field in fields.items():
            check_new(dataset, parameter, field.name)
        return [field for field in fields.values() if field.name]

    def _answer(self, dataset: DataFrame, added: list[StructField], text: str) -> DataFrame:
        columns = Columns(
            text,
            self.getPredictionCol(),
            self.getProbabilityCol(),
            self.getRawPredictionCol(),
            self.getOrDefault("label_type"),
        )
        predict = predictor(self.send(dataset.sparkSession), columns)
        return dataset.mapInArrow(predict, StructType([*dataset.schema.fields, *added]))

    def copy(self, extra: Any = None) -> Self:
        """Return a copy with other parameters, which shares the classifier."""
        made: Self = super().copy(extra)
        made._sent = self._sent
        return made

    def write(self) -> ModelWriter:
        """Return what saves the model to a path of any Hadoop file system."""
        return ModelWriter(self)

    @classmethod
    def read(cls) -> ModelReader:
        """Return what loads a model that was saved."""
        return ModelReader(cls)
