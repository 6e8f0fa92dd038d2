"""Texts → those that the model is least certain about, with what it says about them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textbayes.answering import predict_texts
from textbayes.server.live.served import Served
from textbayes.server.store import Labels

BEST = 10
"""How many of the most likely classes are shown."""
# Limits on the work for one choice: characters that are counted, and probabilities that are computed.
_CHARACTERS, _NUMBERS = 1 << 20, 4_000_000


@dataclass(frozen=True, slots=True)
class Candidate:
    """A text and what the model says about it.

    Parameters
    ----------
    id, text : str
        The text.
    predicted : label, tuple of labels, or None
        The predicted label or labels; None if the model has learned nothing.
    probability : float or None
        The probability of the predicted label; None for several.
    best : tuple of (label, float)
        The most likely classes, best first.
    """

    id: str
    text: str
    predicted: Labels | None = None
    probability: float | None = None
    best: tuple[tuple[Any, float], ...] = ()


def predict_candidates(served: Served, texts: Sequence[tuple[str, str]]) -> list[Candidate]:
    """Return texts with what the model says about each."""
    if served.is_empty:
        return [Candidate(id, text) for id, text in texts]
    found: list[Candidate] = []
    for part in _parts(texts, len(served.classes)):
        answers = predict_texts(served.classifier, [text for _, text in part], top=BEST, proba=True)
        for (id, text), answer in zip(part, answers, strict=True):
            predicted = tuple(answer.label) if served.multilabel else answer.label
            probability = None if served.multilabel else float(answer.probability)
            found.append(Candidate(id, text, predicted, probability, answer.top))
    return found


def choose_uncertain(served: Served, texts: Sequence[tuple[str, str]], limit: int) -> list[Candidate]:
    """Return the texts that the model is least certain about, the least certain first.

    Only the first texts are looked at if they are long or the model has many classes.
    """
    if limit <= 0 or not texts:
        return []
    if served.is_empty:
        return predict_candidates(served, texts[:limit])
    looked, margins, ties = 0, [], []
    for part in _parts(texts, len(served.classes)):
        if looked >= limit:
            break
        found = [text for _, text in part]
        margins.append(margins_of(served.classifier.predict_proba(found), served.multilabel))
        ties.append(_score_margins(served, found))
        looked += len(part)
    # Calibrated probabilities rise in steps, so that many texts are equally certain but for rounding: then
    # scores decide.
    order = np.lexsort((np.concatenate(ties), np.concatenate(margins).round(9)))[:limit]
    return predict_candidates(served, [texts[place] for place in order])


def _score_margins(served: Served, texts: list[str]) -> NDArray[np.float64]:
    """Return the difference of the best two scores; 0 for several labels, or without scores."""
    score = getattr(served.classifier, "decision_function", None)
    if score is None or served.multilabel or len(served.classes) < 2:
        return np.zeros(len(texts))
    rows: NDArray[np.float64] = np.asarray(score(texts))
    return np.abs(rows) if rows.ndim == 1 else margins_of(rows, several=False)


def margins_of(rows: NDArray[np.float64], several: bool) -> NDArray[np.float64]:
    """Return how certain each row of probabilities is: 0 if not at all.

    With one label per text it is the difference of the best two probabilities; with several, how far the
    most doubtful class is from one half.

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes.server.live.choosing import margins_of
    >>> margins_of(np.array([[0.5, 0.25, 0.25], [0.375, 0.375, 0.25]]), several=False).tolist()
    [0.25, 0.0]
    >>> margins_of(np.array([[0.875, 0.125], [0.5, 0.0]]), several=True).tolist()
    [0.375, 0.0]
    """
    if several:
        found: NDArray[np.float64] = np.abs(rows - 0.5).min(axis=1)
        return found
    if rows.shape[1] < 2:
        return np.ones(len(rows))
    best = np.partition(rows, -2, axis=1)[:, -2:]
    difference: NDArray[np.float64] = best[:, 1] - best[:, 0]
    return difference


def _parts(texts: Sequence[tuple[str, str]], classes: int) -> Iterator[Sequence[tuple[str, str]]]:
    """Split texts into parts of limited work, of one text or more."""
    most = max(1, _NUMBERS // max(1, classes))
    start, characters = 0, 0
    for place, (_, text) in enumerate(texts):
        if place > start and (place - start >= most or characters + len(text) > _CHARACTERS):
            yield texts[start:place]
            start, characters = place, 0
        characters += len(text)
    if start < len(texts):
        yield texts[start:]
