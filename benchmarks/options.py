"""Command line options of the benchmarks."""

from __future__ import annotations

import argparse
from pathlib import Path


def report_options(doc: str | None) -> argparse.ArgumentParser:
    """Return a parser with the options of the report; the description is the first line of ``doc``."""
    parser = argparse.ArgumentParser(description=(doc or "").partition("\n")[0])
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write every figure to FILE")
    parser.add_argument("--readme", action="store_true", help="write the report into benchmarks/README.md")
    return parser


def timing_options(
    doc: str | None, rounds: int = 7, documents: str = "only N texts of each split, for a trial"
) -> argparse.ArgumentParser:
    """Return a parser that also has the number of rounds and of texts."""
    parser = report_options(doc)
    again = f"time each contestant N times ({rounds})"
    parser.add_argument("--rounds", type=int, default=rounds, metavar="N", help=again)
    parser.add_argument("--documents", type=int, metavar="N", help=documents)
    return parser


def asked(parser: argparse.ArgumentParser) -> argparse.Namespace:
    """Parse the command line and check ``--rounds``."""
    options = parser.parse_args()
    if getattr(options, "rounds", 1) < 1:
        parser.error("--rounds must be at least 1")
    return options
