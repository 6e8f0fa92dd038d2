"""How well a classifier does on what it learned, each text by the model without it."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textbayes.estimators import (
    CentroidClassifier,
    ComplementNB,
    MultinomialNB,
    PoissonMixtureNB,
    TextClassifier,
)
from textbayes.estimators.naive_bayes import NaiveBayesClassifier
from textbayes.evaluation.metrics import f1
from textbayes.statistics import as_label_targets

# Scores of documents × classes that are held at once: 64 MB.
_CELLS = 1 << 23
_ONE_BY_ONE = 500
# Models that name the class with the best score of decision_function, and so of loo_scores.
_BY_SCORE = (CentroidClassifier, ComplementNB, MultinomialNB, PoissonMixtureNB)


@dataclass(frozen=True)
class LeaveOneOut:
    """How well a classifier does on texts that it has not seen: each of its own, left out in turn.

    Attributes
    ----------
    accuracy : float
        The share that is right; with several labels a text, all of them.
    macro_f1 : float
        The mean of the classes' F1.
    majority : float
        The share that has the largest class: the accuracy of always naming it.
    documents : int
        How many texts were left out, one at a time.

    Examples
    --------
    >>> from textbayes import TextClassifier
    >>> from textbayes.evaluation import leave_one_out
    >>> texts, labels = ["wheat corn", "corn wheat", "crude oil", "oil crude"], ["grain"] * 2 + ["oil"] * 2
    >>> leave_one_out(TextClassifier("complement").fit(texts, labels), texts, labels).accuracy
    1.0
    """

    accuracy: float
    macro_f1: float
    majority: float
    documents: int


def leave_one_out(
    classifier: TextClassifier, texts: Sequence[str], labels: Sequence[Any]
) -> LeaveOneOut | None:
    """Measure a classifier on the texts it learned, each by the model without it.

    The representation (vocabulary, document frequencies) is held fixed.

    Returns
    -------
    LeaveOneOut or None
        None for a model that cannot take a document out of its sums, and where there is nothing to choose.

    Notes
    -----
    Where a model decides by its ``decision_function``, all texts are left out at once (``loo_scores``). Of
    PoissonNB, and with several labels a text, each is taken out of a copy and put back, so that 500 of them,
    spread evenly, have to do.

    Examples
    --------
    >>> from textbayes import TextClassifier
    >>> from textbayes.evaluation import leave_one_out
    >>> texts, labels = ["wheat corn", "corn wheat", "crude oil", "oil crude"], ["grain"] * 2 + ["oil"] * 2
    >>> leave_one_out(TextClassifier("complement").fit(texts, labels), texts, labels)
    LeaveOneOut(accuracy=1.0, macro_f1=1.0, majority=0.5, documents=4)
    """
    model, classes = classifier.model_, classifier.classes_
    at_once = type(model) in _BY_SCORE and not classifier.multilabel_
    if len(classes) < 2 or not (at_once or isinstance(model, NaiveBayesClassifier)):
        return None
    rows = classifier.counter_.transform(texts)
    if classifier.transform_ is not None:
        rows = classifier.transform_.transform(rows)
    if at_once:
        return _quality(labels, _all_at_once(model, rows, labels, classes), labels, None)
    some = np.unique(np.linspace(0, len(labels) - 1, min(_ONE_BY_ONE, len(labels))).astype(np.int64)).tolist()
    decided = list(_one_by_one(copy.deepcopy(model), rows, labels, some, classifier.multilabel_))
    names = classes.tolist() if classifier.multilabel_ else None
    return _quality([labels[at] for at in some], decided, labels, names)


def _all_at_once(model: Any, rows: Any, labels: Sequence[Any], classes: NDArray[Any]) -> list[Any]:
    # What is fitted again without each fold takes all its documents at once.
    whole = isinstance(model, PoissonMixtureNB)
    step = rows.shape[0] if whole else max(1, _CELLS // len(classes))
    decided: list[Any] = []
    for start in range(0, rows.shape[0], step):
        own = as_label_targets(labels[start : start + step])
        scores = model.loo_scores(rows[start : start + step], own)
        # Of two classes there is the lead of the second.
        best = (scores > 0).astype(np.int64) if scores.ndim == 1 else scores.argmax(axis=1)
        decided += classes[best].tolist()
    return decided


def _one_by_one(
    model: Any, rows: Any, labels: Sequence[Any], some: list[int], multilabel: bool
) -> Iterator[Any]:
    for at in some:
        row, own = rows[at : at + 1], as_label_targets(labels[at : at + 1])
        model.forget(row, own)
        answer = model.predict(row)[0]
        yield model.classes_[np.flatnonzero(answer)].tolist() if multilabel else answer
        model.partial_fit(row, own)


def _quality(
    truth: Sequence[Any], decided: list[Any], labels: Sequence[Any], names: list[Any] | None
) -> LeaveOneOut:
    sizes = Counter(each for label in labels for each in (label if names is not None else [label]))
    majority = max(sizes.values()) / len(labels)
    if names is None:
        right, macro = np.asarray(truth) == np.asarray(decided), f1(truth, decided).macro
    else:
        one, other = _indicator(truth, names), _indicator(decided, names)
        right, macro = (one == other).all(axis=1), f1(one, other).macro
    return LeaveOneOut(float(right.mean()), float(macro), majority, len(decided))


def _indicator(labels: Sequence[Sequence[Any]], names: list[Any]) -> NDArray[np.int64]:
    return np.array([[name in own for name in names] for own in map(set, labels)], dtype=np.int64)
