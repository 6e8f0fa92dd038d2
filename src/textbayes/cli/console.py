"""Where the command line writes."""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from rich.console import Console
from rich.text import Text

if TYPE_CHECKING:
    from textbayes.errors import TextbayesError

T = TypeVar("T")

# What the library calls `label=`, the command line calls `--label`.
_OPTION = re.compile(
    r"(?<![\w-])(text|label|id|separator|format|encoding|model|budget|folds|only)=(?: |(?=['\w]))"
)
_SHOWN_EVERY = 0.1  # seconds


def data_console() -> Console:
    """Return the console for what was asked for: stdout."""
    return Console(highlight=False)


def talk_console() -> Console:
    """Return the console for everything else: stderr."""
    return Console(stderr=True, highlight=False)


def print_json(value: object) -> None:
    """Print a value as JSON, in ASCII: paths and labels may hold what a terminal cannot show."""
    # Imported when there is something to print: numpy comes with it.
    from textbayes.persistence import finite

    sys.stdout.write(json.dumps(finite(value), indent=2) + "\n")


def print_table(table: Any) -> None:
    """Print a table that fits a terminal; where nobody looks, as plain text of any width."""
    console = data_console()
    if console.is_terminal:
        console.print(table)
    else:
        sys.stdout.write(f"{table}\n")


def say(*lines: str) -> None:
    """Say something that was not asked for, so on stderr."""
    talk_console().print("\n".join(lines), markup=False, soft_wrap=True)


def print_error(error: TextbayesError) -> None:
    """Print an error as its class, then what happened, why it matters and what to do."""
    # Soft-wrapped, so that long paths and digests can be copied whole.
    talk_console().print(_named(error, as_options(str(error))), soft_wrap=True)


def print_refusal(error: OSError) -> None:
    """Print what the system said of a file."""
    about = "" if error.filename is None else f": {error.filename!r}"
    talk_console().print(_named(error, f"{error.strerror}{about}."), soft_wrap=True)


def _named(error: Exception, message: str) -> Text:
    return Text.assemble((type(error).__name__, "bold red"), f": {message}")


def as_options(message: str) -> str:
    """Write settings as the command line does.

    Examples
    --------
    >>> from textbayes.cli.console import as_options
    >>> as_options("Pass label= one of them; model='twcbn' is not an option.")
    "Pass --label one of them; --model 'twcbn' is not an option."
    """
    return _OPTION.sub(r"--\1 ", message)


@contextmanager
def working(what: str) -> Iterator[None]:
    """Show on a terminal what is being worked on."""
    talk = talk_console()
    if not talk.is_terminal:
        yield
        return
    with talk.status(Text(what)):
        yield


def counted(things: Iterable[T], what: str) -> Iterator[T]:
    """Pass things on, showing on a terminal how many there were."""
    talk = talk_console()
    if not talk.is_terminal:
        yield from things
        return
    with talk.status(Text(f"{what}…")) as status:
        shown = time.monotonic()
        for number, thing in enumerate(things, start=1):
            if time.monotonic() - shown > _SHOWN_EVERY:
                status.update(Text(f"{what}: {number:,}"))
                shown = time.monotonic()
            yield thing


def shortened(text: str, width: int = 60) -> str:
    r"""Return a text on one line, cut where it gets too long.

    Examples
    --------
    >>> from textbayes.cli.console import shortened
    >>> shortened("Wheat\n rose two cents.", 12)
    'Wheat rose…'
    """
    flat = " ".join(text.split())
    return flat if len(flat) <= width else flat[: width - 1].rstrip() + "…"


def amount(number: int, noun: str, plural: str | None = None) -> str:
    """Return a number of things.

    Examples
    --------
    >>> from textbayes.cli.console import amount
    >>> amount(1, "document"), amount(1200, "class", "classes")
    ('1 document', '1,200 classes')
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


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
