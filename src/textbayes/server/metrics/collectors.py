"""Figures → metric families, computed when Prometheus asks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Any

from prometheus_client.metrics_core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector

from textbayes.errors import TextbayesError
from textbayes.server.live import LiveModel, Served
from textbayes.server.metrics.figures import BOUNDS, Figures

_QUALITY = ("accuracy", "macro_f1")
# Some settlings are not measured.
_SETTLINGS = 50


class RequestCollector(Collector):
    """Requests: how many, and how long they took."""

    def __init__(self, figures: Figures) -> None:
        self._figures = figures

    def collect(self) -> Iterator[Metric]:
        """Yield the metric families."""
        total = CounterMetricFamily("textbayes_requests", "Requests.", labels=("method", "route", "status"))
        for (method, path, status), count in sorted(self._figures.requests.items()):
            total.add_metric((method, path, str(status)), count)
        yield total
        seconds = HistogramMetricFamily(
            "textbayes_request_seconds", "Seconds until a request is answered.", labels=("route",)
        )
        for path, latency in sorted(self._figures.latency.items()):
            counts = accumulate(list(latency.buckets))
            names = [*(str(bound) for bound in BOUNDS), "+Inf"]
            seconds.add_metric((path,), list(zip(names, counts, strict=True)), latency.sum)
        yield seconds


class ModelCollector(Collector):
    """Models: what they have learned, what they predict, how far they are, how good they are."""

    def __init__(self, figures: Figures, models: Sequence[LiveModel]) -> None:
        self._figures, self._models = figures, models

    def collect(self) -> Iterator[Metric]:
        """Yield the metric families."""
        yield from self._learned()
        yield from self._predicted()
        yield from self._changed()
        yield from self._recent()
        yield from self._stored()

    def _learned(self) -> Iterator[Metric]:
        documents = _gauge("documents", "Documents that the model has learned.")
        classes = _gauge("classes", "Classes of the model.")
        for model in self._models:
            served = model.served
            classes.add_metric((model.name,), len(served.classes))
            documents.add_metric((model.name,), _documents_of(served))
        yield from (documents, classes)

    def _predicted(self) -> Iterator[Metric]:
        texts = CounterMetricFamily("textbayes_texts", "Texts that were classified.", labels=("model",))
        by_class = CounterMetricFamily(
            "textbayes_predictions", "Predictions of each class.", labels=("model", "class")
        )
        for model in self._models:
            predicted = self._figures.predicted.get(model.name)
            if predicted is not None:
                texts.add_metric((model.name,), predicted.texts)
                for label, count in list(predicted.by_class.items()):
                    by_class.add_metric((model.name, label), count)
        yield from (texts, by_class)

    def _changed(self) -> Iterator[Metric]:
        changes = CounterMetricFamily(
            "textbayes_changes",
            "Documents that were taught; those relabelled, forgotten and undone are corrections.",
            labels=("model", "change"),
        )
        for model in self._models:
            for kind, count in list(self._figures.changes.get(model.name, {}).items()):
                changes.add_metric((model.name, kind), count)
        yield changes

    def _recent(self) -> Iterator[Metric]:
        unknown = _gauge("unknown_terms_share", "Share of unknown terms in the last texts.")
        confidence = _gauge("mean_confidence", "Mean probability of the predictions of the last texts.")
        for model in self._models:
            predicted = self._figures.predicted.get(model.name)
            texts = [] if predicted is None else list(predicted.recent)
            if texts and not model.served.is_empty:
                confidence.add_metric((model.name,), mean_confidence(model.served, texts))
                share = unknown_share(model.served, texts)
                if share is not None:
                    unknown.add_metric((model.name,), share)
        yield from (unknown, confidence)

    def _stored(self) -> Iterator[Metric]:
        head = _gauge("version", "The newest version in the store.")
        unsettled = _gauge("unsettled_changes", "Changes since the model last equalled a fresh fit.")
        unapplied = _gauge("unapplied_changes", "Changes that the model in memory has not learned yet.")
        failed = _gauge("failed_changes", "Changes that could not be learned.")
        queue = _gauge("queue_texts", "Texts of the queue.", ("state",))
        quality = _gauge("leave_one_out", "Leave-one-out quality at the last settling.", ("measure",))
        for model in self._models:
            status, named = model.status(), (model.name,)
            head.add_metric(named, status.head)
            unsettled.add_metric(named, max(0, status.head - status.settled))
            unapplied.add_metric(named, max(0, status.head - status.applied))
            failed.add_metric(named, status.failed)
            _add_all(queue, model.name, _queue_of(model))
            _add_all(quality, model.name, _quality_of(model))
        yield from (head, unsettled, unapplied, failed, queue, quality)


def mean_confidence(served: Served, texts: list[str]) -> float:
    """Return the mean probability of the best class of each text."""
    return float(served.classifier.predict_proba(texts).max(axis=1).mean())


def unknown_share(served: Served, texts: list[str]) -> float | None:
    """Return the share of terms that a model does not know; None if it cannot tell."""
    counter: Any = getattr(served.classifier, "counter_", None)
    if counter is None:
        return None
    try:
        known = float(counter.transform(texts).sum())
        terms = sum(len(counter.terms(text)) for text in texts)
    except (TextbayesError, AttributeError):  # hashed terms, or a pipeline with a counter of its own
        return None
    return max(0.0, 1.0 - known / terms) if terms else None


def _documents_of(served: Served) -> float:
    return 0.0 if served.is_empty else float(served.classifier.documents_)


def _queue_of(model: LiveModel) -> dict[str, float]:
    try:
        return {} if model.store is None else dict(model.store.queue_counts(model.name))
    except TextbayesError:  # the store is out of reach; the other figures are still true
        return {}


def _quality_of(model: LiveModel) -> dict[str, float]:
    try:
        settled = [] if model.store is None else model.store.qualities(model.name, _SETTLINGS)
    except TextbayesError:
        return {}
    measured = [figures for _, _, figures in settled if figures.get("accuracy") is not None]
    last = measured[-1] if measured else {}
    return {name: last[name] for name in _QUALITY if last.get(name) is not None}


def _gauge(name: str, about: str, others: Iterable[str] = ()) -> GaugeMetricFamily:
    return GaugeMetricFamily(f"textbayes_{name}", about, labels=("model", *others))


def _add_all(family: GaugeMetricFamily, model: str, values: dict[str, float]) -> None:
    for name, value in values.items():
        family.add_metric((model, name), value)
