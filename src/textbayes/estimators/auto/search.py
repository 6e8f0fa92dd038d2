"""The search: a coarse grid, refined where it is best, then a blend of the best of every kind."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import count
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from textbayes._native import available_threads
from textbayes.decisions import (
    Blend,
    best_by_class,
    blend_out_of_sample,
    fit_temperature,
    rare_class_offsets,
    scores_by_class,
    scut_thresholds,
)
from textbayes.decisions.blend import Scores
from textbayes.decisions.blending import WEIGHT_PENALTY
from textbayes.errors import ParameterConflictError, ParameterError
from textbayes.errors.checks import check_option
from textbayes.estimators.auto.candidate import Candidate
from textbayes.estimators.auto.grid import (
    DISCRIMINATIVE,
    Trial,
    fewer_terms,
    first_trials,
    later_trials,
    other_parameters,
)
from textbayes.estimators.auto.held_out import TrainingSet
from textbayes.estimators.auto.leaderboard import Entry, Leaderboard
from textbayes.estimators.auto.recipe import Recipe
from textbayes.estimators.auto.representation import Representation
from textbayes.estimators.models.variants import SEARCHED
from textbayes.measures import (
    Quality,
    deal_folds,
    is_clearly_better,
    is_expected_better,
    quality,
    shuffled_strata,
)

Singles = NDArray[np.float32]

# The coarse grid goes by tens; what is tried next lies half-way.
_REFINEMENT = 10**0.5
# So many candidates of a kind, and of each kind of columns, may enter the blend.
_KEPT = 2
# The blend is judged on so many folds.
_BLEND_FOLDS = 3
# What the steady way's penalty is multiplied by where scores are standardised by document.
_BY_DOCUMENT = 10.0
# A member of a smaller share in the weights is left out.
_LEAST_SHARE = 0.02
# How far biases may lean towards rare classes.
_LEANS = (0.1, 0.2, 0.3)


@dataclass(eq=False)
class Result:
    """A candidate, how good it is, and its held-out scores as long as it may be in the blend."""

    candidate: Candidate
    quality: Quality
    seconds: float
    order: int
    scores: Singles | None

    @property
    def rank(self) -> tuple[float, int]:
        """Better ones first, and of equal ones the one tried first."""
        return -self.quality.value, self.order


class _Blended(NamedTuple):
    """Candidates, their blend, its scores out of sample, and how good these are."""

    members: Sequence[Result]
    blend: Blend
    scores: NDArray[np.float64]
    quality: Quality


def check_candidates(candidates: Any, exact: bool) -> None:
    """Raise an error that names what cannot be tried."""
    if isinstance(candidates, str):
        check_option("candidates", candidates, ("default",))
        return
    given = [candidates] if isinstance(candidates, Recipe) else list(candidates)
    if not given:
        raise ParameterError("candidates", candidates, ("default", *SEARCHED))
    for candidate in given:
        if isinstance(candidate, str):
            check_option("candidates", candidate, SEARCHED)
        elif not isinstance(candidate, Candidate | Recipe):
            raise ParameterError("candidates", candidate, ("default", *SEARCHED))
        elif exact and not candidate.additive:
            raise ParameterConflictError(
                "exact_updates",
                True,
                "candidates",
                str(candidate),
                "Exact updates need models whose statistics add",
            )


def _by_class(candidates: Sequence[Candidate], chosen: NDArray[np.intp]) -> Candidate:
    """The candidate that has for each class the parameters of the one chosen for it."""
    first = dict(candidates[0].parameters)
    settings = [dict(candidates[at].parameters) for at in chosen]
    choices = tuple(
        (label, own["weighting"], own["theta"]) for label, own in enumerate(settings) if own != first
    )
    kept = {"weighting": first["weighting"], "theta": first["theta"], "choices": choices}
    return Candidate("poisson-by-class", candidates[0].representation, tuple(sorted(kept.items())))


def usual_weights(candidates: Sequence[Candidate]) -> NDArray[np.float64]:
    """Half for margins, which do best where there is nothing to learn weights from, half for the others."""
    margins = np.array([candidate.kind == "linear-svm" for candidate in candidates])
    weights = np.where(margins, 1.0 / max(margins.sum(), 1), 1.0 / max((~margins).sum(), 1))
    return np.asarray(weights / weights.sum())


class Search:
    """Try candidates on a training set, and choose.

    Parameters
    ----------
    training : TrainingSet
        The documents.
    metric : str
        What is maximised.
    exact : bool
        Whether only recipes whose statistics add are tried.
    budget : float or None
        Seconds after which nothing more is tried. At least one candidate is.
    moved : callable or None
        Told how many trials are done.
    """

    def __init__(
        self,
        training: TrainingSet,
        metric: str,
        exact: bool = False,
        budget: float | None = None,
        moved: Callable[[int], object] | None = None,
    ) -> None:
        self.training, self.metric, self.exact = training, metric, exact
        self.truth, self.multilabel = training.truth, training.targets.multilabel
        self.results: dict[Candidate, Result] = {}
        self.kinds = SEARCHED
        # Kinds all of whose scores are kept, for a choice by class.
        self._waiting = {"poisson"} if self.multilabel else set()
        self._end = None if budget is None else time.monotonic() + budget
        self._moved, self._done, self._started = moved, 0, count()
        # Of the judged documents: what is chosen on some is judged on the others.
        groups = shuffled_strata(training.targets, training.random_state)
        self._fold_of = deal_folds(groups, _BLEND_FOLDS)[training.judged]

    # Trying.

    @property
    def over(self) -> bool:
        """Whether the budget is spent."""
        return bool(self.results) and self._spent

    @property
    def _spent(self) -> bool:
        return self._end is not None and time.monotonic() > self._end

    def run(self, candidates: Any) -> None:
        """Try what ``AutoNB(candidates=...)`` says; of the defaults also what looks better near the best."""
        if not isinstance(candidates, str) and not isinstance(candidates[0], str):
            self.try_all([Trial(candidate, (candidate.smoothing,)) for candidate in candidates])
            return
        self.kinds = SEARCHED if isinstance(candidates, str) else tuple(candidates)
        columns = "words" if self.training.pairs.any() else "all"
        self.try_all(first_trials(self.multilabel, self.exact, columns))
        self.try_all(self._with_pairs())
        self.try_all(later_trials(self.multilabel, self.exact, columns))
        self.try_all(self._with_pairs(DISCRIMINATIVE, 1))
        self._try_by_class()
        self.try_all(self._refined(_REFINEMENT))
        self.try_all(self._other_parameters())

    def try_all(self, trials: Sequence[Trial]) -> None:
        """Judge candidates until the budget is spent, those of one representation together.

        Several representations are tried at once; what comes of them is taken in their order.
        """
        groups: dict[Representation, list[Trial]] = {}
        for trial in trials:
            if trial.candidate.kind in self.kinds:
                groups.setdefault(trial.candidate.representation, []).append(trial)
        with ThreadPoolExecutor(available_threads()) as pool:
            try:
                for tried in pool.map(self._tried, groups.values()):
                    for results in tried:
                        self._take(results)
            except BaseException:
                # Whoever interrupts the search does not wait for what has not begun.
                pool.shutdown(cancel_futures=True)
                raise

    def _tried(self, trials: Sequence[Trial]) -> list[list[Result]]:
        """Judge candidates of one representation."""
        tried = []
        for trial in trials:
            # One is tried in any case.
            if next(self._started) and self._spent:
                break
            tried.append(self._try(trial))
        return tried

    def _try(self, trial: Trial) -> list[Result]:
        values = [
            value
            for value in trial.values
            if value is None or trial.candidate.with_smoothing(value) not in self.results
        ]
        if not values:
            return []
        start, tried = time.perf_counter(), []
        found = self.training.held_out_scores(trial.candidate, values)
        for value, scores in zip(values, found, strict=True):
            candidate = trial.candidate if value is None else trial.candidate.with_smoothing(value)
            measured = self._quality(scores)
            tried.append(Result(candidate, measured, 0.0, 0, scores.astype(np.float32)))
        for result in tried:
            result.seconds = (time.perf_counter() - start) / len(tried)
        return tried

    def _quality(self, scores: Scores) -> Quality:
        """Measure scores by the metric; log loss after the best scaling."""
        if self.metric == "log_loss":
            scores = fit_temperature(scores, self.truth, self.multilabel)([scores])
        return quality(scores, self.truth, self.metric, self.multilabel)

    def _take(self, results: Sequence[Result]) -> None:
        for result in results:
            result.order = len(self.results)
            self.results[result.candidate] = result
        self._drop_scores()
        self._done += 1
        if self._moved is not None:
            self._moved(self._done)

    def _drop_scores(self) -> None:
        """Keep the scores of those that may enter the blend."""
        kept = {id(result) for group in self._groups().values() for result in group[:_KEPT]}
        for result in self.results.values():
            if id(result) not in kept and result.candidate.kind not in self._waiting:
                result.scores = None

    def _groups(self) -> dict[tuple[str, str], list[Result]]:
        """For each kind and its columns, the best of each representation, best first."""
        groups: dict[tuple[str, str], dict[object, Result]] = {}
        for result in sorted(self.results.values(), key=lambda result: result.rank):
            candidate = result.candidate
            group = groups.setdefault((candidate.kind, candidate.representation.columns), {})
            group.setdefault(candidate.representation, result)
        return {key: list(group.values()) for key, group in groups.items()}

    def _try_by_class(self) -> None:
        """PNB*: the Poisson setting that suits each class best, judged on folds that did not choose it."""
        tried = [result for result in self.results.values() if result.candidate.kind in self._waiting]
        tried.sort(key=lambda result: result.rank)
        self._waiting.clear()
        if len(tried) > 1 and "poisson-by-class" in self.kinds and not self.over:
            start = time.perf_counter()
            parts = [result.scores for result in tried if result.scores is not None]
            candidate = _by_class([result.candidate for result in tried], best_by_class(parts, self.truth))
            measured = self._quality(self._out_of_fold(parts))
            scores = scores_by_class(parts, best_by_class(parts, self.truth)).astype(np.float32)
            seconds = time.perf_counter() - start
            self.results[candidate] = Result(candidate, measured, seconds, len(self.results), scores)
        self._drop_scores()

    def _out_of_fold(self, parts: Sequence[Singles]) -> Singles:
        """Each class's scores by the candidate that the other folds would choose for it."""
        parts = [(part - part.mean(axis=0)) / np.maximum(part.std(axis=0), 1e-12) for part in parts]
        judged, scores = self._fold_of, np.empty_like(parts[0])
        for fold in range(_BLEND_FOLDS):
            chosen = best_by_class([part[judged != fold] for part in parts], self.truth[judged != fold])
            scores[judged == fold] = scores_by_class([part[judged == fold] for part in parts], chosen)
        return scores

    # What to try next.

    def _with_pairs(self, kinds: Sequence[str] = SEARCHED, most: int = _KEPT) -> list[Trial]:
        """The best of each kind on words, on words and pairs."""
        if not self.training.pairs.any():
            return []
        trials = []
        for group in self._groups().values():
            for result in [result for result in group if result.candidate.kind in kinds][:most]:
                candidate = result.candidate
                every = replace(candidate.representation, columns="all")
                trials.append(Trial(replace(candidate, representation=every), (candidate.smoothing,)))
        return trials

    def _refined(self, factor: float) -> list[Trial]:
        """Neighbours in smoothing of the best of each kind and columns."""
        trials = []
        for group in self._groups().values():
            best = group[0].candidate
            # What is learned anew for every fold takes too long to be refined, and gains as little.
            if best.smoothing is not None and best.variant.exact_loo:
                near = (best.smoothing / factor, best.smoothing * factor)
                trials.append(Trial(best, tuple(float(f"{value:.2g}") for value in near)))
        return trials

    def _other_parameters(self) -> list[Trial]:
        """Other parameters of the best of each kind and columns, and the very best on fewer terms."""
        best = (group[0].candidate for group in self._groups().values())
        found = [changed for candidate in best for changed in other_parameters(candidate)]
        if not self.exact:
            found.append(fewer_terms(self.best.candidate))
        return [Trial(candidate, (candidate.smoothing,)) for candidate in found]

    # Choosing.

    @property
    def best(self) -> Result:
        """The best single candidate."""
        return min(self.results.values(), key=lambda result: result.rank)

    def blended(self) -> tuple[list[Candidate], Blend, Quality, float]:
        """The two best of each kind and their blend, judged on folds that its weights did not see."""
        start = time.perf_counter()
        chosen = self._members()
        found = self._blended(chosen)
        if not self.multilabel and self.truth.shape[1] > 2:
            other = self._blended(chosen, by_document=True)
            found = other if is_expected_better(other.quality, found.quality) else found
        peers = [result for result in chosen if not is_clearly_better(self.best.quality, result.quality)]
        if len(peers) < len(chosen):
            few = self._blended(peers)
            found = few if is_expected_better(few.quality, found.quality) else found
        found = self._without_extras(found)
        blend, measured = found.blend, found.quality
        if not self.multilabel:
            blend, measured = self._tilted(blend, found.scores, measured)
        blend = self._with_thresholds(blend, found.scores)
        members = [result.candidate for result in found.members]
        return members, blend, measured, time.perf_counter() - start

    def _blended(self, members: Sequence[Result], by_document: bool = False) -> _Blended:
        """A blend of candidates, judged on folds that its weights did not see."""
        parts = [result.scores for result in members if result.scores is not None]
        blend, scores = blend_out_of_sample(
            parts,
            self.truth,
            self.multilabel,
            self._fold_of,
            weight_penalty=WEIGHT_PENALTY * (_BY_DOCUMENT if by_document else 1.0),
            by_document=by_document,
            usual=usual_weights([result.candidate for result in members]),
        )
        return _Blended(members, blend, scores, self._quality(scores))

    def _without_extras(self, found: _Blended) -> _Blended:
        """The blend without members that have next to no part in it: they cost as much as the others."""
        shares = found.blend.weights / max(found.blend.weights.sum(), np.finfo(float).tiny)
        kept = [member for member, own in zip(found.members, shares, strict=True) if own >= _LEAST_SHARE]
        if not kept or len(kept) == len(found.members):
            return found
        return self._blended(kept, found.blend.by_document)

    def _tilted(self, blend: Blend, scores: NDArray[np.float64], measured: Quality) -> tuple[Blend, Quality]:
        """The blend with biases that lean towards rare classes, as far as the metric gains by it."""
        tilt = rare_class_offsets(scores, self.truth)
        chosen, best = 0.0, measured
        for lean in _LEANS:
            found = self._quality(scores + lean * tilt)
            if found.value > best.value and is_expected_better(found, measured):
                chosen, best = lean, found
        return replace(blend, biases=blend.biases + chosen * tilt), best

    def _members(self) -> list[Result]:
        """Of each kind the two best on words, and the two best with pairs."""
        return [result for group in self._groups().values() for result in group[:_KEPT]]

    def single(self) -> tuple[Candidate, Blend]:
        """The best candidate alone, its scores scaled to log probabilities."""
        best = self.best
        assert best.scores is not None
        blend = fit_temperature(best.scores, self.truth, self.multilabel)
        return best.candidate, self._with_thresholds(blend, blend([best.scores]))

    def _with_thresholds(self, blend: Blend, scores: NDArray[np.float64]) -> Blend:
        """Take each class's threshold from its bias, so that a class of an indicator is given above 0."""
        if not self.multilabel:
            return blend
        thresholds = scut_thresholds(scores, self.truth).thresholds
        never = scores.max(axis=0, initial=0.0) + 1.0
        return replace(blend, biases=blend.biases - np.where(np.isfinite(thresholds), thresholds, never))

    def leaderboard(self, chosen: Sequence[Candidate], blend: Entry | None) -> Leaderboard:
        """Everything that was tried."""
        entries = [
            Entry(
                str(result.candidate),
                result.quality.value,
                result.quality.interval,
                result.seconds,
                result.candidate,
                result.candidate in chosen,
            )
            for result in sorted(self.results.values(), key=lambda result: result.rank)
        ]
        return Leaderboard(self.metric, [*([blend] if blend else []), *entries])
