"""What the two forms of a fitted recipe share: compiled, and member by member."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from textbayes.estimators.auto.recipe import Recipe
from textbayes.estimators.base.changing import Forkable
from textbayes.statistics import ClassStatistics, LabelledRows
from textbayes.statistics.lock import Lock


class FittedBlend(Forkable):
    """A recipe and the classes of the documents that it was fitted on.

    Parameters
    ----------
    recipe : Recipe
        The recipe.
    random_state : int
        Seed of random members.
    precision : int
        Bits of a compiled weight.
    """

    def __init__(self, recipe: Recipe, random_state: int, precision: int) -> None:
        self.recipe, self.random_state, self.precision = recipe, random_state, precision
        # Whether it must be fitted before it is used.
        self.is_stale = True
        # Sums over no columns: the classes, and their numbers of documents.
        self._labels = ClassStatistics(0, multilabel=False)
        # Held while something is computed that other threads need too.
        self.lock = Lock()

    def _start(self, documents: LabelledRows) -> None:
        """Count the classes of the documents to be fitted."""
        self._labels = ClassStatistics(0, documents.targets.multilabel)
        self._labels.add(documents.without_entries())
        self.is_stale = False

    @property
    def classes(self) -> NDArray[Any]:
        """The labels, sorted."""
        return self._labels.classes

    @property
    def class_documents(self) -> NDArray[np.float64]:
        """The (weighted) number of documents of each class."""
        return self._labels.class_documents[self._labels.order]

    @property
    def documents(self) -> float:
        """The (weighted) number of documents."""
        return float(self._labels.documents)

    @property
    def multilabel(self) -> bool:
        """Whether labels were an indicator."""
        return self._labels.multilabel
