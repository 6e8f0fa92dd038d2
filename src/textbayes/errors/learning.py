"""Counts, labels and models that cannot be learned from or joined."""

from __future__ import annotations

from collections.abc import Iterable

from sklearn.exceptions import NotFittedError

from textbayes.errors.base import TextbayesError, did_you_mean, shown


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


class TooManyColumnsError(TextbayesError, ValueError):
    """There are more columns than can be numbered."""

    code = "counts-columns"

    def __init__(self, columns: int) -> None:
        super().__init__(
            f"counts has {columns} columns; at most 2147483647 can be numbered.",
            "Every term has a number of 31 bits.",
            "Hash the terms to fewer columns, such as TextCounter(dimensions=2**24).",
        )


class SmoothingRangeError(TextbayesError, ValueError):
    """A parameter of the model is out of range."""

    code = "parameter-range"

    def __init__(self, name: str, value: object, allowed: str) -> None:
        super().__init__(
            f"{name}={shown(value)} is out of range.",
            "The model's equations have no meaning there.",
            f"Pass {allowed}.",
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


class LabelsMissingError(TextbayesError, ValueError):
    """There are no labels to learn from."""

    code = "labels-missing"

    def __init__(self, what: str) -> None:
        super().__init__(
            f"{what} requires y to be passed, but the target y is None.",
            "It learns what tells labelled documents apart.",
            "Pass one label a document as y.",
        )


class LabelUnknownError(TextbayesError, ValueError):
    """A label is none of the model's classes."""

    code = "labels-unknown"

    def __init__(self, label: object, classes: Iterable[object]) -> None:
        classes = list(classes)
        names = ", ".join(shown(known) for known in classes[:5]) + (", …" if len(classes) > 5 else "")
        short = [str(known) for known in classes if len(str(known)) <= 60]
        super().__init__(
            f"{shown(label)} is none of the {len(classes)} classes.{did_you_mean(label, short)}",
            "Only a class that was learned has something to show.",
            f"Pass one of: {names}.",
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


class TopKError(TextbayesError, ValueError):
    """A number of best classes is out of range."""

    code = "decisions-top-k"

    def __init__(self, k: object) -> None:
        super().__init__(
            f"k={shown(k)} is not a whole number from 1 up.",
            "It says how many of the best classes are wanted.",
            "Pass a whole number; more than there are classes gives them all.",
        )


class TermCountError(TextbayesError, ValueError):
    """A number of terms to keep is out of range."""

    code = "terms-k"

    def __init__(self, k: object, options: Iterable[str] = ()) -> None:
        also = "".join(f', or "{option}"' for option in options)
        super().__init__(
            f"k={shown(k)} is not a number of terms.",
            "It says how many of the best terms are kept.",
            f"Pass a whole number from 1 up{also}.",
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


class NoSearchError(TextbayesError, ValueError):
    """A model that was given is asked to search for another."""

    code = "reconsider-no-search"

    def __init__(self, model: object) -> None:
        super().__init__(
            f"{shown(model)} was given: there was no search for it, and there is none to repeat.",
            "reconsider searches again for the recipe that suits the texts there are now.",
            'Fit a classifier with model="auto", or with another recipe.',
        )


class NothingLeftError(TextbayesError, ValueError):
    """A model was to forget all that it has learned."""

    code = "forget-everything"

    def __init__(self, path: str) -> None:
        super().__init__(
            f"{path!r} has learned no other documents than these.",
            "A model without documents answers nothing, so the file was left as it is.",
            "Delete the file, or teach the model other documents first.",
        )


class WeightsNotTakenError(TextbayesError, ValueError):
    """Texts have weights, and the model takes none."""

    code = "weights-not-taken"

    def __init__(self, model: str) -> None:
        super().__init__(
            f"sample_weight was given, and {model}.fit takes none.",
            "The weights would change nothing.",
            "Leave sample_weight out, or use a model that takes it, such as ComplementNB.",
        )


class DocumentsNotKeptError(TextbayesError, ValueError):
    """Something needs the documents, which were not kept."""

    code = "documents-not-kept"

    def __init__(self, what: str, reason: str) -> None:
        super().__init__(
            f"{what} needs the documents, and keep_documents is False.",
            f"{reason}, which can only be worked out from all of them.",
            "Train with keep_documents=True, or with a recipe and a counter that go by each text alone.",
        )
