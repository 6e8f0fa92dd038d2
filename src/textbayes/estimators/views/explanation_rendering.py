"""An explanation in a terminal and as a page of HTML."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from typing import TYPE_CHECKING, Any

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from textbayes.errors.printable import printable, printable_text
from textbayes.estimators.views.numbers import decimals_for
from textbayes.estimators.views.tokens import largest_size, stretches

if TYPE_CHECKING:
    from textbayes.estimators.views.explanation import Explanation

_MOST_TERMS = 12
_MOST_COMPONENT_TERMS = 4
# Longer terms are cut in tables, to this many characters.
_LONGEST_TERM = 200
# Components with a smaller responsibility are not shown.
_LEAST_RESPONSIBILITY = 0.05
_BAR = 10
# Weaker evidence is not coloured on a page.
_LEAST_STRENGTH = 0.05
# From weak to strong, as shares of the largest contribution.
_STEPS = (0.1, 0.35, 0.7)
_STYLES = {
    True: ("green", "bold green", "bold black on green"),
    False: ("red", "bold red", "bold white on red"),
}
_MARKS = {True: ("+", "++", "+++"), False: ("-", "--", "---")}
# Readable without colour: the contribution of a word is above it; dashes underline evidence against.
_STYLE = """\
.textbayes{font:16px/1.9 system-ui,sans-serif;max-width:46em;color-scheme:light dark}
.textbayes p{white-space:pre-wrap;overflow-wrap:anywhere}
.textbayes span{border-radius:3px;padding:0 1px;text-decoration:underline;text-underline-offset:3px}
.textbayes .for{background:rgb(0 140 60/var(--s))}
.textbayes .against{background:rgb(200 30 30/var(--s));text-decoration-style:dashed}
.textbayes sup{font-size:.6em;font-weight:600}
.textbayes table{border-collapse:collapse}
.textbayes td,.textbayes th{padding:.1em 1em .1em 0;text-align:left}
.textbayes td+td{text-align:right;font-variant-numeric:tabular-nums}"""


def explanation_parts(explanation: Explanation, colour: bool) -> Iterator[Any]:
    """Yield the heading, the text, the table of terms and the components, for rich to print.

    Without colour, brackets after a token show its contribution: + to +++ for the class, - to --- against.
    """
    yield _heading(explanation)
    yield Text()
    yield _Wrapped(_coloured_text(explanation, colour))
    yield Text()
    yield _table(explanation)
    for line in component_lines(explanation, explanation.shown, explanation.against):
        yield Text(line, "dim")


def _heading(explanation: Explanation) -> Text:
    label = explanation.label
    shown = ", ".join(map(printable, label)) or "no label" if isinstance(label, list) else printable(label)
    heading = Text(shown, "bold")
    explained = explanation.shown
    probability = explanation.probabilities[explanation.position(explained)]
    heading.append(f"   probability {probability:.3f} of {printable(explained)}", "not bold dim")
    if explanation.against is not None:
        heading.append(f"; evidence for it over {printable(explanation.against)}:", "not bold dim")
    return heading


def _coloured_text(explanation: Explanation, colour: bool) -> Text:
    words = list(stretches(explanation.text, explanation.leads()))
    # Colours may differ inside a word; marks are for whole words.
    parts = [part for word in words for part in (word.parts if colour else ((word.text, *word[1:]),))]
    largest = largest_size(lead for _, lead, _ in parts)
    shown = Text()
    for exact, lead, known in parts:
        part, strength = printable_text(exact), sum(abs(lead) / largest >= step for step in _STEPS)
        if not known or not strength:
            shown.append(part)
        elif colour:
            shown.append(part, _STYLES[lead > 0][strength - 1])
        else:
            shown.append(f"{part}[{_MARKS[lead > 0][strength - 1]}]")
    return shown


class _Wrapped:
    """A text that prints line by line: rich would copy all that is left of it for every line."""

    def __init__(self, text: Text) -> None:
        self._text = text

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for paragraph in self._text.split("\n", allow_blank=True):
            fits = "\t" not in paragraph.plain and cell_len(paragraph.plain) <= options.max_width
            for line in (paragraph,) if fits else paragraph.wrap(console, options.max_width):
                if line.spans:
                    yield from line.render(console)
                else:
                    yield Segment(line.plain)
                yield Segment.line()


def _cut(term: str) -> str:
    return printable(term if len(term) <= _LONGEST_TERM else term[: _LONGEST_TERM - 1] + "…")


def _table(explanation: Explanation) -> Table:
    terms, bias = explanation.terms(), explanation.bias_lead()
    decimals = decimals_for([lead for *_, lead in terms] or [bias])
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("term", overflow="fold")
    table.add_column("count", justify="right")
    table.add_column("contribution", justify="right")
    table.add_column("", no_wrap=True)
    largest = largest_size(lead for *_, lead in terms)
    for term, count, lead in terms[:_MOST_TERMS]:
        style = "green" if lead > 0 else "red"
        bar = ("+" if lead > 0 else "-") * max(lead != 0, round(_BAR * min(abs(lead) / largest, 1.0)))
        table.add_row(Text(_cut(term)), str(count), Text(f"{lead:+.{decimals}f}", style), Text(bar, style))
    rest = terms[_MOST_TERMS:]
    if rest:
        others = f"{sum(lead for *_, lead in rest):+.{decimals}f}"
        table.add_row(f"{len(rest)} others", "", others, "", style="dim")
    table.add_row("(bias)", "", f"{bias:+.{decimals}f}", "", style="dim")
    total = bias + sum(lead for *_, lead in terms)
    table.add_row(Text("total", "bold"), "", Text(f"{total:+.{decimals}f}", "bold"), "")
    return table


def component_lines(explanation: Explanation, label: Any, against: Any) -> Iterator[str]:
    """Yield a line for each component of the compared classes that has a share in the score."""
    for name in (label, against):
        if name is None or len(explanation.responsibilities(name)) < 2:
            continue
        shares = explanation.responsibilities(name)
        for number in sorted(range(len(shares)), key=lambda place: -shares[place]):
            if shares[number] >= _LEAST_RESPONSIBILITY:
                terms = explanation.component_terms(name, number)[:_MOST_COMPONENT_TERMS]
                decimals = decimals_for((lead for *_, lead in terms), least=2)
                shown = ", ".join(f"{_cut(term)} {lead:+.{decimals}f}" for term, _, lead in terms)
                share = f"responsibility {shares[number]:.0%}"
                component = f"component {number + 1} of {len(shares)}"
                yield f"{printable(name)}: {component}, {share}: {shown or 'no known term'}"


# HTML.


def explanation_html(explanation: Explanation, label: Any, against: Any) -> str:
    """Return a page: the text with the contributions of its words, and tables of terms and classes."""
    label = explanation.shown if label is None else label
    title = _html_title(explanation, label, against)
    return _html_page(title, [_html_section(explanation, label, against)])


def explanations_html(explanations: Iterable[tuple[str, Explanation]]) -> str:
    """Return one page for several texts, each with its id.

    Examples
    --------
    >>> from textbayes import TextClassifier
    >>> from textbayes.estimators.views.explanation_rendering import explanations_html
    >>> classifier = TextClassifier("multinomial").fit(["wheat corn", "crude oil"], ["grain", "oil"])
    >>> explanations_html([("7", classifier.explain("corn")), ("8", classifier.explain("oil"))]).count("<h2>")
    2
    """
    sections = (
        f"<h2>{escape(printable(id))}</h2>\n{_html_section(explanation, explanation.shown, None)}"
        for id, explanation in explanations
    )
    return _html_page("Explanations", sections)


def _html_page(title: str, sections: Iterable[str]) -> str:
    return (
        f'<!DOCTYPE html>\n<html lang=""><head><meta charset="utf-8"><title>{title}</title></head><body>\n'
        f'<div class="textbayes"><style>{_STYLE}</style>\n'
        f"{''.join(sections)}</div></body></html>\n"
    )


def _html_title(explanation: Explanation, label: Any, against: Any) -> str:
    other = explanation.default_against(label) if against is None else against
    return escape(printable(label)) + ("" if other is None else f" over {escape(printable(other))}")


def _html_section(explanation: Explanation, label: Any, against: Any) -> str:
    other = explanation.default_against(label) if against is None else against
    shown = explanation.label
    decided = ", ".join(map(printable, shown)) if isinstance(shown, list) else printable(shown)
    return (
        f"<h3>{escape(decided) or 'no label'}</h3>\n"
        f"<div>Evidence for {_html_title(explanation, label, against)}:</div>\n"
        f'<p dir="auto">{_html_text(explanation, label, against)}</p>\n'
        f"{_html_terms(explanation, label, against)}\n{_html_components(explanation, label, other)}"
        f"{_html_classes(explanation)}\n"
    )


def _html_text(explanation: Explanation, label: Any, against: Any) -> str:
    words = list(stretches(explanation.text, explanation.leads(label, against)))
    # There is little space above a word.
    decimals = decimals_for(word.lead for word in words) - 2
    largest = largest_size(word.lead for word in words)
    largest_part = largest_size(lead for word in words for _, lead, _ in word.parts)
    shown = []
    for word in words:
        strong = word.known and abs(word.lead) / largest >= _LEAST_STRENGTH
        number = f"<sup>{word.lead:+.{decimals}f}</sup>" if strong else ""
        *first, last = word.parts
        shown += [_html_part(*part, largest_part) for part in first]
        shown.append(_html_part(*last, largest_part, number))
    return "".join(shown)


def _html_part(part: str, lead: float, known: bool, largest: float, number: str = "") -> str:
    strength = min(abs(lead) / largest, 1.0)
    shown = escape(printable_text(part))
    if not known or strength < _LEAST_STRENGTH:
        return shown + number
    side = "for" if lead > 0 else "against"
    return f'<span class="{side}" style="--s:{0.6 * strength:.2f}">{shown}{number}</span>'


def _html_terms(explanation: Explanation, label: Any, against: Any) -> str:
    terms, bias = explanation.terms(label, against), explanation.bias_lead(label, against)
    decimals = decimals_for([lead for *_, lead in terms] or [bias])
    rows = [("term", "count", "contribution")]
    rows += [(_cut(term), str(times), f"{lead:+.{decimals}f}") for term, times, lead in terms]
    rows.append(("(bias)", "", f"{bias:+.{decimals}f}"))
    return _html_table(rows)


def _html_components(explanation: Explanation, label: Any, other: Any) -> str:
    return "".join(f"<div>{escape(line)}</div>\n" for line in component_lines(explanation, label, other))


def _html_classes(explanation: Explanation) -> str:
    found = zip(explanation.classes, explanation.scores, explanation.probabilities, strict=True)
    ranked = sorted(found, key=lambda row: -row[1])
    decimals = decimals_for(explanation.scores)
    rows = [("class", "score", "probability")]
    rows += [(printable(label), f"{score:.{decimals}f}", f"{chance:.3f}") for label, score, chance in ranked]
    return _html_table(rows)


def _html_table(rows: list[tuple[str, str, str]]) -> str:
    lines = ["".join(f"<td>{escape(cell)}</td>" for cell in row) for row in rows]
    head = lines[0].replace("td>", "th>")
    return "<table>\n<tr>" + "</tr>\n<tr>".join([head, *lines[1:]]) + "</tr>\n</table>"
