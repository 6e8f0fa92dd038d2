"""Served: a model as requests see it, at one version."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from textbayes.answering import CompactClassifier
from textbayes.errors import ModelEmptyError
from textbayes.estimators import Inspection, TextClassifier

MOST_TERMS = 100
"""The number of terms per class that an inspection computes, and the most that a request may ask for."""


class Served:
    """A model at one version. It never changes: a later version is another object.

    A request takes it once, so that all of its answer comes from one version.

    Parameters
    ----------
    name : str
        The name of the model.
    classifier : TextClassifier, CompactClassifier or None
        The model, or None if it has learned nothing.
    version : int
        The last change that it has learned; 0 for a model file.
    settled_version : int
        The last version at which it was known to equal a fresh fit.
    """

    def __init__(
        self,
        name: str,
        classifier: TextClassifier | CompactClassifier | None,
        version: int = 0,
        settled_version: int = 0,
    ) -> None:
        self.name, self.version, self.settled_version = name, version, settled_version
        self._classifier = classifier
        if classifier is not None:
            # Raises if the model is not fitted. The prediction computes the weights now, so that the first
            # request does not wait.
            classifier.predict_proba([""])
        self.multilabel = classifier is not None and classifier.multilabel_

    @property
    def is_empty(self) -> bool:
        """Whether it has learned nothing."""
        return self._classifier is None

    @property
    def classifier(self) -> TextClassifier | CompactClassifier:
        """The model.

        Raises
        ------
        ModelEmptyError
            If it has learned nothing.
        """
        if self._classifier is None:
            raise ModelEmptyError(self.name, 0)
        return self._classifier

    @cached_property
    def classes(self) -> list[Any]:
        """The classes; none if the model is empty."""
        return [] if self._classifier is None else self._classifier.classes_.tolist()

    @property
    def is_inspected(self) -> bool:
        """Whether the inspection is computed."""
        return "inspection" in vars(self)

    def inspect(self) -> Inspection:
        """Return the inspection of the model, computed on first use.

        This takes seconds for thousands of classes, so the first call should be made once, in a thread.
        """
        return self.inspection

    @cached_property
    def inspection(self) -> Inspection:
        """The inspection of the model, with :data:`MOST_TERMS` terms of each class."""
        return self.classifier.inspect(MOST_TERMS)
