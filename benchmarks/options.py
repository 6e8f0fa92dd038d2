"""What every benchmark can be asked for."""

from __future__ import annotations

import argparse
from pathlib import Path


def report_options(doc: str | None) -> argparse.ArgumentParser:
    """Begin a parser with where the report goes, described by the first line of a benchmark's docstring."""
    parser = argparse.ArgumentParser(description=(doc or "").partition("\n")[0])
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write every figure to FILE")
    parser.add_argument("--readme", action="store_true", help="put what is printed into benchmarks/README.md")
    return parser


def timing_options(
    doc: str | None, rounds: int = 7, documents: str = "only N texts of each split, for a trial"
) -> argparse.ArgumentParser:
    """Begin a parser of a contest over texts: also how often each contestant runs, and on how many texts."""
    parser = report_options(doc)
    again = f"time each contestant N times ({rounds})"
    parser.add_argument("--rounds", type=int, default=rounds, metavar="N", help=again)
    parser.add_argument("--documents", type=int, metavar="N", help=documents)
    return parser


def asked(parser: argparse.ArgumentParser) -> argparse.Namespace:
    """Parse the command line; nothing can be measured in no rounds."""
    options = parser.parse_args()
    if getattr(options, "rounds", 1) < 1:
        parser.error("--rounds takes a whole number from 1 up")
    return options
