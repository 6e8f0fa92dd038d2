"""The model that is served: read by many, changed by one at a time."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from textbayes.estimators import Inspection, TextClassifier

MOST_TERMS = 100
"""How many of the strongest terms of a class are worked out, for any number that is asked for."""


class Served:
    """A model that does not change: whoever has it can read it while another takes its place."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.name = Path(path).name
        self.classifier = TextClassifier.load(path)
        # Also an error if it was never fitted. Then the weights are worked out, so that the first request
        # need not wait, and nothing is left that a request would change.
        self.multilabel = self.classifier.multilabel_
        self.classifier.predict_proba([""])
        self.classes: list[Any] = self.classifier.classes_.tolist()
        self._looking = threading.Lock()

    @cached_property
    def _inspection(self) -> Inspection:
        return self.classifier.inspect(MOST_TERMS)

    @property
    def inspection(self) -> Inspection:
        """What it has learned; worked out when first asked for, and once."""
        with self._looking:
            return self._inspection


@dataclass(frozen=True)
class Change:
    """What became of a model: the one that is served now, and classes that came and went."""

    served: Served
    new: list[Any]
    gone: list[Any]


@dataclass
class ModelFile:
    """A model file and what is served of it.

    A change is made to a copy, as ``textbayes teach`` would make it: the file is mapped again, learns, is
    written beside its place and takes it in one step; then the new file is mapped and served. Requests that
    began before are answered by the old model, later ones by the new one, none by a half. After an error,
    the file and the model are what they were.

    Parameters
    ----------
    path : path
        The file.
    """

    path: str | os.PathLike[str]
    current: Served = field(init=False)
    _changing: threading.Lock = field(init=False, repr=False, default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self.current = Served(self.path)

    def change(self, verb: str, texts: Sequence[str], labels: Sequence[Any]) -> Change:
        """Teach or forget texts, save the model, and serve it.

        Parameters
        ----------
        verb : {"teach", "forget"}
            What to do.
        texts, labels : sequence
            The texts, and a label or a list of labels for each.
        """
        with self._changing:
            classifier = TextClassifier.load(self.path)
            before = set(classifier.classes_.tolist())
            getattr(classifier, verb)(texts, labels)
            classifier.save(self.path)
            served = Served(self.path)
            self.current = served
        after = set(served.classes)
        return Change(served, sorted(after - before), sorted(before - after))
