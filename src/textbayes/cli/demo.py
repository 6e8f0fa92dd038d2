"""``textbayes demo``: every feature on the built-in corpus."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import typer
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from textbayes.cli.console import data_console, format_size, print_json, shortened, show_status
from textbayes.cli.demo_run import Contender, Correction, DemoRun, run_demo
from textbayes.cli.documents import Json
from textbayes.errors.printable import printable

app = typer.Typer(add_completion=False)

_EXCERPT = 70


@app.command()
def demo_command(as_json: Json = False) -> None:
    """Show every feature on the built-in corpus.

    Searches for the best model, compares it with scikit-learn, explains, teaches, forgets and saves. Takes
    about a minute and no network: the corpus is the documentation of the installed packages.
    """
    with show_status("Reading and learning the documentation of this Python…"):
        run = run_demo()
    if as_json:
        print_json(_record(run))
    else:
        _print(run, data_console())


def _record(run: DemoRun) -> dict[str, Any]:
    plain = {field.name: getattr(run, field.name) for field in fields(run)}
    return {
        **plain,
        "contenders": [_plain(each) for each in run.contenders],
        "correction": None if run.correction is None else _plain(run.correction),
        "explanation": run.explanation.to_dict(),
    }


def _plain(record: Contender | Correction) -> dict[str, Any]:
    return {field.name: getattr(record, field.name) for field in fields(record)}


def _print(run: DemoRun, console: Console) -> None:
    console.print(
        f"[bold]The corpus.[/] {run.documents:,} docstrings of the packages installed here, in "
        f"{run.classes} classes of {run.smallest_class} to {run.largest_class} documents: "
        f"{run.megabytes:.1f} MB, read in {run.load_seconds:.1f} s.\n",
        markup=True,
    )
    console.print(_counting(run) + "\n", markup=True)
    console.print(
        f"[bold]Train and evaluate.[/] Trained on {run.train:,} documents and tested on the other "
        f"{run.test:,}, from raw text:\n",
        markup=True,
    )
    console.print(_contest_table(run))
    console.print(f"\nThe search found {run.recipe}.", soft_wrap=True)
    console.print("\n[bold]Explain[/] a prediction, word by word:\n", markup=True)
    console.print(Padding(run.explanation, (0, 0, 0, 2)))
    if run.correction is not None:
        _print_correction(run.correction, console)
    console.print(
        f"\n[bold]Save.[/] One file of {format_size(run.file_bytes)}, no pickle, loaded in "
        f"{1000 * run.load_model_seconds:.0f} ms; {_mark(run.same_after_loading)} probabilities "
        "identical to the bit.",
        markup=True,
    )
    console.print(f"\nAll this took {run.seconds:.0f} s. Try your own data: textbayes train DATA -o MODEL")


def _counting(run: DemoRun) -> str:
    same = "the same terms and counts" if run.same_counts else "different terms or counts"
    return (
        f"[bold]Count.[/] {run.terms:,} terms, {run.counting_ratio:.0f} times as fast as "
        f"scikit-learn's CountVectorizer; {_mark(run.same_counts)} {same}."
    )


def _contest_table(run: DemoRun) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 2), header_style="dim")
    table.add_column("")
    for column in ("accuracy", "macro F1", "train", "classify"):
        table.add_column(column, justify="right", no_wrap=True)
    names = ("TextClassifier()", "scikit-learn's MultinomialNB")
    for name, each in zip(names, run.contenders, strict=True):
        table.add_row(
            Text(name),
            f"{each.accuracy:.1%}",
            f"{each.macro_f1:.3f}",
            f"{each.train_seconds:.2f} s",
            f"{each.test_seconds:.2f} s",
            style="bold" if each is run.contenders[0] else None,
        )
    table.add_row("always the largest class", f"{run.majority:.1%}", "", "", "", style="dim")
    return table


def _print_correction(correction: Correction, console: Console) -> None:
    console.print("\n[bold]Teach[/] it a document that it got wrong:\n", markup=True)
    console.print(Padding(Text(printable(shortened(correction.text, _EXCERPT)), "italic"), (0, 0, 1, 2)))
    learned, undone = correction.taught == correction.label, correction.forgotten == correction.before
    table = Table(box=None, padding=(0, 2, 0, 2), show_header=False)
    table.add_row("at first", _label(correction.before), "")
    milliseconds = f"effective after {1000 * correction.teach_seconds:.0f} ms"
    table.add_row(
        _label(f"taught {correction.label}"), _label(correction.taught), _marked(learned, milliseconds)
    )
    settled = f"exact, nothing to refit; {correction.same_labels:.1%} of labels stay"
    if not correction.exact:
        settled = (
            f"refitted in {correction.settle_seconds:.1f} s; {correction.same_labels:.1%} of labels stay"
        )
    stays = correction.settled == correction.label
    table.add_row("settled", _label(correction.settled), _marked(stays, settled))
    same = "model file identical to the bit" if correction.same_bytes else "the model file differs"
    both = undone and correction.same_bytes
    table.add_row("forgotten again", _label(correction.forgotten), _marked(both, same))
    console.print(table)


def _mark(good: bool) -> str:
    return "[green]✓[/]" if good else "[red]✗[/]"


def _marked(good: bool, text: str) -> Text:
    return Text.from_markup(f"{_mark(good)} {text}")


def _label(label: str) -> Text:
    return Text(printable(label))
