"""``textbayes papers``: the tables and figures of the papers, rebuilt."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import MofNCompleteColumn, TimeElapsedColumn
from rich.table import Table

from textbayes.cli.console import (
    data_console,
    print_json,
    print_message,
    print_path,
    print_rich,
    show_progress,
)
from textbayes.cli.documents import Json
from textbayes.errors.printable import printable
from textbayes.papers import Corpora, PaperRun, Record, find_papers, run_papers, write_report
from textbayes.papers.report import shown

app = typer.Typer(
    help="Rebuild the tables and figures of the papers.", no_args_is_help=True, add_completion=False
)

_Papers = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[PAPER]...", help="Names from `textbayes papers list`; all by default.", show_default=False
    ),
]
_Data = Annotated[
    Path | None,
    typer.Option(
        "--data",
        metavar="DIR",
        help="The folder of corpora, instead of $TEXTBAYES_DATA or the user's cache folder.",
        show_default=False,
    ),
]
_Corpus = Annotated[
    Path | None,
    typer.Option(
        "--corpus",
        metavar="FILE",
        help="Also run Kim's tables 3 and 5 on this corpus: the original one is private.",
        show_default=False,
    ),
]
_Quick = Annotated[bool, typer.Option("--quick", help="Fewer folds, runs and sizes: under two minutes.")]


@app.command("list")
def list_command(as_json: Json = False) -> None:
    """List the papers."""
    rows = list_papers()
    if as_json:
        print_json(rows)
        return
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("name", no_wrap=True)
    table.add_column("published", justify="right", no_wrap=True)
    table.add_column("title")
    for row in rows:
        table.add_row(row["name"], str(row["published"]), row["title"])
    print_rich(table)


@app.command("run")
def run_command(
    papers: _Papers = None,
    data: _Data = None,
    corpus: _Corpus = None,
    quick: _Quick = False,
    as_json: Json = False,
) -> None:
    """Repeat the experiments of the papers and print the published numbers, ours and the difference."""
    runs = _runs(papers or [], data, corpus, quick)
    if as_json:
        print_json([record.as_dict() for run in runs for record in run.records])
        return
    for run in runs:
        _print(run)


@app.command("report")
def report_command(
    papers: _Papers = None,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="The page; the JSON file goes next to it.")
    ] = Path("papers.html"),
    data: _Data = None,
    corpus: _Corpus = None,
    quick: _Quick = False,
    as_json: Json = False,
) -> None:
    """Run the papers and write the results as an HTML page and as JSON.

    The page is self-contained: tables, plots, recipes, machine and versions.
    """
    if not output.absolute().parent.is_dir():
        raise typer.BadParameter(f"There is no folder {str(output.absolute().parent)!r} to write to.")
    runs = _runs(papers or [], data, corpus, quick)
    paths = write_report(runs, output)
    if as_json:
        print_json({"page": str(paths[0]), "data": str(paths[1])})
        return
    for path in paths:
        print_path(path)


def list_papers() -> list[dict[str, Any]]:
    """Return the name, title, citation, steps and number of published figures of each paper.

    Examples
    --------
    >>> from textbayes.cli.papers import list_papers
    >>> [row["name"] for row in list_papers()][0]
    'kim2003'
    """
    return [
        {
            "name": paper.name,
            "title": paper.title,
            "citation": paper.citation,
            "steps": list(paper.steps),
            "published": len(paper.published),
        }
        for paper in find_papers()
    ]


def _runs(papers: Sequence[str], data: Path | None, corpus: Path | None, quick: bool) -> list[PaperRun]:
    chosen = [paper.name for paper in find_papers(papers)]
    if corpus is not None and "kim2003" not in chosen:
        raise typer.BadParameter("--corpus is for kim2003, whose own second corpus is private.")
    corpora = Corpora(data, corpus, quick)
    _ = corpora.named  # report a mistake in the user's file before the long runs
    with show_progress("papers", MofNCompleteColumn(), TimeElapsedColumn()) as update:

        def report(what: str, done: int, total: int) -> None:
            if update is not None:
                update(description=what, completed=done, total=total)

        runs = run_papers(chosen, corpora, report)
    for name in sorted({name for run in runs for name in run.missing}):
        print_message(f"Skipped {name}: it is not on this machine. Run `textbayes data fetch {name}`.")
    return runs


def _print(run: PaperRun) -> None:
    console = data_console()
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold", title=run.paper.citation)
    table.title_justify = "left"
    table.add_column("where", no_wrap=True)
    table.add_column("quantity")
    for column in ("published", "ours", "difference"):
        table.add_column(column, justify="right", no_wrap=True)
    shown_records = [record for record in run.records if not _on_a_curve(record)]
    for record in shown_records:
        table.add_row(*_cells(record), style=None if record.published is not None else "dim")
    print_rich(table)
    if curves := len(run.records) - len(shown_records):
        console.print(f"And {curves} points of curves: see --json, or `textbayes papers report`.")
    for why in dict.fromkeys(record.why for record in run.records if record.why):
        console.print(why, markup=False, soft_wrap=True)
    console.print()


def _on_a_curve(record: Record) -> bool:
    return record.published is None and record.at is not None and record.table != "experiment"


def _cells(record: Record) -> list[str]:
    mark = {True: "", False: " ✗", None: ""}[record.met]
    numbers = [shown(record.published), shown(record.ours), shown(record.difference, signed=True) + mark]
    return [printable(f"{record.table}, {record.corpus}"), printable(record.quantity), *numbers]
