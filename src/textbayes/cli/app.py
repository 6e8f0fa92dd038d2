"""The program: its commands, and how it ends."""

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

from textbayes.cli.console import print_error, print_refusal

if TYPE_CHECKING:
    from textbayes.errors import TextbayesError

COMMANDS = {
    "train": "Learn a model from labelled texts.",
    "predict": "Classify texts.",
    "evaluate": "Measure a model on labelled texts.",
    "compare": "Compare models on labelled texts.",
    "explain": "Show what each word of a text says.",
    "inspect": "Show what a model has learned.",
    "teach": "Teach a model more texts.",
    "forget": "Make a model forget texts.",
    "merge": "Join what models have learned.",
    "serve": "Serve a model over HTTP.",
    "data": "List and fetch corpora.",
    "papers": "Build the papers' tables and figures again.",
    "demo": "Show the whole story on the built-in corpus.",
}
"""Every command and what it does; the rest of it is in the file of its name."""


class _Program(TyperGroup):
    """Commands whose known errors end the program with a message instead of a traceback."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except _known_errors() as error:
            print_error(error)
            raise typer.Exit(2) from error
        except OSError as error:
            if not _is_refusal(error):
                raise
            print_refusal(error)
            raise typer.Exit(2) from error
        except KeyboardInterrupt as interrupt:
            raise typer.Exit(130) from interrupt


class _Later(TyperCommand):
    """A command whose file is imported when it is used, so that the others need not wait for it."""

    def make_context(self, info_name: Any, args: Any, parent: Any = None, **extra: Any) -> Any:
        return self.whole().make_context(info_name, args, parent, **extra)

    def whole(self) -> Any:
        """Import the command."""
        return typer.main.get_command(import_module(f"textbayes.cli.{self.name}").app)


app = typer.Typer(
    cls=_Program,
    help="Text classification with the naive Bayes family.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,  # a bug shows Python's own traceback, whole
    context_settings={"help_option_names": ["-h", "--help"]},
)
for _name, _summary in COMMANDS.items():
    app.command(_name, cls=_Later, help=_summary)(lambda: None)


def _print_version(wanted: bool) -> None:
    if wanted:
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

    The exit status is 0 on success, 2 on a mistake in the command or an error that textbayes knows (with
    a message and no traceback), 130 after Ctrl-C and 1 otherwise.

    Parameters
    ----------
    args : sequence of str, optional
        The arguments after the program's name; by default those of the process.

    Examples
    --------
    >>> from textbayes.cli import main
    >>> main(["data", "fetch", "--help"])  # doctest: +SKIP
    """
    _open_missing_streams()
    _never_fail_to_encode()
    try:
        try:
            app(args=None if args is None else list(args), prog_name="textbayes")
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        # The reader has what it wants; without this, Python complains when it closes stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)


def _known_errors() -> type[TextbayesError]:
    # Imported when something went wrong: scikit-learn comes with it, and takes a second.
    from textbayes.errors import TextbayesError

    return TextbayesError


def _is_refusal(error: OSError) -> bool:
    """Tell the system's word about a file or a disk, such as "permission denied", from a bug."""
    return error.filename is not None or error.errno == errno.ENOSPC


def _open_missing_streams() -> None:
    """Let a program that was started without standard streams (``<&-``) read and write nothing."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115


def _never_fail_to_encode() -> None:
    """Let a terminal that lacks a character show a stand-in for it."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
