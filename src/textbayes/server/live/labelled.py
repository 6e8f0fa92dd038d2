"""How good a model was on texts of its queue that were shown by chance."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from textbayes.measures import share_interval
from textbayes.server.store import QueuedText

MOST_POINTS = 200
"""The most points of a history."""


def labelled_quality(texts: Iterable[QueuedText]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return the share of texts whose predictions were right, and how it came about.

    Parameters
    ----------
    texts : iterable of QueuedText
        Labelled texts that were shown by chance, in the order in which they were labelled. Those without a
        prediction, from before the model had learned anything, do not count.

    Returns
    -------
    now : dict
        ``texts``, ``right``, ``accuracy`` and Wilson's interval of 95 % from ``low`` to ``high``; the last
        three are None without texts.
    history : list of dict
        The same after 1, 2, 3, … texts, with ``time``; at most 200 points, the last of all texts.
    """
    judged = [(text, _is_right(text)) for text in texts if text.predicted is not None]
    points: list[dict[str, Any]] = []
    right = 0
    kept = set(_places(len(judged)))
    for place, (text, is_right) in enumerate(judged):
        right += is_right
        if place in kept:
            points.append({"time": text.time.isoformat(), **accuracy_of(right, place + 1)})
    return accuracy_of(right, len(judged)), points


def accuracy_of(right: int, texts: int) -> dict[str, Any]:
    """Return a share with its interval, ready for JSON.

    Examples
    --------
    >>> from textbayes.server.live.labelled import accuracy_of
    >>> accuracy_of(9, 10)
    {'texts': 10, 'right': 9, 'accuracy': 0.9, 'low': 0.5958, 'high': 0.9821}
    >>> accuracy_of(0, 0)
    {'texts': 0, 'right': 0, 'accuracy': None, 'low': None, 'high': None}
    """
    if not texts:
        return {"texts": 0, "right": 0, "accuracy": None, "low": None, "high": None}
    share = right / texts
    low, high = share_interval(share, 0.0, texts)
    return {
        "texts": texts,
        "right": right,
        "accuracy": share,
        "low": round(low, 4),
        "high": round(high, 4),
    }


def _is_right(text: QueuedText) -> bool:
    if isinstance(text.predicted, tuple) and isinstance(text.labels, tuple):
        return set(text.predicted) == set(text.labels)
    return text.predicted == text.labels


def _places(texts: int) -> Sequence[int]:
    """Return the places of at most 200 points, spread evenly, with the last."""
    if texts <= MOST_POINTS:
        return range(texts)
    return [(point + 1) * texts // MOST_POINTS - 1 for point in range(MOST_POINTS)]
