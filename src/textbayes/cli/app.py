"""The program: its commands and its exit status."""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from textbayes.cli.console import print_error, print_file_error

if TYPE_CHECKING:
    from textbayes.errors import TextbayesError

COMMANDS = {
    "train": "Train a model on labelled texts.",
    "predict": "Classify texts.",
    "evaluate": "Evaluate a model on labelled texts.",
    "compare": "Compare models on labelled texts.",
    "explain": "Show how each word of a text contributes.",
    "inspect": "Show what a model has learned.",
    "teach": "Teach a model more texts.",
    "forget": "Make a model forget texts.",
    "merge": "Merge models into one.",
    "serve": "Serve a model over HTTP.",
    "data": "List and fetch corpora.",
    "papers": "Rebuild the tables and figures of the papers.",
    "demo": "Show every feature on the built-in corpus.",
}
"""The summary of each command; the command is in the module of the same name."""


class _Program(TyperGroup):
    """A group of commands that prints known errors as messages, without a traceback."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except _known_errors() as error:
            print_error(error)
            raise typer.Exit(2) from error
        except OSError as error:
            if not _is_file_error(error):
                raise
            print_file_error(error)
            raise typer.Exit(2) from error
        except KeyboardInterrupt as interrupt:
            raise typer.Exit(130) from interrupt


class _LazyCommand(TyperCommand):
    """A command whose module is imported on first use, so that the others start fast."""

    def make_context(self, info_name: Any, args: Any, parent: Any = None, **extra: Any) -> Any:
        return self.load().make_context(info_name, args, parent, **extra)

    def load(self) -> Any:
        """Import the command."""
        return typer.main.get_command(import_module(f"textbayes.cli.{self.name}").app)


app = typer.Typer(
    cls=_Program,
    help="Text classification with the naive Bayes family.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,  # a bug shows Python's own traceback in full
    context_settings={"help_option_names": ["-h", "--help"]},
)
for _name, _summary in COMMANDS.items():
    app.command(_name, cls=_LazyCommand, help=_summary)(lambda: None)


def _print_version(given: bool) -> None:
    if given:
        typer.echo(f"textbayes {version('textbayes')}")
        raise typer.Exit


@app.callback()
def _options(
    _version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit."),
    ] = False,
) -> None:
    """Text classification with the naive Bayes family."""


def main(args: Sequence[str] | None = None) -> None:
    """Run the program and exit.

    The exit status is 0 on success, 2 after a usage error or an error of textbayes (with a message, without a
    traceback), 130 after Ctrl-C and 1 otherwise.

    Parameters
    ----------
    args : sequence of str, optional
        The arguments, without the program name; by default those of the process.

    Examples
    --------
    >>> from textbayes.cli import main
    >>> main(["data", "fetch", "--help"])  # doctest: +SKIP
    """
    _open_missing_streams()
    _replace_unencodable()
    try:
        try:
            app(args=None if args is None else list(args), prog_name="textbayes")
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        # The reader closed the pipe; without this, Python prints an error when it closes stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)


def _known_errors() -> type[TextbayesError]:
    # Imported only after an error: it imports scikit-learn, which takes a second.
    from textbayes.errors import TextbayesError

    return TextbayesError


def _is_file_error(error: OSError) -> bool:
    """Return whether an error is about a file or a full disk, such as "permission denied", and not a bug."""
    return error.filename is not None or error.errno == errno.ENOSPC


def _open_missing_streams() -> None:
    """Replace standard streams that were closed at start (``<&-``) with the null device."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115


def _replace_unencodable() -> None:
    """Write a replacement for characters that the output encoding lacks."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
