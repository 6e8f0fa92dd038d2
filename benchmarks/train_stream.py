"""Peak memory and speed of `textbayes train` on generated text that comes through a pipe.

Words are drawn by Zipf's law from a million, with a fifth of them depending on the class. The peak resident
size is the one the system reports when the process ends.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from corpora import BenchmarkCorpus
from measure import Target
from options import asked, report_options
from report import Report, machine

VOCABULARY, CLASSES, WORDS, DIMENSIONS = 1_000_000, 20, 200, 1 << 20
MEMORY = 2.0
PROGRAM = [sys.executable, "-m", "textbayes"]
WAYS = {
    "hashed, without documents": ["--dimensions", str(DIMENSIONS), "--no-documents"],
    "without documents": ["--no-documents"],
    "with documents": ["--no-loo"],
}


def main() -> None:
    """Run the benchmark and write its report."""
    options = _options()
    if options.write is not None:
        write(options.write)
        return
    facts = machine(BenchmarkCorpus("generated", []), 1)
    facts["corpus"] = f"generated: {VOCABULARY:,} words, {CLASSES} classes, {WORDS} words in a text"
    report = Report("Training on a stream", facts)
    rows, peaks = {}, {}
    for gigabytes in options.gigabytes:
        for way in options.ways:
            seconds, cpu, peak, size = trained(int(gigabytes * 1e9), options.model, WAYS[way])
            peaks[way] = max(peaks.get(way, 0), peak)
            name = f"{gigabytes:g} GB, {options.model}, {way}"
            rates = [f"{gigabytes * 1e3 / taken:.0f}" for taken in (seconds, cpu)]
            times = [f"{seconds:.0f} s", rates[0], f"{cpu:.0f} s", rates[1]]
            rows[name] = [f"{peak / 1e6:,.0f} MB", *times, f"{size / 1e6:,.0f} MB"]
            print(name, *rows[name], file=sys.stderr)
    titles = ["peak memory", "time", "MB/s", "CPU time", "MB/s of CPU", "model file"]
    report.add_rows("train", titles, rows, dict(rows))
    hashed = next(iter(WAYS))
    if hashed in peaks:
        promise = f"peak memory {hashed}, GB, at most"
        report.add_targets([Target(promise, peaks[hashed] / 1e9, MEMORY, at_least=False)])
    report.deliver(options, "train_stream")


def trained(size: int, model: str, way: list[str]) -> tuple[float, float, int, int]:
    """Train on this many bytes; return seconds, seconds of CPU, peak memory and the size of the model."""
    with tempfile.TemporaryDirectory(dir=".") as folder:
        output = Path(folder, "model.tb")
        start = time.perf_counter()
        with subprocess.Popen(
            [sys.executable, __file__, "--write", str(size)], stdout=subprocess.PIPE
        ) as source:
            process = subprocess.Popen(
                [*PROGRAM, "train", "-", "-o", str(output), "--model", model, *way],
                stdin=source.stdout,
                stdout=subprocess.DEVNULL,
            )
            assert source.stdout is not None
            source.stdout.close()
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode or source.returncode:
            raise SystemExit("train failed, so there is nothing to measure.")
        seconds, cpu = time.perf_counter() - start, used.ru_utime + used.ru_stime
        return seconds, cpu, used.ru_maxrss * 1024, output.stat().st_size  # kB on Linux


def write(size: int) -> None:
    """Write this many bytes of JSON Lines to standard output."""
    random = np.random.default_rng(0)
    words = np.array([_word(number) for number in range(VOCABULARY)], dtype=object)
    shape = (2_000, WORDS)
    while size > 0:
        classes = random.integers(CLASSES, size=(shape[0], 1))
        ids = (VOCABULARY ** random.random(shape)).astype(np.int64) - 1
        own = random.random(shape) < 0.2
        ids = np.where(own, (ids * 31 + classes * 7_919) % VOCABULARY, ids)
        lines = (
            f'{{"label": "class {label}", "text": "{" ".join(row)}"}}\n'
            for label, row in zip(classes[:, 0].tolist(), words[ids].tolist(), strict=True)
        )
        size -= sys.stdout.buffer.write("".join(lines).encode())


def _word(number: int) -> str:
    """Return a word of its own for each number; the more frequent, the shorter."""
    syllables = []
    number += 1
    while number:
        number, digit = divmod(number - 1, 70)
        syllables.append("bcdfghjklmnpqr"[digit // 5] + "aeiou"[digit % 5])
    return "".join(syllables)


def _options() -> argparse.Namespace:
    parser = report_options(__doc__)
    parser.add_argument(
        "--gigabytes", type=float, nargs="+", default=[1.0], metavar="N", help="the sizes of the text (1)"
    )
    parser.add_argument("--model", default="complement", metavar="NAME", help="a named model (complement)")
    parser.add_argument("--ways", nargs="+", choices=list(WAYS), default=list(WAYS), help="what to measure")
    parser.add_argument("--write", type=int, metavar="BYTES", help="only write this much text to stdout")
    return asked(parser)


if __name__ == "__main__":
    main()
