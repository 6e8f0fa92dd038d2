"""Text classification with the naive Bayes family.

text ──► counts ──► statistics ──► weights ──► scores ──► decisions
str      sparse     sums per       how much    one number  label(s), or
         rows       class          a term says  per class   "don't know"
"""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from textbayes.answering import CompactClassifier
    from textbayes.estimators import (
        AutoNB,
        CentroidClassifier,
        ComplementNB,
        CostMatrix,
        DiscriminativeNB,
        Explanation,
        FrequencyTransform,
        Inspection,
        LinearSVM,
        MultinomialNB,
        PoissonMixtureNB,
        PoissonNB,
        TermSelector,
        TextClassifier,
        TextCounter,
        TreeF1,
        TunedClassifier,
        load,
        save,
        term_scores,
        verify,
    )

    __version__: str

__all__ = [
    "AutoNB",
    "CentroidClassifier",
    "CompactClassifier",
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
    "__version__",
    "load",
    "save",
    "term_scores",
    "verify",
]

_ROOMS = ("datasets", "errors", "estimators", "evaluation", "papers", "server")

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        # Importing scikit-learn takes a second, which `textbayes --help` should not.
        if name in _ROOMS:
            return _import_module(f"textbayes.{name}")
        if name == "__version__":
            return _import_module("textbayes.persistence").package_version()
        if name == "CompactClassifier":
            return _import_module("textbayes.answering").CompactClassifier
        if name in __all__:
            return getattr(_import_module("textbayes.estimators"), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, *_ROOMS]
