"""Choose among the candidates that a search evaluated: a blend of the best, or the best alone."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from textbayes.decisions import (
    Blend,
    blend_out_of_sample,
    cost_biases,
    expected_cost_biases,
    fit_temperature,
    held_out_cost_biases,
    held_out_thresholds,
    rare_class_offsets,
    scut_thresholds,
)
from textbayes.decisions.calibration import fit_chance
from textbayes.decisions.isotonic import fit_isotonic_map
from textbayes.estimators.auto.candidate import Candidate
from textbayes.estimators.auto.column_kinds import COLUMNS
from textbayes.estimators.auto.leaderboard import Entry
from textbayes.estimators.auto.search import Result, Search
from textbayes.measures import Quality, decided_quality, is_clearly_better, is_expected_better
from textbayes.scores import log_softmax

Reals = NDArray[np.float64]
Scores = NDArray[np.floating]

# A recipe without exact updates must lead by this much, and by this many standard errors.
_LEAST_LEAD = 0.005
_LEAD_ERRORS = 1.0
# Members with a smaller share of the weights are dropped.
_LEAST_SHARE = 0.02
# Biases are chosen by the costs of documents if there are this many for each class.
_DOCUMENTS_PER_BIAS = 50
# Probabilities are calibrated on this many documents or more.
_LEAST_DOCUMENTS = 50
ALL = frozenset(COLUMNS)
# Sizes of the offset in favour of rare classes.
_OFFSET_SIZES = (0.1, 0.2, 0.3)


class Blended(NamedTuple):
    """Members, their blend, its held-out scores, and the quality of these."""

    members: Sequence[Result]
    blend: Blend
    scores: Reals
    quality: Quality


def prior_weights(candidates: Sequence[Candidate]) -> Reals:
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
    ranking : Quality or None
        Quality as candidates are measured, with several labels at break-even; None if it is ``quality``.
    """

    members: list[Candidate]
    blend: Blend
    per_count: list[bool]
    quality: Quality
    entry: Entry | None
    ranking: Quality | None = None

    @property
    def additive(self) -> bool:
        """Whether the statistics of every member add."""
        return all(member.additive for member in self.members)

    @property
    def compared(self) -> Quality:
        """Quality by which it is compared with candidates and other choices."""
        return self.quality if self.ranking is None else self.ranking


class Chosen(NamedTuple):
    """What a search chose, the alternative (exact updates or not), and a line for each candidate tried."""

    choice: Choice
    other: Choice | None
    tried: list[Entry]

    @property
    def entries(self) -> list[Entry]:
        """The lines of the leaderboard: blends, then candidates."""
        first, second = self.choice.entry, None if self.other is None else self.other.entry
        marked = None if first is None else replace(first, chosen=True)
        return [*(entry for entry in (marked, second) if entry is not None), *self.tried]


def choose(search: Search, blends: bool, columns: Set[str] = ALL) -> Chosen:
    """Choose the best recipe whose blend has members on these columns.

    In a search for both, it is the best one with exact updates, unless the best of all leads by .005 and by a
    standard error on the same held-out documents (experiments/exact_updates.py).
    """
    choice, other = _choose_updates(search, blends, columns)
    members = [one for one, own in zip(choice.members, choice.blend.weights, strict=True) if own > 0]
    return Chosen(choice, other, search.entries(members or choice.members))


def _choose_updates(search: Search, blends: bool, columns: Set[str]) -> tuple[Choice, Choice | None]:
    """Choose the best recipe, and return the best of the other kind."""
    best = _choose_among(search, blends, columns, additive=False)
    if search.updates != "auto" or best.additive or search.best_additive is None:
        return best, None
    exact = _choose_among(search, blends, columns, additive=True)
    lead, error = best.compared.lead(exact.compared)
    if lead > max(_LEAST_LEAD * best.quality.unit, _LEAD_ERRORS * error):
        return best, exact
    return exact, best


def shortlist(search: Search, blends: bool, columns: Set[str]) -> list[Candidate]:
    """Return the candidates on these columns that a search on more documents should compare."""
    kinds = (False, True) if search.updates == "auto" else (False,)
    if blends:
        found = [one for additive in kinds for one in _members(search, columns, additive)]
    else:
        found = [best for best in (search.best, search.best_additive) if best is not None]
    return list(dict.fromkeys(result.candidate for result in found))


def _members(search: Search, columns: Set[str], additive: bool) -> list[Result]:
    """The best of each kind on some columns; on all if there are none on these."""
    every = search.best_per_kind(additive)
    return [member for member in every if member.candidate.representation.columns in columns] or every


