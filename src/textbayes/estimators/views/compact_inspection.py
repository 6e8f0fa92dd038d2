"""Inspection of a compact model: the strongest terms by their weights, without documents."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from textbayes.counts import Rows
from textbayes.errors import ParameterError
from textbayes.errors.checks import check_whole
from textbayes.estimators.views.inspection import InspectedClass, Inspection
from textbayes.estimators.views.ranking import strongest_terms

Reals = NDArray[np.float64]

# The weights of this many terms and classes are compared: the most important terms.
_MOST_WEIGHTS = 1 << 22
_MOST_TERMS = 1 << 14


def inspect_compact(model: Any, terms: int) -> Inspection:
    """Inspect a :class:`textbayes.CompactClassifier`."""
    view = _View(model)
    sizes = model.class_documents_.tolist()
    classes = [
        InspectedClass(label, size, view.strongest(number, check_whole("terms", terms)))
        for number, (label, size) in enumerate(zip(view.labels, sizes, strict=True))
    ]
    width = model.compaction_.terms
    return Inspection(repr(model), float(model.documents_), width, classes, [], _view=view)


class _View:
    """Weights of the most important terms, and the share of each in the occurrences of all."""

    def __init__(self, model: Any) -> None:
        self.labels: list[Any] = model.classes_.tolist()
        weights, scorer = model.weights, model.scorer
        names, frequencies = model.terms(), weights.frequencies()
        most = min(_MOST_TERMS, max(1, _MOST_WEIGHTS // len(self.labels)), len(names))
        importance = weights.importance(np.ones(len(weights.state()["table_forms"])))
        chosen = np.sort(np.argsort(-importance, kind="stable")[:most]).astype(np.int32)
        row = Rows(np.array([0, len(chosen)]), chosen, np.ones(len(chosen)), len(names))
        # Rows are divided by their lengths: a term alone has about the weight of all these together.
        self._weights = scorer.contributions(row).entries * len(chosen)
        self._names = [names[column] for column in chosen.tolist()]
        self._shares = frequencies[chosen] / max(1.0, frequencies.sum())

    def strongest(self, number: int, terms: int) -> list[tuple[str, float]]:
        """Return the terms with the most evidence for a class over the average class."""
        lead = self._weights[:, number] - self._weights.mean(axis=1)
        evidence = 100.0 * self._shares * lead
        order = np.argsort(-evidence, kind="stable")
        some = order[evidence[order] > 0]
        return strongest_terms(((self._names[place], float(evidence[place])) for place in some), terms)

    def between(self, label: Any, other: Any, terms: int) -> list[tuple[str, float]]:
        """Return the terms that separate two classes."""
        first, second = self._number(label), self._number(other)
        evidence = 100.0 * self._shares * (self._weights[:, first] - self._weights[:, second])
        order = np.argsort(-np.abs(evidence), kind="stable")
        return strongest_terms(((self._names[place], float(evidence[place])) for place in order), terms)

    def _number(self, label: Any) -> int:
        if label not in self.labels:
            raise ParameterError("label", label, self.labels)
        return self.labels.index(label)
