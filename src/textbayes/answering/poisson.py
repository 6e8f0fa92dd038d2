"""Answers of a Poisson model: the posterior odds of each class (Kim 2003, eq. 3)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from textbayes.answering.rows import ScorerAnswers
from textbayes.counts import Rows
from textbayes.decisions import top_classes
from textbayes.scores import Contributions, PoissonScorer, log_logistic, log_softmax
from textbayes.statistics import LengthStatistics
from textbayes.terms import PoissonSumsCache

Reals = NDArray[np.float64]


class PoissonOddsScorer:
    """log p(c|d) − log p(c̄|d) = z + log p(c) − log p(c̄) (eq. 3)."""

    def __init__(self, scorer: PoissonScorer, prior_odds: Reals, tau: float) -> None:
        self.scorer, self.prior_odds, self.tau = scorer, prior_odds, tau

    def scores(self, rows: Rows) -> Reals:
        """Return the log odds of every row and class."""
        return self.scorer.log_odds(rows, self.tau) + self.prior_odds

    def contributions(self, row: Rows) -> Contributions:
        """Return what each entry of one row adds to the log odds."""
        parts = self.scorer.contributions(row, self.tau)
        return Contributions(parts.bias + self.prior_odds, parts.entries)

    def best(self, rows: Rows, k: int) -> tuple[NDArray[np.intp], Reals]:
        """Find each row's ``k`` best classes."""
        return top_classes(self.scores, rows, len(self.prior_odds), k)

    def first(self, rows: Rows) -> NDArray[np.intp]:
        """Find each row's best class."""
        return self.best(rows, 1)[0][:, 0]


def poisson_tau(statistics: LengthStatistics, theta: float) -> float:
    """τ of the posterior: |V| times the mean of dl + θ|V| over the training documents."""
    mean_length = statistics.values / max(statistics.documents, np.finfo(float).tiny)
    return float(statistics.columns * (mean_length + theta * statistics.columns))


def poisson_odds_scorer(
    statistics: LengthStatistics, theta: float, alpha: float, weighting: str | None, cache: PoissonSumsCache
) -> PoissonOddsScorer:
    """Return the scorer of posterior odds, with τ and the prior odds of the training documents."""
    scorer = PoissonScorer(statistics, theta, alpha, weighting, cache)
    share = statistics.class_shares[statistics.order]
    tiny = np.finfo(np.float64).tiny
    prior_odds = np.log(np.maximum(share, tiny)) - np.log(np.maximum(1.0 - share, tiny))
    return PoissonOddsScorer(scorer, prior_odds, poisson_tau(statistics, theta))


class PoissonAnswers(ScorerAnswers):
    """Answers by posterior odds; decision_function is z* (eq. 15), which ranks documents."""

    def scoring_once(self) -> ScorerAnswers:
        """Return these answers: they rank by other scores than they decide by."""
        return self

    def scores(self, rows: Rows) -> Reals:
        """z* of every row and class."""
        scorer: PoissonOddsScorer = self.odds()  # type: ignore[assignment]
        return scorer.scorer.ranking(rows)

    def deciding_scores(self, rows: Rows) -> Reals:
        """Return the log odds of every row and class."""
        return self.odds().scores(rows)

    def shaped(self, scores: Reals) -> Reals:
        """Give the scores of all classes the shape of decision_function: of two classes, the second's."""
        return scores[:, 1] if scores.shape[1] == 2 and not self.multilabel else scores

    def predict_log_proba(self, rows: Rows) -> Reals:
        """Return the log of the probability of each class: eq. 3, of one label normalised over classes."""
        posterior = log_logistic(self.odds().scores(rows))
        return posterior if self.multilabel else log_softmax(posterior)
