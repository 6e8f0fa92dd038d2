"""Run every model in forks of this process, each with less memory: prints what happened as JSON.

Run by ``test_memory.py`` in a process of its own. A fork is quick, and inherits everything that was imported.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from textbayes import FrequencyTransform, TermSelector, TextClassifier, TextCounter, load
from textbayes.errors import CoreBugError, TextbayesError
from textbayes.estimators import VARIANTS

Job = Callable[[], object]

WIDTH = 2**31 - 1
TEXTS = [" ".join(f"w{(place * 7 + at * at) % 30_000}" for at in range(200)) for place in range(2000)]
LABELS = [f"class {place % 20}" for place in range(2000)]


def wide_matrix() -> sp.csr_matrix:
    """Return two documents with one entry each, over as many columns as there can be."""
    columns = np.array([0, WIDTH - 1], dtype=np.int32)
    return sp.csr_matrix((np.ones(2), columns, np.array([0, 1, 2], dtype=np.int32)), shape=(2, WIDTH))


def text_job(name: str, path: Path) -> None:
    """Learn, learn more, save, load, answer."""
    model = TextClassifier(model=name).fit(TEXTS, LABELS)
    model.partial_fit(TEXTS[:50], LABELS[:50])
    model.predict_proba(TEXTS[:100])
    model.save(path)
    load(path).predict(TEXTS[:100])


def jobs(folder: Path) -> dict[str, Job]:
    """Return what is run, by name."""
    wide = wide_matrix()

    def fit_wide(estimator: Any) -> Job:
        return lambda: estimator.fit(wide, ["a", "b"])

    found: dict[str, Job] = {"counter": lambda: TextCounter(ngram_range=(1, 3)).fit_transform(TEXTS)}
    for name, variant in VARIANTS.items():
        if variant.by_name:
            found[f"{name} of texts"] = lambda name=name: text_job(name, folder / f"{name}.tb")  # type: ignore[misc]
        found[f"{name}, wide"] = fit_wide(variant.estimator(**variant.parameters))
    found["selector, wide"] = fit_wide(TermSelector(k=1))
    found["frequencies, wide"] = fit_wide(FrequencyTransform())
    hashed = TextClassifier("multinomial", counter=TextCounter(dimensions=WIDTH))
    found["hashed, wide"] = lambda: hashed.fit(["one two", "three"], ["a", "b"]).predict(["one"])
    return found


def run(job: Job, spare: int) -> str:
    """Run a job in a fork with this much spare memory; return how it ended."""
    child = os.fork()
    if child:
        _, status = os.waitpid(child, 0)
        return {0: "done", 1: "MemoryError", 2: "TextbayesError"}.get(
            os.waitstatus_to_exitcode(status), f"exit {os.waitstatus_to_exitcode(status)}"
        )
    code = 3
    try:
        now = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (now + spare, now + spare))
        job()
        code = 0
    except MemoryError:
        code = 1
    except CoreBugError as error:
        os.write(2, str(error).encode())
    except TextbayesError:
        code = 2
    except BaseException as error:
        os.write(2, f"{type(error).__mro__}: {error}\n".encode())
    finally:
        os._exit(code)


def main() -> None:
    """Print the number of runs by job and end."""
    small = [int(mebibytes * 2**20) for mebibytes in map(float, sys.argv[1].split(","))]
    with tempfile.TemporaryDirectory() as folder:
        found, every = {}, jobs(Path(folder))
        # Import everything, and let the core set its reserve aside. Use what is needed of numpy and scipy:
        # without memory, the C library ends a process that first uses thread-local data of a library.
        for name, job in every.items():
            if "wide" not in name:
                job()
        for name, job in every.items():
            sizes = [2**32] if "wide" in name else small
            found[name] = Counter(run(job, size) for size in sizes)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
