"""The report as one HTML page and as JSON: numbers, plots, recipes, machine and versions."""

from __future__ import annotations

import inspect
import json
import os
import platform
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from html import escape
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Any

from textbayes.errors.printable import printable
from textbayes.papers.charts import line_chart
from textbayes.papers.records import Record
from textbayes.papers.runner import PaperRun

_PACKAGES = ("textbayes", "numpy", "scipy", "scikit-learn")


def write_report(runs: Sequence[PaperRun], path: str | os.PathLike[str]) -> tuple[Path, Path]:
    """Write the results as a self-contained HTML page, and as a JSON file next to it.

    Parameters
    ----------
    runs : sequence of PaperRun
        The result of :func:`run_papers`.
    path : path
        The page; the JSON file has the same name with the suffix ``.json``.

    Returns
    -------
    (Path, Path)
        The page and the JSON file.

    Examples
    --------
    >>> from textbayes.papers import run_papers, write_report
    >>> write_report(run_papers(), "papers.html")  # doctest: +SKIP
    (PosixPath('papers.html'), PosixPath('papers.json'))
    """
    page = Path(path)
    data = page.with_suffix(".json")
    conditions = run_conditions()
    page.write_text(report_page(runs, conditions), encoding="utf-8")
    text = json.dumps(report_data(runs, conditions), indent=1, ensure_ascii=False)
    data.write_text(text + "\n", encoding="utf-8")
    return page, data


def run_conditions() -> dict[str, str]:
    """Return the date, machine and package versions of a run."""
    packages = ", ".join(f"{name} {version(name)}" for name in _PACKAGES)
    return {
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
        "versions": f"Python {platform.python_version()}, {packages}",
    }


def report_data(runs: Sequence[PaperRun], conditions: dict[str, str]) -> dict[str, Any]:
    """Return the report as plain values."""
    return {
        **conditions,
        "papers": [
            {
                "paper": run.paper.name,
                "citation": run.paper.citation,
                "recipe": inspect.cleandoc(run.paper.recipe),
                "readings": run.paper.readings,
                "missing": run.missing,
                "seconds": round(run.seconds, 1),
                "records": [
                    {**record.as_dict(), "page": record.page, "met": record.met, "why": record.why}
                    for record in run.records
                ],
            }
            for run in runs
        ],
    }


def report_page(runs: Sequence[PaperRun], conditions: dict[str, str]) -> str:
    """Return the report as an HTML page."""
    style = (files("textbayes.papers") / "report.css").read_text(encoding="utf-8")
    facts = "".join(f"<li>{name}: {escape(value)}</li>" for name, value in conditions.items())
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>The papers\' tables</title>'
        f'<meta name="viewport" content="width=device-width"><style>{style}</style></head><body>'
        f"<h1>The tables and figures of the papers, rebuilt</h1>{_summary(runs)}<ul>{facts}</ul>"
        f"{''.join(map(_section, runs))}</body></html>\n"
    )


def _summary(runs: Sequence[PaperRun]) -> str:
    rows = []
    for run in runs:
        printed = [record for record in run.records if record.published is not None]
        judged = [record.met for record in printed]
        counts = (
            len(printed),
            judged.count(True),
            judged.count(False),
            judged.count(None),
            f"{run.seconds:.0f}",
        )
        cells = "".join(f'<td class="number">{count}</td>' for count in counts)
        rows.append(f'<tr><td><a href="#{run.paper.name}">{run.paper.name}</a></td>{cells}</tr>')
    heads = "".join(
        f"<th>{head}</th>"
        for head in ("paper", "published", "met or beaten", "missed", "not measured", "seconds")
    )
    rule = (
        "<p>A number is met if ours is better, or at most .02 worse (macro averages .03, errors 2 percent). "
        "Every miss has a reason.</p>"
    )
    return f"{rule}<table><thead><tr>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def _section(run: PaperRun) -> str:
    paper = run.paper
    readings = "".join(f"<li>{escape(reading)}</li>" for reading in paper.readings)
    tables = "".join(_table(run, table, corpus) for table, corpus in _places(run.records))
    return (
        f'<section id="{paper.name}"><h2>{escape(paper.citation)}</h2>'
        f"<h3>Recipe</h3><pre>{escape(inspect.cleandoc(paper.recipe))}</pre>"
        f"<details><summary>How the numbers were read</summary><ul>{readings}</ul></details>"
        f"{tables}</section>"
    )


def _places(records: Sequence[Record]) -> Iterator[tuple[str, str]]:
    """Yield tables and figures in order, then experiments and other results."""
    places = dict.fromkeys((record.table, record.corpus) for record in records)
    yield from sorted(places, key=lambda place: (not place[0].startswith(("table", "figure")), place[0]))


def _table(run: PaperRun, table: str, corpus: str) -> str:
    records = [record for record in run.records if (record.table, record.corpus) == (table, corpus)]
    charts = "".join(_charts(run, records))
    rows = "".join(map(_row, records))
    heads = "".join(
        f"<th>{head}</th>" for head in ("quantity", "published", "page", "ours", "difference", "", "why")
    )
    body = f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"
    if len(records) > 12 and not any(record.published is not None for record in records):
        body = f"<details><summary>{len(records)} numbers</summary>{body}</details>"
    return f"<h3>{escape(table)}: {escape(printable(corpus))}</h3>{charts}{body}"


def _charts(run: PaperRun, records: Sequence[Record]) -> Iterator[str]:
    for measure in dict.fromkeys(record.measure for record in records):
        lines: dict[str, list[tuple[float | str, float]]] = {}
        for record in records:
            if record.measure == measure and record.at is not None and record.ours is not None:
                lines.setdefault(record.method, []).append((record.at, record.ours))
        if any(len(points) > 1 for points in lines.values()):
            yield line_chart(lines, run.paper.axes.get(records[0].table, ""), measure)


def _row(record: Record) -> str:
    mark = {True: "✓", False: "✗", None: ""}[record.met]
    cells = [
        f"<td>{escape(record.quantity)}</td>",
        f'<td class="number">{shown(record.published)}</td>',
        f'<td class="number">{record.page or ""}</td>',
        f'<td class="number">{shown(record.ours)}</td>',
        f'<td class="number">{shown(record.difference, signed=True)}</td>',
        f"<td>{mark}</td>",
        f"<td>{escape(record.why)}</td>",
    ]
    return f"<tr>{''.join(cells)}</tr>"


def shown(value: float | None, signed: bool = False) -> str:
    """Format a number as the papers do; None becomes a dash.

    Examples
    --------
    >>> from textbayes.papers.report import shown
    >>> shown(0.7342), shown(-0.011, signed=True), shown(21.2), shown(18), shown(4.64e-8), shown(None)
    ('.734', '−.011', '21.20', '18', '4.6e-08', '–')
    """
    if value is None:
        return "–"
    size = abs(value)
    if (size == int(size) and size >= 1) or size == 0:
        text = f"{size:,.0f}"
    elif size < 0.0005:
        text = f"{size:.1e}"
    else:
        text = f"{size:.3f}".removeprefix("0") if size < 1 else f"{size:.2f}"
    return f"{'−' if value < 0 else '+' if signed else ''}{text}"
