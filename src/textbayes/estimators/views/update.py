"""ModelUpdate: the effect of teaching or forgetting texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from textbayes.estimators.text.classifier import TextClassifier

Learn: TypeAlias = Callable[[TextClassifier, Sequence[str], Sequence[Any]], TextClassifier]
"""``TextClassifier.teach``, ``TextClassifier.forget``, or ``TextClassifier.relabel`` with the new labels."""


def teach_and_settle(
    classifier: TextClassifier, texts: Sequence[str], labels: Sequence[Any], sample_weight: Any = None
) -> TextClassifier:
    """Teach a classifier texts, and refit it unless it equals a fresh fit."""
    return classifier.teach(texts, labels, sample_weight).settle()


def forget_quickly(
    classifier: TextClassifier, texts: Sequence[str], labels: Sequence[Any], sample_weight: Any = None
) -> TextClassifier:
    """Make a classifier forget texts, without a refit."""
    return classifier.forget(texts, labels, sample_weight, settle=False)


def new_recipe(classifier: TextClassifier) -> dict[str, Any]:
    """Search again for the best recipe; return it, its held-out score and the documents, ready for JSON.

    Examples
    --------
    >>> from textbayes import TextClassifier
    >>> from textbayes.estimators.views.update import new_recipe
    >>> classifier = TextClassifier().fit(["wheat corn", "crude oil", "oil"], ["grain", "oil", "oil"])
    >>> sorted(new_recipe(classifier))
    ['documents', 'recipe', 'score', 'settled']
    """
    model = classifier.reconsider().model_
    return {
        "documents": classifier.documents_,
        "recipe": str(model.recipe_),
        "score": getattr(model, "best_score_", None),
        "settled": classifier.is_settled_,
    }


@dataclass(frozen=True, slots=True)
class ModelUpdate:
    """The effect of teaching or forgetting texts.

    Parameters
    ----------
    documents : int
        The number of documents taught or forgotten.
    classes : int
        The number of classes after the update.
    new, gone : list
        The classes that the update added and removed, sorted.
    settled : bool
        Whether the classifier equals a fresh fit on its texts.
    """

    documents: int
    classes: int
    new: list[Any]
    gone: list[Any]
    settled: bool = True

    def to_dict(self, verb: str) -> dict[str, Any]:
        """Return the update ready for JSON; ``verb`` names the number of documents."""
        return {
            verb: self.documents,
            "classes": self.classes,
            "new_classes": self.new,
            "gone_classes": self.gone,
            "settled": self.settled,
        }


def update_classifier(
    classifier: TextClassifier, learn: Learn, texts: Sequence[str], labels: Sequence[Any]
) -> ModelUpdate:
    """Teach a classifier texts, or make it forget them.

    Examples
    --------
    >>> from textbayes import TextClassifier
    >>> from textbayes.estimators.views.update import update_classifier
    >>> classifier = TextClassifier().fit(["wheat corn"], ["grain"])
    >>> update_classifier(classifier, TextClassifier.teach, ["crude oil"], ["oil"])
    ModelUpdate(documents=1, classes=2, new=['oil'], gone=[], settled=True)
    """
    before = set(classifier.classes_.tolist())
    learn(classifier, texts, labels)
    after = set(classifier.classes_.tolist())
    new, gone = sorted(after - before), sorted(before - after)
    return ModelUpdate(len(texts), len(after), new, gone, classifier.is_settled_)
