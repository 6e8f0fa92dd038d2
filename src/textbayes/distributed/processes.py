"""Passes in other processes of this machine."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any

from textbayes.distributed.counting import count_batches
from textbayes.distributed.here import merge_by_shard, merge_shards
from textbayes.distributed.plan import Plan
from textbayes.errors import WorkerLostError
from textbayes.errors.checks import check_whole

if TYPE_CHECKING:
    import pyarrow as pa

Part = Callable[[], Iterable["pa.RecordBatch"]]
"""Called in a worker process, it returns batches; it can be pickled."""


@contextmanager
def run_in_processes(
    parts: Sequence[Part], workers: int, watch: Callable[[int, Any], None] | None = None
) -> Iterator[Processes]:
    """Start processes that count, and end them with the block.

    Parameters
    ----------
    parts : sequence of functions
        The data. Each function is called in a worker process, once in every pass, and returns batches. It can
        be pickled: a function of a module, or an object with ``__call__`` that knows its file. As many parts
        as workers, of about the same size, need least memory and time.
    workers : int
        The number of processes. They are started when the first part is counted.
    watch : function, optional
        Called with the number of each part that was counted, and with what its generator returned.

    Yields
    ------
    Processes
        A function for ``fit_by``.

    Raises
    ------
    WorkerLostError
        If a process ends before its part was counted. Other errors are those of the parts.

    Notes
    -----
    The processes import the program that started them, so a script calls this under
    ``if __name__ == "__main__":``. After an error or Ctrl-C they end at once, and they end with this process
    even if it is killed.

    Examples
    --------
    >>> from textbayes import TextClassifier
    >>> from textbayes.distributed import fit_by, run_in_processes
    >>> parts = [read_january, read_february]  # doctest: +SKIP
    >>> with run_in_processes(parts, workers=2) as run:  # doctest: +SKIP
    ...     classifier = fit_by(TextClassifier("complement", keep_documents=False), run)
    """
    check_whole("workers", workers, least=1)
    # Not "fork": a process with threads, such as those of the core, cannot be forked safely.
    context = multiprocessing.get_context("spawn")
    theirs, ours = context.Pipe(duplex=False)
    # An executor for each process: one that starts a second process does not notice, by chance, that it ends.
    executors = [
        ProcessPoolExecutor(1, context, initializer=_end_with, initargs=(theirs,))
        for _ in range(max(1, min(workers, len(parts))))
    ]
    try:
        yield Processes(executors, parts, watch)
        for executor in executors:
            executor.shutdown()
    finally:
        # After an error, workers are still counting.
        ours.close()
        for executor in executors:
            executor.shutdown(cancel_futures=True)
        theirs.close()


class Processes:
    """Worker processes that count parts.

    Parameters
    ----------
    executors : sequence of ProcessPoolExecutor
        The processes, one of each executor.
    parts, watch
        As for ``run_in_processes``.
    """

    def __init__(
        self,
        executors: Sequence[ProcessPoolExecutor],
        parts: Sequence[Part],
        watch: Callable[[int, Any], None] | None,
    ) -> None:
        self._executors, self._parts, self._watch = executors, parts, watch

    def __call__(self, plan: Plan) -> list[bytes]:
        """Count all parts by a plan; return the merged blob of every shard."""
        return merge_shards(self._blobs(plan))

    def call(self, functions: Iterable[Callable[[], Any]]) -> Iterator[tuple[int, Any]]:
        """Call functions in the processes; yield their numbers and what they return, as they end."""
        waiting, idle = deque(enumerate(functions)), deque(self._executors)
        running: dict[Future[Any], tuple[int, ProcessPoolExecutor]] = {}
        while waiting or running:
            with _no_interrupts():
                while waiting and idle:
                    number, function = waiting.popleft()
                    executor = idle.popleft()
                    running[executor.submit(function)] = number, executor
            ended, _ = wait(running, return_when=FIRST_COMPLETED)
            found = [(future, *running.pop(future)) for future in ended]
            idle.extend(executor for _, _, executor in found)
            try:
                yield from [(number, future.result()) for future, number, _ in found]
            except BrokenProcessPool as error:
                raise WorkerLostError from error

    def _blobs(self, plan: Plan) -> Iterator[tuple[int, bytes]]:
        # Errors come at once, and blobs in the order of the parts: sums of real numbers depend on it.
        ready: dict[int, dict[int, bytes]] = {}
        following = 0
        for number, (found, note) in self.call([partial(_count, part, plan) for part in self._parts]):
            ready[number] = found
            if self._watch is not None:
                self._watch(number, note)
            while following in ready:
                yield from ready.pop(following).items()
                following += 1


def _count(part: Part, plan: Plan) -> tuple[dict[int, bytes], Any]:
    """Count a part in a worker; return its blobs, and what its generator returned."""
    noted = _Noted(part())
    return merge_by_shard(count_batches(noted, plan)), noted.note


class _Noted:
    """Batches, and then what their generator returned."""

    def __init__(self, batches: Any) -> None:
        self._batches = batches
        self.note: Any = None

    def __iter__(self) -> Iterator[pa.RecordBatch]:
        self.note = yield from self._batches


@contextmanager
def _no_interrupts() -> Iterator[None]:
    """Start processes that never see Ctrl-C, which a terminal sends to all; this one gets it afterwards."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _end_with(line: Connection) -> None:
    """End this process, whatever it does, when the other end of a pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def wait() -> None:
        try:
            line.recv_bytes()
        except (EOFError, OSError):
            os._exit(1)

    threading.Thread(target=wait, daemon=True).start()
