"""``textbayes demo``: the whole story on the built-in corpus, on this machine."""

from __future__ import annotations

from dataclasses import fields
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from textbayes.cli.console import data_console, format_size, print_json, shortened, working
from textbayes.cli.story import RECIPE, Contender, Correction, Story, run_demo

app = typer.Typer(add_completion=False)

_EXCERPT = 70


@app.command()
def demo_command(as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """Show the whole story on the built-in corpus.

    Trains, evaluates beside scikit-learn, explains, teaches, forgets and saves, in less than a minute and
    without network: the corpus is the documentation of the packages installed here.
    """
    with working("Reading and learning the documentation of this Python…"):
        story = run_demo()
    if as_json:
        print_json(_record(story))
    else:
        _tell(story, data_console())


def _record(story: Story) -> dict[str, Any]:
    plain = {field.name: getattr(story, field.name) for field in fields(story)}
    return {
        **plain,
        "contenders": [_plain(each) for each in story.contenders],
        "correction": None if story.correction is None else _plain(story.correction),
        "explanation": story.explanation.to_dict(),
    }


def _plain(record: Contender | Correction) -> dict[str, Any]:
    return {field.name: getattr(record, field.name) for field in fields(record)}


def _tell(story: Story, console: Console) -> None:
    console.print(
        f"[bold]The corpus.[/] {story.documents:,} documentation strings of the packages installed here, in "
        f"{story.classes} classes of {story.smallest_class} to {story.largest_class} documents: "
        f"{story.megabytes:.1f} MB, read in {story.load_seconds:.1f} s.\n"
    )
    console.print(_counting(story) + "\n")
    console.print(
        f"[bold]Train and evaluate.[/] Learned from {story.train:,} documents, tested with the "
        f"{story.test:,} others, from raw text:\n"
    )
    console.print(_contest_table(story))
    console.print("\n[bold]Explain[/] a prediction, word by word:\n")
    console.print(Padding(story.explanation, (0, 0, 0, 2)))
    if story.correction is not None:
        _tell_correction(story.correction, console)
    console.print(
        f"\n[bold]Save.[/] One file of {format_size(story.file_bytes)}, no pickle, loaded in "
        f"{1000 * story.load_model_seconds:.0f} ms; {_mark(story.same_after_loading)} the same "
        "probabilities to the bit."
    )
    console.print(
        f"\nAll of it took {story.seconds:.0f} s, with the quick recipe {RECIPE!r}. Yours next, with a "
        "search for the best model, which takes longer: textbayes train DATA -o MODEL"
    )


def _counting(story: Story) -> str:
    same = "the same terms and counts as" if story.same_counts else "not all the same terms and counts as"
    return (
        f"[bold]Count.[/] {story.terms:,} terms, in 1/{story.counting_ratio:.0f} of the time of "
        f"scikit-learn's CountVectorizer; {_mark(story.same_counts)} {same} it."
    )


def _contest_table(story: Story) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 2), header_style="dim")
    table.add_column("")
    for column in ("accuracy", "macro F1", "train", "classify"):
        table.add_column(column, justify="right", no_wrap=True)
    names = (f'TextClassifier("{RECIPE}")', "scikit-learn's MultinomialNB")
    for name, each in zip(names, story.contenders, strict=True):
        table.add_row(
            Text(name),
            f"{each.accuracy:.1%}",
            f"{each.macro_f1:.3f}",
            f"{each.train_seconds:.2f} s",
            f"{each.test_seconds:.2f} s",
            style="bold" if each is story.contenders[0] else None,
        )
    table.add_row("always the largest class", f"{story.majority:.1%}", "", "", "", style="dim")
    return table


def _tell_correction(correction: Correction, console: Console) -> None:
    console.print("\n[bold]Teach[/] it a document that it got wrong:\n")
    console.print(Padding(Text(shortened(correction.text, _EXCERPT), "italic"), (0, 0, 1, 2)))
    took, undone = correction.taught == correction.label, correction.forgotten == correction.before
    table = Table(box=None, padding=(0, 2, 0, 2), show_header=False)
    table.add_row("at first", Text(correction.before), "")
    milliseconds = f"in effect after {1000 * correction.teach_seconds:.0f} ms"
    table.add_row(f"taught {correction.label}", Text(correction.taught), f"{_mark(took)} {milliseconds}")
    same = "the same model file, to the bit" if correction.same_bytes else "the model file differs"
    both = undone and correction.same_bytes
    table.add_row("made to forget it", Text(correction.forgotten), f"{_mark(both)} {same}")
    console.print(table)


def _mark(good: bool) -> str:
    return "[green]✓[/]" if good else "[red]✗[/]"
