"""The served model: many readers, one writer at a time."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from textbayes.estimators import Inspection, TextClassifier
from textbayes.estimators.text.loading import load_learner, load_text_model
from textbayes.estimators.views.update import Learn, ModelUpdate, new_recipe, update_classifier

MOST_TERMS = 100
"""The number of terms per class that an inspection computes, and the most that a request may ask for."""


class Served:
    """An immutable model; requests can use it while another replaces it."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.name = Path(path).name
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


@dataclass
class ModelFile:
    """A model file and the model served from it.

    An update works on a copy, like ``textbayes teach``: it loads the file again, learns, replaces the file
    atomically, then loads and serves the new file. Running requests keep the old model, later ones get the
    new one; none sees a half-updated model. After an error the file and the model are unchanged.

    Parameters
    ----------
    path : path
        The file.
    """

    path: str | os.PathLike[str]
    current: Served = field(init=False)
    _updating: threading.Lock = field(init=False, repr=False, default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self.current = Served(self.path)

    def update(self, learn: Learn, texts: Sequence[str], labels: Sequence[Any]) -> ModelUpdate:
        """Teach or forget texts, save the model, and serve it.

        Parameters
        ----------
        learn : function
            Such as ``TextClassifier.teach`` or ``TextClassifier.forget``, with the classifier first.
        texts, labels : sequence
            The texts, and a label or a list of labels for each.
        """
        with self._updating:
            classifier = load_learner(self.path, "teach, forget or relabel")
            update = update_classifier(classifier, learn, texts, labels)
            self._replace(classifier)
        return update

    def settle(self) -> bool:
        """Refit the model, save and serve it; return False, without any change, if it is settled."""
        with self._updating:
            classifier = load_learner(self.path, "settle")
            refits = not classifier.is_settled_
            if refits:
                self._replace(classifier.settle())
        return refits

    def reconsider(self) -> dict[str, Any]:
        """Search again for a recipe, save the model and serve it; return the recipe and its score."""
        with self._updating:
            classifier = load_learner(self.path, "reconsider")
            found = new_recipe(classifier)
            self._replace(classifier)
        return found

    def _replace(self, classifier: TextClassifier) -> None:
        classifier.save(self.path)
        self.current = Served(self.path)
