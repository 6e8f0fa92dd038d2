"""Statistics → a number per term: how informative a term is about the classes."""

from textbayes.terms.contingency import chi_square, information_gain
from textbayes.terms.means import PoissonMeans, sums_of_statistics
from textbayes.terms.scores import SCORES, TermStatistics, best_terms
from textbayes.terms.sums_cache import PoissonSumsCache

__all__ = [
    "SCORES",
    "PoissonMeans",
    "PoissonSumsCache",
    "TermStatistics",
    "best_terms",
    "chi_square",
    "information_gain",
    "sums_of_statistics",
]
