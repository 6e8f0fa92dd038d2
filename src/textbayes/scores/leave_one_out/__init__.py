"""Scores of each training document by the model without it, from the sums, without refits."""

from textbayes.scores.leave_one_out.centroid import centroid_scores_without
from textbayes.scores.leave_one_out.complement import complement_scores_without
from textbayes.scores.leave_one_out.mixture import mixture_scores_without
from textbayes.scores.leave_one_out.multinomial import multinomial_scores_without
from textbayes.scores.leave_one_out.poisson import poisson_scores_without
from textbayes.scores.leave_one_out.removal import Removal

__all__ = [
    "Removal",
    "centroid_scores_without",
    "complement_scores_without",
    "mixture_scores_without",
    "multinomial_scores_without",
    "poisson_scores_without",
]
