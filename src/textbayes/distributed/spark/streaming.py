"""Structured Streaming: a model learns each batch of a stream exactly once."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyspark.sql import DataFrame
from pyspark.sql.streaming.query import StreamingQuery

from textbayes.distributed import teach_by
from textbayes.distributed.spark.columns import check_label, check_text, quoted
from textbayes.distributed.spark.files import send_file
from textbayes.distributed.spark.passes import run_on
from textbayes.distributed.spark.slots import newest_slot, write_slot
from textbayes.distributed.spark.storing import load_classifier
from textbayes.errors import ParameterError
from textbayes.estimators import TextClassifier

if TYPE_CHECKING:
    from textbayes.distributed.spark.model import TextBayesModel


def start_teaching(
    model: TextBayesModel, frame: DataFrame, path: str, trigger: dict[str, Any] | None
) -> StreamingQuery:
    """Start the query that teaches the model of a path: see :meth:`TextBayesModel.teach_stream`."""
    if not frame.isStreaming:
        allowed = "a data frame of spark.readStream; for others, fit a model on all texts"
        why = "Batches of a stream have numbers, by which each is learned once"
        raise ParameterError("dataset", frame, allowed, why)
    text, label, session = model.getInputCol(), model.getLabelCol(), frame.sparkSession
    check_text(frame, text)
    check_label(frame, label)
    if newest_slot(session, path) is None:
        model.write().session(session).overwrite().save(path)
    teach = Teacher(path, text, label, model.getOrDefault("shards"))
    writer = frame.select(quoted(text), quoted(label)).writeStream.foreachBatch(teach)
    # Beside the model: the numbers of batches are those of this checkpoint.
    writer = writer.option("checkpointLocation", f"{path.rstrip('/')}/checkpoint")
    return (writer.trigger(**trigger) if trigger else writer).start()


class Teacher:
    """Teaches the model of a path the batches of a stream.

    Parameters
    ----------
    path : str
        The folder of the model.
    text, label : str
        The columns of the texts and of their labels.
    shards : int
        The number of parts that statistics are split into.
    """

    def __init__(self, path: str, text: str, label: str, shards: int) -> None:
        self.path = path
        self.text = text
        self.label = label
        self.shards = shards
        self._learned: tuple[TextClassifier, int] | None = None

    def __call__(self, frame: DataFrame, batch: int) -> None:
        """Learn a batch, and save the model together with the number of the batch; skip one that it knows."""
        session = frame.sparkSession
        classifier, last = self._learned or load_classifier(session, self.path)
        if batch > last:
            # What was learned and not saved, because of an error, must not be learned again.
            self._learned = None
            teach_by(classifier, run_on(frame), text=self.text, label=self.label, shards=self.shards)
            with tempfile.TemporaryDirectory(prefix="textbayes-") as folder:
                file = Path(folder) / "model.tb"
                classifier.save(file)
                write_slot(session, self.path, send_file(session, file), batch)
        self._learned = classifier, max(batch, last)

    def __reduce__(self) -> tuple[Any, ...]:
        # Spark Connect runs it in a process of the server.
        return Teacher, (self.path, self.text, self.label, self.shards)
