"""Two linear SVMs, tuned by grid search: one on words and pairs, one with character n-grams as well."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, hstack
from sklearn.base import BaseEstimator
from sklearn.compose import ColumnTransformer
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.metrics import f1_score
from sklearn.model_selection import GridSearchCV, KFold, StratifiedKFold
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import Pipeline
from sklearn.svm import LinearSVC

from text_problems import Problem, Texts
from textbayes import TextCounter
from textbayes.estimators.auto.representation import ColumnsOfKind
from textbayes.evaluation import break_even

PENALTIES = (0.1, 0.5, 2.0, 10.0)
FOLDS = 5
# Corpora on which five folds with characters take more than twenty minutes on a busy core.
FEWER_FOLDS = dict.fromkeys(("docstrings", "Reuters, single-label", "20 Newsgroups", "Reuters-90"), 3)


@dataclass(frozen=True)
class Figures:
    """Results of a model: macro F1 and errors; in multilabel data, macro and micro break-even.

    Seconds pass on the clock; CPU seconds are the sum of all threads.
    """

    macro: float
    other: float
    detail: str = ""
    seconds: float = 0.0
    cpu: float = 0.0


class Stopwatch:
    """Measure seconds and CPU seconds from its creation on."""

    def __init__(self) -> None:
        self._started = time.perf_counter(), time.process_time()

    def read(self) -> dict[str, float]:
        """Return both, as arguments of Figures."""
        return {
            "seconds": time.perf_counter() - self._started[0],
            "cpu": time.process_time() - self._started[1],
        }


def figures_of(truth: NDArray[Any], model: Any, test: Any, detail: str = "", **spent: float) -> Figures:
    """Evaluate a model on the test side."""
    if truth.ndim == 2:
        found = break_even(truth, model.decision_function(test))
        return Figures(found.macro, found.micro, detail, **spent)
    given = model.predict(test)
    macro = float(f1_score(truth, given, average="macro", zero_division=0.0))
    return Figures(macro, float(np.mean(given != truth)), detail, **spent)


def word_svm(texts: Texts, folds: int = FOLDS) -> Figures:
    """Count words and pairs, then tune and evaluate the SVM."""
    watch = Stopwatch()
    return support_vectors(texts.counted(), folds, watch)


def support_vectors(problem: Problem, folds: int = FOLDS, watch: Stopwatch | None = None) -> Figures:
    """Evaluate the SVM on words, or words and pairs, whichever is better in the folds."""
    watch = watch or Stopwatch()
    steps = [
        ("columns", ColumnsOfKind("words", problem.pairs)),
        ("tfidf", TfidfTransformer(sublinear_tf=True)),
    ]
    grid = {"columns__columns": ["words", "all"]}
    model, chosen = _tuned(steps, grid, problem.train, problem.labels, folds)
    columns = "words and pairs" if chosen.get("columns__columns") == "all" else "words"
    detail = f"C={chosen['C']:g}, {columns}"
    return figures_of(problem.truth, model, problem.test, detail, **watch.read())


def character_svm(texts: Texts, folds: int = FOLDS) -> Figures:
    """Evaluate the SVM on words, pairs, and 2 to 5 characters inside words."""
    watch = Stopwatch()
    counters = TextCounter(ngram_range=(1, 2)), TextCounter(unit="char_wb", ngram_range=(2, 5), min_df=2)
    blocks = [counter.fit_transform(texts.train) for counter in counters]
    first = blocks[0].shape[1]
    train = hstack(blocks, format="csr")
    tfidf = TfidfTransformer(sublinear_tf=True)
    # Each block has rows of length 1, as in a FeatureUnion of two TfidfVectorizers.
    parts = [("words", tfidf, slice(0, first)), ("characters", tfidf, slice(first, train.shape[1]))]
    steps = [("tfidf", ColumnTransformer(parts, sparse_threshold=1.0))]
    model, chosen = _tuned(steps, {}, train, texts.labels, folds)
    spent = watch.read()
    test = hstack([counter.transform(texts.test) for counter in counters], format="csr")
    return figures_of(texts.truth, model, test, f"C={chosen['C']:g}", **spent)


SVMS: dict[str, Callable[[Texts, int], Figures]] = {"svm": word_svm, "svm_characters": character_svm}


def _tuned(
    steps: list[tuple[str, BaseEstimator]],
    grid: dict[str, Any],
    train: csr_matrix,
    labels: NDArray[Any],
    folds: int,
) -> tuple[Any, dict[str, Any]]:
    """Search the grid and C in folds, and refit; with one fold C is 1 and the steps are as they are."""
    several = labels.ndim == 2
    svm = LinearSVC(dual=True, random_state=0)
    pipeline = Pipeline([*steps, ("svm", OneVsRestClassifier(svm) if several else svm)])
    if folds == 1:
        return pipeline.fit(train, labels), {"C": 1.0}
    penalty = "svm__estimator__C" if several else "svm__C"
    scoring: Any = _break_even if several else "f1_macro"
    divided = (KFold if several else StratifiedKFold)(folds, shuffle=True, random_state=0)
    search = GridSearchCV(pipeline, {**grid, penalty: PENALTIES}, scoring=scoring, cv=divided)
    search.fit(train, labels)
    return search, {**search.best_params_, "C": search.best_params_[penalty]}


def _break_even(model: Any, X: csr_matrix, truth: NDArray[Any]) -> float:
    """Return the macro break-even of the categories with documents."""
    occur = truth.any(axis=0)
    return break_even(truth[:, occur], model.decision_function(X)[:, occur]).macro


def measured_svm(kind: str, name: str, texts: Texts) -> dict[str, Any]:
    """Measure one of the SVMs on a corpus."""
    folds = FEWER_FOLDS.get(name, FOLDS) if kind == "svm_characters" else FOLDS
    return {**asdict(SVMS[kind](texts, folds)), "folds": folds}


def folds_of(labels: NDArray[Any]) -> int:
    """Return the number of folds for few documents: at most five, and no more than the smallest class."""
    return max(1, min(FOLDS, *Counter(labels.tolist()).values()))
