"""Base class of classifiers whose statistics add: learn, forget, merge."""

from __future__ import annotations

import copy
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import validate_data

from textbayes.answering import Scorer, Scores
from textbayes.errors import MergeError, UnfittedError
from textbayes.errors.checks import check_scale
from textbayes.estimators.base.changing import changes, reads
from textbayes.estimators.base.folds import FoldedClassifier
from textbayes.estimators.base.storing import check_file, restore_columns, store_columns, verify_file
from textbayes.persistence import Stored
from textbayes.scores.leave_one_out import Removal
from textbayes.statistics import ClassStatistics, LabelledRows
from textbayes.statistics.lock import Lock

Reals = NDArray[np.float64]


@dataclass(eq=False)
class WeightCache:
    """Weights made from the statistics, until these change."""

    scorer: Scorer | None = None
    odds: Scores | None = None
    # Values that a subclass computed for each term or pair; the next weights reuse those that did not change.
    reused: Any = None
    # Threads must not compute the same weights at once, least of all in ``reused``.
    lock: Lock = field(default_factory=Lock, repr=False)

    def moved(self) -> WeightCache:
        """Return a cache for changed statistics; this one is empty then.

        Statistics that a scorer still holds would be copied before they change.
        """
        with self.lock:
            twin, self.reused = WeightCache(reused=self.reused), None
            self.scorer = self.odds = None
        return twin

    def __reduce__(self) -> tuple[Any, ...]:
        return WeightCache, ()


