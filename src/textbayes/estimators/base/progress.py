"""Progress bars of long fits."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

_WATCHED: ContextVar[bool] = ContextVar("watched", default=False)


@contextmanager
def progress_shown(shown: bool = True) -> Iterator[None]:
    """Show the progress of all fits in a block, even if no estimator is verbose."""
    before = _WATCHED.set(shown)
    try:
        yield
    finally:
        _WATCHED.reset(before)


@contextmanager
def progress_bar(what: str, total: int, shown: bool) -> Iterator[Callable[[int], object] | None]:
    """Show a bar on stderr and yield a function that updates it with the number done; None if not shown."""
    if not (shown or _WATCHED.get()):
        yield None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task(what, total=total)
        yield lambda done: progress.update(task, completed=done)
