"""The greatest memory of one piece of work, in a process of its own."""

from __future__ import annotations

import gc
import multiprocessing
import pickle
import resource
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_WARM_UP = 100


@dataclass(frozen=True, slots=True)
class Peak:
    """Bytes: what the work added at its peak, the texts it read, and the matrix it returned."""

    added: int
    texts: int
    result: int

    @property
    def multiple(self) -> float:
        """All that was held at the peak, texts included, over texts and result."""
        return (self.added + self.texts) / (self.texts + self.result)


def peak_memory(work: Callable[[list[str]], Any], texts: Path, text_bytes: int) -> Peak:
    """Run ``work`` on the pickled texts in a new process and return its peak.

    The process imports everything and counts a few texts first, so that what it adds is memory for the
    counting, not for code. ``work`` returns a CSR matrix and has to be a function that pickle finds by name.
    """
    spawned = multiprocessing.get_context("spawn")
    ours, theirs = spawned.Pipe(duplex=False)
    process = spawned.Process(target=_measure, args=(work, texts, theirs))
    process.start()
    theirs.close()  # so that a process that dies ends the wait
    try:
        added, result = ours.recv()
    finally:
        process.join()
    return Peak(added, text_bytes, result)


def _measure(work: Callable[[list[str]], Any], texts: Path, answer: Any) -> None:
    with texts.open("rb") as file:
        loaded: list[str] = pickle.load(file)  # written by the parent a moment ago
    work(loaded[:_WARM_UP])
    _forget_peak()
    before = _memory("VmRSS")
    rows = work(loaded)
    added = _memory("VmHWM") - before
    answer.send((added, rows.data.nbytes + rows.indices.nbytes + rows.indptr.nbytes))


def _forget_peak() -> None:
    """Ask Linux to forget the peak of loading the texts; where it will not, the figure is only too great."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def _memory(name: str) -> int:
    """Return the resident size now (VmRSS) or at its greatest (VmHWM), in bytes.

    Linux's own file, because its ru_maxrss starts from that of the process it was forked from.
    """
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak if sys.platform == "darwin" else peak * 1024
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(f"{name}:"))


@dataclass(frozen=True, slots=True)
class Grown:
    """What one call gave, its seconds, and the bytes by which the process had grown at its peak."""

    result: Any
    seconds: float
    bytes: int


def grown_memory(work: Callable[[], Any]) -> Grown:
    """Run ``work`` in this process, which ought to have nothing else to do."""
    gc.collect()
    _forget_peak()
    before = _memory("VmRSS")
    start = time.perf_counter()
    result = work()
    seconds = time.perf_counter() - start
    return Grown(result, seconds, max(_memory("VmHWM") - before, 0))
