"""The command line: data on stdout, messages on stderr."""

from textbayes.cli.program import main

__all__ = ["main"]
