"""Speed of a model over HTTP compared with a scikit-learn pipeline in the same application.

Two servers run in separate processes: ours, and ours with a scikit-learn pipeline of ``CountVectorizer`` and
``MultinomialNB`` instead of the model. Everything else is the same: uvicorn, routes, checks, threads, JSON.
``GET /health``, which uses no model, shows the cost of the rest. Before timing, the labels of both are
compared. Then the default model ("auto"), which a search finds first, is compared with "complement".
"""

from __future__ import annotations

import argparse
import http.client
import itertools
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import joblib
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import MultinomialNB as PeerNB
from sklearn.pipeline import make_pipeline

from corpora import missing_note, newsgroups_or_docstrings
from measure import Run, Target, interleave, ratio
from options import asked, timing_options
from report import Report, machine
from textbayes import TextClassifier, TextCounter
from textbayes.datasets import load_docstrings, load_newsgroups
from textbayes.server import Settings, create_app, listen, run
from textbayes.server.settings import no_log

OURS, PEER, NONE = "textbayes", "scikit-learn", "no model (/health)"
SHORT = "Does anyone know where I can buy a used hard disk for an old Mac? Thanks, prices by mail please."
FAST, DEFAULT = "complement", "auto"
REQUESTS, CONNECTIONS, MANY = 200, 8, 500
BOUNDS = (2.0, 2.0, 4.0)
# The time of the default model divided by that of "complement", at most.
MOST = 1.5


