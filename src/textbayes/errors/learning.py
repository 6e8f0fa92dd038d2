"""Counts, labels and models that cannot be learned from or joined."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self

from textbayes.errors.base import TextbayesError, shown
from textbayes.errors.numbers import LEAST, MOST


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
            "Every sum with it would be invalid.",
            "Find out where it came from; a division by an empty document's length is the usual source.",
        )


class CountRangeError(TextbayesError, ValueError):
    """A count is too small or too large to calculate with."""

    code = "counts-range"

    def __init__(self, document: int, column: int, value: float, name: str | None = None) -> None:
        size = "large" if value > MOST else "small"
        super().__init__(
            f"{_cell(document, column, name)} is {value}, which is too {size}. "
            f"Counts are 0, or from {LEAST:g} to {MOST:g}.",
            "Products and quotients of numbers outside this range are no numbers any more.",
            "Divide all counts by a number of about their size: only their proportions matter.",
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


class DocumentsNotKeptError(TextbayesError, ValueError):
    """Something needs the documents, which were not kept."""

    code = "documents-not-kept"

    def __init__(self, what: str, reason: str) -> None:
        super().__init__(
            f"{what} needs the documents, and keep_documents is False.",
            f"{reason}, which can only be worked out from all of them.",
            "Train with keep_documents=True, or with a recipe and a counter that go by each text alone.",
        )


class LabelsError(TextbayesError, ValueError):
    """Labels cannot be learned, or are of another kind than those learned before.

    Parameters
    ----------
    found : str
        What was found.
    learned : str
        The kind of labels that the model has learned, if that matters.
    position : int, optional
        The position of the document whose label cannot be used.
    """

    code = "labels-unusable"

    def __init__(self, found: str, learned: str = "", position: int | None = None) -> None:
        # "Unknown label type" is what scikit-learn's users search for.
        before = f", and the model has learned {learned}" if learned else ""
        super().__init__(
            f"Unknown label type: {found}{before}.",
            "A class is named by its label, so all labels must be of one kind that can be compared.",
            "Pass one label per document, a list of them per text, or a 0/1 matrix. All labels are strings, "
            "not empty, or all are whole numbers.",
        )
        self.position = position

    @classmethod
    def of_label(
        cls,
        place: tuple[int, ...],
        label: object,
        learned: str = "",
        other: tuple[tuple[int, ...], object] | None = None,
    ) -> Self:
        """A label is missing, or of another kind than those learned, or than an ``other`` one."""
        found = f"{_place(place)} is {shown(label)}"
        if not isinstance(label, str | int) and label is not None:
            found += f" of type {type(label).__name__}"
        if other is not None:
            found += f", and {_place(other[0])} is {shown(other[1])}: labels of mixed types"
        return cls(found, learned, place[0])


def _place(place: tuple[int, ...]) -> str:
    return "labels" + "".join(f"[{position}]" for position in place)


class ShapeError(TextbayesError, ValueError):
    """Two inputs do not have the same number of documents or classes."""

    code = "shape-mismatch"

    def __init__(self, name: str, shape: Iterable[object], other: str, other_shape: Iterable[object]) -> None:
        super().__init__(
            f"{name} has {_size(shape)}, and {other} has {_size(other_shape)}.",
            "Rows are matched by position, so both need the same documents and classes.",
            "Pass one item or row for each document, and one column for each class, in the same order.",
        )


class NotLearnedError(TextbayesError, ValueError):
    """Documents to be removed were never learned.

    Parameters
    ----------
    difference : str
        In what the documents differ from those that were learned, such as ``"there are 3, not 2"``.
    position : int, optional
        The position of the text that was never learned, if it is known.
    """

    code = "forget-not-learned"

    def __init__(self, difference: str, position: int | None = None) -> None:
        super().__init__(
            f"Not all of these documents were learned: {difference}.",
            "Removing them would leave counts below zero. Nothing was changed.",
            "Pass documents that were learned, with the same labels, sample weights and representation.",
        )
        self.position = position

    @classmethod
    def of_class(cls, label: object, column: int | None = None) -> Self:
        """A class (the model if ``label`` is None) has too few documents, or too little of a column."""
        less = "fewer documents" if column is None else f"less of column {column}"
        return cls(f"{'the model' if label is None else f'class {shown(label)}'} has {less}")

    @classmethod
    def of_text(cls, position: int, label: object, weight: float) -> Self:
        """A text was never learned with this label and weight."""
        weighing = "" if weight == 1.0 else f" and the weight {weight:g}"
        text = f"texts[{position}] with the label {shown(label)}{weighing}"
        return cls(f"{text} was never learned, or is forgotten already", position)


def _size(shape: Iterable[object]) -> str:
    sizes = tuple(shape)
    if len(sizes) != 1:
        return f"shape {shown(sizes)}"
    return f"{shown(sizes[0])} item" + ("" if sizes[0] == 1 else "s")
