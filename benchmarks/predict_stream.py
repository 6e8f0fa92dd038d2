"""Peak memory of `textbayes predict` for a short and a long stream, and the start-up time of the program.

Generated documents come through a pipe as fast as they are read; the output is discarded. The peak resident
size is the one the system reports when the process ends.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from corpora import BenchmarkCorpus
from measure import Target
from options import asked, report_options
from report import Report, machine
from textbayes import TextClassifier

WORDS = [
    "wheat",
    "corn",
    "밀",
    "oil",
    "gas",
    "gold",
    "mine",
    "price",
    "rose",
    "fell",
    "قمح",
    "🌾",
    "rate",
    "bank",
]
CLASSES = 20
GROWTH, START = 1.1, 0.5
PROGRAM = [sys.executable, "-m", "textbayes"]
# Lines are generated once and written repeatedly, so that writing is not slower than predicting.
WRITE = """
import json, random, sys
words, random = json.loads(sys.argv[2]), random.Random(0)
lines = "".join(json.dumps({"text": " ".join(random.choices(words, k=150))}, ensure_ascii=False) + "\\n"
                for _ in range(1000)).encode()
left = int(sys.argv[1])
while left > 0:
    left -= sys.stdout.buffer.write(lines)
"""


def main() -> None:
    """Run the benchmark and write its report."""
    options = _options()
    report = Report("Predicting a stream", machine(BenchmarkCorpus("generated", WORDS), options.rounds))
    peaks = []
    rows = {}
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder, "model.tb")
        texts = [f"{word} {other}" for word in WORDS for other in WORDS]
        TextClassifier().fit(texts, [f"class {place % CLASSES}" for place in range(len(texts))]).save(model)
        for megabytes in (options.short, options.long):
            seconds, peak = streamed(model, int(megabytes * 1e6))
            peaks.append(peak)
            name = f"{megabytes:,g} MB through a pipe"
            rows[name] = [f"{peak / 1e6:.0f} MB", f"{seconds:.1f} s", f"{megabytes / seconds:.0f}"]
    report.add_rows("predict", ["peak memory", "time", "MB/s"], rows, dict(rows))
    starts = {what: _start(what, options.rounds) for what in ("--version", "--help", "predict --help")}
    shown = {f"textbayes {what}": [f"{seconds * 1e3:.0f} ms"] for what, seconds in starts.items()}
    report.add_rows("start", ["median"], shown, {name: cells[0] for name, cells in shown.items()})
    report.add_targets(
        [
            Target(
                "peak memory of the long stream ÷ the short one, at most", peaks[1] / peaks[0], GROWTH, False
            ),
            Target("textbayes --help, s, at most", starts["--help"], START, False),
        ]
    )
    report.deliver(options, "predict_stream")


def streamed(model: Path, size: int) -> tuple[float, int]:
    """Predict a stream of this many bytes; return the seconds and the peak resident size in bytes."""
    command = [sys.executable, "-c", WRITE, str(size), json.dumps(WORDS)]
    start = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE) as source:
        process = subprocess.Popen(
            [*PROGRAM, "predict", str(model), "-"],
            stdin=source.stdout,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        assert source.stdout is not None
        source.stdout.close()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode or source.returncode:
        raise SystemExit("predict failed, so there is nothing to measure.")
    return time.perf_counter() - start, used.ru_maxrss * 1024  # kB on Linux


def _start(what: str, rounds: int) -> float:
    seconds = []
    for _ in range(rounds):
        start = time.perf_counter()
        subprocess.run([*PROGRAM, *what.split()], check=True, stdout=subprocess.DEVNULL)
        seconds.append(time.perf_counter() - start)
    return median(seconds)


def _options() -> argparse.Namespace:
    parser = report_options(__doc__)
    parser.add_argument("--short", type=float, default=100.0, metavar="MB", help="the short stream (100)")
    parser.add_argument("--long", type=float, default=1000.0, metavar="MB", help="the long stream (1000)")
    parser.add_argument("--rounds", type=int, default=7, metavar="N", help="start the program N times (7)")
    return asked(parser)


if __name__ == "__main__":
    main()
