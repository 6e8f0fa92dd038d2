"""Figures: plain numbers that requests count; everything else is computed when Prometheus asks."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, deque
from collections.abc import Iterable, Sequence
from typing import Any

from textbayes.server.label_studio.predictions import label_text
from textbayes.server.store import Receipt

BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.02, 0.04, 0.1, 0.25, 1.0, 5.0, 30.0)
"""The upper bounds of the histogram of seconds."""
MOST_CLASSES = 50
"""So many classes have a figure of their own; the others share one."""
OTHER = "other"
UNKNOWN = "unknown"
"""The template of all paths that are not there; or anybody could fill memory with names."""
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"})
# The texts that are looked at when Prometheus asks; longer ones are not kept.
_KEPT, _LONGEST = 200, 5_000


class Latency:
    """A histogram of seconds."""

    __slots__ = ("buckets", "sum")

    def __init__(self) -> None:
        self.buckets = [0] * (len(BOUNDS) + 1)
        self.sum = 0.0

    def add(self, seconds: float) -> None:
        """Count a request."""
        self.buckets[bisect_left(BOUNDS, seconds)] += 1
        self.sum += seconds


class Predicted:
    """The predictions of a model: how many of each class, and the last texts.

    The first 50 classes that are predicted have a count of their own, so that no count ever falls.
    """

    __slots__ = ("by_class", "recent", "texts")

    def __init__(self) -> None:
        self.texts = 0
        self.by_class: dict[str, int] = {}
        self.recent: deque[str] = deque(maxlen=_KEPT)

    def add(self, texts: Sequence[str], labels: Iterable[Any]) -> None:
        """Count predictions; each label may be a list of labels, or None."""
        by_class, recent = self.by_class, self.recent
        self.texts += len(texts)
        for label in labels:
            if type(label) is str and label in by_class:  # nearly always
                by_class[label] += 1
            else:
                self._count(label)
        for text in texts:
            if len(text) <= _LONGEST:
                recent.append(text)

    def _count(self, label: Any) -> None:
        if isinstance(label, list):
            for each in label:
                self._count(each)
        elif label is not None:
            name = label_text(label)
            if name not in self.by_class and len(self.by_class) >= MOST_CLASSES:
                name = OTHER
            self.by_class[name] = self.by_class.get(name, 0) + 1


class Figures:
    """What a server has counted since it started.

    Examples
    --------
    >>> from textbayes.server.metrics import Figures
    >>> figures = Figures()
    >>> figures.add_predictions("mail", ["cheap pills", "noon"], ["spam", None])
    >>> figures.predicted["mail"].texts, dict(figures.predicted["mail"].by_class)
    (2, {'spam': 1})
    """

    def __init__(self) -> None:
        self.changes: dict[str, Counter[str]] = {}
        self.requests: dict[tuple[str, str, int], int] = {}
        self.latency: dict[str, Latency] = {}
        self.predicted: dict[str, Predicted] = {}

    def add_request(self, method: str, path: str, status: int, seconds: float) -> None:
        """Count a request by the template of its path, such as ``/models/{name}/predict``."""
        key = (method if method in _METHODS else OTHER, path, status)
        self.requests[key] = self.requests.get(key, 0) + 1
        latency = self.latency.get(path)
        if latency is None:
            latency = self.latency[path] = Latency()
        latency.add(seconds)

    def add_predictions(self, model: str, texts: Sequence[str], labels: Iterable[Any]) -> None:
        """Count predictions of a model."""
        predicted = self.predicted.get(model)
        if predicted is None:
            predicted = self.predicted[model] = Predicted()
        predicted.add(texts, labels)

    def add_changes(self, model: str, receipt: Receipt) -> None:
        """Count what a request has changed; one that came again changed nothing."""
        if not receipt.repeated:
            made = self.changes.setdefault(model, Counter())
            made.update(outcome.change for outcome in receipt.outcomes if outcome.change != "unchanged")
