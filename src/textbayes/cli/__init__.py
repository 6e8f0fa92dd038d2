"""The command line: data on stdout, talk on stderr."""

from textbayes.cli.app import main

__all__ = ["main"]
