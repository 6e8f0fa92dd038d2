"""Statistics → a number per term: how informative a term is about the classes."""

from textbayes.terms.contingency import chi_square, information_gain
from textbayes.terms.kept_sums import KeptSums
from textbayes.terms.means import PoissonMeans, sums_of_statistics
from textbayes.terms.scores import SCORES, TermStatistics, best_terms

__all__ = [
    "SCORES",
    "KeptSums",
    "PoissonMeans",
    "TermStatistics",
    "best_terms",
    "chi_square",
    "information_gain",
    "sums_of_statistics",
]
