"""ComplementNB."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from typing import Self

import numpy as np
from numpy.typing import NDArray

from textbayes._native import CorrectionCache
from textbayes.estimators.base.naive_bayes import NaiveBayesClassifier
from textbayes.estimators.base.storing import storable
from textbayes.scores import LinearScorer
from textbayes.scores.leave_one_out import Removal, complement_scores_without
from textbayes.statistics import ClassStatistics
from textbayes.weights import LinearWeights, check_complement, complement_weights, odds_against


@storable
class ComplementNB(NaiveBayesClassifier):
    """Complement naive Bayes (Rennie 2003, eqs. 6–9).

    A class is scored by how badly the documents without it fit: there are more of them, so their estimates
    are better.

    Parameters
    ----------
    alpha : float, default=1.0
        Smoothing: the count that every term starts with.
    norm : bool, default=False
        Divide each class's weights by the sum of their absolute values (eq. 9).
    against : {"complement", "class", "all"}, default="complement"
        The score, where θ̃ is of the documents without the class:

        - "complement": −Σ x log θ̃ (eq. 6), for one label per document;
        - "class": Σ x (log θ of the class − log θ̃) (eq. 7, one-vs-all);
        - "all": Σ x (log θ of all documents − log θ̃) (eq. 8), for several labels per document.

        Larger is better in each.

    Attributes
    ----------
    classes_ : array
        The labels, sorted.
    class_documents_ : array
        Number of documents of each class.
    weights_ : array of shape (classes, terms)
        Weights as a dense table, made on demand.

    Notes
    -----
    There is no prior, as in the paper. With several labels per document, a document counts once in all
    documents and once in each of its classes. It gets a class if its score by eq. 8 (eq. 7 with
    ``against="class"``) is above 0, and the probability is the logistic function of that score: eq. 6 has no
    natural zero.

    Examples
    --------
    >>> from textbayes import ComplementNB, FrequencyTransform, TextCounter
    >>> from sklearn.pipeline import make_pipeline
    >>> twcnb = make_pipeline(TextCounter(), FrequencyTransform(), ComplementNB(norm=True))
    >>> texts = ["wheat and corn", "wheat harvest", "crude oil", "oil output", "gold coins", "gold mine"]
    >>> twcnb.fit(texts, ["grain", "grain", "oil", "oil", "gold", "gold"]).predict(["corn harvest", "crude"])
    array(['grain', 'oil'], dtype='<U5')
    """

    _smoothing = "alpha"

    def __init__(self, alpha: float = 1.0, norm: bool = False, against: str = "complement") -> None:
        self.alpha = alpha
        self.norm = norm
        self.against = against

    def check_parameters(self) -> None:
        """Raise an error that names the parameter when one cannot be used."""
        check_complement(self.alpha, self.norm, self.against)

    def _weights(self, against: str) -> LinearWeights:
        if self._cache.reused is None:
            self._cache.reused = CorrectionCache()
        settings = (float(self.alpha), bool(self.norm), against)
        return complement_weights(self._statistics, *settings, self._cache.reused)

    def linear_weights(self) -> tuple[LinearWeights, ClassStatistics]:
        """Return the weights, and the statistics with their pairs."""
        return self._weights(self.against), self._statistics

    def _make_scorer(self) -> LinearScorer:
        return LinearScorer(*self.linear_weights())

    def _scores_without(
        self, removal: Removal, values: Sequence[float] | None
    ) -> Iterator[NDArray[np.float64]]:
        alphas = [float(self.alpha)] if values is None else values
        return complement_scores_without(removal, alphas, bool(self.norm), self.against)

    def loo_decider(self, multilabel: bool) -> Self | None:
        """Return the model itself; for several labels, with the equation that decides them."""
        if not multilabel:
            return self
        decider = copy.copy(self)
        decider.against = odds_against(self.against)
        return decider

    def _make_odds_scorer(self) -> LinearScorer:
        return LinearScorer(self._weights(odds_against(self.against)), self._statistics)

    @property
    def weights_(self) -> NDArray[np.float64]:
        """The weights, shape (classes, terms): a dense table, made on demand."""
        self._check_fitted("weights_")
        return self._weights(self.against).table(self._statistics)
