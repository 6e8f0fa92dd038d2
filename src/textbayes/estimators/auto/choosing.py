"""Choose among the candidates that a search evaluated: a blend of the best, or the best alone."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
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
from textbayes.estimators.auto.search import Result, Search
from textbayes.measures import Quality, is_clearly_better, is_expected_better

# Members with a smaller share of the weights are dropped.
_LEAST_SHARE = 0.02
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


def choose_blend(search: Search) -> tuple[list[Candidate], Blend, Quality, float]:
    """Blend the best of each kind; return members, blend, its quality on held-out folds, and seconds.

    A blend of only the members that the best candidate does not clearly beat replaces it if it is expected to
    be better.
    """
    start = time.perf_counter()
    members = search.best_per_kind()
    found = _blend(search, members)
    strong = [member for member in members if not is_clearly_better(search.best.quality, member.quality)]
    if len(strong) < len(members):
        few = _blend(search, strong)
        found = few if is_expected_better(few.quality, found.quality) else found
    found = _without_weak_members(search, found)
    blend, measured = found.blend, found.quality
    if not search.multilabel:
        blend, measured = _with_offsets(search, blend, found.scores, measured)
    blend = _with_thresholds(search, blend, found.scores)
    candidates = [member.candidate for member in found.members]
    return candidates, blend, measured, time.perf_counter() - start


def choose_single(search: Search) -> tuple[Candidate, Blend]:
    """Return the best candidate alone, with its scores scaled to log probabilities."""
    best = search.best
    assert best.scores is not None
    blend = fit_temperature(best.scores, search.truth, search.multilabel)
    return best.candidate, _with_thresholds(search, blend, blend([best.scores]))


def _blend(search: Search, members: Sequence[Result]) -> _Blended:
    """Blend members; the quality is that on folds that the weights did not see."""
    blend, scores = blend_out_of_sample(
        [member.blended_scores for member in members],
        search.truth,
        search.multilabel,
        search.fold_of,
        prior_weights=prior_weights([member.candidate for member in members]),
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
    offsets = rare_class_offsets(scores, search.truth)
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
    thresholds = scut_thresholds(scores, search.truth).thresholds
    never = scores.max(axis=0, initial=0.0) + 1.0
    return replace(blend, biases=blend.biases - np.where(np.isfinite(thresholds), thresholds, never))
