"""Choose the columns of a recipe: words or words and pairs, and character n-grams if they pay."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from textbayes.estimators.auto.choosing import blend_members
from textbayes.estimators.auto.column_kinds import COLUMNS
from textbayes.estimators.auto.search import Result, Search
from textbayes.measures import Quality, quality

# Word pairs and character n-grams take space and time: they must lower the log loss by these shares. Pairs
# gain with more documents, so on a sample it is enough if they lower it at all.
_LEAST_GAIN = {"pairs": 0.01, "characters": 0.02}
_LARGEST_SAMPLE = 0.75
# The metric must gain this much for every character n-gram in a document, because long documents have many.
_LEAST_LEAD = 4e-6


class _Judged(NamedTuple):
    """A blend of members on some columns: its log loss, raised by what the columns cost, and its quality."""

    columns: frozenset[str]
    loss: float
    quality: Quality


def choose_columns(search: Search) -> frozenset[str]:
    """Choose the columns by the blends of members on them, on held-out documents."""
    members = search.best_per_kind()
    tried = {member.candidate.representation.columns for member in members}
    tokens = [frozenset([columns]) for columns in COLUMNS if columns in tried - {"characters"}]
    if len(tried) < 2 or not tokens or search.is_over:
        return frozenset(tried)
    best = min((_judged(search, members, own) for own in tokens), key=lambda one: one.loss)
    if "characters" not in tried:
        return best.columns
    wider = [_judged(search, members, own | {"characters"}) for own in tokens]
    richest = min(wider, key=lambda one: one.loss)
    lead, _ = richest.quality.lead(best.quality)
    length = search.training.entries("characters") / max(search.training.counts.shape[0], 1)
    pays = richest.loss < best.loss and lead >= _LEAST_LEAD * length
    return richest.columns if pays else best.columns


def _judged(search: Search, members: Sequence[Result], columns: frozenset[str]) -> _Judged:
    own = [member for member in members if member.candidate.representation.columns in columns]
    blended = blend_members(search, own)
    loss = -quality(blended.scores, search.truth, "log_loss", search.multilabel, search.weights).value
    for name in columns:
        sampled = name == "pairs" and search.growth * _LARGEST_SAMPLE > 1.0
        loss *= 1.0 if sampled else 1.0 + _LEAST_GAIN.get(name, 0.0)
    return _Judged(columns, loss, blended.quality)
