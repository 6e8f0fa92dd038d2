"""How well a classifier does on what it learned, each text by the model without it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from textbayes.estimators import PoissonMixtureNB, TextClassifier
from textbayes.evaluation.metrics import f1
from textbayes.statistics import as_label_targets

# Scores of documents × classes that are held at once: 64 MB.
_CELLS = 1 << 23


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

    Examples
    --------
    >>> from textbayes import TextClassifier
    >>> from textbayes.evaluation import leave_one_out
    >>> texts, labels = ["wheat corn", "corn wheat", "crude oil", "oil crude"], ["grain"] * 2 + ["oil"] * 2
    >>> found = leave_one_out(TextClassifier().fit(texts, labels), texts, labels)
    >>> found is None or found.accuracy == 1
    True
    """

    accuracy: float
    macro_f1: float
    majority: float


def leave_one_out(
    classifier: TextClassifier, texts: Sequence[str], labels: Sequence[Any]
) -> LeaveOneOut | None:
    """Measure a classifier on the texts it learned, each by the model without it.

    The representation (vocabulary, document frequencies) is held fixed. None for a model that has no
    ``loo_scores``, and where there is nothing to choose between.

    Examples
    --------
    >>> from textbayes import TextClassifier
    >>> from textbayes.evaluation import leave_one_out
    >>> texts, labels = ["wheat corn", "corn wheat", "crude oil", "oil crude"], ["grain"] * 2 + ["oil"] * 2
    >>> found = leave_one_out(TextClassifier().fit(texts, labels), texts, labels)
    >>> found is None or found.majority == 0.5
    True
    """
    model, classes = classifier.model_, classifier.classes_
    if not hasattr(model, "loo_scores") or len(classes) < 2:
        return None
    truth = _indicator(labels, classes) if classifier.multilabel_ else np.asarray(labels)
    rows = classifier.counter_.transform(texts)
    if classifier.transform_ is not None:
        rows = classifier.transform_.transform(rows)
    # What is fitted again without each fold takes all its documents at once.
    whole = isinstance(model, PoissonMixtureNB)
    step = rows.shape[0] if whole else max(1, _CELLS // len(classes))
    decided = []
    for start in range(0, rows.shape[0], step):
        own = as_label_targets(labels[start : start + step])
        decided.append(_decisions(model.loo_scores(rows[start : start + step], own), classes, truth))
    return _quality(truth, np.concatenate(decided), Counter(_flat(labels)))


def _decisions(scores: NDArray[Any], classes: NDArray[Any], truth: NDArray[Any]) -> NDArray[Any]:
    if truth.ndim == 2:
        return (scores > 0).astype(np.int64)
    if scores.ndim == 1:  # two classes: the lead of the second
        return np.asarray(classes[(scores > 0).astype(np.int64)])
    return np.asarray(classes[scores.argmax(axis=1)])


def _quality(truth: NDArray[Any], decided: NDArray[Any], sizes: Counter[Any]) -> LeaveOneOut:
    right = truth == decided
    right = right.all(axis=1) if right.ndim == 2 else right
    macro = f1(truth, decided).macro
    return LeaveOneOut(float(right.mean()), float(macro), sizes.most_common(1)[0][1] / len(truth))


def _indicator(labels: Sequence[Sequence[Any]], classes: NDArray[Any]) -> NDArray[Any]:
    column_of = {label: column for column, label in enumerate(classes.tolist())}
    cells = [(row, column_of[label]) for row, own in enumerate(labels) for label in own]
    rows, columns = zip(*cells, strict=True) if cells else ((), ())
    shape = (len(labels), len(classes))
    indicator: NDArray[Any] = sparse.csr_array(
        (np.ones(len(cells), np.int64), (rows, columns)), shape
    ).toarray()
    return indicator


def _flat(labels: Sequence[Any]) -> list[Any]:
    return [each for label in labels for each in (label if isinstance(label, list) else [label])]
