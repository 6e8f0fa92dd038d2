"""Predictions and teaching over HTTP, at once, beside a FastAPI route that returns a constant.

``wrk`` asks for predictions of short texts over 16 connections on the loopback interface, while a teacher
sends 50 texts a second. The servers run in processes of their own: ``textbayes serve MODEL --store FOLDER``,
and uvicorn with one route that reads no body and returns a constant. Rounds are interleaved. Then: how long a
taught text takes until it is acknowledged, by the size of the model; memory under load; what happens beyond
capacity.
"""

from __future__ import annotations

import argparse
import http.client
import itertools
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from corpora import newsgroups_or_docstrings
from measure import Target
from options import asked, timing_options
from report import Report, machine
from textbayes import TextClassifier
from textbayes.datasets import Corpus, load_docstrings, load_newsgroups

BARE, QUIET, TAUGHT = "bare FastAPI route", "/predict", "/predict, 50 texts/s taught"
CONNECTIONS, TEXTS_PER_SECOND = 16, 50
SMALL = 200
LEAST_RATE, MOST_P99, MOST_TEACH, MOST_GROWTH = 1500, 40.0, 20.0, 5.0
BODIES = 100
CONSTANT = """
from fastapi import FastAPI
app = FastAPI()

@app.post("/predict")
async def predict():
    return {"label": "constant"}
"""


def main() -> None:
    """Run the benchmark and write its report."""
    options = _options()
    if shutil.which("wrk") is None:
        raise SystemExit("serving.py needs wrk: apt-get install wrk")
    corpus = newsgroups_or_docstrings()
    report = Report("A model over HTTP", machine(corpus, options.rounds))
    if options.note:
        report.note(options.note)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=options.folder)))
        models = _models(options, folder, corpus.stand_in)
        targets = _contest(report, options, folder, models)
        targets += _teaching(report, options, folder, models)
        targets += _memory(report, options, folder, models)
        targets += _overload(report, options, folder, models)
        report.add_targets(targets)
    report.deliver(options, "serving")


def _options() -> argparse.Namespace:
    parser = timing_options(__doc__, rounds=5)
    parser.add_argument("--seconds", type=float, default=10, metavar="S", help="of each timing (10)")
    parser.add_argument("--minutes", type=float, default=10, metavar="M", help="of load to watch memory (10)")
    parser.add_argument("--models", type=Path, metavar="FOLDER", help="keep the trained models in FOLDER")
    parser.add_argument(
        "--folder", type=Path, metavar="FOLDER", help="where the stores are; its disk is measured"
    )
    parser.add_argument("--note", metavar="TEXT", help="a note for the report, such as what else ran")
    return asked(parser)


# The models, by size.


@dataclass(frozen=True)
class _Model:
    path: Path
    texts: list[str]
    label: str
    documents: int

    @property
    def shown(self) -> str:
        return f"{self.documents:,} documents, {self.path.stat().st_size / 1e6:.1f} MB"


def _models(options: argparse.Namespace, folder: Path, stand_in: bool) -> dict[str, _Model]:
    """Train the default model on corpora of several sizes, or take those that were kept."""
    kept = options.models or folder
    kept.mkdir(parents=True, exist_ok=True)
    builtin = load_docstrings()
    corpora: dict[str, Corpus] = {"small": builtin, "built-in corpus": builtin}
    if not stand_in:
        corpora["20 Newsgroups"] = load_newsgroups()
    limits = {"small": min(SMALL, options.documents or SMALL)}
    return {
        name: _model(kept / f"{name.replace(' ', '_')}-{limit or 'all'}.tb", corpus, limit)
        for name, corpus in corpora.items()
        for limit in [limits.get(name, options.documents)]
    }


