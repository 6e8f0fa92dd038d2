"""The command line: data on stdout, messages on stderr."""

from textbayes.cli.app import main

__all__ = ["main"]
