"""Text classification with the naive Bayes family.

text ──► counts ──► statistics ──► weights ──► scores ──► decisions
str      sparse     sums per       how much    one number  label(s), or
         rows       class          a term says  per class   "don't know"
"""

from importlib.metadata import version as _version

from textbayes.estimators import (
    CentroidClassifier,
    ComplementNB,
    Explanation,
    FrequencyTransform,
    Inspection,
    MultinomialNB,
    PoissonNB,
    TermSelector,
    TextClassifier,
    TextCounter,
    load,
    save,
    term_scores,
)

__version__ = _version("textbayes")
__all__ = [
    "CentroidClassifier",
    "ComplementNB",
    "Explanation",
    "FrequencyTransform",
    "Inspection",
    "MultinomialNB",
    "PoissonNB",
    "TermSelector",
    "TextClassifier",
    "TextCounter",
    "__version__",
    "load",
    "save",
    "term_scores",
]
