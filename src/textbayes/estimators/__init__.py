"""The scikit-learn face."""

from textbayes.estimators.auto import AutoNB
from textbayes.estimators.centroid import CentroidClassifier
from textbayes.estimators.complement import ComplementNB
from textbayes.estimators.discriminative import DiscriminativeNB
from textbayes.estimators.discriminative_centroid import DiscriminativeCentroid
from textbayes.estimators.explanation import Explanation
from textbayes.estimators.frequency import FrequencyTransform
from textbayes.estimators.inspection import Inspection
from textbayes.estimators.mixture import PoissonMixtureNB
from textbayes.estimators.multinomial import MultinomialNB
from textbayes.estimators.poisson import PoissonNB
from textbayes.estimators.recipes import RECIPES, Recipe
from textbayes.estimators.saving import load, save
from textbayes.estimators.term_selection import TermSelector, term_scores
from textbayes.estimators.text_classifier import TextClassifier
from textbayes.estimators.text_counter import TextCounter
from textbayes.estimators.tuned import TunedClassifier

__all__ = [
    "RECIPES",
    "AutoNB",
    "CentroidClassifier",
    "ComplementNB",
    "DiscriminativeCentroid",
    "DiscriminativeNB",
    "Explanation",
    "FrequencyTransform",
    "Inspection",
    "MultinomialNB",
    "PoissonMixtureNB",
    "PoissonNB",
    "Recipe",
    "TermSelector",
    "TextClassifier",
    "TextCounter",
    "TunedClassifier",
    "load",
    "save",
    "term_scores",
]