def main() -> None:
    """Run the benchmark and write its report."""
    options = _options()
    if options.serve:
        _serve(options.serve)
        return
    corpus = newsgroups_or_docstrings()
    labelled = load_docstrings() if corpus.stand_in else load_newsgroups()
    train, test = (
        split if options.documents is None else split[:: max(1, len(split) // options.documents)]
        for split in (labelled.train, labelled.test)
    )
    report = Report(f"A model of {corpus.name} over HTTP", machine(corpus, options.rounds))
    if corpus.stand_in:
        report.note(missing_note())
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        ours = TextClassifier("multinomial", TextCounter(tokens="words"))
        ours.fit(train.texts, train.label).save(folder / "model.tb")
        joblib.dump(
            make_pipeline(CountVectorizer(), PeerNB()).fit(train.texts, train.label), folder / "peer.joblib"
        )
        ours = stack.enter_context(_server(folder / "model.tb"))
        peer = stack.enter_context(_server(folder / "peer.joblib"))
        targets = _measure(report, ours, peer, list(test.texts)[:MANY], options.rounds)
        ports = {}
        for name in (FAST, DEFAULT):
            TextClassifier(name).fit(train.texts, train.label).save(folder / f"{name}.tb")
            ports[name] = stack.enter_context(_server(folder / f"{name}.tb"))
        report.add_targets([*targets, *_measure_default(report, ports, options.rounds)])
    report.deliver(options, "serving")


def _options() -> argparse.Namespace:
    parser = timing_options(__doc__)
    parser.add_argument("--serve", type=Path, help=argparse.SUPPRESS)
    return asked(parser)


class _Pipeline:
    """A scikit-learn pipeline with the interface that the application needs."""

    multilabel_ = False

    def __init__(self, pipeline: Any) -> None:
        self.predict, self.predict_proba = pipeline.predict, pipeline.predict_proba
        self.classes_ = pipeline.classes_


def _serve(path: Path) -> None:
    """Run one of the servers."""
    is_peer = path.suffix == ".joblib"
    app = create_app(Settings(path.with_name("model.tb") if is_peer else path, writable=True))
    if is_peer:
        app.state.model.current.classifier = _Pipeline(joblib.load(path))
    with listen("127.0.0.1", 0) as listening:
        run(app, listening, lambda: print(listening.getsockname()[1], flush=True), no_log)


@contextmanager
def _server(path: Path) -> Iterator[int]:
    """Start a server in its own process and yield its port."""
    process = subprocess.Popen([sys.executable, __file__, "--serve", str(path)], stdout=subprocess.PIPE)
    try:
        assert process.stdout is not None
        yield int(process.stdout.readline())
    finally:
        process.terminate()
        process.wait()


class _Line:
    """A persistent connection."""

    def __init__(self, port: int) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port)

    def ask(self, path: str, body: bytes | None = None) -> Any:
        kind = {} if body is None else {"Content-Type": "application/json"}
        self.connection.request("GET" if body is None else "POST", path, body, kind)
        reply = self.connection.getresponse()
        told = reply.read()
        if reply.status != 200:
            raise SystemExit(f"{path}: {reply.status} {told.decode()}")
        return told


def _measure(report: Report, ours: int, peer: int, texts: list[str], rounds: int) -> list[Target]:
    many, one = json.dumps({"texts": texts}).encode(), json.dumps({"text": SHORT}).encode()
    lines = {OURS: _Line(ours), PEER: _Line(peer)}
    if lines[OURS].ask("/predict", many) != lines[PEER].ask("/predict", many):
        raise SystemExit("The two give different labels, so the timings cannot be compared.")
    single: dict[str, Run] = {name: partial(line.ask, "/predict", one) for name, line in lines.items()}
    single[NONE] = partial(lines[OURS].ask, "/health")
    at_once: dict[str, Run] = {OURS: _at_once(ours, one), PEER: _at_once(peer, one), NONE: _at_once(ours)}
    batch: dict[str, Run] = {name: partial(line.ask, "/predict", many) for name, line in lines.items()}
    contests = [
        ("one text", interleave(single, rounds, REQUESTS)),
        (f"{CONNECTIONS} requests at once", interleave(at_once, rounds, REQUESTS // CONNECTIONS)),
        (f"{len(texts):,} texts in one request", interleave(batch, rounds)),
    ]
    for title, timings in contests:
        report.add_timings(title, timings, against={"÷ textbayes": OURS})
    rates = {name: CONNECTIONS / timing.median for name, timing in contests[1][1].items()}
    shown = {name: [f"{rate:,.0f}"] for name, rate in rates.items()}
    report.add_rows(f"one text, {CONNECTIONS} connections", ["requests per second"], shown, rates)
    report.add_timings(
        "teach one text, saved before the answer", interleave({OURS: _teacher(lines[OURS])}, rounds), {}
    )
    return [
        Target(f"{title}: at least {bound:g} × as fast as scikit-learn", measured, bound)
        for (title, timings), bound in zip(contests, BOUNDS, strict=True)
        for measured in [ratio(timings[PEER], timings[OURS]).median]
    ]


def _measure_default(report: Report, ports: dict[str, int], rounds: int) -> list[Target]:
    """Compare the default model with the fast one, by one connection and by several."""
    one = json.dumps({"text": SHORT}).encode()
    single: dict[str, Run] = {name: partial(_Line(port).ask, "/predict", one) for name, port in ports.items()}
    at_once: dict[str, Run] = {name: _at_once(port, one) for name, port in ports.items()}
    contests = [
        ("one text", interleave(single, rounds, REQUESTS)),
        (f"{CONNECTIONS} requests at once", interleave(at_once, rounds, REQUESTS // CONNECTIONS)),
    ]
    for title, timings in contests:
        report.add_timings(f"{title}, by model", timings, against={f"÷ {FAST}": FAST})
    rates = {name: CONNECTIONS / timing.median for name, timing in contests[1][1].items()}
    shown = {name: [f"{rate:,.0f}"] for name, rate in rates.items()}
    report.add_rows(f"one text, {CONNECTIONS} connections, by model", ["requests per second"], shown, rates)
    return [
        Target(f"{title}: {DEFAULT} at most {MOST:g} × the time of {FAST}", measured, MOST, at_least=False)
        for title, timings in contests
        for measured in [ratio(timings[DEFAULT], timings[FAST]).median]
    ]


def _teacher(line: _Line) -> Run:
    """Teach a new text at each call."""
    label = json.loads(line.ask("/model"))["classes"][0]["label"]
    numbers = itertools.count()

    def teach() -> Any:
        fields = {"text": f"{SHORT} word{next(numbers)}", "label": label}
        return line.ask("/teach", json.dumps(fields).encode())

    return teach


def _at_once(port: int, body: bytes | None = None) -> Run:
    """Send requests over several connections, each in its own thread."""
    lines, path = [_Line(port) for _ in range(CONNECTIONS)], "/health" if body is None else "/predict"
    threads = ThreadPoolExecutor(CONNECTIONS)
    return lambda: list(threads.map(lambda line: line.ask(path, body), lines))


if __name__ == "__main__":
    main()
