"""Time until a large model file is ready, and the memory that processes share.

Generates a pipeline of ``TextCounter`` and ``MultinomialNB`` of a given size (1 GB by default), saves it, and
loads it in new processes, as a copy and mapped. A model is ready when it has classified a first text. The
file was just written, so it is in the page cache; reading from disk adds the time for the pages used.
"""

from __future__ import annotations

import argparse
import json
import os
import pickle
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from sklearn.pipeline import make_pipeline

import textbayes
from corpora import BenchmarkCorpus
from measure import Target
from options import asked, report_options
from report import Report, machine
from textbayes import MultinomialNB, TextCounter
from textbayes._native import Statistics, Vocabulary

READY_SECONDS = 0.1
PAIRS_PER_TERM = 16
BYTES_PER_TERM = (
    16 * PAIRS_PER_TERM + 8 + 12 + 8 + 9
)  # pairs, their start, the term's sums, its end, its name
CLASSES = 1000
MAPPED = {"mmap": True, "verify": False}
TEXT = "t00000017 t00000100 word t00000100 t00001234"

LOAD = """
import json, sys, time
from textbayes import load  # also imports the estimators, which `import textbayes` alone does not

def own():  # kB of memory not shared with other processes
    lines = open("/proc/self/smaps_rollup").readlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("Private_Dirty"))

before = own()
start = time.perf_counter()
model = load(sys.argv[1], **json.loads(sys.argv[3]))
loaded = time.perf_counter()
label = model.predict([sys.argv[2]])[0]
ready = time.perf_counter()
found = {"load": loaded - start, "ready": ready - start, "label": str(label), "own": own() - before}
print(json.dumps(found), flush=True)
sys.stdin.read()
"""


def main() -> None:
    """Run the benchmark and write its report."""
    options = _options()
    report = Report("A model file", machine(BenchmarkCorpus("generated", [TEXT]), options.rounds))
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        path = Path(folder, "model.tb")
        model = made_up(int(options.gigabytes * 1e9))
        saving = _seconds(lambda: textbayes.save(model, path))
        expected = str(model.predict([TEXT])[0])
        rows = {
            "size": [f"{path.stat().st_size / 1e9:.2f} GB"],
            "saving, flushed to disk": [f"{saving:.2f} s"],
        }
        found = [_loaded(path, 1, MAPPED)[0] for _ in range(options.rounds)]
        copied = [_loaded(path, 1, {})[0] for _ in range(options.rounds)]
        unverified = [_loaded(path, 1, {"verify": False})[0] for _ in range(options.rounds)]
        if any(one["label"] != expected for one in (*found, *copied, *unverified)):
            raise SystemExit("The loaded model gives another label, so there is nothing to measure.")
        ready = median(one["ready"] for one in found)
        together = _loaded(path, options.processes, MAPPED)
        rows |= {
            "load": [f"{median(one['load'] for one in copied) * 1e3:.0f} ms"],
            "load with verify=False": [f"{median(one['load'] for one in unverified) * 1e3:.0f} ms"],
            "load and classify one text": [f"{median(one['ready'] for one in copied) * 1e3:.0f} ms"],
            "mapped, not verified: load": [f"{median(one['load'] for one in found) * 1e3:.1f} ms"],
            "mapped, not verified: load and classify one text": [f"{ready * 1e3:.1f} ms"],
            f"mapped: memory that each of {options.processes} processes adds": [_megabytes(together, "own")],
        }
        if options.pickle:
            rows |= _pickled(model, Path(folder, "model.pkl"))
    report.add_rows("generated model", ["measured"], rows, {name: cells[0] for name, cells in rows.items()})
    report.add_targets(
        [
            Target(
                "mapped, not verified: load and classify one text, s, at most",
                ready,
                READY_SECONDS,
                at_least=False,
            )
        ]
    )
    report.deliver(options, "model_file")


def _options() -> argparse.Namespace:
    parser = report_options(__doc__)
    parser.add_argument("--gigabytes", type=float, default=1.0, metavar="N", help="size of the model (1)")
    parser.add_argument("--rounds", type=int, default=7, metavar="N", help="load it N times (7)")
    parser.add_argument("--processes", type=int, default=3, metavar="N", help="that many share it (3)")
    parser.add_argument("--pickle", action="store_true", help="also pickle and unpickle it, for comparison")
    parser.add_argument("--folder", type=Path, metavar="DIR", help="where to put the file")
    return asked(parser)


def made_up(size: int) -> Any:
    """Generate a model whose file has about this many bytes, with every term in some classes."""
    terms = max(size // BYTES_PER_TERM, 2000)
    rng = np.random.default_rng(0)
    step = CLASSES // PAIRS_PER_TERM
    classes = np.arange(PAIRS_PER_TERM) * step + rng.integers(0, step, (terms, PAIRS_PER_TERM))
    values = rng.integers(1, 4, terms * PAIRS_PER_TERM).astype(np.float64)
    per_class = np.bincount(classes.ravel(), values, minlength=CLASSES)
    documents = np.maximum(per_class, 1).astype(np.uint32)
    state: dict[str, Any] = {
        "pair_starts": np.arange(terms + 1, dtype=np.int64) * PAIRS_PER_TERM,
        "pair_classes": classes.ravel().astype(np.uint32),
        "pair_values": values,
        "pair_documents": values.astype(np.uint32),
        "term_values": values.reshape(terms, -1).sum(axis=1),
        "term_documents": values.reshape(terms, -1).sum(axis=1).astype(np.uint32),
        "class_values": per_class,
        "class_documents": documents,
        "all": np.array([per_class.sum(), 0.0, documents.sum(), 0.0, documents.sum()]),
    }
    state |= {f"{name}_values_low": np.empty(0) for name in ("pair", "term", "class")}
    names = b"".join(b"t%08d" % term for term in range(terms))
    counter = TextCounter().fit(["one word"])
    counter._vocabulary = Vocabulary(names, np.arange(1, terms + 1, dtype=np.int64) * 9)
    model = MultinomialNB().fit(np.eye(CLASSES), [f"class {number}" for number in range(CLASSES)])
    model._statistics.sums = Statistics.from_state(state)
    model._statistics.columns = model.n_features_in_ = terms
    return make_pipeline(counter, model)


def _loaded(path: Path, processes: int, given: dict[str, bool]) -> list[dict[str, Any]]:
    """Load the model in several processes at once and return the measurements of each."""
    command = [sys.executable, "-c", LOAD, str(path), TEXT, json.dumps(given)]
    running = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ})
        for _ in range(processes)
    ]
    found = [json.loads(process.stdout.readline()) for process in running if process.stdout]
    for process in running:
        process.communicate()
    return found


def _megabytes(found: list[dict[str, Any]], key: str) -> str:
    return f"{median(one[key] for one in found) / 1e3:.1f} MB"


def _pickled(model: Any, path: Path) -> dict[str, list[str]]:
    path.write_bytes(pickle.dumps(model, protocol=5))
    return {"unpickling, for comparison": [f"{_seconds(lambda: pickle.loads(path.read_bytes())):.2f} s"]}


def _seconds(run: Any) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
