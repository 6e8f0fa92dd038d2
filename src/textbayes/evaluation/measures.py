"""The metrics that a comparison can show, and what each needs of a model."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse

from textbayes.errors import EvaluationEmptyError, MetricScoresError
from textbayes.evaluation.metrics import (
    Averages,
    break_even,
    calibration_error,
    f1,
    one_vs_rest_auc,
)
from textbayes.evaluation.metrics.truth import Reals, indicator_of
from textbayes.text import check_option

# Methods that give what a metric needs, any of them.
SCORES = ("decision_function", "predict_log_proba")
PROBABILITIES = ("predict_proba",)


@dataclass(frozen=True)
class Tested:
    """A fitted model and the documents it is tested with."""

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
            # A TextClassifier answers with lists: of the columns, which were its labels.
            lists = isinstance(answers, list)
            found = indicator_of(answers, len(self.learned)) if lists else sparse.csr_array(answers)
            return self._widened(found.astype(np.int64))
        code_of = {label: code for code, label in enumerate(self.classes)}
        codes = [code_of.get(label, -1) for label in np.asarray(answers).tolist()]
        rows = [at for at, code in enumerate(codes) if code >= 0]  # no class: the model did not decide
        columns = [code for code in codes if code >= 0]
        cells = (np.ones(len(rows), np.int64), (rows, columns))
        return sparse.csr_array(cells, shape=self.truth.shape)

    @cached_property
    def scores(self) -> Reals:
        """A score for every class; a class that was not learned ranks all documents last."""
        # Scores that were not normalised tell a document's classes apart, not a class's documents.
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
        return np.column_stack([-answers, answers]) if answers.ndim == 1 else answers

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


@dataclass(frozen=True, slots=True)
class Figure:
    """What a metric found: a number, and one for each class where there are such."""

    value: float
    per_class: Reals | None = None


@dataclass(frozen=True, slots=True)
class Metric:
    """How a figure is had, what tables call it, and which way is better."""

    title: str
    measure: Callable[[Tested], Figure]
    needs: tuple[str, ...] = ("predict",)
    by_class: bool = True
    larger_is_better: bool = True


def log_odds(log_probabilities: Reals) -> Reals:
    """log p - log(1 - p), exact where p is as good as 1, because 1 - p comes from the other classes."""
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


def check_metrics(names: Iterable[str], models: Mapping[str, Any]) -> tuple[str, ...]:
    """Check that there are such metrics and that every model gives what they need, before hours of work."""
    names = (names,) if isinstance(names, str) else tuple(names)
    if not names:
        raise EvaluationEmptyError("metrics is empty", f"some of: {', '.join(METRICS)}")
    for name in names:
        check_option("metrics", name, tuple(METRICS))
        for model_name, model in models.items():
            if not any(hasattr(model, method) for method in METRICS[name].needs):
                raise MetricScoresError(name, model_name, " or ".join(METRICS[name].needs))
    return names


def right_documents(truth: sparse.csr_array, decided: sparse.csr_array) -> Reals:
    """Return 1 for each document whose classes are exactly those decided."""
    wrong = sparse.csr_array(truth - decided)
    wrong.eliminate_zeros()
    right: Reals = (np.diff(wrong.indptr) == 0).astype(np.float64)
    return right


def _accuracy(tested: Tested) -> Figure:
    return Figure(float(right_documents(tested.truth, tested.decided).mean()))


def _average(measure: Callable[[Tested], Averages], which: str) -> Callable[[Tested], Figure]:
    def figure(tested: Tested) -> Figure:
        found = measure(tested)
        return Figure(getattr(found, which), found.per_class)

    return figure


def _calibration(tested: Tested) -> Figure:
    if tested.multilabel:
        return Figure(calibration_error(tested.truth, tested.probabilities))
    # In single-label data every row has one class.
    codes = tested.truth.indices
    return Figure(calibration_error(codes, tested.probabilities, classes=np.arange(tested.truth.shape[1])))


def _f1(tested: Tested) -> Averages:
    return f1(tested.truth, tested.decided)


def _break_even(tested: Tested) -> Averages:
    return break_even(tested.truth, tested.scores)


def _auc(tested: Tested) -> Averages:
    return one_vs_rest_auc(tested.truth, tested.scores)


METRICS: dict[str, Metric] = {
    "accuracy": Metric("accuracy", _accuracy, by_class=False),
    "micro_f1": Metric("micro F1", _average(_f1, "micro")),
    "macro_f1": Metric("macro F1", _average(_f1, "macro")),
    "micro_break_even": Metric("micro break-even", _average(_break_even, "micro"), needs=SCORES),
    "macro_break_even": Metric("macro break-even", _average(_break_even, "macro"), needs=SCORES),
    "macro_auc": Metric("macro AUC", _average(_auc, "macro"), needs=SCORES),
    "calibration_error": Metric(
        "calibration error", _calibration, needs=PROBABILITIES, by_class=False, larger_is_better=False
    ),
}
