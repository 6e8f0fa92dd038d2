"""How far a long fit has come, shown on a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

_WATCHED: ContextVar[bool] = ContextVar("watched", default=False)


@contextmanager
def progress_shown(shown: bool = True) -> Iterator[None]:
    """Show the progress of whatever is fitted here, though no estimator was told to be verbose."""
    before = _WATCHED.set(shown)
    try:
        yield
    finally:
        _WATCHED.reset(before)


@contextmanager
def progress_bar(what: str, total: int, shown: bool) -> Iterator[Callable[[int], object] | None]:
    """Show a bar on stderr, and give what moves it: a function of how many are done; None when not shown."""
    if not (shown or _WATCHED.get()):
        yield None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task(what, total=total)
        yield lambda done: progress.update(task, completed=done)
