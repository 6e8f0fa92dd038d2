"""Counts, labels and models that cannot be learned from or joined."""

from __future__ import annotations

from sklearn.exceptions import NotFittedError

from textbayes.errors.base import TextbayesError, shown


def _cell(document: int, column: int, name: str | None) -> str:
    term = f"term {name!r}" if name is not None else f"column {column}"
    return f"counts[{document}, {column}] (document {document}, {term})"


class NegativeCountError(TextbayesError, ValueError):
    """A count is below zero."""

    code = "counts-negative"

    def __init__(self, document: int, column: int, value: float, name: str | None = None) -> None:
        # "Negative values in data" is what scikit-learn's users search for.
        super().__init__(
            f"Negative values in data: {_cell(document, column, name)} is {value}.",
            "Naive Bayes adds counts, so they cannot be negative.",
            "Pass raw counts or tf-idf; if you centred the features, undo that.",
        )


class InfiniteCountError(TextbayesError, ValueError):
    """A count is infinite or not a number."""

    code = "counts-infinite"

    def __init__(self, document: int, column: int, value: float, name: str | None = None) -> None:
        super().__init__(
            f"{_cell(document, column, name)} is {value}: NaN, infinity and numbers near it are not counts.",
            "Every sum it entered would be spoilt.",
            "Find out where it came from; a division by an empty document's length is the usual source.",
        )


class LabelsError(TextbayesError, ValueError):
    """Labels that cannot be learned."""

    code = "labels-unusable"

    def __init__(self, reason: str) -> None:
        super().__init__(
            f"Unknown label type: {reason}.",
            "A class is named by its label, so labels must be of one kind that can be compared.",
            "Pass one label a document (strings, or whole numbers), or a 0/1 matrix with a column per class.",
        )


class LabelKindError(TextbayesError, ValueError):
    """Single labels and label indicators meet in one model."""

    code = "labels-kind"

    def __init__(self, before: str, now: str) -> None:
        super().__init__(
            f"The model was learned from {before}, and is now given {now}.",
            "Sums of the two do not mean the same.",
            "Use one kind of labels throughout.",
        )


class NotLearnedError(TextbayesError, ValueError):
    """Documents to be forgotten were never learned."""

    code = "forget-not-learned"

    def __init__(self, label: object | None, term: int | None) -> None:
        where = "the model" if label is None else f"class {shown(label)}"
        what = "so many documents" if term is None else f"so much of column {term}"
        super().__init__(
            f"These documents were never learned: {where} does not hold {what}.",
            "Taking them out would leave a count below zero. Nothing was changed.",
            "Pass the same rows, labels and sample weights that were learned, in the same representation.",
        )


class DocumentsDifferError(TextbayesError, ValueError):
    """A model that is learned again without some documents is given others than it has learned."""

    code = "folds-documents"

    def __init__(self, model: str, difference: str) -> None:
        super().__init__(
            f"These are not the documents that were learned: {difference}.",
            f"{model} is no sum over documents; without some of them it is fitted again, on all the others.",
            "Pass all rows, labels and sample weights that were learned, in the same representation.",
        )


class MergeError(TextbayesError, ValueError, TypeError):
    """Two models cannot be joined."""

    code = "merge-mismatch"

    def __init__(self, what: str, left: object, right: object) -> None:
        super().__init__(
            f"The models differ in {what}: {shown(left)} and {shown(right)}.",
            "Their sums would not be those of one model.",
            "Join models of one kind, with the same parameters, learned in the same representation.",
        )


class NotLearnedYetError(TextbayesError, NotFittedError):  # type: ignore[misc]
    """A model has not learned anything."""

    code = "model-not-fitted"

    def __init__(self, model: str, method: str) -> None:
        super().__init__(
            f"This {model} instance is not fitted yet, so {method} has nothing to go by.",
            "A model learns from labelled documents first.",
            "Call fit or partial_fit.",
        )


class LabelCountError(TextbayesError, ValueError):
    """There are not as many labels as texts."""

    code = "labels-count"

    def __init__(self, texts: int, labels: int) -> None:
        super().__init__(
            f"There are {texts} texts and {labels} labels.",
            "The first label belongs to the first text, and so on; with others nothing can be learned.",
            "Pass one label for each text, or one list of labels for each.",
        )


class TextNotLearnedError(TextbayesError, ValueError):
    """A text to be forgotten was never learned with its label and weight."""

    code = "forget-unknown-text"

    def __init__(self, position: int, label: object, weight: float = 1.0) -> None:
        weighing = "" if weight == 1.0 else f" and the weight {weight:g}"
        super().__init__(
            f"texts[{position}] with the label {shown(label)}{weighing} was never learned, "
            "or is forgotten already.",
            "What was never counted cannot be taken out. Nothing was changed.",
            "Pass a text that was learned, word for word, with the label and the weight (1 unless given) "
            "that it was learned with.",
        )
        self.position = position


class DocumentsNotKeptError(TextbayesError, ValueError):
    """Something needs the documents, which were not kept."""

    code = "documents-not-kept"

    def __init__(self, what: str, reason: str) -> None:
        super().__init__(
            f"{what} needs the documents, and keep_documents is False.",
            f"{reason}, which can only be worked out from all of them.",
            "Train with keep_documents=True, or with a recipe and a counter that go by each text alone.",
        )
