"""An explanation as a page of HTML that needs nothing else."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from textbayes.estimators.views.explanation_components import component_lines
from textbayes.estimators.views.explanation_segments import segments, strongest_of
from textbayes.estimators.views.numbers import decimals_for

if TYPE_CHECKING:
    from textbayes.estimators.views.explanation import Explanation

# Readable without colour: what a word says stands above it; dashes underline what speaks against.
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


def explanation_html(explanation: Explanation, label: Any, against: Any) -> str:
    """Return a page: the text with what its words say, tables of terms and classes; all escaped."""
    label = explanation.best if label is None else label
    other = explanation._other(label) if against is None else against
    title = f"{escape(str(label))}" + ("" if other is None else f" rather than {escape(str(other))}")
    shown = explanation.label
    decided = ", ".join(map(str, shown)) if isinstance(shown, list) else str(shown)
    return (
        f'<!DOCTYPE html>\n<html lang=""><head><meta charset="utf-8"><title>{title}</title></head><body>\n'
        f'<div class="textbayes"><style>{_STYLE}</style>\n'
        f"<h3>{escape(decided) or 'no label'}</h3>\n<div>What speaks for {title}:</div>\n"
        f'<p dir="auto">{_text(explanation, label, against)}</p>\n'
        f"{_terms(explanation, label, against)}\n{_components(explanation, label, other)}"
        f"{_classes(explanation)}\n</div></body></html>\n"
    )


def _text(explanation: Explanation, label: Any, against: Any) -> str:
    parts = list(segments(explanation.text, explanation.leads(label, against)))
    strongest = strongest_of(says for _, says, _ in parts)
    # Above a word there is little room.
    decimals = decimals_for(says for _, says, _ in parts) - 2
    return "".join(
        _part(part, f"{says:+.{decimals}f}", known, says > 0, min(abs(says) / strongest, 1.0))
        for part, says, known in parts
    )


def _part(part: str, says: str, known: bool, speaks_for: bool, strength: float) -> str:
    if not known or strength < 0.05:
        return escape(part)
    side = "for" if speaks_for else "against"
    return f'<span class="{side}" style="--s:{0.6 * strength:.2f}">{escape(part)}<sup>{says}</sup></span>'


def _terms(explanation: Explanation, label: Any, against: Any) -> str:
    terms, bias = explanation.terms(label, against), explanation.bias_lead(label, against)
    decimals = decimals_for([lead for *_, lead in terms] or [bias])
    rows = [("term", "times", "says")]
    rows += [(term, str(times), f"{lead:+.{decimals}f}") for term, times, lead in terms]
    rows.append(("(before any word)", "", f"{bias:+.{decimals}f}"))
    return _table(rows)


def _components(explanation: Explanation, label: Any, other: Any) -> str:
    return "".join(f"<div>{escape(line)}</div>\n" for line in component_lines(explanation, label, other))


def _classes(explanation: Explanation) -> str:
    found = zip(explanation.classes, explanation.scores, explanation.probabilities, strict=True)
    ranked = sorted(found, key=lambda row: -row[1])
    decimals = decimals_for(explanation.scores)
    rows = [("class", "score", "probability")]
    rows += [(str(label), f"{score:.{decimals}f}", f"{chance:.3f}") for label, score, chance in ranked]
    return _table(rows)


def _table(rows: list[tuple[str, str, str]]) -> str:
    lines = ["".join(f"<td>{escape(cell)}</td>" for cell in row) for row in rows]
    head = lines[0].replace("td>", "th>")
    return "<table>\n<tr>" + "</tr>\n<tr>".join([head, *lines[1:]]) + "</tr>\n</table>"
