"""The served model: many readers, one writer at a time."""

from __future__ import annotations

import contextlib
import os
import shutil
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from textbayes.estimators import Inspection, TextClassifier
from textbayes.estimators.text.loading import load_learner, load_text_model
from textbayes.estimators.views.update import Learn, ModelUpdate, new_recipe, update_classifier
from textbayes.persistence import write_lock
from textbayes.persistence.replacing import replacing

Status: TypeAlias = tuple[int, ...]

MOST_TERMS = 100
"""The number of terms per class that an inspection computes, and the most that a request may ask for."""


class Served:
    """An immutable model; requests can use it while another replaces it."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.name = Path(path).name
        self.status = _status(path)  # before it is loaded: a later change is noticed
        self.classifier = load_text_model(path)
        # Raises if the model is not fitted. The prediction computes the weights now, so that the first
        # request does not wait and no request changes the model.
        self.multilabel = self.classifier.multilabel_
        self.classifier.predict_proba([""])
        self.classes: list[Any] = self.classifier.classes_.tolist()
        self._inspection: Inspection | None = None

    @property
    def is_inspected(self) -> bool:
        """Whether the inspection is computed."""
        return self._inspection is not None

    def inspect(self) -> Inspection:
        """Return the inspection of the model, computed on first use.

        This takes seconds for thousands of classes, so the first call should be made once.
        """
        if self._inspection is None:
            self._inspection = self.classifier.inspect(MOST_TERMS)
        return self._inspection


class ModelFile:
    """A model file and the model served from it.

    An update works on a copy, like ``textbayes teach``: it loads the file again, learns, replaces the file
    atomically, then loads and serves the new file. It holds the lock of the file meanwhile, so no change of
    another program is lost. Running requests keep the old model, later ones get the new one; none sees a
    half-updated model. After an error the file and the model are unchanged.

    Parameters
    ----------
    path : path
        The file.
    wait : float
        How many seconds an update waits while another program changes the file.
    """

    def __init__(self, path: str | os.PathLike[str], wait: float = 10.0) -> None:
        self.path, self._wait = path, wait
        self.current = Served(path)
        self._updating = threading.Lock()
        self._refused: Status | None = None

    def update(self, learn: Learn, texts: Sequence[str], labels: Sequence[Any]) -> ModelUpdate:
        """Teach or forget texts, save the model, and serve it.

        Parameters
        ----------
        learn : function
            Such as ``TextClassifier.teach`` or ``TextClassifier.forget``, with the classifier first.
        texts, labels : sequence
            The texts, and a label or a list of labels for each.
        """
        with self._changing():
            classifier = load_learner(self.path, "teach, forget or relabel")
            update = update_classifier(classifier, learn, texts, labels)
            self._replace(classifier)
        return update

    def settle(self) -> bool:
        """Refit the model, save and serve it; return False, without any change, if it is settled."""
        with self._changing():
            classifier = load_learner(self.path, "settle")
            refits = not classifier.is_settled_
            if refits:
                self._replace(classifier.settle())
        return refits

    def reconsider(self) -> dict[str, Any]:
        """Search again for a recipe, save the model and serve it; return the recipe and its score."""
        with self._changing():
            classifier = load_learner(self.path, "reconsider")
            found = new_recipe(classifier)
            self._replace(classifier)
        return found

    def reload(self) -> bool:
        """Serve the file as it is now; return False if it is the one that is served.

        Raises
        ------
        TextbayesError
            If the file cannot be loaded. The model that was served before is kept.
        """
        with self._updating:
            if _status(self.path) == self.current.status:
                return False
            self.current = Served(self.path)
            return True

    def follow(self) -> bool:
        """Do the same as ``reload``, but try to load each version of the file only once."""
        status = _status(self.path)
        if status in (self.current.status, self._refused):
            return False
        self._refused = status
        reloaded = self.reload()
        self._refused = None
        return reloaded

    @contextlib.contextmanager
    def _changing(self) -> Iterator[None]:
        with self._updating, write_lock(self.path, self._wait):
            yield

    def _replace(self, classifier: TextClassifier) -> None:
        with open(self.path, "rb") as before:
            classifier.save(self.path)
            try:
                self.current = Served(self.path)
            except BaseException:
                # What cannot be served must not stay: the client is told that nothing has changed.
                with replacing(self.path) as file:
                    shutil.copyfileobj(before, file)
                raise


def _status(path: str | os.PathLike[str]) -> Status | None:
    """Return what differs between two versions of a file, or None if there is no file."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns
