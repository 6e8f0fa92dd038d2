"""Arguments of ``textbayes predict`` without typer, whose import takes as long as the prediction of a text.

Only complete calls without a mistake are parsed here. Everything else, such as ``--help``, an unknown option
or a number out of range, is left to typer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

_DECIMAL = re.compile(r"[0-9]+(\.[0-9]+)?|\.[0-9]+")


def _count(value: str) -> int | None:
    return int(value) if value.isascii() and value.isdigit() and 0 < len(value) < 10 and int(value) else None


def _probability(value: str) -> float | None:
    return float(value) if _DECIMAL.fullmatch(value) and float(value) <= 1 else None


FLAGS = {
    "--proba": "proba",
    "--csv": "as_csv",
    "--json": "as_json",
    "--no-header": "no_header",
    "--with-text": "with_text",
    "--exact": "exact",
}
"""The options without a value, and the names of their parameters."""

VALUES: dict[str, tuple[str, Callable[[str], Any]]] = {
    "--top": ("top", _count),
    "--reject-below": ("reject_below", _probability),
    "--id": ("id", str),
    "--format": ("format", str),
    "--encoding": ("encoding", str),
    "--delimiter": ("delimiter", str),
    "--on-error": ("on_error", str),
    "--only": ("only", str),
    "--max-record": ("max_record", _count),
    "-o": ("output", Path),
    "--output": ("output", Path),
}
"""The options with a value: the names of their parameters, and a function that returns None for a mistake."""

REPEATED = {"--text": "text", "--columns": "columns"}
"""The options with a value that may be given several times, and the names of their parameters."""


def parse_predict(args: Sequence[str]) -> dict[str, Any] | None:
    """Return the arguments of ``write_predictions``; None for what typer has to parse.

    Examples
    --------
    >>> from textbayes.cli.quick import parse_predict
    >>> call = parse_predict(["predict", "spam.tb", "-", "--top", "3"])
    >>> call["data"], call["top"]
    (['-'], 3)
    >>> parse_predict(["predict", "--help"]), parse_predict(["train", "mails.jsonl"])
    (None, None)
    """
    if list(args[:1]) != ["predict"]:
        return None
    found: dict[str, Any] = {}
    places: list[str] = []
    rest = iter(args[1:])
    for arg in rest:
        name, equals, value = arg.partition("=")
        if arg in FLAGS:
            found[FLAGS[arg]] = True
        elif name in VALUES and not (equals and name == "-o"):
            parameter, convert = VALUES[name]
            value = value if equals else next(rest, "-")
            found[parameter] = None if value.startswith("-") else convert(value)
            if found[parameter] is None:
                return None
        elif name in REPEATED:
            value = value if equals else next(rest, "-")
            if value.startswith("-"):
                return None
            found.setdefault(REPEATED[name], []).append(value)
        elif arg == "-" or not arg.startswith("-"):
            places.append(arg)
        else:
            return None
    if len(places) < 2 or (found.pop("as_json", False) and "as_csv" in found):
        return None
    return {**found, "model": Path(places[0]), "data": places[1:]}