def _choose_among(search: Search, blends: bool, columns: Set[str], additive: bool) -> Choice:
    """Choose a blend, or a single candidate that is clearly better."""
    best = search.best_additive if additive else search.best
    assert best is not None
    if blends and not search.is_over:
        found = choose_blend(search, columns, additive)
        if not is_clearly_better(best.quality, found.compared):
            return found
    return choose_single(search, best)


def choose_blend(search: Search, columns: Set[str], additive: bool = False) -> Choice:
    """Blend the best of each kind on some columns, or of those candidates whose statistics add.

    A blend of only the members that the best candidate does not clearly beat replaces it if it is expected to
    be better.
    """
    start = time.perf_counter()
    members = _members(search, columns, additive)
    best = min(members, key=lambda member: member.rank)
    found = blend_members(search, members)
    strong = [member for member in members if not is_clearly_better(best.quality, member.quality)]
    if len(strong) < len(members):
        few = blend_members(search, strong)
        found = few if is_expected_better(few.quality, found.quality) else found
    found = _without_weak_members(search, found)
    blend, measured = _with_decisions(search, found.blend, found.scores)
    candidates = [member.candidate for member in found.members]
    name = f"blend of {int(np.sum(blend.weights > 0))}" + (", exact updates" if additive else "")
    seconds = time.perf_counter() - start
    documents = len(search.training.evaluated)
    name += _decided_by(search)
    entry = Entry(name, measured.value, measured.interval, seconds, documents=documents)
    ranking = found.quality if search.multilabel else None
    return Choice(candidates, blend, [one.per_count for one in candidates], measured, entry, ranking)


def choose_single(search: Search, best: Result) -> Choice:
    """Return a candidate alone, with its scores scaled to log probabilities.

    It has biases only for class weights and costs.
    """
    assert best.scores is not None
    start, objective = time.perf_counter(), search.objective
    if objective.class_weight is not None and not search.multilabel:
        blend, scores = _blend_scores(search, [best.scores], None)
    else:
        blend = fit_temperature(best.scores, search.truth, search.multilabel, search.weights)
        scores = blend([best.scores])
    if not search.multilabel and objective.class_weight is None and objective.costs is None:
        return Choice([best.candidate], _with_best(search, blend, scores), [False], best.quality, None)
    blend, measured = _with_decisions(search, blend, scores)
    seconds = time.perf_counter() - start
    name, documents = f"{best.candidate}{_decided_by(search)}", len(search.training.evaluated)
    entry = Entry(name, measured.value, measured.interval, seconds, documents=documents)
    ranking = best.quality if search.multilabel else None
    return Choice([best.candidate], blend, [False], measured, entry, ranking)


def _decided_by(search: Search) -> str:
    """Describe what the line of a choice has, and lines of candidates do not have."""
    if search.multilabel:
        return "" if search.objective.name == "log_loss" else ", with thresholds"
    return ", with biases" if search.objective.costs is not None else ""


def blend_members(search: Search, members: Sequence[Result]) -> Blended:
    """Blend members; the quality is that on folds that the weights did not see."""
    prior = prior_weights([member.candidate for member in members])
    blend, scores = _blend_scores(search, [member.blended_scores for member in members], prior)
    return Blended(members, blend, scores, search.quality(scores))


def _blend_scores(search: Search, parts: Sequence[Scores], prior: Reals | None) -> tuple[Blend, Reals]:
    """Blend scores; return the blend, and the scores of each document by the weights of other folds."""
    return blend_out_of_sample(
        parts,
        search.truth,
        search.multilabel,
        search.fold_of,
        prior_weights=prior,
        sample_weight=search.weights,
    )


def _without_weak_members(search: Search, found: Blended) -> Blended:
    """Drop members with almost no weight: they cost as much as the others."""
    shares = found.blend.weights / max(found.blend.weights.sum(), np.finfo(float).tiny)
    kept = [member for member, own in zip(found.members, shares, strict=True) if own >= _LEAST_SHARE]
    if not kept or len(kept) == len(found.members):
        return found
    return blend_members(search, kept)


def _with_decisions(search: Search, blend: Blend, scores: Reals) -> tuple[Blend, Quality]:
    """Add to a blend the biases or thresholds by which it decides; measure them on other folds."""
    if search.multilabel:
        return _with_thresholds(search, blend, scores)
    return _with_offsets(search, blend, scores)


