"""Statistics → weights: the equations of the papers, one file per model."""

from textbayes.weights.centroid import centroid_margin_weights, centroid_weights
from textbayes.weights.complement import complement_weights
from textbayes.weights.discriminative import discriminative_statistics
from textbayes.weights.linear import LinearWeights
from textbayes.weights.multinomial import log_prior, multinomial_weights, rest_weights
from textbayes.weights.poisson import PoissonWeights, poisson_blocks

__all__ = [
    "LinearWeights",
    "PoissonWeights",
    "centroid_margin_weights",
    "centroid_weights",
    "complement_weights",
    "discriminative_statistics",
    "log_prior",
    "multinomial_weights",
    "poisson_blocks",
    "rest_weights",
]
