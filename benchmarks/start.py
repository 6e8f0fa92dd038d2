"""The start of the command line: `textbayes predict` of one line, by kind of model.

Each round starts every contestant once, as a new process. The report has the time from start to end, and the
time of the processor, which other work on the machine changes less.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path
from statistics import median

from measure import Run, Target, interleave
from options import asked, timing_options
from report import Report
from textbayes import MultinomialNB, TextClassifier, TunedClassifier
from textbayes.datasets import load_docstrings

NAMES = (
    "auto",
    "complement",
    "twcnb",
    "multinomial",
    "poisson",
    "poisson-chi2",
    "centroid",
    "linear-svm",
    "mixture",
)
PREDICT = "predict, "
COMPACT = f"{PREDICT}compact"
MOST, MOST_COMPACT = 0.6, 0.35
LINE = '{"text": "Return the eigenvalues of a matrix"}\n'


def main() -> None:
    """Run the benchmark and write its report."""
    options = asked(timing_options(__doc__, rounds=11))
    with tempfile.TemporaryDirectory() as folder:
        contestants = {"python -c pass": ["-c", "pass"], "import numpy": ["-c", "import numpy"]}
        contestants |= _predictions(Path(folder), options.documents)
        used: dict[str, list[float]] = {name: [] for name in contestants}
        runs: dict[str, Run] = {name: partial(_run, args, used[name]) for name, args in contestants.items()}
        timings = interleave(runs, options.rounds)
    report = Report("Start of the program: one line predicted", {"rounds": f"{options.rounds}, interleaved"})
    rows = {name: (str(timing), timing.spread, _seconds(used[name])) for name, timing in timings.items()}
    report.add_rows("medians", ["start to end", "fastest – slowest", "processor"], rows, used)
    slowest = max(timing.median for name, timing in timings.items() if name.startswith(PREDICT))
    compact = timings[COMPACT].median
    report.add_targets(
        [
            Target(f"any model: at most {MOST} s", slowest, MOST, at_least=False),
            Target(f"a compact model: at most {MOST_COMPACT} s", compact, MOST_COMPACT, at_least=False),
        ]
    )
    report.deliver(options, "start")


def _seconds(used: list[float]) -> str:
    return f"{median(used[1:]):.2f} s"  # the first run fills the file cache


def _predictions(folder: Path, documents: int | None) -> dict[str, list[str]]:
    """Train a model of each kind, and return the arguments that predict a line with it."""
    train = load_docstrings().train
    texts, labels = train.texts[:documents], train.label[:documents]
    models = {name: TextClassifier(name) for name in NAMES}
    models["tuned"] = TextClassifier(TunedClassifier(MultinomialNB()))
    found = {}
    for name, classifier in models.items():
        path = folder / f"{name}.tb"
        classifier.fit(texts, labels).save(path)
        found[f"{PREDICT}{name}"] = ["-m", "textbayes", "predict", str(path), "-"]
    models["auto"].compact().save(folder / "compact.tb")
    found[COMPACT] = ["-m", "textbayes", "predict", str(folder / "compact.tb"), "-"]
    found["predict --help"] = ["-m", "textbayes", "predict", "--help"]
    return found


def _run(args: list[str], used: list[float]) -> None:
    """Run a process, and note the seconds of the processor."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-P", *args]
    subprocess.run(command, input=LINE, text=True, encoding="utf-8", check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


if __name__ == "__main__":
    main()