def _with_offsets(search: Search, blend: Blend, scores: Reals) -> tuple[Blend, Quality]:
    """Add the offsets that help the metric most, if some do: for rare classes, or by the costs."""
    if search.objective.has_mean_cost:
        blend, scores = _scaled(search, blend, scores)
    tried = _tried_offsets(search, scores)
    chosen, added = next(tried)
    default = best = _measure(search, scores + added)
    for offsets, held_out in tried:
        found = _measure(search, scores + held_out)
        if found.value > best.value and is_expected_better(found, default):
            chosen, added, best = offsets, held_out, found
    return _with_best(search, replace(blend, biases=blend.biases + chosen), scores + added), best


def _with_best(search: Search, blend: Blend, scores: Reals) -> Blend:
    """Add the map from the softmax of the best class to its probability, if there are enough documents."""
    if len(scores) < _LEAST_DOCUMENTS:
        return blend
    weights = search.training.evaluated_weights
    every = np.ones(len(scores)) if weights is None else weights
    right = search.truth[np.arange(len(scores)), scores.argmax(axis=1)]
    found = fit_isotonic_map(np.exp(log_softmax(scores).max(axis=1)), right.astype(float), every)
    return replace(blend, chance=found.from_point(1.0 / scores.shape[1]))


def _scaled(search: Search, blend: Blend, scores: Reals) -> tuple[Blend, Reals]:
    """Scale a blend and its held-out scores to log probabilities; no decision changes."""
    found = fit_temperature(scores, search.truth, search.multilabel, search.weights)
    factor = float(found.weights[0] / found.scales[0, 0])
    return replace(blend, weights=factor * blend.weights, biases=factor * blend.biases), factor * scores


def _tried_offsets(search: Search, scores: Reals) -> Iterator[tuple[Reals, Reals]]:
    """Yield offsets, and the same chosen without the labels of the documents that they are added to.

    The first ones are the default: none, or those with the least expected cost.
    """
    costs, truth, weights = search.objective.costs, search.truth, search.weights
    if not search.objective.has_mean_cost:
        rare = rare_class_offsets(scores, truth, weights)
        yield from ((size * rare, size * rare) for size in (0.0, *_OFFSET_SIZES))
    if costs is None:
        return
    expected = expected_cost_biases(scores, costs, weights)
    yield expected, expected
    if len(scores) >= _DOCUMENTS_PER_BIAS * len(costs):
        held_out = held_out_cost_biases(scores, truth, costs, search.fold_of, weights)
        yield cost_biases(scores, truth, costs, weights), held_out


def _measure(search: Search, scores: Reals) -> Quality:
    """Measure scores in which the offsets are included."""
    if search.objective.has_mean_cost:
        return search.unscaled_quality(scores)
    return search.quality(scores)


def _with_thresholds(search: Search, blend: Blend, scores: Reals) -> tuple[Blend, Quality]:
    """Subtract the threshold of each class of a label indicator from its bias, so that 0 decides.

    The scores are then scaled to log odds. Quality and scale are found with thresholds of other folds. Log
    loss measures no decisions, so there are no thresholds for it.
    """
    truth, objective = search.truth, search.objective
    if objective.name == "log_loss":
        blend, scores = _scaled(search, blend, scores)
        return _with_chance(search, blend, scores), search.quality(scores)
    weights = search.training.evaluated_weights
    of_classes = objective.weights_of(truth, True, weights)
    found = scut_thresholds(scores, truth, weights=weights, class_weight=of_classes)
    held_out = held_out_thresholds(scores, truth, search.fold_of, weights, of_classes)
    thresholds, held_out = (_finite_thresholds(scores, each) for each in (found.thresholds, held_out))
    measured = decided_quality(scores > held_out, truth, objective, search.weights)
    blend = replace(blend, biases=blend.biases - thresholds)
    return _with_chance(search, *_scaled(search, blend, scores - held_out)), measured


def _with_chance(search: Search, blend: Blend, log_odds: Reals) -> Blend:
    """Add the map from held-out log odds to probabilities."""
    weights = search.training.evaluated_weights
    every = np.ones(len(log_odds)) if weights is None else weights
    each = np.broadcast_to(every[:, None], log_odds.shape).ravel()
    return replace(blend, chance=fit_chance(log_odds.ravel(), search.truth.ravel().astype(float), each))


def _finite_thresholds(scores: Reals, thresholds: Reals) -> Reals:
    """Replace the threshold of a class without documents by one that no score reaches."""
    never = scores.max(axis=0, initial=0.0) + 1.0
    return np.where(np.isfinite(thresholds), thresholds, never)
