"""What every classifier of the family shares: learn, forget, join, score, decide."""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import _check_sample_weight, check_consistent_length, validate_data

from textbayes.counts import Rows
from textbayes.decisions import binary_scores, check_k
from textbayes.errors import LabelsMissingError, MergeError, NotLearnedYetError
from textbayes.estimators.inputs import any_rows, expected_rows
from textbayes.estimators.storing import restore_columns, store_columns
from textbayes.persistence import Stored
from textbayes.scores import Contributions, linear_contributions, log_logistic, log_softmax
from textbayes.statistics import (
    ClassStatistics,
    Targets,
    as_targets,
    restore_statistics,
    store_statistics,
)

Reals = NDArray[np.float64]
Learned = tuple[Rows, Targets, Reals | None]


class Scores(Protocol):
    """Scores of rows, for statistics that do not change."""

    def scores(self, rows: Rows) -> Reals:
        """Score every row in every class."""


class Scorer(Scores, Protocol):
    """Scores of rows, or only the best of them."""

    def best(self, rows: Rows, k: int) -> tuple[NDArray[np.intp], Reals]:
        """Find each row's ``k`` best classes."""


@dataclass(eq=False)
class _Kept:
    """Weights worked out from the statistics as they are now, and kept until these change."""

    scorer: Scorer | None = None
    odds: Scores | None = None