def _model(path: Path, corpus: Corpus, limit: int | None) -> _Model:
    train = corpus.train
    if limit is not None:
        train = train[:: max(1, len(train) // limit)]
    if not path.exists():
        print(f"training {path.name} on {len(train):,} documents", file=sys.stderr)
        TextClassifier().fit(train.texts, train.label).save(path)
    short = [" ".join(text.split()[:15]) for text in corpus.test.texts]
    return _Model(path, [text for text in short if len(text) > 20][:1000], str(train.label[0]), len(train))


# Servers.


@contextmanager
def _bare(folder: Path) -> Iterator[int]:
    (folder / "constant.py").write_text(CONSTANT, encoding="utf-8")
    options = ["--app-dir", str(folder), "--port", "0", "--no-access-log", "constant:app"]
    with _process([sys.executable, "-m", "uvicorn", *options]) as (port, _):
        yield port


@contextmanager
def _server(model: _Model, store: Path, *options: str) -> Iterator[tuple[int, int]]:
    """Start ``textbayes serve``; yield its port and its process number."""
    command = [sys.executable, "-m", "textbayes", "serve", str(model.path), "--store", str(store)]
    with _process([*command, "--port", "0", "--json", *options]) as found:
        yield found


@contextmanager
def _process(command: list[str]) -> Iterator[tuple[int, int]]:
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    lines, port = [], None
    for line in process.stderr:
        lines.append(line)
        found = re.search(r"http://127\.0\.0\.1:(\d+)", line)
        if found:
            port = int(found[1])
            break
    if port is None:
        raise SystemExit("".join(lines))
    drain = threading.Thread(target=lambda: [None for _ in process.stderr], daemon=True)  # type: ignore[union-attr]
    drain.start()
    try:
        yield port, process.pid
    finally:
        process.terminate()
        process.wait()
        drain.join()
        process.stderr.close()


# Load.

_LUA = """
local bodies = {
%s
}
local number = 0
request = function()
  number = number + 1
  local body = bodies[number %% #bodies + 1]
  return wrk.format("POST", "/predict", {["Content-Type"] = "application/json"}, body)
end
%s
done = function(summary, latency)
  io.write(string.format('FOUND {"requests": %%d, "microseconds": %%d, "status": %%d, "lost": %%d, ' ..
    '"p50": %%d, "p99": %%d, "max": %%d}\\n', summary.requests, summary.duration, summary.errors.status,
    summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout,
    latency:percentile(50), latency:percentile(99), latency.max))
end
"""
# Counts answers by status, in each thread of wrk; slows wrk down, so only where it is needed.
_COUNTING = """
counts = {}
response = function(status, headers)
  local key = tostring(status)
  if status == 503 and not headers["retry-after"] then key = "503 without Retry-After" end
  counts[key] = (counts[key] or 0) + 1
  if (counts["all"] or 0) %% 50 == 0 then
    local file = io.open("%s", "w")
    for name, count in pairs(counts) do file:write(name .. "\\t" .. count .. "\\n") end
    file:close()
  end
  counts["all"] = (counts["all"] or 0) + 1
end
"""


@dataclass(frozen=True)
class _Load:
    """What wrk measured: answers a second, and milliseconds."""

    rate: float
    p50: float
    p99: float
    most: float
    failed: int
    lost: int


def _script(folder: Path, texts: list[str], counts: Path | None = None) -> Path:
    # JSON of ASCII has no characters that Lua's long brackets would change.
    bodies = ",\n".join(f"[==[{json.dumps({'text': text})}]==]" for text in texts[:BODIES])
    script = folder / ("counting.lua" if counts else "load.lua")
    script.write_text(_LUA % (bodies, _COUNTING % counts if counts else ""), encoding="utf-8")
    return script


def _wrk(script: Path, port: int, seconds: float, connections: int = CONNECTIONS, threads: int = 1) -> _Load:
    command = ["wrk", f"-t{threads}", f"-c{connections}", f"-d{max(1, round(seconds))}s", "--timeout", "10s"]
    done = subprocess.run(
        [*command, "-s", str(script), f"http://127.0.0.1:{port}"], capture_output=True, text=True, check=False
    )
    found = re.search(r"FOUND (.*)", done.stdout)
    if found is None:
        raise SystemExit(f"wrk: {done.stdout}{done.stderr}")
    figures = json.loads(found[1])
    rate = figures["requests"] / (figures["microseconds"] / 1e6)
    p50, p99, most = (figures[name] / 1e3 for name in ("p50", "p99", "max"))
    return _Load(rate, p50, p99, most, figures["status"], figures["lost"])


class _Teacher(threading.Thread):
    """Sends texts at a steady rate and notes the milliseconds until each is acknowledged.

    With ``documents``, it relabels so many documents again and again, so that the model does not grow.
    """

    def __init__(
        self, port: int, model: _Model, rate: float = TEXTS_PER_SECOND, documents: int | None = None
    ) -> None:
        super().__init__(daemon=True)
        self._port, self._model, self._pause, self._documents = port, model, 1 / rate, documents
        self._stopping = threading.Event()
        self.milliseconds: list[float] = []
        self.refused = 0

    def run(self) -> None:
        line = _Line(self._port)
        start = time.perf_counter()
        for number in itertools.count():
            due = start + number * self._pause
            if self._stopping.wait(max(0.0, due - time.perf_counter())):
                return
            begin = time.perf_counter()
            status = line.ask(*self._request(number))
            self.milliseconds.append(1e3 * (time.perf_counter() - begin))
            self.refused += status != 200

    def _request(self, number: int) -> tuple[str, str, dict[str, Any]]:
        text = self._model.texts[number % len(self._model.texts)]
        if self._documents is None:
            return "POST", "/teach", {"text": f"{text} taught{number}", "label": self._model.label}
        name = number % self._documents
        return "PUT", f"/documents/{name}", {"text": f"{text} {number % 7}", "label": self._model.label}

    def stop(self) -> list[float]:
        self._stopping.set()
        self.join()
        return self.milliseconds


class _Line:
    """A persistent connection."""

    def __init__(self, port: int) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

    def ask(self, method: str, path: str, fields: Mapping[str, Any] | None = None) -> int:
        body = None if fields is None else json.dumps(fields).encode()
        kind = {} if body is None else {"Content-Type": "application/json"}
        self._connection.request(method, path, body, kind)
        reply = self._connection.getresponse()
        reply.read()
        return reply.status


# What is measured.


def _contest(
    report: Report, options: argparse.Namespace, folder: Path, models: Mapping[str, _Model]
) -> list[Target]:
    """Measure predictions a second: nothing but a constant, alone, and while texts are taught."""
    model = models["built-in corpus"]
    script = _script(folder, model.texts)
    found: dict[str, list[_Load]] = {BARE: [], QUIET: [], TAUGHT: []}
    taught: list[float] = []
    with _bare(folder) as bare, _server(model, folder / "contest") as (port, _):

        def while_taught() -> _Load:
            teacher = _Teacher(port, model)
            teacher.start()
            load = _wrk(script, port, options.seconds)
            taught.extend(teacher.stop())
            return load

        runs: dict[str, Callable[[], _Load]] = {
            BARE: lambda: _wrk(script, bare, options.seconds),
            QUIET: lambda: _wrk(script, port, options.seconds),
            TAUGHT: while_taught,
        }
        for run in runs.values():
            run()  # warm up
        taught.clear()
        for number in range(options.rounds):
            names = list(runs)
            for name in names[number % len(names) :] + names[: number % len(names)]:
                found[name].append(runs[name]())
    medians = {name: _median(loads) for name, loads in found.items()}
    report.add_rows(
        f"short texts, {CONNECTIONS} connections, default model of the built-in corpus ({model.shown})",
        ["a second", "p50, ms", "p99, ms", "of the bare route"],
        {
            name: [f"{m.rate:,.0f}", f"{m.p50:.1f}", f"{m.p99:.1f}", f"{m.rate / medians[BARE].rate:.2f}"]
            for name, m in medians.items()
        },
        {name: [asdict(load) for load in loads] for name, loads in found.items()},
    )
    _add_latencies(report, "taught at the same time, until acknowledged", {"built-in corpus": taught})
    failed = sum(load.failed + load.lost for loads in found.values() for load in loads)
    return [
        Target(
            f"/predict a second while texts are taught, at least {LEAST_RATE}",
            medians[TAUGHT].rate,
            LEAST_RATE,
        ),
        Target("p99 of /predict meanwhile, ms, at most 40", medians[TAUGHT].p99, MOST_P99, at_least=False),
        Target("requests that failed, at most 0", failed, 0, at_least=False),
    ]


def _median(loads: list[_Load]) -> _Load:
    columns = zip(*(asdict(load).values() for load in loads), strict=True)
    return _Load(*(statistics.median(column) for column in columns))  # type: ignore[arg-type]


def _teaching(
    report: Report, options: argparse.Namespace, folder: Path, models: Mapping[str, _Model]
) -> list[Target]:
    """Measure how long a taught text takes until it is acknowledged, by the size of the model."""
    taught = {}
    for name, model in models.items():
        with _server(model, folder / f"teaching {name}") as (port, _):
            teacher = _Teacher(port, model)
            teacher.start()
            time.sleep(max(2.0, options.seconds * 2))
            taught[f"{name}, {model.shown}"] = teacher.stop()
    _add_latencies(report, f"{TEXTS_PER_SECOND} texts/s taught alone, until acknowledged", taught)
    return [
        Target(
            f"p99 of a taught text, {name.partition(',')[0]}, ms, at most 20",
            _p(found, 99),
            MOST_TEACH,
            False,
        )
        for name, found in taught.items()
    ]


def _add_latencies(report: Report, title: str, found: Mapping[str, list[float]]) -> None:
    shown = {
        name: [f"{len(times):,}", *(f"{_p(times, percent):.1f}" for percent in (50, 99, 100))]
        for name, times in found.items()
    }
    raw = {
        name: {f"p{percent}": _p(times, percent) for percent in (50, 99, 100)}
        for name, times in found.items()
    }
    report.add_rows(title, ["texts", "p50, ms", "p99, ms", "most, ms"], shown, raw)


def _p(times: list[float], percent: int) -> float:
    """Return a percentile, by nearest rank."""
    ranked = sorted(times)
    return ranked[min(len(ranked) - 1, len(ranked) * percent // 100)]


def _memory(
    report: Report, options: argparse.Namespace, folder: Path, models: Mapping[str, _Model]
) -> list[Target]:
    """Watch the memory of a server that predicts and relabels 1,000 documents again and again."""
    model, seconds = models["built-in corpus"], options.minutes * 60
    script = _script(folder, model.texts)
    with _server(model, folder / "memory") as (port, pid):
        teacher = _Teacher(port, model, documents=1000)
        teacher.start()
        load = threading.Thread(target=_wrk, args=[script, port, seconds], daemon=True)
        load.start()
        found = []
        while load.is_alive():
            load.join(max(0.5, seconds / 60))
            found.append(_resident(pid))
        teacher.stop()
    # The first third warms up: every document is new once, caches fill, the first settlings happen.
    late = found[len(found) // 3 :]
    half = len(late) // 2
    growth = 100 * (statistics.median(late[half:]) / statistics.median(late[:half] or late) - 1)
    report.add_rows(
        f"memory over {options.minutes:g} minutes of load, MB",
        ["at the start", "after a third", "at the end", "most"],
        {"textbayes serve": [f"{v:,.0f}" for v in (found[0], late[0], found[-1], max(found))]},
        found,
    )
    return [
        Target(
            "growth of memory in the last third against the third before, %, at most 5",
            growth,
            MOST_GROWTH,
            False,
        )
    ]


def _resident(pid: int) -> float:
    """Return the resident memory of a process, in MB."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def _overload(
    report: Report, options: argparse.Namespace, folder: Path, models: Mapping[str, _Model]
) -> list[Target]:
    """Ask far more than a server can answer, then as before."""
    model, counts = models["built-in corpus"], folder / "counts"
    plain, counting = _script(folder, model.texts), _script(folder, model.texts, counts)
    with _server(model, folder / "overload") as (port, pid):
        before = _wrk(plain, port, options.seconds)
        beyond = _wrk(counting, port, options.seconds, connections=800)
        memory = _resident(pid)
        after = _wrk(plain, port, options.seconds)
    statuses = dict(line.split("\t") for line in counts.read_text(encoding="utf-8").splitlines())
    statuses.pop("all", None)
    rows = {"before, 16 connections": before, "800 connections": beyond, "after, 16 connections": after}
    report.add_rows(
        f"beyond capacity: answers by status {statuses}, {memory:,.0f} MB",
        ["a second", "p50, ms", "p99, ms", "not 2xx", "lost"],
        {
            name: [f"{m.rate:,.0f}", f"{m.p50:.1f}", f"{m.p99:.1f}", f"{m.failed:,}", f"{m.lost:,}"]
            for name, m in rows.items()
        },
        {name: asdict(load) for name, load in rows.items()} | {"statuses": statuses},
    )
    wrong = sum(int(count) for status, count in statuses.items() if status not in ("200", "503"))
    return [
        Target("answers beyond capacity other than 200, or 503 with Retry-After, at most 0", wrong, 0, False),
        Target("requests a second after it ÷ before it, at least 0.8", after.rate / before.rate, 0.8),
    ]


if __name__ == "__main__":
    main()
