"""Statistics → weights: the equations of the papers, one file per model."""

from textbayes.weights.centroid import centroid_linear_svm_weights, centroid_weights
from textbayes.weights.complement import complement_weights
from textbayes.weights.component_counts import check_component_counts, component_counts
from textbayes.weights.discriminative import discriminative_statistics, opposed_weights
from textbayes.weights.discriminative_storing import (
    LARGEST_LOGARITHM,
    LARGEST_SUM,
    restore_estimate,
    restore_weighed,
    store_estimate,
)
from textbayes.weights.linear import LinearWeights
from textbayes.weights.linear_svm import linear_svm_weights
from textbayes.weights.mixture import MixtureComponent, MixtureModel, Mixtures, learn_mixtures
from textbayes.weights.mixture_storing import restore_mixture, store_mixture
from textbayes.weights.multinomial import log_prior, multinomial_weights, rest_weights
from textbayes.weights.poisson import PoissonWeights, poisson_blocks

__all__ = [
    "LARGEST_LOGARITHM",
    "LARGEST_SUM",
    "LinearWeights",
    "MixtureComponent",
    "MixtureModel",
    "Mixtures",
    "PoissonWeights",
    "centroid_linear_svm_weights",
    "centroid_weights",
    "check_component_counts",
    "complement_weights",
    "component_counts",
    "discriminative_statistics",
    "learn_mixtures",
    "linear_svm_weights",
    "log_prior",
    "multinomial_weights",
    "opposed_weights",
    "poisson_blocks",
    "rest_weights",
    "restore_estimate",
    "restore_mixture",
    "restore_weighed",
    "store_estimate",
    "store_mixture",
]
