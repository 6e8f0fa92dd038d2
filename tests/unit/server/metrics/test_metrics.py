"""Figures: what requests count, and what Prometheus reads."""

import asyncio
import time

import pytest
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.parser import text_string_to_metric_families
from queued_model import QueuedModel

from textbayes import TextClassifier
from textbayes.errors import StoreUnavailableError
from textbayes.server.live import Status
from textbayes.server.metrics import Figures, ModelCollector, RequestCollector
from textbayes.server.metrics.collectors import mean_confidence, unknown_share
from textbayes.server.metrics.figures import BOUNDS, MOST_CLASSES, OTHER
from textbayes.server.middleware import AccessLog
from textbayes.server.store import Outcome, Receipt, open_store


def read(*collectors):
    """Return the samples that Prometheus would read: {(name, labels): value}."""
    registry = CollectorRegistry()
    for collector in collectors:
        registry.register(collector)
    text = generate_latest(registry).decode()
    return {
        (sample.name, *sorted(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


@pytest.fixture
def model(tmp_path):
    store = open_store(tmp_path / "store")
    writer = store.become_writer("http://127.0.0.1:1")
    writer.add_model("mail")
    classifier = TextClassifier("multinomial", calibrate=False)
    yield QueuedModel(store, writer, classifier.fit(["wheat corn 밀", "crude oil"], ["grain", "oil"]))
    writer.release()
    store.close()


def ask(figures, scope, status=200):
    async def app(scope, receive, send):
        scope["route"] = type("Route", (), {"path": "/models/{name}/predict"})() if scope["known"] else None
        await send({"type": "http.response.start", "status": status})
        await send({"type": "http.response.body", "body": b""})

    async def send(message):
        pass

    asked = {"type": "http", "path": "/", "known": True, **scope}
    asyncio.run(AccessLog(app, lambda event: None, figures)(asked, None, send))


def test_requests_are_counted_by_the_template_of_their_path():
    figures = Figures()
    ask(figures, {"method": "POST"})
    ask(figures, {"method": "POST"}, 422)
    ask(figures, {"method": "POST"}, 422)
    found = read(RequestCollector(figures))
    route = ("route", "/models/{name}/predict")
    assert found["textbayes_requests_total", ("method", "POST"), route, ("status", "422")] == 2
    assert found["textbayes_request_seconds_count", route] == 3
    assert found["textbayes_request_seconds_bucket", ("le", "+Inf"), route] == 3


def test_nobody_can_fill_memory_with_paths_and_methods():
    figures = Figures()
    for number in range(100):
        ask(figures, {"method": f"M{number}", "path": f"/x{number}", "known": False}, 404)
    assert list(figures.requests) == [("other", "unknown", 404)]


def test_the_histogram_adds_up():
    figures = Figures()
    for seconds in (0.0001, 0.001, 0.003, 0.02, 99.0):
        figures.add_request("GET", "/밀", 200, seconds)
    found = read(RequestCollector(figures))
    counts = [
        found["textbayes_request_seconds_bucket", ("le", str(bound)), ("route", "/밀")] for bound in BOUNDS
    ]
    assert counts == [2, 2, 3, 3, 4, 4, 4, 4, 4, 4, 4]
    assert found["textbayes_request_seconds_sum", ("route", "/밀")] == pytest.approx(99.0241)


def test_predictions_of_many_classes_share_one_count_that_never_falls():
    figures = Figures()
    for number in range(200):
        figures.add_predictions("mail", ["x"], [f"klasse {number}"])
    figures.add_predictions("mail", ["x"] * 3, [f"klasse {number}" for number in (0, 199, 199)])
    counts = figures.predicted["mail"].by_class
    assert len(counts) == MOST_CLASSES + 1
    assert counts["klasse 0"] == 2
    assert counts[OTHER] == 200 - MOST_CLASSES + 2
    assert sum(counts.values()) == figures.predicted["mail"].texts == 203


def test_labels_of_all_kinds_are_counted():
    figures = Figures()
    figures.add_predictions("mail", ["a"] * 5, ["밀", 5, True, None, ["x", "y"]])
    assert dict(figures.predicted["mail"].by_class) == {"밀": 1, "5": 1, "true": 1, "x": 1, "y": 1}


def test_a_model_has_its_figures(model):
    figures = Figures()
    figures.add_predictions("mail", ["wheat tea", "oil"], ['say "밀"\n', "oil"])
    outcomes = tuple(Outcome("a", 1, made) for made in ("taught", "relabelled", "unchanged", "forgot"))
    figures.add_changes("mail", Receipt(1, 3, outcomes))
    figures.add_changes("mail", Receipt(1, 3, outcomes, repeated=True))
    model.writer.queue_add("mail", ["a", "b"], "eve")
    model.status = lambda: Status(head=9, applied=7, settled=4, failed=1)
    found = read(ModelCollector(figures, [model]))
    named = ("model", "mail")
    assert found["textbayes_documents", named] == 2
    assert found["textbayes_classes", named] == 2
    assert found["textbayes_texts_total", named] == 2
    assert found["textbayes_predictions_total", ("class", 'say "밀"\n'), named] == 1
    assert found["textbayes_unknown_terms_share", named] == pytest.approx(1 / 3)
    assert 0.5 < found["textbayes_mean_confidence", named] < 1
    assert found["textbayes_changes_total", ("change", "relabelled"), named] == 1
    assert ("textbayes_changes_total", ("change", "unchanged"), named) not in found
    assert found["textbayes_version", named] == 9
    assert found["textbayes_unsettled_changes", named] == 5
    assert found["textbayes_unapplied_changes", named] == 2
    assert found["textbayes_failed_changes", named] == 1
    assert found["textbayes_queue_texts", named, ("state", "waiting")] == 2


def test_quality_is_that_of_the_last_settling_that_was_measured(model):
    for version, accuracy in ((1, 0.5), (2, 0.75), (3, None)):
        model.writer.set_quality("mail", version, {"documents": 2, "accuracy": accuracy, "macro_f1": None})
    found = read(ModelCollector(Figures(), [model]))
    assert found["textbayes_leave_one_out", ("measure", "accuracy"), ("model", "mail")] == 0.75
    assert ("textbayes_leave_one_out", ("measure", "macro_f1"), ("model", "mail")) not in found


def test_an_empty_model_and_a_store_out_of_reach_leave_the_rest(model, monkeypatch):
    def gone(*given):
        raise StoreUnavailableError("store", "gone")

    model.served = type(model.served)("mail", None)
    monkeypatch.setattr(type(model.store), "queue_counts", gone)
    monkeypatch.setattr(type(model.store), "qualities", gone)
    figures = Figures()
    figures.add_predictions("mail", ["x"], ["y"])
    found = read(ModelCollector(figures, [model]))
    assert found["textbayes_documents", ("model", "mail")] == 0
    assert not any(name.startswith("textbayes_mean") for name, *_ in found)


def test_shares_of_the_last_texts(model):
    assert unknown_share(model.served, ["wheat 밀", "oil"]) == 0
    assert unknown_share(model.served, ["tea", "coffee é"]) == 1
    assert unknown_share(model.served, ["", "…"]) is None
    assert mean_confidence(model.served, ["tea"]) == pytest.approx(0.5)


def test_only_the_last_short_texts_are_kept():
    figures = Figures()
    figures.add_predictions("mail", ["long " * 2000], ["a"])
    figures.add_predictions("mail", [str(number) for number in range(500)], ["a"] * 500)
    recent = figures.predicted["mail"].recent
    assert len(recent) == 200
    assert recent[-1] == "499"


def test_counting_takes_microseconds():
    figures, rounds = Figures(), 20_000
    start = time.perf_counter()
    for _ in range(rounds):
        figures.add_request("POST", "/predict", 200, 0.0004)
        figures.add_predictions("mail", ["a short text"], ["spam"])
    assert (time.perf_counter() - start) / rounds < 50e-6
