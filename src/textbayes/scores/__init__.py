"""Rows × weights → scores; scores → probabilities."""

from textbayes.scores.compiled import CompiledScorer
from textbayes.scores.explanation import Contributions, contributions_of, linear_contributions
from textbayes.scores.linear import LinearScorer
from textbayes.scores.mixture import (
    ComponentParts,
    MixtureOddsScorer,
    MixtureScorer,
    mixture_odds_scorer,
    mixture_scorer,
)
from textbayes.scores.multinomial import MultinomialOddsScorer
from textbayes.scores.per_count import contributions_per_count, scores_per_count
from textbayes.scores.poisson import PoissonScorer
from textbayes.scores.posterior import log_logistic, log_softmax, log_sum_exp

__all__ = [
    "CompiledScorer",
    "ComponentParts",
    "Contributions",
    "LinearScorer",
    "MixtureOddsScorer",
    "MixtureScorer",
    "MultinomialOddsScorer",
    "PoissonScorer",
    "contributions_of",
    "contributions_per_count",
    "linear_contributions",
    "log_logistic",
    "log_softmax",
    "log_sum_exp",
    "mixture_odds_scorer",
    "mixture_scorer",
    "scores_per_count",
]
