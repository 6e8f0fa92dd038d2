"""MultinomialNB."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from textbayes.estimators.base.naive_bayes import NaiveBayesClassifier
from textbayes.estimators.base.storing import storable
from textbayes.scores import LinearScorer, MultinomialOddsScorer
from textbayes.scores.leave_one_out import Removal, multinomial_scores_without
from textbayes.statistics import ClassStatistics
from textbayes.weights import LinearWeights, check_multinomial, log_prior, multinomial_weights

Reals = NDArray[np.float64]


@storable
class MultinomialNB(NaiveBayesClassifier):
    """Multinomial naive Bayes (Rennie 2003, eqs. 1–3; Schneider 2004, eqs. 1–3; Frank 2006, eqs. 1–3).

    P(c|d) ∝ P(c) Π P(w|c)^{n_wd} with P(w|c) = (α + n_wc) / (αk + n_c). Memory follows the (class, term)
    pairs seen, never classes × terms.

    Parameters
    ----------
    alpha : float, default=1.0
        Smoothing: the count that every term starts with.
    class_length : float, "min" or None, default=None
        Scale the counts of each class to this sum before smoothing (Frank 2006, eq. 3), so that small classes
        are not smoothed more than large ones. Frank's choices are 1, very heavy smoothing, and "min", the sum
        of the shortest class.
    fit_prior : bool, default=True
        Whether P(c) is the class's share of the documents; if not, it is the same for all classes.
    class_prior : array-like of shape (classes,), optional
        P(c), in the order of ``classes_``.

    Attributes
    ----------
    classes_ : array
        The labels, sorted.
    class_documents_ : array
        Number of documents of each class.
    weights_ : array of shape (classes, terms)
        log P(w|c) as a dense table, made on demand.

    Notes
    -----
    With several labels per document, probabilities and decisions compare each class with the documents
    without it; ``decision_function`` is x · log P(w|c) + log P(c) in both cases.

    Examples
    --------
    >>> from textbayes import MultinomialNB, TextCounter
    >>> counter = TextCounter()
    >>> X = counter.fit_transform(["cheap pills cheap", "meeting at noon", "cheap offer", "noon lunch"])
    >>> model = MultinomialNB(alpha=0.1).fit(X, ["spam", "ham", "spam", "ham"])
    >>> model.predict(counter.transform(["a cheap lunch offer", "lunch meeting"]))
    array(['spam', 'ham'], dtype='<U4')
    >>> model.forget(X[:1], ["spam"]).class_documents_
    array([2., 1.])
    """

    _smoothing = "alpha"

    def __init__(
        self,
        alpha: float = 1.0,
        class_length: float | str | None = None,
        fit_prior: bool = True,
        class_prior: Any = None,
    ) -> None:
        self.alpha = alpha
        self.class_length = class_length
        self.fit_prior = fit_prior
        self.class_prior = class_prior

    def check_parameters(self) -> None:
        """Raise an error that names the parameter when one cannot be used."""
        check_multinomial(self.alpha, self.class_length, self.fit_prior)

    def linear_weights(self) -> tuple[LinearWeights, ClassStatistics]:
        """Return the weights, and the statistics with their pairs."""
        prior = log_prior(self._statistics, self.fit_prior, self.class_prior)
        weights = multinomial_weights(self._statistics, float(self.alpha), self.class_length, prior)
        return weights, self._statistics

    def _make_scorer(self) -> LinearScorer:
        return LinearScorer(*self.linear_weights())

    def _scores_without(self, removal: Removal, values: Sequence[float] | None) -> Iterator[Reals]:
        alphas = [float(self.alpha)] if values is None else values
        return multinomial_scores_without(
            removal, alphas, self.class_length, self.fit_prior, self.class_prior
        )

    def loo_decider(self, multilabel: bool) -> Self | None:
        """Return the model itself for one label per document, None for several."""
        return None if multilabel else self

    def _make_odds_scorer(self) -> MultinomialOddsScorer:
        return MultinomialOddsScorer(self._make_scorer(), float(self.alpha), self.class_length)

    @property
    def weights_(self) -> Reals:
        """log P(w|c), shape (classes, terms): a dense table, made on demand."""
        self._check_fitted("weights_")
        weights, statistics = self.linear_weights()
        return weights.table(statistics)
