"""Fits and predictions on a Spark cluster beside MLlib's Tokenizer, HashingTF, IDF and NaiveBayes.

Both use the same cluster on this machine (local-cluster, executors with one core each), the same Parquet
files with the same partitions, and 2**18 hashed columns. Every part runs in processes of its own, because a
process has one Spark session. ``--part`` runs one part only: speed, executors, memory, scale.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import Any

from corpora import missing_note, newsgroups_or_docstrings, use_shared_corpora
from measure import Target, Timing, ratio
from options import asked, timing_options
from report import Report, machine

OURS, PEER = "textbayes", "MLlib"
PARTS = ("speed", "executors", "memory", "scale")
FACTOR = 5.0
CLASSES = (20, 1_000, 10_000, 100_000)
# Larger tables of classes x features do not fit on the driver of this machine.
MOST_PEER_CELLS = 300_000_000
TERABYTE = 1e12


def main() -> None:
    """Run the benchmark and write its report."""
    parser = timing_options(__doc__, rounds=3)
    parser.add_argument("--part", choices=PARTS, action="append", help="run this part only")
    parser.add_argument("--copies", type=int, default=16, metavar="N", help="repeat the texts N times (16)")
    parser.add_argument(
        "--classes", type=int, action="append", metavar="N", help="numbers of classes (memory)"
    )
    parser.add_argument(
        "--cold", action="store_true", help="before our fits wait until Spark has ended its Python processes"
    )
    options = asked(parser)
    corpus = newsgroups_or_docstrings(options.documents)
    report = Report("Spark: textbayes beside MLlib", machine(corpus, options.rounds))
    processes = "; new Python processes for each of our fits" if options.cold else ""
    report.note(f"pyspark {version('pyspark')}; every text {options.copies} times{processes}")
    if corpus.stand_in:
        report.note(missing_note())
    targets: list[Target] = []
    with tempfile.TemporaryDirectory(prefix="textbayes-spark-") as folder:
        for part in options.part or PARTS:
            targets += globals()[f"_{part}"](report, options, Path(folder))
    report.add_targets(targets)
    report.deliver(options, "spark")


def _child(task: str, folder: Path, **given: Any) -> Any:
    """Run a task of spark_tasks.py in a process of its own, and return what it found."""
    script = Path(__file__).with_name("spark_tasks.py")
    command = [sys.executable, str(script), task, json.dumps({"folder": str(folder), **given})]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    lines = done.stdout.strip().splitlines()
    if done.returncode or not lines:
        return {"failed": f"exit {done.returncode}"}
    return json.loads(lines[-1])


def _speed(report: Report, options: argparse.Namespace, folder: Path) -> list[Target]:
    given = {"rounds": options.rounds, "copies": options.copies, "documents": options.documents}
    found = _child("speed", folder, **given, cold=options.cold)
    targets = []
    for name, seconds in found["seconds"].items():
        timings = {who: Timing(tuple(own)) for who, own in seconds.items()}
        size = found["bytes"][name.split()[0]]
        report.add_timings(f"{name}, {size / 1e6:.0f} MB", timings, {"÷ textbayes": OURS}, size)
        promise = f"{name}: at least {FACTOR:g} × as fast as MLlib"
        targets.append(Target(promise, ratio(timings[PEER], timings[OURS]).median, FACTOR))
    accuracy = {name: [f"{value:.3f}" for value in own.values()] for name, own in found["accuracy"].items()}
    report.add_rows("accuracy on the test side", [OURS, PEER], accuracy, found["accuracy"])
    return targets


def _executors(report: Report, options: argparse.Namespace, folder: Path) -> list[Target]:
    given = {"rounds": options.rounds, "copies": options.copies, "documents": options.documents}
    found = {number: _child("executors", folder, executors=number, **given) for number in (1, 2)}
    one, two = found[1]["seconds"], found[2]["seconds"]
    rows = {
        name: [
            str(Timing(tuple(one[name]))),
            str(Timing(tuple(two[name]))),
            f"{_share(one[name], two[name]):.2f} ×",
        ]
        for name in one
    }
    report.add_rows("one executor and two", ["one", "two", "one ÷ two"], rows, {"one": one, "two": two})
    return []


def _share(one: list[float], two: list[float]) -> float:
    return Timing(tuple(one)).median / Timing(tuple(two)).median


def _memory(report: Report, options: argparse.Namespace, folder: Path) -> list[Target]:
    rows, raw = {}, {}
    for classes in options.classes or CLASSES:
        cells: list[str] = []
        for who in (OURS, PEER):
            if who == PEER and classes * 2**18 > MOST_PEER_CELLS:
                found = {"skipped": f"{classes * 2**18 * 8 / 1e9:,.0f} GB of classes × features"}
            else:
                found = _child("memory", folder, who=who, classes=classes)
            raw[f"{who}, {classes}"] = found
            cells += _memory_cells(found)
        rows[f"{classes:,} classes"] = cells
    titles = [f"{who}: {what}" for who in (OURS, PEER) for what in ("driver", "fit")]
    report.add_rows("peak memory of the driver, Python and JVM, in MB", titles, rows, raw)
    return []


def _memory_cells(found: dict[str, Any]) -> list[str]:
    if "megabytes" in found:
        return [f"{found['megabytes']:,.0f}", f"{found['seconds']:.1f} s"]
    return [found.get("skipped") or f"failed ({found['failed']})", "–"]


def _scale(report: Report, options: argparse.Namespace, folder: Path) -> list[Target]:
    """Count and merge in one process, for the arithmetic of a terabyte."""
    use_shared_corpora()
    found = _child("scale", folder, documents=options.documents)
    rows = {
        f"{own['bytes'] / 1e6:,.0f} MB of text": [
            f"{own['bytes'] / own['count'] / 1e6:.0f} MB/s",
            f"{own['blobs'] / 1e6:.1f} MB",
            f"{own['blobs'] / own['merge'] / 1e6:.0f} MB/s",
            f"{own['finish']:.1f} s",
        ]
        for own in found["steps"]
    }
    report.add_rows("one core", ["counts", "blobs of a task", "merges", "finish"], rows, found)
    largest = found["steps"][-1]
    speed, merge = largest["bytes"] / largest["count"], largest["blobs"] / largest["merge"]
    arithmetic = {}
    for gigabytes in (1, 4, 16):
        tasks = TERABYTE / (gigabytes * 1e9)
        blobs = found["growth"][str(gigabytes)]
        counting = TERABYTE / speed / 100
        merging = tasks * blobs / merge / 64
        arithmetic[f"tasks of {gigabytes} GB: {tasks:,.0f}"] = [
            f"{blobs / 1e6:,.0f} MB",
            f"{counting / 60:.1f} min",
            f"{merging / 60:.1f} min",
        ]
    columns = ["blobs of a task", "counting", "merging, 64 shards"]
    report.add_rows(
        "1 TB on 100 executors of one core, one pass, from these figures", columns, arithmetic, arithmetic
    )
    return []


if __name__ == "__main__":
    main()
