"""The scikit-learn face."""

from textbayes.estimators.auto import AutoNB
from textbayes.estimators.centroid import CentroidClassifier
from textbayes.estimators.complement import ComplementNB
from textbayes.estimators.discriminative import DiscriminativeNB
from textbayes.estimators.frequency import FrequencyTransform
from textbayes.estimators.mixture import PoissonMixtureNB
from textbayes.estimators.multinomial import MultinomialNB
from textbayes.estimators.poisson import PoissonNB
from textbayes.estimators.term_selection import TermSelector, term_scores
from textbayes.estimators.text_counter import TextCounter
from textbayes.estimators.tuned import TunedClassifier

__all__ = [
    "AutoNB",
    "CentroidClassifier",
    "ComplementNB",
    "DiscriminativeNB",
    "FrequencyTransform",
    "MultinomialNB",
    "PoissonMixtureNB",
    "PoissonNB",
    "TermSelector",
    "TextCounter",
    "TunedClassifier",
    "term_scores",
]
