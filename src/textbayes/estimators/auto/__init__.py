"""AutoNB: search candidates by held-out scores, and blend the best."""

from textbayes.estimators.auto.auto_nb import AutoNB
from textbayes.estimators.auto.candidate import Candidate
from textbayes.estimators.auto.leaderboard import Compared, Entry, Leaderboard, described_updates
from textbayes.estimators.auto.recipe import Recipe
from textbayes.estimators.auto.representation import Representation

__all__ = [
    "AutoNB",
    "Candidate",
    "Compared",
    "Entry",
    "Leaderboard",
    "Recipe",
    "Representation",
    "described_updates",
]
