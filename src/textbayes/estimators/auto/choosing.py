"""Choose among the candidates that a search evaluated: a blend of the best, or the best alone."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from textbayes.decisions import (
    Blend,
    blend_out_of_sample,
    fit_temperature,
    rare_class_offsets,
    scut_thresholds,
)
from textbayes.estimators.auto.candidate import Candidate
from textbayes.estimators.auto.leaderboard import Entry
from textbayes.estimators.auto.search import Result, Search
from textbayes.measures import Quality, is_clearly_better, is_expected_better

# A recipe without exact updates must lead by this much, and by this many standard errors.
_LEAST_LEAD = 0.005
_LEAD_ERRORS = 1.0
# Members with a smaller share of the weights are dropped.
_LEAST_SHARE = 0.02
# Thresholds take weighted documents as repeated ones, to this many times their number.
_MOST_REPEATED = 8
# Sizes of the offset in favour of rare classes.
_OFFSET_SIZES = (0.1, 0.2, 0.3)


class _Blended(NamedTuple):
    """Members, their blend, its held-out scores, and the quality of these."""

    members: Sequence[Result]
    blend: Blend
    scores: NDArray[np.float64]
    quality: Quality


def prior_weights(candidates: Sequence[Candidate]) -> NDArray[np.float64]:
    """Return the prior weights: half for the linear SVMs, the best models without data, half for the rest."""
    svms = np.array([candidate.kind == "linear-svm" for candidate in candidates])
    weights = np.where(svms, 1.0 / max(svms.sum(), 1), 1.0 / max((~svms).sum(), 1))
    return np.asarray(weights / weights.sum())


@dataclass(frozen=True, eq=False)
class Choice:
    """A blend of candidates, or a single one, and its quality on held-out documents.

    Parameters
    ----------
    members : list of Candidate
        The candidates.
    blend : Blend
        Their blend; a scale of a single candidate.
    per_count : list of bool
        For each member, whether its scores are divided by the sums of rows.
    quality : Quality
        Quality of the blended scores.
    entry : Entry or None
        Its line of the leaderboard; None for a single candidate, which has one.
    """

    members: list[Candidate]
    blend: Blend
    per_count: list[bool]
    quality: Quality
    entry: Entry | None

    @property
    def additive(self) -> bool:
        """Whether the statistics of every member add."""
        return all(member.additive for member in self.members)


class Chosen(NamedTuple):
    """What a search chose, and the alternative: exact updates or not."""

    choice: Choice
    other: Choice | None

    @property
    def entries(self) -> list[Entry]:
        """The lines of blends in the leaderboard."""
        first, second = self.choice.entry, None if self.other is None else self.other.entry
        marked = None if first is None else replace(first, chosen=True)
        return [entry for entry in (marked, second) if entry is not None]


def choose(search: Search, blends: bool) -> Chosen:
    """Choose the best recipe.

    In a search for both, it is the best one with exact updates, unless the best of all leads by .005 and by a
    standard error on the same held-out documents (experiments/exact_updates.py).
    """
    best = _choose_among(search, blends, additive=False)
    if search.updates != "auto" or best.additive or search.best_additive is None:
        return Chosen(best, None)
    exact = _choose_among(search, blends, additive=True)
    lead, error = best.quality.lead(exact.quality)
    if lead > max(_LEAST_LEAD, _LEAD_ERRORS * error):
        return Chosen(best, exact)
    return Chosen(exact, best)


def _choose_among(search: Search, blends: bool, additive: bool) -> Choice:
    """Choose a blend, or a single candidate that is clearly better."""
    best = search.best_additive if additive else search.best
    assert best is not None
    if blends and not search.is_over:
        found = choose_blend(search, additive)
        if not is_clearly_better(best.quality, found.quality):
            return found
    return choose_single(search, best)


def choose_blend(search: Search, additive: bool = False) -> Choice:
    """Blend the best of each kind, or of those candidates whose statistics add.

    A blend of only the members that the best candidate does not clearly beat replaces it if it is expected to
    be better.
    """
    start = time.perf_counter()
    members = search.best_per_kind(additive)
    best = min(members, key=lambda member: member.rank)
    found = _blend(search, members)
    strong = [member for member in members if not is_clearly_better(best.quality, member.quality)]
    if len(strong) < len(members):
        few = _blend(search, strong)
        found = few if is_expected_better(few.quality, found.quality) else found
    found = _without_weak_members(search, found)
    blend, measured = found.blend, found.quality
    if not search.multilabel:
        blend, measured = _with_offsets(search, blend, found.scores, measured)
    blend = _with_thresholds(search, blend, found.scores)
    candidates = [member.candidate for member in found.members]
    name = f"blend of {int(np.sum(blend.weights > 0))}" + (", exact updates" if additive else "")
    seconds = time.perf_counter() - start
    entry = Entry(name, measured.value, measured.interval, seconds)
    return Choice(candidates, blend, [one.per_count for one in candidates], measured, entry)


def choose_single(search: Search, best: Result) -> Choice:
    """Return a candidate alone, with its scores scaled to log probabilities."""
    assert best.scores is not None
    blend = fit_temperature(best.scores, search.truth, search.multilabel, search.weights)
    blend = _with_thresholds(search, blend, blend([best.scores]))
    return Choice([best.candidate], blend, [False], best.quality, None)


def _blend(search: Search, members: Sequence[Result]) -> _Blended:
    """Blend members; the quality is that on folds that the weights did not see."""
    blend, scores = blend_out_of_sample(
        [member.blended_scores for member in members],
        search.truth,
        search.multilabel,
        search.fold_of,
        prior_weights=prior_weights([member.candidate for member in members]),
        sample_weight=search.weights,
    )
    return _Blended(members, blend, scores, search.quality(scores))


def _without_weak_members(search: Search, found: _Blended) -> _Blended:
    """Drop members with almost no weight: they cost as much as the others."""
    shares = found.blend.weights / max(found.blend.weights.sum(), np.finfo(float).tiny)
    kept = [member for member, own in zip(found.members, shares, strict=True) if own >= _LEAST_SHARE]
    if not kept or len(kept) == len(found.members):
        return found
    return _blend(search, kept)


def _with_offsets(
    search: Search, blend: Blend, scores: NDArray[np.float64], measured: Quality
) -> tuple[Blend, Quality]:
    """Add the offset in favour of rare classes that helps the metric most, if one does."""
    offsets = rare_class_offsets(scores, search.truth, search.weights)
    chosen, best = 0.0, measured
    for size in _OFFSET_SIZES:
        found = search.quality(scores + size * offsets)
        if found.value > best.value and is_expected_better(found, measured):
            chosen, best = size, found
    return replace(blend, biases=blend.biases + chosen * offsets), best


def _with_thresholds(search: Search, blend: Blend, scores: NDArray[np.float64]) -> Blend:
    """Subtract the threshold of each class of a label indicator from its bias, so that 0 decides."""
    if not search.multilabel:
        return blend
    repeated = _repeated(search.weights, len(scores))
    thresholds = scut_thresholds(scores[repeated], search.truth[repeated]).thresholds
    never = scores.max(axis=0, initial=0.0) + 1.0
    return replace(blend, biases=blend.biases - np.where(np.isfinite(thresholds), thresholds, never))


def _repeated(weights: NDArray[np.float64] | None, documents: int) -> NDArray[np.intp]:
    """Documents, each repeated by its weight in units of the smallest, to a few times their number."""
    every = np.arange(documents)
    if weights is None or not documents:
        return every
    unit = max(float(weights.min()), float(weights.sum()) / (_MOST_REPEATED * documents))
    return np.repeat(every, np.rint(weights / unit).astype(np.intp))
