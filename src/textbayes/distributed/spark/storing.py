"""Estimators and models on any Hadoop file system, without access to the JVM.

As in pyspark.ml, ``metadata`` is a text file of JSON. A model file is a Parquet table of its pieces.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyspark.ml.util import DefaultParamsReader, DefaultParamsWriter, MLReader

from textbayes.distributed.spark.slots import SAVED, newest_slot, read_slot, write_slot
from textbayes.errors import ModelForeignError, ParameterError
from textbayes.estimators import TextClassifier

if TYPE_CHECKING:
    from textbayes.distributed.spark.model import TextBayesModel


class SettingsWriter(DefaultParamsWriter):
    """Saves parameters.

    Parameters
    ----------
    instance : Params
        What is saved.
    """

    def save(self, path: str) -> None:
        """Save to a path; one that exists is refused, unless ``overwrite()`` was called."""
        session = self.sparkSession
        # A method of pyspark that is not public; its public form cannot overwrite without the JVM.
        text = self._get_metadata_to_save(self.instance, session)
        row = session.createDataFrame([(text,)], ["value"]).coalesce(1)
        row.write.mode("overwrite" if self.shouldOverwrite else "error").text(f"{path}/metadata")


class SettingsReader(MLReader[Any]):
    """Loads parameters.

    Parameters
    ----------
    kind : class
        The class of what is loaded.
    """

    def __init__(self, kind: type[Any]) -> None:
        super().__init__()
        self.kind = kind

    def load(self, path: str) -> Any:
        """Load from a path."""
        metadata = self._metadata(path)
        return self.kind().restore(metadata)

    def _metadata(self, path: str) -> dict[str, Any]:
        metadata: dict[str, Any] = DefaultParamsReader.loadMetadata(path, self.sparkSession)
        found = str(metadata["class"]).rpartition(".")[2]
        if found != self.kind.__name__:
            raise ModelForeignError(path, f"it is a {found}, and not a {self.kind.__name__}")
        return metadata


class ModelWriter(SettingsWriter):
    """Saves a model: its parameters, and its file.

    Parameters
    ----------
    instance : TextBayesModel
        What is saved.
    """

    instance: TextBayesModel

    def save(self, path: str) -> None:
        """Save to a path; one that exists is refused, unless ``overwrite()`` was called."""
        session = self.sparkSession
        newest = newest_slot(session, path) if self.shouldOverwrite else None
        if newest is not None and newest.batch != SAVED:
            why = f"A stream teaches the model there, and has learned {newest.batch + 1} batches"
            raise ParameterError("path", path, "another path, or delete the folder first", why)
        super().save(path)
        write_slot(session, path, self.instance.send(session), SAVED)


class ModelReader(SettingsReader):
    """Loads a model.

    Parameters
    ----------
    kind : class
        The class of what is loaded.
    """

    def load(self, path: str) -> Any:
        """Load from a path."""
        metadata = self._metadata(path)
        classifier, _ = load_classifier(self.sparkSession, path)
        return self.kind(classifier).restore(metadata)


def load_classifier(session: Any, path: str) -> tuple[TextClassifier, int]:
    """Load the newest classifier that a folder has, and the number of the last batch that it has learned."""
    newest = newest_slot(session, path)
    if newest is None:
        raise ModelForeignError(path, "its model is missing or incomplete")
    with tempfile.TemporaryDirectory(prefix="textbayes-") as folder:
        file = Path(folder) / "model.tb"
        read_slot(session, newest, file)
        return TextClassifier.load(file), newest.batch
