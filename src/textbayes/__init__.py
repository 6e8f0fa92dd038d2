"""Text classification with the naive Bayes family.

text ──► counts ──► statistics ──► weights ──► scores ──► decisions
str      sparse     sums per       how much    one number  label(s), or
         rows       class          a term says  per class   "don't know"
"""

from importlib.metadata import version as _version

from textbayes.estimators import (
    AutoNB,
    CentroidClassifier,
    ComplementNB,
    DiscriminativeNB,
    FrequencyTransform,
    MultinomialNB,
    PoissonMixtureNB,
    PoissonNB,
    TermSelector,
    TextCounter,
    TunedClassifier,
    term_scores,
)

__version__ = _version("textbayes")
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
    "__version__",
    "term_scores",
]
