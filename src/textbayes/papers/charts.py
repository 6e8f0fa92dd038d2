"""Line charts as inline SVG, without a plotting library or external resources."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from math import log10

Point = tuple[float | str, float]

_WIDTH, _HEIGHT = 820, 320
_LEFT, _RIGHT, _TOP, _BOTTOM = 62, 250, 16, 62
# Distinguishable with red-green colour blindness.
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#666666")


def line_chart(lines: Mapping[str, Sequence[Point]], across: str, up: str) -> str:
    """Draw lines over numbers or names; the axis is logarithmic if the numbers span two decades.

    Parameters
    ----------
    lines : mapping of str to sequence of (x, y)
        The points of each line, by its name in the legend.
    across, up : str
        The titles of the axes.

    Returns
    -------
    str
        An ``<svg>`` element.

    Examples
    --------
    >>> from textbayes.papers.charts import line_chart
    >>> svg = line_chart({"PNB": [(0.0, 0.76), (1.0, 0.77)]}, "alpha", "micro F1")
    >>> svg.count("<polyline"), svg.count("<circle")
    (1, 2)
    """
    places = _places([x for points in lines.values() for x, _ in points])
    low, high = _range([y for points in lines.values() for _, y in points])
    parts = [_grid(low, high), _ticks(places), _titles(across, up)]
    for number, (name, points) in enumerate(lines.items()):
        spots = [(places[x], _height(y, low, high), f"{name}, {_number(x)}: {y:.4g}") for x, y in points]
        parts.append(_line(name, sorted(spots), number))
    label = escape(f"{up} by {across}: {', '.join(lines)}", quote=True)
    return f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{label}">{"".join(parts)}</svg>'


def _places(values: list[float | str]) -> dict[float | str, float]:
    """Return the horizontal position of each value of x."""
    distinct = list(dict.fromkeys(values))
    numbers = [x for x in distinct if not isinstance(x, str)]
    if len(numbers) < len(distinct):
        spots = {x: float(at) for at, x in enumerate(distinct)}
    else:
        logs = min(numbers) > 0 and max(numbers) / min(numbers) >= 100
        spots = {x: log10(x) if logs else x for x in numbers}
    low, high = min(spots.values()), max(spots.values())
    across = _WIDTH - _LEFT - _RIGHT
    return {
        x: _LEFT + across * ((spot - low) / (high - low) if high > low else 0.5) for x, spot in spots.items()
    }


def _range(values: list[float]) -> tuple[float, float]:
    low, high = min(values), max(values)
    margin = (high - low) * 0.05 or 0.05
    return low - margin, high + margin


def _height(y: float, low: float, high: float) -> float:
    return _TOP + (_HEIGHT - _TOP - _BOTTOM) * (high - y) / (high - low)


def _grid(low: float, high: float) -> str:
    lines = []
    for step in range(5):
        y = low + (high - low) * step / 4
        at = _height(y, low, high)
        lines.append(f'<line class="grid" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{at:.1f}" y2="{at:.1f}"/>')
        lines.append(f'<text x="{_LEFT - 6}" y="{at + 4:.1f}" text-anchor="end">{y:.3g}</text>')
    return "".join(lines)


def _ticks(places: Mapping[float | str, float]) -> str:
    names = any(isinstance(x, str) for x in places)
    every = max(1, len(places) // 24)
    ticks = []
    for x, at in list(places.items())[::every]:
        y = _HEIGHT - _BOTTOM + 14
        turned = (
            f' transform="rotate(-35 {at:.1f} {y})" text-anchor="end"' if names else ' text-anchor="middle"'
        )
        ticks.append(f'<text x="{at:.1f}" y="{y}"{turned}>{escape(_number(x))}</text>')
    return "".join(ticks)


def _titles(across: str, up: str) -> str:
    middle = _LEFT + (_WIDTH - _LEFT - _RIGHT) / 2
    return (
        f'<text class="title" x="{middle:.0f}" y="{_HEIGHT - 4}" text-anchor="middle">{escape(across)}</text>'
        f'<text class="title" x="{_LEFT - 56}" y="{_TOP - 4}">{escape(up)}</text>'
    )


def _line(name: str, spots: list[tuple[float, float, str]], number: int) -> str:
    colour = _COLOURS[number % len(_COLOURS)]
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y, _ in spots)
    marks = "".join(
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"><title>{escape(tip)}</title></circle>'
        for x, y, tip in spots
    )
    left, top = _WIDTH - _RIGHT + 12, _TOP + 10 + 18 * number
    legend = (
        f'<rect x="{left}" y="{top - 8}" width="12" height="4" fill="{colour}"/>'
        f'<text x="{left + 18}" y="{top}">{escape(name)}</text>'
    )
    return f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.5"/>{marks}{legend}'


def _number(x: float | str) -> str:
    return x if isinstance(x, str) else f"{x:,.10g}"
