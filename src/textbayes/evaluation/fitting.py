"""One run: every model copied, fitted to the training side, and measured on the test side."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.pipeline import Pipeline

from textbayes.errors import EvaluationEmptyError
from textbayes.estimators import TextCounter
from textbayes.evaluation.collection import Collection
from textbayes.evaluation.content import description
from textbayes.evaluation.measures import METRICS, Tested
from textbayes.evaluation.metrics.truth import indicator_of
from textbayes.evaluation.protocols import Run


@dataclass
class RunDocuments:
    """The two sides of a run, and their counts for each setting of a counter.

    Models whose pipelines begin with the same counter share its counts. It is fitted to the training side of
    this run, as each of them would have fitted it, so nothing of the test side is seen.
    """

    collection: Collection
    run: Run
    _counted: dict[str, tuple[Any, Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        codes = self.collection.codes_of(self.run.train)
        self.learned = sorted({code for each in codes for code in each})
        if len(self.learned) < 2:
            what = f"the training side of {self.run.name} has {len(self.learned)} classes"
            raise EvaluationEmptyError(what, "documents of two classes at least")
        self.train = self.collection.texts_of(self.run.train)
        self.test = self.collection.texts_of(self.run.test)
        self.truth = indicator_of(self.collection.codes_of(self.run.test), len(self.collection.classes))
        self.targets = self._targets(codes)

    def _targets(self, codes: list[list[int]]) -> NDArray[Any]:
        if not self.collection.multilabel:
            return np.array([self.collection.classes[code] for (code,) in codes])
        # Only the classes that can be learned: a column of zeros is no problem to solve.
        indicator = indicator_of(codes, len(self.collection.classes))
        targets: NDArray[Any] = indicator[:, self.learned].toarray()
        return targets

    def sides(self, model: Any) -> tuple[Any, Any, Any]:
        """Return a copy of what is to be fitted, and what it learns from and is tested with."""
        if not _counts_first(model):
            return clone(model), self.train, self.test
        counter = model.steps[0][1]
        key = json.dumps(description(counter))
        if key not in self._counted:
            counter = clone(counter)
            self._counted[key] = counter.fit_transform(self.train), counter.transform(self.test)
        return clone(model[1:]), *self._counted[key]


def measure(model: Any, documents: RunDocuments, metrics: tuple[str, ...]) -> dict[str, Any]:
    """Fit a copy of a model and measure it: what the cache keeps of a run."""
    started = time.perf_counter()
    fresh, train, test = documents.sides(model)
    fresh.fit(train, documents.targets)
    collection = documents.collection
    tested = Tested(
        fresh, test, documents.truth, documents.learned, collection.classes, collection.multilabel
    )
    figures = {name: METRICS[name].measure(tested) for name in metrics}
    decided = tested.decided
    return {
        "values": {name: figure.value for name, figure in figures.items()},
        "per_class": {
            name: [None if np.isnan(value) else value for value in figure.per_class.tolist()]
            for name, figure in figures.items()
            if figure.per_class is not None
        },
        "decided": [each.tolist() for each in np.split(decided.indices, decided.indptr[1:-1])],
        "seconds": time.perf_counter() - started,
    }


def _counts_first(model: Any) -> bool:
    # A subclass may count otherwise, and a pipeline with a memory keeps its own.
    return (
        isinstance(model, Pipeline)
        and len(model.steps) > 1
        and type(model.steps[0][1]) is TextCounter
        and model.memory is None
    )
