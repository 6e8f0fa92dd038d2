"""Write the results of an experiment."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).with_name("results")
_SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"
_PACKAGES = ("textbayes", "scikit-learn", "numpy", "scipy")


def use_shared_corpora() -> None:
    """Use ``shared/data`` beside the repository for corpora, unless ``TEXTBAYES_DATA`` is set."""
    if "TEXTBAYES_DATA" not in os.environ and _SHARED.is_dir():
        os.environ["TEXTBAYES_DATA"] = str(_SHARED)


def conditions() -> dict[str, str]:
    """Return the date and the versions."""
    packages = ", ".join(f"{package} {version(package)}" for package in _PACKAGES)
    return {
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "versions": f"Python {platform.python_version()}, {packages}",
    }


def markdown_table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Format a Markdown table.

    >>> print(markdown_table(["model", "micro"], [["PNB", ".744"]]))
    | model | micro |
    | --- | --- |
    | PNB | .744 |
    """
    lines = [headings, ["---"] * len(headings), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def share(value: float | None) -> str:
    """Format a share as the papers do; None becomes "".

    >>> share(0.7342), share(1.0), share(None)
    ('.734', '1.000', '')
    """
    return "" if value is None else f"{value:.3f}".removeprefix("0")


def write_results(name: str, figures: object, page: str) -> None:
    """Write ``results/NAME.json`` and ``results/NAME.md``, and print the page."""
    RESULTS.mkdir(exist_ok=True)
    text = json.dumps(figures, indent=1, ensure_ascii=False)
    (RESULTS / f"{name}.json").write_text(text + "\n", encoding="utf-8")
    (RESULTS / f"{name}.md").write_text(page + "\n", encoding="utf-8")
    print(page)


def read_figures(name: str) -> dict[str, Any]:
    """Return the figures of an earlier run; none if there was none."""
    path = RESULTS / f"{name}.json"
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))["figures"] if path.exists() else {}
    return found
