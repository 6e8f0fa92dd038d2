"""Peak memory of a function in its own process."""

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
    """Bytes added at the peak, bytes of the texts, and bytes of the returned matrix."""

    added: int
    texts: int
    result: int

    @property
    def multiple(self) -> float:
        """Peak memory including the texts, over texts and result."""
        return (self.added + self.texts) / (self.texts + self.result)


def peak_memory(work: Callable[[list[str]], Any], texts: Path, text_bytes: int) -> Peak:
    """Run ``work`` on the pickled texts in a new process and return its peak.

    The process first imports everything and counts a few texts, so the memory it adds is for counting, not
    for code. ``work`` returns a CSR matrix and must be picklable.
    """
    spawned = multiprocessing.get_context("spawn")
    ours, theirs = spawned.Pipe(duplex=False)
    process = spawned.Process(target=_measure, args=(work, texts, theirs))
    process.start()
    theirs.close()  # so that recv() raises if the process dies
    try:
        added, result = ours.recv()
    finally:
        process.join()
    return Peak(added, text_bytes, result)


def _measure(work: Callable[[list[str]], Any], texts: Path, answer: Any) -> None:
    with texts.open("rb") as file:
        loaded: list[str] = pickle.load(file)  # trusted: written by the parent process
    work(loaded[:_WARM_UP])
    _forget_peak()
    before = _memory("VmRSS")
    rows = work(loaded)
    added = _memory("VmHWM") - before
    answer.send((added, rows.data.nbytes + rows.indices.nbytes + rows.indptr.nbytes))


def _forget_peak() -> None:
    """Reset the peak on Linux. Elsewhere the result is an upper bound."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def _memory(name: str) -> int:
    """Return the current (VmRSS) or the peak resident size (VmHWM) in bytes.

    On Linux ru_maxrss starts from the value of the parent process, so /proc is used instead.
    """
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak if sys.platform == "darwin" else peak * 1024
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(f"{name}:"))


@dataclass(frozen=True, slots=True)
class Grown:
    """The result of a call, its seconds, and the bytes the process grew at the peak."""

    result: Any
    seconds: float
    bytes: int


def grown_memory(work: Callable[[], Any]) -> Grown:
    """Run ``work`` in this process, which should be otherwise idle."""
    gc.collect()
    _forget_peak()
    before = _memory("VmRSS")
    start = time.perf_counter()
    result = work()
    seconds = time.perf_counter() - start
    return Grown(result, seconds, max(_memory("VmHWM") - before, 0))
