"""The scikit-learn face."""

from textbayes.estimators.auto import AutoNB
from textbayes.estimators.base.files import load, save
from textbayes.estimators.models.centroid import CentroidClassifier
from textbayes.estimators.models.complement import ComplementNB
from textbayes.estimators.models.discriminative import DiscriminativeNB
from textbayes.estimators.models.linear_svm import LinearSVM
from textbayes.estimators.models.mixture import PoissonMixtureNB
from textbayes.estimators.models.multinomial import MultinomialNB
from textbayes.estimators.models.poisson import PoissonNB
from textbayes.estimators.models.tuned import TunedClassifier
from textbayes.estimators.models.variants import VARIANTS, Variant
from textbayes.estimators.text.classifier import TextClassifier
from textbayes.estimators.text.counter import TextCounter
from textbayes.estimators.text.frequency import FrequencyTransform
from textbayes.estimators.text.term_selection import TermSelector, term_scores
from textbayes.estimators.text.verifying import verify
from textbayes.estimators.views.explanation import Explanation
from textbayes.estimators.views.inspection import Inspection
from textbayes.measures import CostMatrix, TreeF1

__all__ = [
    "VARIANTS",
    "AutoNB",
    "CentroidClassifier",
    "ComplementNB",
    "CostMatrix",
    "DiscriminativeNB",
    "Explanation",
    "FrequencyTransform",
    "Inspection",
    "LinearSVM",
    "MultinomialNB",
    "PoissonMixtureNB",
    "PoissonNB",
    "TermSelector",
    "TextClassifier",
    "TextCounter",
    "TreeF1",
    "TunedClassifier",
    "Variant",
    "load",
    "save",
    "term_scores",
    "verify",
]
