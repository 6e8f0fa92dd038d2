"""What models have in common that are estimated from their documents, visited in some order."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textbayes.estimators.base.naive_bayes import NaiveBayesClassifier
from textbayes.persistence import Stored
from textbayes.scores import LinearScorer
from textbayes.scores.leave_one_out import Removal
from textbayes.statistics import ClassStatistics, DocumentStatistics
from textbayes.weights import LinearWeights, store_pair_weights

Reals = NDArray[np.float64]


class EstimatedClassifier(NaiveBayesClassifier):
    """A linear model that keeps its documents, and is estimated anew when they change.

    The estimate stands in a model file too: another order of the visits would not give it again.
    """

    _statistics: DocumentStatistics
    _statistics_kind = DocumentStatistics
    _smoothing: str
    refits = True

    @abstractmethod
    def _estimate(self) -> tuple[LinearWeights, ClassStatistics]:
        """Estimate weights, and the statistics whose pairs they take."""

    @abstractmethod
    def _restored_estimate(self, stored: Stored) -> tuple[LinearWeights, ClassStatistics]:
        """Make of a model file's part what ``_estimate`` returned."""

    def _make_scorer(self) -> LinearScorer:
        return LinearScorer(*(self._filed_estimate() or self._estimate()))

    def _make_odds_scorer(self) -> LinearScorer:
        # One estimate decides and ranks: another takes as long, and without a seed is another.
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
        return stored.with_part("estimate", self._stored_estimate())

    def _stored_estimate(self) -> Stored:
        scorer: LinearScorer = self._scorer("save")
        return store_pair_weights(scorer.weights, scorer.statistics)

    def restore(self, stored: Stored) -> None:
        """Take back what ``store`` returned, or refuse the file."""
        super().restore(stored)
        if stored.has_part("estimate") and self._is_fitted():
            # Looked at when first used, and only as long as nothing was learned or set since.
            self._filed = (self._kept, stored.part("estimate"))

    def _filed_estimate(self) -> tuple[LinearWeights, ClassStatistics] | None:
        kept, estimate = getattr(self, "_filed", (None, None))
        if estimate is None or kept is not self._kept:
            return None
        return self._restored_estimate(estimate)

    @property
    def weights_(self) -> Reals:
        """A table of shape (classes, terms), made when asked for."""
        scorer: LinearScorer = self._scorer("weights_")
        return scorer.weights.table(scorer.statistics)
