"""The program: its commands, and how it ends."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from importlib.metadata import version
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from textbayes.cli import data, demo, papers
from textbayes.cli.console import print_error
from textbayes.errors import TextbayesError


class _Program(TyperGroup):
    """Commands whose known errors end the program with a message instead of a traceback."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except TextbayesError as error:
            print_error(error)
            raise typer.Exit(2) from error
        except KeyboardInterrupt as interrupt:
            raise typer.Exit(130) from interrupt


app = typer.Typer(
    cls=_Program,
    help="Text classification with the naive Bayes family.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,  # a bug shows Python's own traceback, whole
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.add_typer(data.app, name="data")
app.add_typer(papers.app, name="papers")
app.command("demo")(demo.demo)


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


def _never_fail_to_encode() -> None:
    """Let a terminal that lacks a character show a stand-in for it."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