class NaiveBayesClassifier(ClassifierMixin, BaseEstimator, ABC):  # type: ignore[misc]
    """The scikit-learn face of statistics → weights → scores → decisions.

    A subclass says which statistics it keeps and how weights come from them; everything else is here.
    Statistics add, so learning more, forgetting and joining are exact: the model is always that of a fresh
    fit on the documents that remain.
    """

    _statistics: ClassStatistics
    _statistics_kind: type[ClassStatistics] = ClassStatistics

    # What a subclass defines.

    @abstractmethod
    def _check_parameters(self) -> None:
        """Raise an error that names the parameter when one cannot be used."""

    @abstractmethod
    def _make_scorer(self) -> Scorer:
        """Make weights from the statistics, ready to score."""

    @abstractmethod
    def _make_odds_scorer(self) -> Scores:
        """Make the weights that decide each class of multi-label data on its own: above 0 it is given."""

    # Learning.

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from documents.

        Parameters
        ----------
        X : sparse matrix or array of shape (documents, terms)
            Counts, or weights such as tf-idf: never negative.
        y : array-like of shape (documents,), or indicator of shape (documents, classes)
            One label a document; or 0 and 1, a document having the classes of its ones.
        sample_weight : array-like of shape (documents,), optional
            A document of weight 2 counts as two documents; one of weight 0 as none.
        """
        rows, targets, weights = self._validated(X, y, sample_weight, reset=True)
        statistics = self._statistics_kind(rows.width, targets.multilabel)
        statistics.add(rows, targets, weights)
        self._statistics = statistics
        self._accept_columns(X)
        self._forget_weights()
        return self

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:  # noqa: ARG002
        """Learn from more documents: classes and columns never seen before are welcome.

        Parameters
        ----------
        X, y, sample_weight
            As for fit. More columns than before are new terms.
        classes : ignored
            For scikit-learn's convention; classes need not be announced.
        """
        if not self._is_fitted():
            return self.fit(X, y, sample_weight)
        grows = _width(X) > self.n_features_in_
        if grows:
            self._check_known_names(X)
        rows, targets, weights = self._validated(X, y, sample_weight, reset=grows)
        self._statistics.add(rows, targets, weights)
        if grows:
            self._accept_columns(X)
        self._forget_weights()
        return self

    def forget(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Take documents out: the model is that of a fresh fit on those that remain.

        Parameters
        ----------
        X, y, sample_weight
            The same rows, labels and weights that were learned. Columns added since may be left out.

        Raises
        ------
        NotLearnedError
            When a sum would go below zero. Nothing is changed.
        """
        self._check_fitted("forget")
        narrow = 0 < _width(X) < self.n_features_in_
        rows, targets, weights = self._validated(X, y, sample_weight, reset=narrow)
        self._statistics.subtract(rows, targets, weights)
        self._forget_weights()
        return self

    def merge(self, other: Self) -> Self:
        """Join another model's documents to this one.

        Raises
        ------
        MergeError
            When the models are of different kinds or have different parameters.
        """
        self._check_fitted("merge")
        if type(self) is not type(other):
            raise MergeError("their kind", type(self).__name__, type(other).__name__)
        other._check_fitted("merge")
        theirs = other.get_params()
        for name, value in self.get_params().items():
            if not np.array_equal(value, theirs[name]):
                raise MergeError(name, value, theirs[name])
        names = self._joined_names(other)
        self._statistics.merge(other._statistics.copy() if other is self else other._statistics)
        self.n_features_in_ = self._statistics.columns
        if names is not None:
            self.feature_names_in_ = names
        self._forget_weights()
        return self

    def _joined_names(self, other: Self) -> NDArray[Any] | None:
        """Names of the columns of both: one's must go on where the other's end."""
        mine, theirs = (getattr(model, "feature_names_in_", None) for model in (self, other))
        if mine is None or theirs is None:
            if mine is not theirs:
                raise MergeError("whether columns have names", mine, theirs)
            return None
        common = min(len(mine), len(theirs))
        if list(mine[:common]) != list(theirs[:common]):
            raise MergeError("the names of their columns", list(mine[:5]), list(theirs[:5]))
        return np.asarray(mine if len(mine) >= len(theirs) else theirs)

    def __add__(self, other: Self) -> Self:
        """Join two models in a third."""
        if not isinstance(other, NaiveBayesClassifier):
            return NotImplemented
        return copy.deepcopy(self).merge(other)

    # Scoring and deciding.

    def decision_function(self, X: Any) -> Reals:
        """Score documents: the larger, the better.

        Returns
        -------
        array of shape (documents,) with two classes, else (documents, classes)
            With two classes, the lead of the second over the first. Of a label indicator, always one score a
            class.
        """
        scores = self._scorer("decision_function").scores(self._rows(X))
        return scores if self._statistics.multilabel else binary_scores(scores)

    def predict_log_proba(self, X: Any) -> Reals:
        """Return the log of predict_proba."""
        self._check_fitted("predict_log_proba")
        rows = self._rows(X)
        if self._statistics.multilabel:
            return log_logistic(self._odds_scorer().scores(rows))
        return log_softmax(self._scorer("predict_log_proba").scores(rows))

    def predict_proba(self, X: Any) -> Reals:
        """Return the probability of each class, shape (documents, classes).

        One label a document: scores taken as log P(x, c), normalised over the classes. Label indicators: each
        class on its own, against the documents without it.
        """
        return np.exp(self.predict_log_proba(X))

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the best label of each document, or a label indicator if the model learned from one."""
        self._check_fitted("predict")
        rows = self._rows(X)
        if self._statistics.multilabel:
            return np.asarray(self._odds_scorer().scores(rows) > 0, dtype=np.int64)
        best, _ = self._scorer("predict").best(rows, 1)
        return np.asarray(self.classes_[best[:, 0]])

    def top_k(self, X: Any, k: int) -> tuple[NDArray[Any], Reals]:
        """Return each document's ``k`` best labels and their scores, best first.

        Parameters
        ----------
        X : sparse matrix or array of shape (documents, terms)
            Documents.
        k : int
            How many; more than there are classes gives them all.

        Returns
        -------
        labels, scores : arrays of shape (documents, k)
            Of equal scores the class that sorts first comes first.
        """
        best, scores = self._scorer("top_k").best(self._rows(X), check_k(k))
        return np.asarray(self.classes_[best]), scores

    def _contributions(self, row: Rows) -> Contributions:
        """Take the scores that decide apart: of one row, what each entry adds to each class.

        For scores that are linear in the row; a scorer of another kind has ``contributions`` of its own.
        """
        scorer = self._odds_scorer() if self._statistics.multilabel else self._scorer("explain")
        if hasattr(scorer, "contributions"):
            return scorer.contributions(row)  # type: ignore[no-any-return]
        return linear_contributions(scorer, row)

    # Looking inside.

    @property
    def classes_(self) -> NDArray[Any]:
        """The labels, sorted; of a label indicator, its columns."""
        if not self._is_fitted():
            raise AttributeError(str(NotLearnedYetError(type(self).__name__, "classes_")))
        return self._statistics.classes

    @property
    def class_documents_(self) -> Reals:
        """How many documents each class has (sample weights added up)."""
        if not self._is_fitted():
            raise AttributeError(str(NotLearnedYetError(type(self).__name__, "class_documents_")))
        return self._statistics.class_documents[self._statistics.order]

    # Plumbing.

    def _is_fitted(self) -> bool:
        return hasattr(self, "_statistics")

    def __sklearn_is_fitted__(self) -> bool:
        return self._is_fitted()

    def _check_fitted(self, method: str) -> None:
        # A model that has forgotten everything has nothing to go by either, but can learn and be joined.
        empty = self._is_fitted() and not len(self._statistics.order) and method not in ("forget", "merge")
        if empty or not self._is_fitted():
            raise NotLearnedYetError(type(self).__name__, method)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = True
        tags.classifier_tags.multi_label = True
        # Dense blobs of points, which scikit-learn scores on, are not what counts look like.
        tags.classifier_tags.poor_score = True
        return tags

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = super().__getstate__()
        # Worked out anew from the statistics: they are larger, and the core's own.
        return state | {"_kept": _Kept()}

    def _store(self) -> Stored:
        if not self._is_fitted():
            return Stored()
        return store_columns(self).with_part("statistics", store_statistics(self._statistics))

    def _restore(self, stored: Stored) -> None:
        if stored.has_part("statistics"):
            columns = restore_columns(self, stored)
            sums = stored.part("statistics")
            self._statistics = restore_statistics(self._statistics_kind, sums, columns)
            self._forget_weights()

    def _forget_weights(self) -> None:
        self._kept = _Kept()

    def _scorer(self, method: str) -> Any:
        self._check_fitted(method)
        kept = self._kept
        if kept.scorer is None:
            self._check_parameters()
            kept.scorer = self._make_scorer()
        return kept.scorer

    def _odds_scorer(self) -> Any:
        kept = self._kept
        if kept.odds is None:
            self._check_parameters()
            kept.odds = self._make_odds_scorer()
        return kept.odds

    def set_params(self, **params: Any) -> Self:
        """Set parameters; weights are worked out anew from the statistics, which stay."""
        super().set_params(**params)
        self._forget_weights()
        return self

    def _rows(self, X: Any) -> Rows:
        if isinstance(X, Rows):  # from TextClassifier, which checks texts
            return X
        return expected_rows(self, X, reset=False)

    def _validated(self, X: Any, y: Any, sample_weight: Any, reset: bool) -> Learned:
        """Check everything before anything is changed; with ``reset``, X may have other columns."""
        self._check_parameters()
        if y is None:
            raise LabelsMissingError(type(self).__name__)
        rows = any_rows(X, self) if reset else self._rows(X)
        targets = as_targets(y)
        check_consistent_length(rows.starts[1:], targets.starts[1:])
        if sample_weight is None:
            return rows, targets, None
        weights = _check_sample_weight(
            sample_weight, rows.starts[1:], dtype=np.float64, ensure_non_negative=True
        )
        return rows, targets, weights

    def _check_known_names(self, X: Any) -> None:
        """Check that the columns there are keep their names, and their place, among more of them."""
        names = getattr(self, "feature_names_in_", None)
        if names is not None and hasattr(X, "columns"):
            validate_data(self, X.iloc[:, : len(names)], reset=False, skip_check_array=True)

    def _accept_columns(self, X: Any) -> None:
        """Take the number of columns, and their names, as what is expected from now on."""
        validate_data(self, X, reset=True, skip_check_array=True)


def _width(X: Any) -> int:
    """How many columns X has; 0 for what has no shape yet."""
    shape: tuple[int, ...] = getattr(X, "shape", None) or (np.shape(X) if isinstance(X, list | tuple) else ())
    return shape[1] if len(shape) == 2 else 0
