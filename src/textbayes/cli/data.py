"""``textbayes data``: list and fetch corpora."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import DownloadColumn, TimeRemainingColumn, TransferSpeedColumn
from rich.table import Table
from rich.text import Text

from textbayes.cli.console import (
    data_console,
    format_size,
    print_json,
    print_message,
    print_path,
    show_progress,
)
from textbayes.cli.documents import Json
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


@app.command("list")
def list_command(home: _Home = None, as_json: Json = False) -> None:
    """List the built-in corpus and the corpora that can be fetched."""
    folder = _folder(home)
    rows = list_corpora(folder)
    if as_json:
        print_json(rows)
        return
    data_console().print(_table(rows))
    print_message(f"Folder of corpora: {folder}")


@app.command("fetch")
def fetch_command(
    name: Annotated[str, typer.Argument(help="A name from `textbayes data list`.", show_default=False)],
    source: Annotated[
        Path | None,
        typer.Option(
            "--from",
            metavar="FILE",
            help="Use this copy instead of downloading. It is checked like a download.",
            show_default=False,
        ),
    ] = None,
    url: Annotated[
        str | None,
        typer.Option(
            "--url",
            help="Download from this address, such as a mirror.",
            show_default=False,
        ),
    ] = None,
    home: _Home = None,
    as_json: Json = False,
) -> None:
    """Fetch a corpus, check it, and print its path.

    An interrupted download is resumed. A corpus that was already fetched is only checked.
    """
    if source is not None and url is not None:
        raise typer.BadParameter("--from takes a copy on this machine, --url a download: pass one of them.")
    if name == BUILT_IN:
        return _print_built_in(as_json)
    entry = corpus_entry(name)
    fetched = _fetch(entry, home, source, url)
    _print_fetched(entry, fetched)
    if as_json:
        print_json({"name": name, **asdict(fetched), "path": str(fetched.path)})
    else:
        print_path(fetched.path)
    return None


def list_corpora(folder: Path) -> list[dict[str, Any]]:
    """Return the facts about every corpus, and its path in a folder.

    Examples
    --------
    >>> from pathlib import Path
    >>> from textbayes.cli.data import list_corpora
    >>> [row["name"] for row in list_corpora(Path("/nowhere")) if row["fetched"]]
    ['docstrings']
    """
    built_in: dict[str, Any] = {
        "name": BUILT_IN,
        "title": "Docstrings",
        "about": "The docstrings of numpy, scipy, scikit-learn and the Python standard library.",
        "documents": None,  # depends on the versions installed
        "classes": None,
        "size": None,
        "fetched": True,
        "path": None,
        "urls": [],
        "terms": "Under the licences of these packages; nothing is copied from them.",
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
            Text("yes", "green") if row["fetched"] else "no",
            where or "–",
        )
    return table


def _number(value: int | None) -> str:
    return "–" if value is None else f"{value:,}"


def _folder(home: Path | None) -> Path:
    return data_home() if home is None else home.expanduser().absolute()


def _print_built_in(as_json: bool) -> None:
    print_message(f"{BUILT_IN} is built in, so there is nothing to fetch. Use load_docstrings().")
    if as_json:
        print_json(
            {"name": BUILT_IN, "path": None, "sha256": None, "size": None, "check": None, "origin": None}
        )


def _print_fetched(entry: CorpusEntry, fetched: Fetched) -> None:
    lines = [f"{entry.title}: {format_size(fetched.size)} from {fetched.origin}"]
    if fetched.check == "checksum":
        lines += [f"SHA-256 {fetched.sha256}, as published."]
    else:
        lines += [
            f"SHA-256 {fetched.sha256}; no checksum is published for this archive.",
            "Checked by its contents: the archive is complete and has as many documents as the corpus.",
        ]
    print_message(*lines, f"Terms: {entry.terms}")


def _fetch(entry: CorpusEntry, home: Path | None, source: Path | None, url: str | None) -> Fetched:
    columns = (DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn())
    with show_progress(entry.name, *columns, total=entry.archive.size) as update:

        def report(done: int, total: int | None) -> None:
            if update is not None:
                update(completed=done, total=total or entry.archive.size)

        return fetch_entry(entry, home=home, source=source, url=url, progress=report)
