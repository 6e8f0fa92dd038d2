"""Rows × weights → scores; scores → probabilities."""

from textbayes.scores.explanation import Contributions, linear_contributions
from textbayes.scores.poisson import PoissonScorer
from textbayes.scores.posterior import log_logistic, log_softmax
from textbayes.scores.scoring import LinearScorer

__all__ = [
    "Contributions",
    "LinearScorer",
    "PoissonScorer",
    "linear_contributions",
    "log_logistic",
    "log_softmax",
]
