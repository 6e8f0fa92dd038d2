"""The program: how it starts, and its exit status."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence

from textbayes.cli.console import report_error
from textbayes.cli.quick import parse_predict


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
            _run(sys.argv[1:] if args is None else list(args))
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        # The reader closed the pipe; without this, Python prints an error when it closes stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)


def _run(args: list[str]) -> None:
    call = None if "_TEXTBAYES_COMPLETE" in os.environ else parse_predict(args)
    if call is None:
        from textbayes.cli.app import app

        app(args=args, prog_name="textbayes")
        return
    from textbayes.cli.predicting import write_predictions

    try:
        write_predictions(**call)
    except (Exception, KeyboardInterrupt) as error:
        status = report_error(error)
        if status is None:
            raise
        sys.exit(status)
    sys.exit(0)


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
