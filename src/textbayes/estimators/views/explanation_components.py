"""Which component of a class's mixture answered, and with which terms."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from textbayes.estimators.views.numbers import decimals_for

if TYPE_CHECKING:
    from textbayes.estimators.views.explanation import Explanation

_MOST_TERMS = 4
# Components that answer for less of the text than this are not named.
_LEAST = 0.05


def component_lines(explanation: Explanation, label: Any, against: Any) -> Iterator[str]:
    """Say in a line for each class that is compared, and each of its components that has a say."""
    for name in (label, against):
        if name is None or len(explanation.responsibilities(name)) < 2:
            continue
        shares = explanation.responsibilities(name)
        for number in sorted(range(len(shares)), key=lambda place: -shares[place]):
            if shares[number] >= _LEAST:
                terms = explanation.component_terms(name, number)[:_MOST_TERMS]
                decimals = decimals_for((adds for *_, adds in terms), least=2)
                said = ", ".join(f"{term} {adds:+.{decimals}f}" for term, _, adds in terms) or "no known term"
                yield f"{name}: component {number + 1} of {len(shares)} answers {shares[number]:.0%}: {said}"
