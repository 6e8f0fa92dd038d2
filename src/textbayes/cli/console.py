"""Where the command line writes."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.text import Text

import textbayes.errors


def data_console() -> Console:
    """Return the console for what was asked for: stdout."""
    return Console(highlight=False)


def talk_console() -> Console:
    """Return the console for everything else: stderr."""
    return Console(stderr=True, highlight=False)


def print_json(value: object) -> None:
    """Print a value as JSON, in ASCII: paths and labels may hold what a terminal cannot show."""
    sys.stdout.write(json.dumps(value, indent=2) + "\n")


def print_error(error: textbayes.errors.TextbayesError) -> None:
    """Print an error as its class, then what happened, why it matters and what to do."""
    name = Text(type(error).__name__, style="bold red")
    # Soft-wrapped, so that long paths and digests can be copied whole.
    talk_console().print(name + Text(f": {error}"), soft_wrap=True)


@contextmanager
def working(what: str) -> Iterator[None]:
    """Show on a terminal what is being worked on."""
    talk = talk_console()
    if not talk.is_terminal:
        yield
        return
    with talk.status(what):
        yield


def format_size(size: int | None) -> str:
    """Return a number of bytes as people write it.

    Examples
    --------
    >>> from textbayes.cli.console import format_size
    >>> format_size(8_150_596), format_size(999), format_size(None)
    ('8.2 MB', '999 B', '–')
    """
    if size is None:
        return "–"
    for unit, scale in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if size >= scale:
            return f"{size / scale:.1f} {unit}"
    return f"{size} B"
