"""Output of the command line: data on stdout, messages and progress on stderr."""

from __future__ import annotations

import errno
import io
import json
import os
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from textbayes.errors.printable import printable, printable_json, printable_text

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions
    from rich.progress import ProgressColumn
    from rich.segment import Segment
    from rich.text import Text

    from textbayes.errors import TextbayesError

T = TypeVar("T")

# The library's parameter `label=` is the command line's option `--label`.
_OPTIONS = (
    "text|label|id|separator|format|encoding|model|budget|metric|costs|class_weight|folds|only|max_loss|size|"
    "dimensions|delimiter|on_error|columns|output|unit|tokens|ngrams|ngram_range|characters|lowercase|stop_words|"
    "stemmer|min_df|max_record|workers|weight"
)
_RENAMED = {"ngram_range": "ngrams"}
_SWITCHES = "no_documents"
_OPTION = re.compile(rf"(?<![\w-])({_OPTIONS})=(?: |(?=['\w-]))")
_NO_HEADER = re.compile(r"(?<![\w-])header=False(?![\w-])")
_SWITCH = re.compile(rf"(?<![\w-])({_SWITCHES})(=True)?(?![\w-])")
_UPDATE_SECONDS = 0.1
# Variables that make rich show a terminal's output elsewhere.
_FORCE_TERMINAL = ("FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE")
# Wider than any table: lines that nobody wraps.
_WIDE = 1 << 20


def data_console() -> Console:
    """Return the console for data: stdout."""
    return _console()


def message_console() -> Console:
    """Return the console for everything else: stderr."""
    return _console(stderr=True)


def _console(**options: Any) -> Console:
    """Return a console that prints texts as they are, without markup, and no control characters of texts."""
    from rich.console import Console, RenderHook

    class Screen(RenderHook):
        def process_renderables(self, renderables: list[Any]) -> list[Any]:
            return [_Shown(renderable) for renderable in renderables]

    console = Console(highlight=False, markup=False, emoji=False, **options)
    console.push_render_hook(Screen())
    return console


class _Shown:
    """Something to print, without control characters but those of rich itself."""

    def __init__(self, renderable: Any) -> None:
        self._renderable = renderable

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Segment]:
        from rich.segment import Segment

        for text, style, control in console.render(self._renderable, options):
            yield Segment(text if control else printable_text(text), style, control)


def _may_be_terminal() -> bool:
    """Return whether rich may take stderr for a terminal; if not, rich need not be imported."""
    return sys.stderr.isatty() or any(name in os.environ for name in _FORCE_TERMINAL)


def _terminal_console() -> Console | None:
    """Return the console for messages if stderr is a terminal, else None."""
    console = message_console() if _may_be_terminal() else None
    return console if console is not None and console.is_terminal else None


def print_json(value: object) -> None:
    """Print a value as ASCII JSON; paths and labels may hold characters that a terminal cannot show."""
    sys.stdout.write(json_of(value, indent=2))


def json_of(value: object, indent: int | None = None) -> str:
    """Return a value as ASCII JSON, and a line end."""
    # Imported here because it imports numpy.
    from textbayes.persistence import finite

    # Even the control character that ASCII JSON leaves as it is, DEL.
    return printable_json(json.dumps(finite(value), indent=indent)) + "\n"


def print_table(table: Any) -> None:
    """Print a table to fit the terminal, or as plain text of any width elsewhere."""
    console = data_console()
    if console.is_terminal:
        console.print(table)
    else:
        sys.stdout.write(f"{table}\n")


def print_rich(value: Any) -> None:
    """Print something made for rich to fit the terminal, or in lines of any length elsewhere."""
    console = data_console()
    if console.is_terminal:
        console.print(value)
        return
    wide = _console(file=io.StringIO(), width=_WIDE, no_color=True)
    with wide.capture() as captured:
        wide.print(value)
    lines = [line.rstrip() for line in captured.get().split("\n")]
    sys.stdout.write("\n".join(lines))


def print_message(*lines: str) -> None:
    """Print lines on stderr; a line break in one of them, such as in a label, is shown as such."""
    if sys.stderr is None:  # a worker of a program whose stderr is closed
        return
    # Plain text needs no rich, whose import takes longer than classifying a text.
    sys.stderr.write("\n".join(map(printable, lines)) + "\n")
    sys.stderr.flush()


def print_lines(*lines: str) -> None:
    """Print lines on stdout, as :func:`print_message` does on stderr."""
    sys.stdout.write("\n".join(map(printable, lines)) + "\n")


