"""Rows × weights → scores; scores → probabilities."""

from textbayes.scores.mixture import MixtureOddsScorer, MixtureScorer
from textbayes.scores.poisson import PoissonScorer
from textbayes.scores.posterior import log_logistic, log_softmax
from textbayes.scores.scoring import LinearScorer

__all__ = [
    "LinearScorer",
    "MixtureOddsScorer",
    "MixtureScorer",
    "PoissonScorer",
    "log_logistic",
    "log_softmax",
]
