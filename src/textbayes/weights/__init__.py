"""Statistics → weights: the equations of the papers, one file per model."""

from textbayes.weights.centroid import centroid_odds_weights, centroid_weights, check_centroid
from textbayes.weights.compiled import (
    RowForm,
    pack_compiled_weights,
    restore_compiled_weights,
    store_compiled_weights,
    unpack_compiled_weights,
)
from textbayes.weights.complement import check_complement, complement_weights, odds_against
from textbayes.weights.component_counts import check_component_counts, component_counts
from textbayes.weights.discriminative import (
    discriminative_statistics,
    one_vs_rest_weights,
    restore_discriminative,
    store_weighted_counts,
)
from textbayes.weights.linear import LinearWeights, TermDefault, restore_pair_weights, store_pair_weights
from textbayes.weights.linear_svm import LARGEST_WEIGHT, linear_svm_weights
from textbayes.weights.mixture import learn_mixtures
from textbayes.weights.mixture_model import MixtureComponent, MixtureModel, Mixtures
from textbayes.weights.multinomial import check_multinomial, log_prior, multinomial_weights, rest_weights
from textbayes.weights.poisson import PoissonWeights, check_poisson, poisson_blocks

__all__ = [
    "LARGEST_WEIGHT",
    "LinearWeights",
    "MixtureComponent",
    "MixtureModel",
    "Mixtures",
    "PoissonWeights",
    "RowForm",
    "TermDefault",
    "centroid_odds_weights",
    "centroid_weights",
    "check_centroid",
    "check_complement",
    "check_component_counts",
    "check_multinomial",
    "check_poisson",
    "complement_weights",
    "component_counts",
    "discriminative_statistics",
    "learn_mixtures",
    "linear_svm_weights",
    "log_prior",
    "multinomial_weights",
    "odds_against",
    "one_vs_rest_weights",
    "pack_compiled_weights",
    "poisson_blocks",
    "rest_weights",
    "restore_compiled_weights",
    "restore_discriminative",
    "restore_pair_weights",
    "store_compiled_weights",
    "store_pair_weights",
    "store_weighted_counts",
    "unpack_compiled_weights",
]