def print_path(path: Path) -> None:
    """Print a path on stdout: exactly, for another program, or as a terminal may show it."""
    if sys.stdout.isatty():
        print_lines(str(path))
        return
    sys.stdout.flush()
    # As bytes: a path may not be valid text.
    sys.stdout.buffer.write(os.fsencode(path) + b"\n")


def print_error(error: TextbayesError) -> None:
    """Print the class of an error, then what happened, why it matters and what to do."""
    # Soft-wrapped, so that long paths and digests can be copied in one piece.
    message_console().print(_named(error, as_options(str(error))), soft_wrap=True)


def print_file_error(error: OSError) -> None:
    """Print an error of the operating system about a file."""
    about = "" if error.filename is None else f": {error.filename!r}"
    message_console().print(_named(error, f"{error.strerror}{about}."), soft_wrap=True)


def report_error(error: BaseException) -> int | None:
    """Print a known error as a message and return the exit status; None for any other error."""
    from textbayes.errors import TextbayesError

    if isinstance(error, KeyboardInterrupt):
        return 130
    if isinstance(error, TextbayesError):
        print_error(error)
        return 2
    # Errors about a file or a full disk, such as "permission denied"; others are bugs.
    if isinstance(error, OSError) and (error.filename is not None or error.errno == errno.ENOSPC):
        print_file_error(error)
        return 2
    return None


def _named(error: Exception, message: str) -> Text:
    from rich.text import Text

    return Text.assemble((type(error).__name__, "bold red"), f": {message}")


def as_options(message: str) -> str:
    """Replace parameters in a message with command-line options.

    Examples
    --------
    >>> from textbayes.cli.console import as_options
    >>> as_options("Pass label= one of them; model='twcbn' is not an option.")
    "Pass --label one of them; --model 'twcbn' is not an option."
    """
    message = _OPTION.sub(lambda found: f"--{_RENAMED.get(found[1], found[1]).replace('_', '-')} ", message)
    message = _NO_HEADER.sub("--no-header", message)
    return _SWITCH.sub(lambda found: f"--{found[1].replace('_', '-')}", message)


@contextmanager
def show_status(status: str) -> Iterator[None]:
    """Show a status line while a block runs, on a terminal."""
    console = _terminal_console()
    if console is None:
        yield
        return
    from rich.text import Text

    with console.status(Text(printable(status))):
        yield


def show_count(items: Iterable[T], status: str) -> Iterator[T]:
    """Yield items; on a terminal, show how many there were so far if that takes longer than a moment."""
    if not _may_be_terminal():
        yield from items
        return
    with ExitStack() as stack:
        update: Callable[[int], None] | None = None
        updated = time.monotonic()
        for number, item in enumerate(items, start=1):
            if time.monotonic() - updated > _UPDATE_SECONDS:
                update = update or _start_count(stack, status)
                update(number)
                updated = time.monotonic()
            yield item


def _start_count(stack: ExitStack, status: str) -> Callable[[int], None]:
    """Show a status line until the stack ends, and return the function that updates its number."""
    console = _terminal_console()
    if console is None:
        return lambda number: None  # noqa: ARG005
    from rich.text import Text

    shown = printable(status)
    line = stack.enter_context(console.status(Text(f"{shown}…")))
    return lambda number: line.update(Text(f"{shown}: {number:,}"))


@contextmanager
def show_progress(
    task: str, *columns: ProgressColumn, total: int | None = None
) -> Iterator[Callable[..., None] | None]:
    """Show a progress bar while a block runs, and yield its update function; None without a terminal."""
    console = _terminal_console()
    if console is None:
        yield None
        return
    from rich.progress import BarColumn, Progress, TextColumn

    name = TextColumn("{task.description}", style="bold", markup=False)
    with Progress(name, BarColumn(), *columns, console=console, transient=True) as bar:
        update = partial(bar.update, bar.add_task(printable(task), total=total))

        def show(description: str | None = None, **values: Any) -> None:
            update(description=None if description is None else printable(description), **values)

        yield show


def shortened(text: str, width: int = 60) -> str:
    r"""Return a text on one line, truncated to a width.

    Examples
    --------
    >>> from textbayes.cli.console import shortened
    >>> shortened("Wheat\n rose two cents.", 12)
    'Wheat rose…'
    """
    flat = " ".join(text.split())
    return flat if len(flat) <= width else flat[: width - 1].rstrip() + "…"


def amount(number: int, noun: str, plural: str | None = None) -> str:
    """Return a number and a noun, in the singular or plural.

    Examples
    --------
    >>> from textbayes.cli.console import amount
    >>> amount(1, "document"), amount(1200, "class", "classes")
    ('1 document', '1,200 classes')
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def format_size(size: int | None) -> str:
    """Return a number of bytes in a readable unit.

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
