"""Prediction: the labels of a text, its probabilities and the most likely classes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from textbayes.errors.checks import check_number, check_option, check_whole
from textbayes.text import kept_texts

METHODS = ("predict", "predict_proba", "predict_log_proba", "decision_function")
"""The methods of classifiers that ``answer`` takes."""
# Texts are classified this many at a time.
_TEXTS = 4096


class Answerer(Protocol):
    """A text classifier or what answers in its place."""

    @property
    def classes_(self) -> NDArray[Any]:
        """The labels, sorted."""

    @property
    def multilabel_(self) -> bool:
        """Whether texts have lists of labels."""

    def predict(self, texts: Any) -> Any:
        """Classify texts: one label for each, or a list of labels for each."""

    def predict_proba(self, texts: Any) -> NDArray[np.float64]:
        """Return the probability of each class."""

    def answer(self, texts: Any, *methods: str) -> list[Any]:
        """Return what each of some methods returns for texts."""


@dataclass(frozen=True, slots=True)
class Prediction:
    """The predicted label or labels of a text.

    Parameters
    ----------
    label : str, list of str, or None
        The label, or None if its probability is too low; a list if texts may have several labels.
    probability : float, list of float, or None
        The probability of the predicted class, also of one that was rejected, or of each label in the list;
        None if not requested.
    top : list of (str, float)
        The most likely classes with their probabilities, best first.
    """

    label: Any
    probability: Any = None
    top: tuple[tuple[Any, float], ...] = ()

    def to_dict(self, layout: Layout) -> dict[str, Any]:
        """Return the requested fields, ready for JSON."""
        record = {"labels" if layout.multilabel else "label": self.label}
        if layout.proba:
            shown = layout.rounded(self.probability)
            record["probabilities" if layout.multilabel else "probability"] = shown
        if layout.top:
            record["top"] = [
                {"label": label, "probability": layout.rounded(p)} if layout.proba else {"label": label}
                for label, p in self.top[: layout.top]
            ]
        return record


@dataclass(frozen=True, slots=True)
class Layout:
    """The fields of a prediction: one or several labels, the number of top classes, and probabilities.

    Probabilities are rounded to ``digits`` decimals; None to keep all.
    """

    multilabel: bool = False
    top: int = 0
    proba: bool = False
    digits: int | None = None

    def rounded(self, probability: Any) -> Any:
        """Round a probability, or a list of them."""
        if self.digits is None or probability is None:
            return probability
        if isinstance(probability, list):
            return [round(each, self.digits) for each in probability]
        return round(probability, self.digits)


def predict_texts(
    classifier: Answerer,
    texts: Sequence[str],
    top: int = 0,
    proba: bool = False,
    reject_below: float | None = None,
) -> list[Prediction]:
    """Classify texts in one batch.

    Parameters
    ----------
    classifier : TextClassifier or TextAnswerer
        The model.
    texts : sequence of str
        The texts.
    top : int, default=0
        The number of most likely classes to return.
    proba : bool, default=False
        Whether to return probabilities.
    reject_below : float, optional
        Return no label whose probability is lower.

    Examples
    --------
    >>> from textbayes import TextClassifier
    >>> from textbayes.answering import predict_texts
    >>> classifier = TextClassifier().fit(["wheat corn", "crude oil"], ["grain", "oil"])
    >>> [each.label for each in predict_texts(classifier, ["corn", "밀"], reject_below=0.6)]
    ['grain', None]
    """
    if not (top or proba or reject_below is not None):
        return [Prediction(label) for label in _as_list(classifier.predict(texts))]
    labels, rows = classifier.answer(texts, "predict", "predict_proba")
    classes = classifier.classes_.tolist()
    positions = {label: position for position, label in enumerate(classes)}
    decide = partial(_decide_several, classes) if classifier.multilabel_ else partial(_decide_one, positions)
    decided = [decide(label, row, reject_below) for label, row in zip(_as_list(labels), rows, strict=True)]
    return [
        Prediction(label, probability, _best(row, classes, top))
        for (label, probability), row in zip(decided, rows, strict=True)
    ]


def labels_above(classifier: Answerer, texts: Any, reject_below: float) -> Any:
    """Classify texts, without labels whose probability is lower.

    Returns
    -------
    array of objects, or list of lists
        A label for each text, or None; if texts have several labels, a list for each.

    Examples
    --------
    >>> from textbayes import TextClassifier
    >>> from textbayes.answering import labels_above
    >>> classifier = TextClassifier().fit(["wheat corn", "crude oil"], ["grain", "oil"])
    >>> labels_above(classifier, ["corn", "밀"], 0.6)
    array(['grain', None], dtype=object)
    """
    found = [each.label for each in predict_kept_texts(classifier, texts, reject_below=reject_below)]
    if classifier.multilabel_:
        return found
    labels = np.empty(len(found), dtype=object)
    labels[:] = found
    return labels


def most_likely(classifier: Answerer, texts: Any, k: int) -> tuple[NDArray[Any], NDArray[np.float64]]:
    """Return each text's ``k`` most likely labels and their probabilities: two arrays (texts, k).

    Examples
    --------
    >>> from textbayes import TextClassifier
    >>> from textbayes.answering import most_likely
    >>> classifier = TextClassifier("multinomial").fit(["wheat corn", "crude oil"], ["grain", "oil"])
    >>> labels, probabilities = most_likely(classifier, ["corn"], 2)
    >>> labels.tolist(), probabilities.round(2).tolist()
    ([['grain', 'oil']], [[0.67, 0.33]])
    """
    probabilities = classifier.predict_proba(texts)
    order = np.argsort(-probabilities, axis=1, kind="stable")[:, : check_whole("k", k)]
    return np.asarray(classifier.classes_[order]), np.take_along_axis(probabilities, order, axis=1)


def predict_kept_texts(
    classifier: Answerer, texts: Any, top: int = 0, proba: bool = False, reject_below: float | None = None
) -> Iterator[Prediction]:
    """Classify texts of any type, some at a time: a row of probabilities may be long."""
    if reject_below is not None:
        check_number("reject_below", reject_below, least=0, most=1)
    texts = kept_texts(texts)
    for first in range(0, len(texts), _TEXTS):
        yield from predict_texts(classifier, texts[first : first + _TEXTS], top, proba, reject_below)


def check_methods(methods: tuple[str, ...]) -> None:
    """Check the names of methods whose answers are asked for."""
    for method in methods:
        check_option("methods", method, METHODS)


def _as_list(labels: Any) -> list[Any]:
    return labels if isinstance(labels, list) else labels.tolist()


def _decide_one(positions: dict[Any, int], label: Any, row: Any, least: float | None) -> tuple[Any, float]:
    probability = float(row[positions[label]])
    return (None if least is not None and probability < least else label), probability


def _decide_several(
    classes: list[Any], labels: Any, row: Any, least: float | None
) -> tuple[list[Any], list[float]]:
    chosen = dict.fromkeys(labels)
    pairs = [(label, float(p)) for label, p in zip(classes, row, strict=True) if label in chosen]
    pairs = [(label, p) for label, p in pairs if least is None or p >= least]
    return [label for label, _ in pairs], [p for _, p in pairs]


def _best(row: Any, classes: list[Any], top: int) -> tuple[tuple[Any, float], ...]:
    order = np.argsort(-row, kind="stable")[:top]
    return tuple((classes[at], float(row[at])) for at in order.tolist())