class NaiveBayesClassifier(FoldedClassifier):
    """The scikit-learn face of statistics → weights → scores → decisions.

    A subclass defines its statistics, and how to make weights from them. Statistics add,
    so partial_fit, forget and merge are exact: the model equals a fresh fit on the remaining documents.
    """

    _statistics: ClassStatistics
    _statistics_kind: type[ClassStatistics] = ClassStatistics
    learns_in_place = True

    # What a subclass defines.

    @abstractmethod
    def _make_scorer(self) -> Scorer:
        """Make weights from the statistics, ready to score."""

    @abstractmethod
    def _make_odds_scorer(self) -> Scores:
        """Make the weights for label indicators: a class is predicted if its score is above 0."""

    @abstractmethod
    def _scores_without(self, removal: Removal, values: Sequence[float] | None) -> Iterator[Reals]:
        """Yield the scores of documents by the model without each: once, or for each value of smoothing."""

    refits = False

    # Name of the parameter that loo_score_path varies; None for a model without smoothing.
    _smoothing: str | None = None

    # Learning.

    @changes
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from documents.

        Parameters
        ----------
        X : sparse matrix or array of shape (documents, terms)
            Counts, or weights such as tf-idf: never negative.
        y : array-like of shape (documents,), or indicator of shape (documents, classes)
            One label per document; or an indicator of 0 and 1.
        sample_weight : array-like of shape (documents,), optional
            A document of weight 2 counts as two documents; one of weight 0 as none.
        """
        documents = self._validated(X, y, sample_weight, reset=True)
        statistics = self._statistics_kind(documents.rows.width, documents.targets.multilabel)
        statistics.add(documents)
        self._statistics = statistics
        self._accept_columns(X)
        self._cache = WeightCache()
        return self

    def new_statistics(self, columns: int, multilabel: bool) -> ClassStatistics | None:
        """Return empty sums, for ``use_statistics`` once all documents are added."""
        return self._statistics_kind(columns, multilabel)

    def share_statistics(self, other: NaiveBayesClassifier) -> Self:
        """Use the statistics of another model, without a copy."""
        return self.use_statistics(other._statistics)

    def use_statistics(self, statistics: ClassStatistics) -> Self:
        """Use these statistics, without a copy: the caller changes them."""
        self._statistics = statistics
        self.n_features_in_: int = statistics.columns
        self._drop_weights()
        return self

    @changes
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:  # noqa: ARG002
        """Learn from more documents, which may have new classes and columns.

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
        documents = self._validated(X, y, sample_weight, reset=grows)
        self._statistics.add(documents)
        if grows:
            self._accept_columns(X)
        return self

    @changes
    def forget(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Forget documents: the model then equals a fresh fit on the remaining ones.

        Parameters
        ----------
        X, y, sample_weight
            The rows, labels and weights that were learned. Columns added since may be missing.

        Raises
        ------
        NotLearnedError
            If a sum would become negative. Nothing is changed.
        """
        self._check_fitted("forget")
        narrow = 0 < _width(X) < self.n_features_in_
        documents = self._validated(X, y, sample_weight, reset=narrow)
        self._statistics.subtract(documents)
        return self

    @changes
    def merge(self, other: Self, column_of: NDArray[np.uint32] | None = None) -> Self:
        """Learn the documents of another model.

        Parameters
        ----------
        other : classifier of the same kind
            The other model, with the same parameters.
        column_of : array of int, optional
            For each column of the other model, its column here; by default the same.

        Raises
        ------
        MergeError
            If the models are of different classes or have different parameters.
        """
        self._check_fitted("merge")
        if type(self) is not type(other):
            raise MergeError("their kind", type(self).__name__, type(other).__name__)
        other = other.snapshot()
        other._check_fitted("merge")
        verify_file(other)
        theirs = other.get_params()
        for name, value in self.get_params().items():
            if not np.array_equal(value, theirs[name]):
                raise MergeError(name, value, theirs[name])
        names = self._joined_names(other)
        self._statistics.merge(other._statistics, column_of)
        self.n_features_in_ = self._statistics.columns
        if names is not None:
            self.feature_names_in_ = names
        return self

    def _joined_names(self, other: Self) -> NDArray[Any] | None:
        """Return the column names of both models: the shorter list must start the longer one."""
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
        """Return a third model with the documents of both."""
        if not isinstance(other, NaiveBayesClassifier):
            return NotImplemented
        return copy.deepcopy(self).merge(other)

    # Leaving one out.

    @reads
    def loo_scores(self, X: Any, y: Any, sample_weight: Any = None) -> Reals:
        """Score training documents, each by the model fitted without it.

        Removing a document from the sums is a subtraction, so this costs about as much as scoring. Nothing is
        refitted, and the model does not change.

        Parameters
        ----------
        X, y, sample_weight
            All or some of the training documents, with their labels and weights.

        Returns
        -------
        array of the shape of decision_function
            A class without other documents scores −∞; with two classes the lead is then −∞ or ∞. Classes of a
            label indicator remain, and score as after a refit.

        Raises
        ------
        NotLearnedError
            If a class has fewer documents, or smaller sums, than one of the given documents.

        Notes
        -----
        The representation is fixed: the vocabulary, |V| and the idf come from all documents, including the
        one left out.

        Examples
        --------
        >>> from textbayes import MultinomialNB
        >>> X, y = [[3, 0], [2, 1], [0, 2], [1, 2]], ["a", "a", "b", "b"]
        >>> model = MultinomialNB().fit(X, y)
        >>> model.loo_scores(X, y).round(3)
        array([-1.533, -0.093,  1.058,  0.405])
        >>> model.forget(X[:1], y[:1]).decision_function(X[:1]).round(3)
        array([-1.533])
        """
        removal = self._removal(X, y, sample_weight, "loo_scores")
        return self._shaped_scores(next(iter(self._scores_without(removal, None))))

    @reads
    def loo_score_path(self, X: Any, y: Any, values: Sequence[float], sample_weight: Any = None) -> Reals:
        """Return loo_scores for several values of the smoothing parameter, faster than one by one.

        Parameters
        ----------
        X, y, sample_weight
            As for loo_scores.
        values : sequence of float
            Values of ``alpha``; of ``theta`` for a Poisson model. The parameter itself does not change.

        Returns
        -------
        array of shape (values, ...)
            The scores for each value, in the shape of loo_scores.

        Examples
        --------
        >>> from textbayes import MultinomialNB
        >>> X, y = [[3, 0], [2, 1], [0, 2], [1, 2]], ["a", "a", "b", "b"]
        >>> model = MultinomialNB().fit(X, y)
        >>> (model.loo_score_path(X, y, [0.1, 1.0]) > 0).tolist()
        [[False, True, True, False], [False, False, True, True]]
        """
        if self._smoothing is None:
            raise AttributeError(f"{type(self).__name__} has no smoothing: use loo_scores.")
        for value in values:
            check_scale(self._smoothing, value)
        removal = self._removal(X, y, sample_weight, "loo_score_path")
        found = self._scores_without(removal, [float(value) for value in values])
        return np.stack([self._shaped_scores(scores) for scores in found])

    def _removal(self, X: Any, y: Any, sample_weight: Any, method: str) -> Removal:
        self._check_fitted(method)
        return Removal(self._statistics, self._validated(X, y, sample_weight, reset=False))

    def removable(self, X: Any, y: Any, sample_weight: Any, method: str) -> LabelledRows:
        """Check that documents were learned and can be removed."""
        return self._removal(X, y, sample_weight, method).learned

    def without(self, documents: LabelledRows, places: NDArray[np.intp]) -> Self:
        """Return the model fitted without some of the documents."""
        return self.without_parts([documents.take(places)])

    def without_parts(self, parts: Iterable[LabelledRows]) -> Self:
        """Return the model fitted without these documents, which it has learned."""
        rest = copy.copy(self)
        rest._statistics = self._statistics.copy()
        for documents in parts:
            rest._statistics.subtract(documents)
        rest._cache = WeightCache()
        return rest

    # Looking inside.

    @property
    def statistics_(self) -> ClassStatistics:
        """The sums that the model comes from."""
        return self._learned("statistics_")

    @property
    def classes_(self) -> NDArray[Any]:
        """The labels, sorted; of a label indicator, its columns."""
        return self._learned("classes_").classes

    @property
    def class_documents_(self) -> Reals:
        """Number of documents of each class, as the sum of their weights."""
        statistics = self._learned("class_documents_")
        return statistics.class_documents[statistics.order]

    def _learned(self, name: str) -> ClassStatistics:
        if not self._is_fitted():
            raise UnfittedError.of_attribute(type(self).__name__, name)
        return self._statistics

    # Plumbing.

    def _is_fitted(self) -> bool:
        return hasattr(self, "_statistics")

    @property
    def multilabel_(self) -> bool:
        """Whether labels were an indicator."""
        return self._statistics.multilabel

    def _check_fitted(self, method: str) -> None:
        # A model that has forgotten everything cannot predict either, but can learn and be merged.
        empty = self._is_fitted() and not len(self._statistics.order) and method not in ("forget", "merge")
        if empty or not self._is_fitted():
            raise UnfittedError(type(self).__name__, method)
        check_file(self)

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = super().__getstate__()
        # Recomputed from the statistics when needed: weights are larger, and cannot be pickled.
        return state | {"_cache": WeightCache()}

    def store(self) -> Stored:
        """Return what was learned, for a model file."""
        if not self._is_fitted():
            return Stored()
        statistics = self._statistics.in_file_order()
        if statistics is not self._statistics:
            self._use_equal(statistics)
        return store_columns(self).with_part("statistics", statistics.store())

    @changes
    def _use_equal(self, statistics: ClassStatistics) -> None:
        """Use the same sums with other slots of the classes; weights go by the slots."""
        self._statistics, self._cache = statistics, WeightCache()

    def restore(self, stored: Stored) -> None:
        """Load what ``store`` returned; refuse an invalid file."""
        if stored.has_part("statistics"):
            columns = restore_columns(self, stored)
            sums = stored.part("statistics")
            self._statistics = self._statistics_kind.restore(sums, columns)
            self._drop_weights()

    def fork(self) -> Self:
        """Return a model with its own statistics and no weights yet; the cache of this one moves to it."""
        twin = super().fork()
        if self._is_fitted():
            twin._statistics, twin._cache = self._statistics.fork(), self._moved_cache()
        return twin

    def _moved_cache(self) -> WeightCache:
        return self._cache.moved()

    def _drop_weights(self) -> None:
        cache = getattr(self, "_cache", None)
        self._cache = WeightCache(reused=cache and cache.reused)

    def _scorer(self, method: str) -> Any:
        self._check_fitted(method)
        cache = self._cache
        with cache.lock:
            if cache.scorer is None:
                self.check_parameters()
                cache.scorer = self._make_scorer()
            return cache.scorer

    def _odds_scorer(self) -> Any:
        cache = self._cache
        with cache.lock:
            if cache.odds is None:
                self.check_parameters()
                cache.odds = self._make_odds_scorer()
            return cache.odds

    def _check_known_names(self, X: Any) -> None:
        """Check that the known columns have the same names and positions in a wider X."""
        names = getattr(self, "feature_names_in_", None)
        if names is not None and hasattr(X, "columns"):
            validate_data(self, X.iloc[:, : len(names)], reset=False, skip_check_array=True)


def _width(X: Any) -> int:
    """Return the number of columns of X; 0 if it has no shape."""
    shape: tuple[int, ...] = getattr(X, "shape", None) or (np.shape(X) if isinstance(X, list | tuple) else ())
    return shape[1] if len(shape) == 2 else 0
