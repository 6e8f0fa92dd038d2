"""An explanation in a terminal: the text with its tokens coloured, and a table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from textbayes.estimators.views.explanation_components import component_lines
from textbayes.estimators.views.explanation_segments import segments, strongest_of
from textbayes.estimators.views.numbers import decimals_for

if TYPE_CHECKING:
    from textbayes.estimators.views.explanation import Explanation

_MOST_TERMS = 12
_BAR = 10
# From weak to strong, as shares of the strongest part of the text.
_STEPS = (0.1, 0.35, 0.7)
_STYLES = {
    True: ("green", "bold green", "bold black on green"),
    False: ("red", "bold red", "bold white on red"),
}
_MARKS = {True: ("+", "++", "+++"), False: ("-", "--", "---")}


def explanation_parts(explanation: Explanation, colour: bool) -> Iterator[Any]:
    """Yield what is shown, one thing behind the other.

    Without colour a token is followed by what it says in brackets: + to +++ for the class, - to --- against.
    """
    yield _heading(explanation)
    yield Text()
    yield _coloured(explanation, colour)
    yield Text()
    yield _table(explanation)
    for line in component_lines(explanation, explanation.best, explanation.against):
        yield Text(line, "dim")


def _heading(explanation: Explanation) -> Text:
    label = explanation.label
    shown = ", ".join(map(str, label)) or "no label" if isinstance(label, list) else str(label)
    heading = Text(shown, "bold")
    best = explanation.probabilities[explanation.position(explanation.best)]
    heading.append(f"   probability {best:.3f} of {explanation.best}", "not bold dim")
    if explanation.against is not None:
        heading.append(f"; what speaks for it rather than {explanation.against}:", "not bold dim")
    return heading


def _coloured(explanation: Explanation, colour: bool) -> Text:
    parts = list(segments(explanation.text, explanation.leads()))
    strongest = strongest_of(says for _, says, _ in parts)
    shown = Text()
    for part, says, known in parts:
        strength = sum(abs(says) / strongest >= step for step in _STEPS)
        if not known or not strength:
            shown.append(part)
        elif colour:
            shown.append(part, _STYLES[says > 0][strength - 1])
        else:
            shown.append(f"{part}[{_MARKS[says > 0][strength - 1]}]")
    return shown


def _table(explanation: Explanation) -> Table:
    terms, bias = explanation.terms(), explanation.bias_lead()
    decimals = decimals_for([lead for *_, lead in terms] or [bias])
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("term", overflow="fold")
    table.add_column("times", justify="right")
    table.add_column("says", justify="right")
    table.add_column("", no_wrap=True)
    strongest = strongest_of(lead for *_, lead in terms)
    for term, times, lead in terms[:_MOST_TERMS]:
        style = "green" if lead > 0 else "red"
        bar = ("+" if lead > 0 else "-") * max(lead != 0, round(_BAR * min(abs(lead) / strongest, 1.0)))
        table.add_row(Text(term), str(times), Text(f"{lead:+.{decimals}f}", style), Text(bar, style))
    rest = terms[_MOST_TERMS:]
    if rest:
        others = f"{sum(lead for *_, lead in rest):+.{decimals}f}"
        table.add_row(f"{len(rest)} others", "", others, "", style="dim")
    table.add_row("(before any word)", "", f"{bias:+.{decimals}f}", "", style="dim")
    total = bias + sum(lead for *_, lead in terms)
    table.add_row(Text("together", "bold"), "", Text(f"{total:+.{decimals}f}", "bold"), "")
    return table
