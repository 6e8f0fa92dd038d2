"""The automatic choice: candidates judged by leave-one-out, and a blend of the best."""

from textbayes.estimators.auto.auto_nb import AutoNB
from textbayes.estimators.auto.candidate import Candidate
from textbayes.estimators.auto.leaderboard import Entry, Leaderboard
from textbayes.estimators.auto.recipe import Recipe
from textbayes.estimators.auto.representation import Representation

__all__ = ["AutoNB", "Candidate", "Entry", "Leaderboard", "Recipe", "Representation"]
