"""The program for typer: its commands."""

from __future__ import annotations

from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from textbayes.cli.console import report_error
from textbayes.errors.printable import printable_text

COMMANDS = {
    "train": "Train a model on labelled texts.",
    "predict": "Classify texts.",
    "evaluate": "Evaluate a model on labelled texts.",
    "compare": "Compare models on labelled texts.",
    "explain": "Show how each word of a text contributes.",
    "inspect": "Show what a model has learned.",
    "teach": "Teach a model more texts.",
    "forget": "Make a model forget texts.",
    "relabel": "Correct the labels of texts.",
    "reconsider": "Search again for the best recipe.",
    "settle": "Refit a model after teaching.",
    "merge": "Merge models into one.",
    "compact": "Make a small model that learns nothing more.",
    "verify": "Check that model files are not damaged.",
    "serve": "Serve models over HTTP.",
    "token": "Make, list and revoke tokens of a server.",
    "push": "Teach a model on a server from files.",
    "pull": "Get documents or the model from a server.",
    "data": "List and fetch corpora.",
    "papers": "Rebuild the tables and figures of the papers.",
    "demo": "Show every feature on the built-in corpus.",
}
"""The summary of each command; the command is in the module of the same name."""


class _Program(TyperGroup):
    """A group of commands that prints known errors as messages, without a traceback."""

    def make_context(self, info_name: Any, args: Any, parent: Any = None, **extra: Any) -> Any:
        try:
            return super().make_context(info_name, args, parent, **extra)
        except Exception as error:
            _make_printable(error)
            raise

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except (Exception, KeyboardInterrupt) as error:
            _make_printable(error)
            status = report_error(error)
            if status is None:
                raise
            raise typer.Exit(status) from error


def _make_printable(error: BaseException) -> None:
    """Show a mistake in the arguments, which typer prints, as a screen may show it."""
    message = getattr(error, "message", None)
    if hasattr(error, "format_message") and isinstance(message, str):
        error.message = printable_text(message)  # type: ignore[attr-defined]


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
        from textbayes.persistence import package_version

        typer.echo(f"textbayes {package_version()}")
        raise typer.Exit


@app.callback()
def _options(
    _version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit."),
    ] = False,
) -> None:
    """Text classification with the naive Bayes family."""
