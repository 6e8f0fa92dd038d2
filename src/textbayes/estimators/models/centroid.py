"""CentroidClassifier."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Self

import numpy as np
from numpy.typing import NDArray

from textbayes.estimators.base.naive_bayes import NaiveBayesClassifier
from textbayes.estimators.base.storing import storable
from textbayes.scores import LinearScorer
from textbayes.scores.leave_one_out import Removal, centroid_scores_without
from textbayes.statistics import ClassStatistics
from textbayes.weights import LinearWeights, centroid_odds_weights, centroid_weights, check_centroid


@storable
class CentroidClassifier(NaiveBayesClassifier):
    """Centroid classifier (Frank 2006, section 4): a class is the sum of its document vectors, at length 1.

    Parameters
    ----------
    norm : {"l2", "l1"}, default="l2"
        The norm that is 1 for each centroid. With "l1" it is multinomial naive Bayes with
        ``class_length=1``, without a logarithm (Frank 2006, sections 4 and 5).

    Attributes
    ----------
    classes_ : array
        The labels, sorted.
    class_documents_ : array
        Number of documents of each class.
    weights_ : array of shape (classes, terms)
        Centroids as a dense table, made on demand.

    Notes
    -----
    Documents are not scaled; use :class:`FrequencyTransform` first. A class without words scores 0. The
    scores are not log probabilities: ``predict_proba`` normalises them, but only their order means something.
    With several labels per document, a document gets a class if it is nearer to its centroid than to that of
    the documents without the class (eq. 4).

    Examples
    --------
    >>> from textbayes import CentroidClassifier
    >>> import numpy as np
    >>> model = CentroidClassifier().fit(np.array([[3, 0], [1, 1], [0, 2]]), ["a", "a", "b"])
    >>> model.decision_function(np.array([[1.0, 0.0]])).round(2)
    array([-0.97])
    """

    def __init__(self, norm: str = "l2") -> None:
        self.norm = norm

    def check_parameters(self) -> None:
        """Raise an error that names the parameter when one cannot be used."""
        check_centroid(self.norm)

    def linear_weights(self) -> tuple[LinearWeights, ClassStatistics]:
        """Return the weights, and the statistics with their pairs."""
        return centroid_weights(self._statistics, self.norm), self._statistics

    def _make_scorer(self) -> LinearScorer:
        return LinearScorer(*self.linear_weights())

    def _scores_without(
        self,
        removal: Removal,
        values: Sequence[float] | None,  # noqa: ARG002
    ) -> Iterator[NDArray[np.float64]]:
        yield centroid_scores_without(removal, self.norm)

    def loo_decider(self, multilabel: bool) -> Self | None:
        """Return the model itself for one label per document, None for several."""
        return None if multilabel else self

    def _make_odds_scorer(self) -> LinearScorer:
        return LinearScorer(centroid_odds_weights(self._statistics, self.norm), self._statistics)

    @property
    def weights_(self) -> NDArray[np.float64]:
        """The centroids, shape (classes, terms): a dense table, made on demand."""
        self._check_fitted("weights_")
        return centroid_weights(self._statistics, self.norm).table(self._statistics)
