"""``textbayes data``: which corpora there are, and fetching them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import BarColumn, DownloadColumn, Progress, TimeRemainingColumn, TransferSpeedColumn
from rich.table import Table

from textbayes.cli.console import data_console, format_size, print_json, talk_console, working
from textbayes.datasets.download import Progress as Report
from textbayes.datasets.fetch import Fetched, fetch_entry
from textbayes.datasets.home import data_home
from textbayes.datasets.registry import CORPORA, CorpusEntry, corpus_entry, find_archive

BUILT_IN = "docstrings"

app = typer.Typer(help="List and fetch corpora.", no_args_is_help=True, add_completion=False)

_Home = Annotated[
    Path | None,
    typer.Option(
        "--home",
        metavar="DIR",
        help="The folder of corpora, instead of $TEXTBAYES_DATA or the user's cache folder.",
        show_default=False,
    ),
]
_Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@app.command("list")
def list_command(home: _Home = None, as_json: _Json = False) -> None:
    """List the corpora: the built-in one and those that can be fetched."""
    folder = _folder(home)
    rows = list_corpora(folder)
    if as_json:
        print_json(rows)
        return
    data_console().print(_table(rows))
    talk_console().print(f"Corpora are kept in {folder}", markup=False, soft_wrap=True)


@app.command("fetch")
def fetch_command(
    name: Annotated[str, typer.Argument(help="A name from `textbayes data list`.", show_default=False)],
    source: Annotated[
        Path | None,
        typer.Option(
            "--from",
            metavar="FILE",
            help="Take this copy instead of downloading. It is checked like a download.",
            show_default=False,
        ),
    ] = None,
    url: Annotated[
        str | None,
        typer.Option(
            "--url",
            help="Download from this address, such as a mirror, instead of the corpus's home.",
            show_default=False,
        ),
    ] = None,
    home: _Home = None,
    as_json: _Json = False,
) -> None:
    """Fetch a corpus, check it, and print where it is.

    A download that was interrupted goes on where it stopped. A corpus that is there already is only checked.
    """
    if source is not None and url is not None:
        raise typer.BadParameter("--from takes a copy on this machine, --url a download: pass one of them.")
    if name == BUILT_IN:
        return _tell_built_in(as_json)
    entry = corpus_entry(name)
    with _progress_bar(entry) as report:
        fetched = fetch_entry(entry, home=home, source=source, url=url, progress=report)
    _tell_fetched(entry, fetched)
    if as_json:
        print_json({"name": name, **asdict(fetched), "path": str(fetched.path)})
    else:
        typer.echo(os.fsencode(fetched.path))  # as bytes: a path need not be valid text
    return None


def list_corpora(folder: Path) -> list[dict[str, Any]]:
    """Return what is known about every corpus, and where in a folder it is.

    Examples
    --------
    >>> from pathlib import Path
    >>> from textbayes.cli.data import list_corpora
    >>> [row["name"] for row in list_corpora(Path("/nowhere")) if row["fetched"]]
    ['docstrings']
    """
    built_in: dict[str, Any] = {
        "name": BUILT_IN,
        "title": "Documentation strings",
        "about": "The documentation strings of numpy, scipy, scikit-learn and Python itself.",
        "documents": None,  # depends on the versions installed
        "classes": None,
        "size": None,
        "fetched": True,
        "path": None,
        "urls": [],
        "terms": "Under the licences of these packages; nothing is copied out of them.",
        "loader": "load_docstrings",
    }
    return [built_in, *(_row(entry, folder) for entry in CORPORA.values())]


def _row(entry: CorpusEntry, folder: Path) -> dict[str, Any]:
    unpacked = folder / entry.name  # where a loader looks first
    path = unpacked if unpacked.is_dir() else find_archive(entry, folder)
    is_file = path is not None and path.is_file()
    return {
        "name": entry.name,
        "title": entry.title,
        "about": entry.about,
        "documents": entry.documents,
        "classes": entry.classes,
        "size": path.stat().st_size if path is not None and is_file else entry.archive.size,
        "fetched": path is not None,
        "path": None if path is None else str(path),
        "urls": list(entry.urls),
        "terms": entry.terms,
        "loader": entry.loader,
    }


def _table(rows: list[dict[str, Any]]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("name", no_wrap=True)
    for column in ("docs", "classes", "size"):
        table.add_column(column, justify="right", no_wrap=True)
    table.add_column("fetched", no_wrap=True)
    table.add_column("where", overflow="fold")
    for row in rows:
        where = "built in" if row["name"] == BUILT_IN else row["path"] and Path(row["path"]).name
        table.add_row(
            row["name"],
            _number(row["documents"]),
            _number(row["classes"]),
            format_size(row["size"]),
            "[green]yes[/]" if row["fetched"] else "no",
            where or "–",
        )
    return table


def _number(value: int | None) -> str:
    return "–" if value is None else f"{value:,}"


def _folder(home: Path | None) -> Path:
    return data_home() if home is None else home.expanduser().absolute()


def _tell_built_in(as_json: bool) -> None:
    talk_console().print(f"{BUILT_IN} is built in: there is nothing to fetch. Use load_docstrings().")
    if as_json:
        print_json(
            {"name": BUILT_IN, "path": None, "sha256": None, "size": None, "check": None, "origin": None}
        )


def _tell_fetched(entry: CorpusEntry, fetched: Fetched) -> None:
    lines = [f"{entry.title}: {format_size(fetched.size)} from {fetched.origin}"]
    if fetched.check == "checksum":
        lines += [f"SHA-256 {fetched.sha256}, as it should be."]
    else:
        lines += [
            f"SHA-256 {fetched.sha256}; none is published to compare it with.",
            "Judged by its contents: the archive is whole and holds as many documents as the corpus.",
        ]
    lines += [f"Terms: {entry.terms}"]
    talk_console().print("\n".join(lines), markup=False, soft_wrap=True)


@contextmanager
def _progress_bar(entry: CorpusEntry) -> Iterator[Report | None]:
    talk = talk_console()
    if not talk.is_terminal:
        with working(entry.name):
            yield None
        return
    columns = (BarColumn(), DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn())
    with Progress("[bold]{task.description}", *columns, console=talk, transient=True) as bar:
        task = bar.add_task(entry.name, total=entry.archive.size)
        yield lambda done, total: bar.update(task, completed=done, total=total or entry.archive.size)
