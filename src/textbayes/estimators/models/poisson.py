"""PoissonNB."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textbayes.answering import PoissonAnswers, PoissonOddsScorer, poisson_odds_scorer, poisson_tau
from textbayes.counts import Rows
from textbayes.errors.checks import check_scale
from textbayes.estimators.base.naive_bayes import NaiveBayesClassifier
from textbayes.estimators.base.storing import storable
from textbayes.scores import Contributions, PoissonScorer
from textbayes.scores.leave_one_out import Removal, poisson_scores_without
from textbayes.statistics import LengthStatistics
from textbayes.terms import PoissonSumsCache
from textbayes.weights import check_poisson

Reals = NDArray[np.float64]


@storable
class PoissonNB(NaiveBayesClassifier):
    """Poisson naive Bayes with document-length interpolation and term weighting (Kim 2003).

    Counts are smoothed and scaled to one document length, (x + θ) / (dl + θ|V|) (eq. 7). The mean of a class
    averages them over its documents, partly uniformly and partly by document length (eqs. 8 and 9). A class
    is compared with the documents without it (eq. 10).

    Parameters
    ----------
    theta : float, default=0.0003
        θ, added to each of the |V| terms of a document. Its effect depends on θ|V|, the number of words added
        (``added_words_``). The default was chosen in experiments/poisson_theta.py.
    alpha : float, default=0.8
        α of eq. 9, the share of uniform averaging: with 1 every document counts the same, with 0 every word.
    weighting : {None, "ig", "chi2", "ratio"}, default=None
        Weight terms by information gain (eq. 11), χ² (eq. 12) or probability ratio (eq. 13).

    Attributes
    ----------
    classes_ : array
        The labels, sorted.
    class_documents_ : array
        Number of documents of each class.
    tau_ : float
        τ of predict_proba.
    added_words_ : float
        θ|V|.

    Notes
    -----
    ``decision_function`` is z* (eq. 15), which ranks the documents of one class. Comparing classes needs W_c
    and A_c, so ``predict``, ``top_k`` and ``predict_proba`` use eq. 3 with z of eq. 14. There τ is |V| times
    the mean of dl + θ|V| over the training documents: without weighting, z is then the log-likelihood ratio
    of a document of mean length. With one label per document, probabilities are normalised over the classes.

    |V| is in the weight of every training document. The statistics are sums by (class, document length), as
    integers for counts, and the means are computed from them. So when columns are added, λ′ and μ′ equal
    those of a fresh fit. The cost of learning and forgetting depends on the documents alone. A new document
    changes the mean of every complement. Without weighting, the next prediction costs a pass over the
    (class, term) pairs seen; with weighting, or for many rows of a small model, over classes × terms.

    Examples
    --------
    >>> from textbayes import PoissonNB, TextCounter
    >>> counter = TextCounter()
    >>> X = counter.fit_transform(["wheat wheat rose", "corn and wheat", "oil rose", "oil fell"])
    >>> model = PoissonNB(weighting="chi2").fit(X, ["grain", "grain", "crude", "crude"])
    >>> model.predict(counter.transform(["wheat fell", "oil"]))
    array(['grain', 'crude'], dtype='<U5')
    """

    _statistics: LengthStatistics
    _statistics_kind = LengthStatistics
    _answers_kind = PoissonAnswers
    _smoothing = "theta"

    def __init__(self, theta: float = 0.0003, alpha: float = 0.8, weighting: str | None = None) -> None:
        self.theta = theta
        self.alpha = alpha
        self.weighting = weighting

    def decision_function(self, X: Any) -> Reals:
        """Rank documents: z* of eq. 15.

        Returns
        -------
        array of shape (documents,) with two classes, else (documents, classes)
            With two classes, z* of the second. Label indicators have one score per class.
        """
        return super().decision_function(X)

    def log_odds(self, X: Any, tau: float = 1.0) -> Reals:
        """Return z of eq. 14, in the shape of decision_function.

        Parameters
        ----------
        X : sparse matrix or array of shape (documents, terms)
            Documents.
        tau : float, default=1.0
            τ, the length to which documents are scaled; z is proportional to it.
        """
        self._check_fitted("log_odds")
        check_scale("tau", tau)
        return self._shaped_scores(self._poisson_scorer().log_odds(self._rows(X), tau))

    @property
    def added_words_(self) -> float:
        """θ|V|, the number of words that smoothing adds to a document."""
        self._check_fitted("added_words_")
        return float(self.theta) * self._statistics.columns

    @property
    def tau_(self) -> float:
        """τ of predict_proba: |V| times the mean of dl + θ|V|."""
        self._check_fitted("tau_")
        return poisson_tau(self._statistics, float(self.theta))

    def check_parameters(self) -> None:
        """Raise an error that names the parameter when one cannot be used."""
        check_poisson(self.theta, self.alpha, self.weighting)

    def _scores_without(self, removal: Removal, values: Sequence[float] | None) -> Iterator[Reals]:
        thetas = [float(self.theta)] if values is None else values
        return poisson_scores_without(removal, thetas, float(self.alpha), self.weighting)

    def decision_contributions(self, row: Rows) -> Contributions:
        """Return what each entry of one row adds to decision_function."""
        self._check_fitted("explain")
        return self._shaped_parts(self._poisson_scorer().ranking_contributions(row))

    def _poisson_scorer(self) -> PoissonScorer:
        return self._odds_scorer().scorer  # type: ignore[no-any-return]

    def _make_scorer(self) -> PoissonOddsScorer:
        return self._odds_scorer()  # type: ignore[no-any-return]

    def _make_odds_scorer(self) -> PoissonOddsScorer:
        if self._cache.reused is None:
            self._cache.reused = PoissonSumsCache()
        settings = (float(self.theta), float(self.alpha), self.weighting)
        return poisson_odds_scorer(self._statistics, *settings, self._cache.reused)
