"""The report of a benchmark: tables to read, and JSON."""

from __future__ import annotations

import argparse
import io
import json
import os
import platform
import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from corpora import BenchmarkCorpus
from measure import Target, Timing, ratio
from memory import Peak

_WIDTH = 118
_PACKAGES = ("textbayes", "scikit-learn", "polars", "numpy", "scipy")


class Report:
    """Tables and notes, in the order they were added.

    Parameters
    ----------
    title : str
        What was measured.
    facts : mapping of str to str
        Corpus, machine, date and versions.
    """

    def __init__(self, title: str, facts: Mapping[str, str]) -> None:
        self.title = title
        self.facts = dict(facts)
        self._shown: list[RenderableType] = []
        self._json: dict[str, object] = {}

    def note(self, text: str) -> None:
        """Add a note."""
        self._shown.append(Text(text))
        self._json["note"] = text

    def add_timings(
        self, title: str, timings: Mapping[str, Timing], against: Mapping[str, str], size: int | None = None
    ) -> None:
        """Add a table of timings, with a column of ratios for each contestant in ``against``."""
        names = ["median", "fastest – slowest"] + (["MB/s"] if size else []) + list(against)
        table = _table(title, names)
        for name, timing in timings.items():
            speed = [f"{size / timing.median / 1e6:.0f}"] if size else []
            ratios = [
                str(ratio(timing, timings[other])) if other != name else "1" for other in against.values()
            ]
            table.add_row(name, str(timing), timing.spread, *speed, *ratios)
        self._shown.append(table)
        self._json[title] = {name: list(timing.seconds) for name, timing in timings.items()}

    def add_peaks(self, title: str, peaks: Mapping[str, Peak]) -> None:
        """Add a table of peak memory."""
        table = _table(title, ["texts", "result", "added at the peak", "(texts + added) ÷ (texts + result)"])
        for name, peak in peaks.items():
            sizes = [f"{size / 1e6:.0f} MB" for size in (peak.texts, peak.result, peak.added)]
            table.add_row(name, *sizes, f"{peak.multiple:.2f}")
        self._shown.append(table)
        self._json[title] = {
            name: {"texts": peak.texts, "result": peak.result, "added": peak.added}
            for name, peak in peaks.items()
        }

    def add_rows(
        self, title: str, columns: Iterable[str], rows: Mapping[str, Iterable[str]], raw: object
    ) -> None:
        """Add a table of formatted rows by name; ``raw`` goes into the JSON."""
        table = _table(title, columns)
        for name, cells in rows.items():
            table.add_row(name, *cells)
        self._shown.append(table)
        self._json[title] = raw

    def add_targets(self, targets: Iterable[Target]) -> None:
        """Add a table of targets and whether they are met."""
        targets = list(targets)
        table = _table("targets", ["measured", "verdict"])
        for target in targets:
            verdict = Text("pass", "green") if target.passed else Text("fail", "bold red")
            table.add_row(target.promise, f"{target.measured:.2f}", verdict)
        self._shown.append(table)
        self._json["targets"] = [target.as_json() for target in targets]

    def print(self, console: Console | None = None) -> None:
        """Print the report, by default on stdout."""
        console = console or Console(highlight=False, width=_WIDTH)
        console.print(Text(self.title, "bold"))
        for name, fact in self.facts.items():
            console.print(Text(f"{name}: {fact}"))
        for shown in self._shown:
            console.print()
            console.print(shown)

    def deliver(self, options: argparse.Namespace, name: str) -> None:
        """Print the report, and write it as JSON and into the README if the options say so."""
        self.print()
        if options.json:
            options.json.write_text(json.dumps(self.as_json(), indent=2) + "\n", encoding="utf-8")
        if options.readme:
            self.write_into(Path(__file__).with_name("README.md"), name)

    def as_json(self) -> dict[str, object]:
        """Return the facts and all timings in seconds."""
        return {"title": self.title, **self.facts, **self._json}

    def write_into(self, page: Path, name: str) -> None:
        """Replace the block between the markers ``name`` of a Markdown page by the report."""
        plain = io.StringIO()
        self.print(Console(file=plain, width=_WIDTH, highlight=False, color_system=None))
        lines = "\n".join(line.rstrip() for line in plain.getvalue().splitlines())
        block = f"<!-- {name} -->\n```text\n{lines}\n```\n<!-- /{name} -->"
        text = page.read_text(encoding="utf-8")
        found = re.compile(f"<!-- {name} -->.*?<!-- /{name} -->", re.DOTALL)
        page.write_text(found.sub(lambda _: block, text, count=1), encoding="utf-8")


def machine(corpus: BenchmarkCorpus, rounds: int) -> dict[str, str]:
    """Return the corpus, machine, date and versions of a run."""
    load = f", load {os.getloadavg()[0]:.1f} at the start" if hasattr(os, "getloadavg") else ""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return {
        "corpus": f"{len(corpus.texts):,} texts, {corpus.bytes / 1e6:.1f} MB of UTF-8",
        "machine": f"{_processor()}, {cores} cores, {platform.system()} {platform.machine()}{load}",
        "date": f"{datetime.now(UTC):%Y-%m-%d}, {rounds} interleaved rounds",
        "versions": ", ".join(
            [f"Python {platform.python_version()}", *(f"{p} {version(p)}" for p in _PACKAGES)]
        ),
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or "unknown processor"
    return next(
        (line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "unknown"
    )


def _table(title: str, columns: Iterable[str]) -> Table:
    table = Table(
        title=Text(title, "bold"), title_justify="left", box=None, padding=(0, 3, 0, 0), header_style="dim"
    )
    table.add_column("", no_wrap=True)
    for column in columns:
        table.add_column(column, justify="right", no_wrap=True)
    return table
