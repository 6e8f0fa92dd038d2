"""Models that refit from their documents."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textbayes.estimators.base.naive_bayes import NaiveBayesClassifier, WeightCache
from textbayes.persistence import Stored
from textbayes.scores import LinearScorer
from textbayes.scores.leave_one_out import Removal
from textbayes.statistics import ClassStatistics, DocumentStatistics
from textbayes.weights import LinearWeights, store_pair_weights

Reals = NDArray[np.float64]


class RefittedClassifier(NaiveBayesClassifier):
    """A linear model that keeps its documents, and refits when they change.

    A model file stores the weights too, so that loading it takes no fit.
    """

    _statistics: DocumentStatistics
    _statistics_kind = DocumentStatistics
    _smoothing: str
    refits = True

    def new_statistics(self, columns: int, multilabel: bool) -> None:  # noqa: ARG002
        """Return None: the weights are fitted on all documents at once."""
        return

    @abstractmethod
    def _fit_weights(self) -> tuple[LinearWeights, ClassStatistics]:
        """Fit weights; return them and the statistics with their pairs."""

    @abstractmethod
    def _restore_weights(self, stored: Stored) -> tuple[LinearWeights, ClassStatistics]:
        """Load what ``_fit_weights`` returned from a part of a model file."""

    def linear_weights(self) -> tuple[LinearWeights, ClassStatistics]:
        """Return the weights, and the statistics with their pairs."""
        scorer: LinearScorer = self._scorer("predict")
        return scorer.weights, scorer.statistics

    def _moved_cache(self) -> WeightCache:
        # Fitted weights are not in the statistics: without a seed, another fit would give others.
        return WeightCache()

    def _make_scorer(self) -> LinearScorer:
        return LinearScorer(*(self._stored_weights() or self._fit_weights()))

    def _make_odds_scorer(self) -> LinearScorer:
        # The same weights: a second fit would take as long, and without a seed it would differ.
        scorer: LinearScorer = self._scorer("predict")
        return scorer

    def _scores_without(self, removal: Removal, values: Sequence[float] | None) -> Iterator[Reals]:
        for value in [float(getattr(self, self._smoothing))] if values is None else values:
            changed: dict[str, Any] = {self._smoothing: value}
            yield self._scores_by_folds(removal.learned, **changed)

    # In a model file.

    def store(self) -> Stored:
        """Return what was learned, for a model file."""
        stored = super().store()
        if not self._is_fitted() or not len(self.classes_):
            return stored
        return stored.with_part("estimate", self._store_weights())

    def _store_weights(self) -> Stored:
        scorer: LinearScorer = self._scorer("save")
        return store_pair_weights(scorer.weights, scorer.statistics)

    def restore(self, stored: Stored) -> None:
        """Load what ``store`` returned; refuse an invalid file."""
        super().restore(stored)
        if stored.has_part("estimate") and self._is_fitted():
            # Checked when first used; used until documents or parameters change.
            self._stored = (self._cache, stored.part("estimate"))

    def _stored_weights(self) -> tuple[LinearWeights, ClassStatistics] | None:
        cache, estimate = getattr(self, "_stored", (None, None))
        if estimate is None or cache is not self._cache:
            return None
        return self._restore_weights(estimate)

    @property
    def weights_(self) -> Reals:
        """The weights, shape (classes, terms): a dense table, made on demand."""
        scorer: LinearScorer = self._scorer("weights_")
        return scorer.weights.table(scorer.statistics)
