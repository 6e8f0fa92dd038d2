"""One run: every model is cloned, fitted to the training side, and measured on the test side."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import clone
from sklearn.pipeline import Pipeline

from textbayes.errors import NoDocumentsError, ParameterConflictError, ParameterError
from textbayes.errors.checks import check_option
from textbayes.estimators import TextCounter
from textbayes.evaluation.cache import description
from textbayes.evaluation.collection import Collection
from textbayes.evaluation.protocols import Run
from textbayes.measures import METRICS, indicator_of, two_columns
from textbayes.measures.metrics import SCORES

Reals = NDArray[np.float64]


def check_metrics(names: Iterable[str], models: Mapping[str, Any]) -> tuple[str, ...]:
    """Check that the metrics exist and that every model has the methods they need, before any fit."""
    names = (names,) if isinstance(names, str) else tuple(names)
    if not names:
        raise ParameterError("metrics", names, METRICS)
    for name in names:
        check_option("metrics", name, tuple(METRICS))
        for model_name, model in models.items():
            if not any(hasattr(model, method) for method in METRICS[name].needs):
                needs = " or ".join(METRICS[name].needs)
                reason = f"{name} needs {needs}, which {model_name} does not have"
                raise ParameterConflictError("metrics", name, "model", model_name, reason)
    return names


@dataclass
class RunDocuments:
    """The two sides of a run, and their counts for each setting of a counter.

    Models whose pipelines begin with the same counter share its counts. The counter is fitted to the training
    side of this run, as each of the models would fit it, so nothing of the test side is seen.
    """

    collection: Collection
    run: Run
    _counted: dict[str, tuple[Any, Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        codes = self.collection.codes_of(self.run.train)
        self.learned = sorted({code for each in codes for code in each})
        if len(self.learned) < 2:
            what = f"The training side of {self.run.name}"
            raise NoDocumentsError(what, "documents of two classes or more", "documents of a second class")
        self.train = self.collection.texts_of(self.run.train)
        self.test = self.collection.texts_of(self.run.test)
        self.truth = indicator_of(self.collection.codes_of(self.run.test), len(self.collection.classes))
        self.targets = self._targets(codes)

    def _targets(self, codes: list[list[int]]) -> NDArray[Any]:
        if not self.collection.multilabel:
            return np.array([self.collection.classes[code] for (code,) in codes])
        # Only the classes that can be learned: many models refuse a column of zeros.
        indicator = indicator_of(codes, len(self.collection.classes))
        targets: NDArray[Any] = indicator[:, self.learned].toarray()
        return targets

    def sides(self, model: Any) -> tuple[Any, Any, Any]:
        """Return a clone of what is to be fitted, and its training and test documents."""
        if not _counts_first(model):
            return clone(model), self.train, self.test
        counter = model.steps[0][1]
        key = json.dumps(description(counter))
        if key not in self._counted:
            counter = clone(counter)
            self._counted[key] = counter.fit_transform(self.train), counter.transform(self.test)
        return clone(model[1:]), *self._counted[key]


@dataclass(frozen=True)
class ModelAnswers:
    """The answers of a fitted model on test documents, in the columns of all classes."""

    model: Any
    documents: Any
    truth: sparse.csr_array
    learned: list[int]
    classes: list[Any]
    multilabel: bool

    @cached_property
    def decided(self) -> sparse.csr_array:
        """The decisions, as an indicator."""
        answers = self.model.predict(self.documents)
        if self.multilabel:
            # A TextClassifier answers with lists of the columns, which were its labels.
            lists = isinstance(answers, list)
            found = indicator_of(answers, len(self.learned)) if lists else sparse.csr_array(answers)
            return self._widened(found.astype(np.int64))
        code_of = {label: code for code, label in enumerate(self.classes)}
        codes = [code_of.get(label, -1) for label in np.asarray(answers).tolist()]
        # A label that is no class means that the model did not decide.
        return indicator_of([[code] if code >= 0 else [] for code in codes], len(self.classes))

    @cached_property
    def scores(self) -> Reals:
        """A score for every class; a class that was not learned ranks all documents last."""
        # Scores that were not normalised compare the classes of a document, not the documents of a class.
        if not self.multilabel and hasattr(self.model, "predict_log_proba"):
            return self._spread(log_odds(self._answers("predict_log_proba")), -np.inf)
        method = next(method for method in SCORES if hasattr(self.model, method))
        return self._spread(self._answers(method), -np.inf)

    @cached_property
    def probabilities(self) -> Reals:
        """A probability for every class; 0 for a class that was not learned."""
        return self._spread(self._answers("predict_proba"), 0.0)

    def _answers(self, method: str) -> Reals:
        answers = np.asarray(getattr(self.model, method)(self.documents), dtype=np.float64)
        # An infinite lead ranks first; it does not rule a class out.
        largest = np.finfo(np.float64).max
        return two_columns(np.clip(answers, -largest, largest)) if answers.ndim == 1 else answers

    def _spread(self, answers: Reals, absent: float) -> Reals:
        spread = np.full(self.truth.shape, absent)
        spread[:, self._columns] = answers
        return spread

    @property
    def _columns(self) -> list[int]:
        if self.multilabel:
            return self.learned
        code_of = {label: code for code, label in enumerate(self.classes)}
        return [code_of[label] for label in np.asarray(self.model.classes_).tolist()]

    def _widened(self, answers: sparse.csr_array) -> sparse.csr_array:
        columns = np.asarray(self.learned, dtype=np.int64)[answers.indices]
        return sparse.csr_array((answers.data, columns, answers.indptr), shape=self.truth.shape)


def measure(model: Any, documents: RunDocuments, metrics: tuple[str, ...]) -> dict[str, Any]:
    """Fit a clone of a model and measure it; the result is what the cache stores."""
    started = time.perf_counter()
    fresh, train, test = documents.sides(model)
    fresh.fit(train, documents.targets)
    collection = documents.collection
    answers = ModelAnswers(
        fresh, test, documents.truth, documents.learned, collection.classes, collection.multilabel
    )
    figures = {name: METRICS[name].measure(answers) for name in metrics}
    decided = answers.decided
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


def log_odds(log_probabilities: Reals) -> Reals:
    """log p - log(1 - p), exact also where p rounds to 1, because 1 - p comes from the other classes."""
    rows, best = np.arange(len(log_probabilities)), log_probabilities.argmax(axis=1)
    others = log_probabilities.copy()
    others[rows, best] = -np.inf
    with np.errstate(divide="ignore"):
        rest = np.log1p(-np.minimum(np.exp(log_probabilities), 1.0))
        rest[rows, best] = np.logaddexp.reduce(others, axis=1)
    # A class that is certain, or impossible, to the last bit stays so.
    with np.errstate(invalid="ignore"):
        odds = log_probabilities - rest
    return np.nan_to_num(odds, nan=0.0, posinf=np.inf, neginf=-np.inf)


def _counts_first(model: Any) -> bool:
    # A subclass may count in another way, and a pipeline with a memory caches by itself.
    return (
        isinstance(model, Pipeline)
        and len(model.steps) > 1
        and type(model.steps[0][1]) is TextCounter
        and model.memory is None
    )
