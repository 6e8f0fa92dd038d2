"""The search: evaluate candidates on a coarse grid, then near the best ones."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textbayes.decisions import best_by_class, fit_temperature, pairwise_biases, scores_by_class
from textbayes.decisions.blend import Scores
from textbayes.errors import ParameterConflictError, ParameterError
from textbayes.errors.checks import check_option
from textbayes.estimators.auto.candidate import Candidate
from textbayes.estimators.auto.grid import (
    DISCRIMINATIVE,
    PLANS,
    Trial,
    first_trials,
    later_trials,
    searched_columns,
)
from textbayes.estimators.auto.held_out import FOLDS, TrainingSet
from textbayes.estimators.auto.leaderboard import Entry
from textbayes.estimators.auto.recipe import Recipe
from textbayes.estimators.auto.representation import Representation
from textbayes.estimators.base.memory import release_memory
from textbayes.estimators.models.variants import SEARCHED
from textbayes.measures import Objective, Quality, deal_folds, quality, shuffled_strata
from textbayes.scores import scores_per_count

Singles = NDArray[np.float32]
Reals = NDArray[np.float64]

# The coarse grid is in powers of ten; the refined values are half-way between.
_REFINEMENT = 10**0.5
# Number of candidates of each kind and type of columns that may be in the blend.
_BEST_PER_KIND = 1
# A model that learns from its errors is tried if its folds, and its fit on all documents, take at most this
# many steps, of about a nanosecond on two cores.
_MOST_STEPS = 20e9
_MOST_STEPS_OF_FIT = 500e9
_PASSES = 10
# Number of folds on which a blend is evaluated.
_BLEND_FOLDS = 3


@dataclass(eq=False)
class Result:
    """A candidate, its quality, and its held-out scores while it may be in the blend."""

    candidate: Candidate
    quality: Quality
    seconds: float
    order: int
    scores: Singles | None
    bias: Reals
    sums: Reals

    @property
    def blended_scores(self) -> Singles:
        """Its scores as a blend takes them: per count, if the model sums counts."""
        assert self.scores is not None
        if not self.candidate.per_count:
            return self.scores
        return scores_per_count(self.scores, self.bias, self.sums)

    @property
    def rank(self) -> tuple[float, int]:
        """Sort key: the best first; among equal ones, the one evaluated first."""
        return -self.quality.value, self.order


def names_kinds(candidates: Any) -> bool:
    """Return whether candidates are a plan or kinds of models; if not, they are given one by one."""
    if isinstance(candidates, list | tuple):
        return isinstance(next(iter(candidates), None), str)
    return isinstance(candidates, str)


def check_candidates(candidates: Any, updates: str) -> None:
    """Raise an error for candidates that cannot be tried."""
    if isinstance(candidates, str):
        check_option("candidates", candidates, tuple(PLANS))
        return
    given = [candidates] if isinstance(candidates, Recipe) else list(candidates)
    if not given:
        raise ParameterError("candidates", candidates, (*PLANS, *SEARCHED))
    for candidate in given:
        if isinstance(candidate, str):
            check_option("candidates", candidate, SEARCHED)
        elif not isinstance(candidate, Candidate | Recipe):
            raise ParameterError("candidates", candidate, (*PLANS, *SEARCHED))
        elif updates == "exact" and not candidate.additive:
            raise ParameterConflictError(
                "updates",
                updates,
                "candidates",
                str(candidate),
                "Exact updates need models whose statistics add",
            )


def _by_class(candidates: Sequence[Candidate], chosen: NDArray[np.intp]) -> Candidate:
    """The candidate with the parameters that were chosen for each class."""
    first = dict(candidates[0].parameters)
    settings = [dict(candidates[at].parameters) for at in chosen]
    choices = tuple(
        (label, own["weighting"], own["theta"]) for label, own in enumerate(settings) if own != first
    )
    kept = {"weighting": first["weighting"], "theta": first["theta"], "choices": choices}
    return Candidate("poisson-by-class", candidates[0].representation, tuple(sorted(kept.items())))


class Search:
    """Evaluate candidates on a training set.

    Parameters
    ----------
    training : TrainingSet
        The documents.
    metric : str or Objective
        Metric to maximise, and the weights of classes.
    kinds : sequence of str
        The kinds of models to search for.
    updates : {"auto", "exact", "any"}
        "exact": try only candidates whose statistics add; "any": try all; "auto": try all, and also look for
        the best of those whose statistics add.
    end : float or None
        The time of ``time.monotonic`` after which no more candidates are tried. At least one is.
    on_progress : callable or None
        Called with the number of trials done.
    growth : float, default=1.0
        How many times as many documents the choice will be fitted on.
    """

    def __init__(
        self,
        training: TrainingSet,
        metric: str | Objective,
        kinds: Sequence[str] = SEARCHED,
        updates: str = "any",
        end: float | None = None,
        on_progress: Callable[[int], object] | None = None,
        growth: float = 1.0,
    ) -> None:
        self.training, self.kinds, self.updates = training, tuple(kinds), updates
        self.objective = Objective(metric) if isinstance(metric, str) else metric
        self.truth, self.multilabel = training.truth, training.targets.multilabel
        # The only document of a class: a model that did not learn it does not know the class.
        sizes = np.bincount(training.targets.codes, minlength=len(training.targets.classes))
        self.unknown = self.truth & (sizes == 1)
        # Class weights count in the metric and in the blend; models learn without them.
        self.weights = self.objective.document_weights(
            self.truth, self.multilabel, training.evaluated_weights
        )
        self.results: dict[Candidate, Result] = {}
        self.growth = growth
        # Kinds whose scores are all kept until settings are chosen by class.
        self._kept_kinds = {"poisson"} if self.multilabel else set()
        self._end = end
        self._on_progress, self._done, self._started = on_progress, 0, count()
        # Folds of the evaluated documents: a choice made on some folds is evaluated on the others.
        groups = shuffled_strata(training.targets, training.random_state)
        self.fold_of = deal_folds(groups, _BLEND_FOLDS)[training.evaluated]

    # Evaluating.

    @property
    def is_over(self) -> bool:
        """Whether the budget is spent."""
        return bool(self.results) and self._spent

    @property
    def _spent(self) -> bool:
        return self._end is not None and time.monotonic() > self._end

    def run(self) -> None:
        """Evaluate the kinds of models, and refine the best candidates."""
        first, *others = searched_columns(self.training.kinds)
        plan = (self.kinds, self.multilabel, self.updates, first)
        self.evaluate(first_trials(*plan))
        self.evaluate(self._on_columns(others, first))
        self.evaluate(self._affordable(later_trials(*plan)))
        self.evaluate(self._affordable(self._on_columns(others, first, tuple(DISCRIMINATIVE))))
        if "poisson-by-class" in self.kinds:
            self._try_by_class()
        if not self.results:
            why = "None of these models takes " + ("several labels" if self.multilabel else "one label")
            raise ParameterError("candidates", self.kinds, (*PLANS, *SEARCHED), why)
        self.evaluate(self.refined())

    def evaluate(self, trials: Sequence[Trial]) -> None:
        """Evaluate candidates until the budget is spent.

        Threads share the sums by representation. Models that are fitted on folds follow, one at a time,
        because each uses all threads. Results are recorded in the order of the trials.
        """
        groups: dict[Representation, list[Trial]] = {}
        refitted = [trial for trial in trials if not trial.candidate.variant.exact_loo]
        for trial in trials:
            if trial.candidate.variant.exact_loo:
                groups.setdefault(trial.candidate.representation, []).append(trial)
        self._evaluate_groups(list(groups.values()))
        for trial in refitted:
            for results in self._evaluate_group([trial]):
                self._record(results)
            release_memory()

    def _evaluate_groups(self, groups: list[list[Trial]]) -> None:
        with ThreadPoolExecutor(self.training.threads) as pool:
            try:
                for found in pool.map(self._evaluate_group, groups):
                    for results in found:
                        self._record(results)
            except BaseException:
                # An interrupt does not wait for trials that have not started.
                pool.shutdown(cancel_futures=True)
                raise
        release_memory()

    def _affordable(self, trials: Sequence[Trial]) -> list[Trial]:
        """Drop models that learn from errors if they would take too long, unless they were asked for."""
        if self.kinds not in PLANS.values():
            return list(trials)
        found, passes = [], float(len(self.training.targets.classes)) * _PASSES
        for trial in trials:
            steps = passes * self.training.entries(trial.candidate.representation.columns)
            fits = steps * FOLDS <= _MOST_STEPS and steps * self.growth <= _MOST_STEPS_OF_FIT
            if fits or trial.candidate.kind not in DISCRIMINATIVE:
                found.append(trial)
        return found

    def _evaluate_group(self, trials: Sequence[Trial]) -> list[list[Result]]:
        """Evaluate candidates of one representation."""
        found = []
        for trial in trials:
            # The first trial runs in any case.
            if next(self._started) and self._spent:
                break
            found.append(self._evaluate_trial(trial))
        return found

    def _evaluate_trial(self, trial: Trial) -> list[Result]:
        values = [
            value
            for value in trial.values
            if value is None or trial.candidate.with_smoothing(value) not in self.results
        ]
        if not values:
            return []
        start, results = time.perf_counter(), []
        found = self.training.held_out_scores(trial.candidate, values)
        for value, (scores, bias, sums) in zip(values, found, strict=True):
            candidate = trial.candidate if value is None else trial.candidate.with_smoothing(value)
            measured = self.quality(scores)
            results.append(Result(candidate, measured, 0.0, 0, scores.astype(np.float32), bias, sums))
        for result in results:
            result.seconds = (time.perf_counter() - start) / len(results)
        return results

    def quality(self, scores: Scores) -> Quality:
        """Measure scores by the metric: log loss and mean cost after the best scaling.

        The mean cost is that of the decisions with the biases that follow from the costs.
        """
        objective = self.objective
        if objective.reads_probabilities:
            scores = fit_temperature(scores, self.truth, self.multilabel, self.weights)([scores])
        if objective.has_mean_cost and objective.costs is not None:
            scores = scores + pairwise_biases(objective.costs)
        return self.unscaled_quality(scores)

    def unscaled_quality(self, scores: Scores) -> Quality:
        """Measure scores as they are; the only document of a class is never given it.

        A blend may give it the class by its biases, which a model without the document would not have.
        """
        if self.objective.name != "log_loss" and self.unknown.any():
            scores = np.where(self.unknown, -np.inf, scores)
        return quality(scores, self.truth, self.objective, self.multilabel, self.weights)

    def _record(self, results: Sequence[Result]) -> None:
        for result in results:
            result.order = len(self.results)
            self.results[result.candidate] = result
        self._drop_scores()
        self._done += 1
        if self._on_progress is not None:
            self._on_progress(self._done)

    def _drop_scores(self) -> None:
        """Drop the scores of candidates that cannot be in the blend."""
        kept = {id(result) for group in self._all_groups() for result in group[:_BEST_PER_KIND]}
        kept |= {id(self.best), *(id(result) for result in self._additive()[:1])}
        for result in self.results.values():
            if id(result) not in kept and result.candidate.kind not in self._kept_kinds:
                result.scores = None

    def _groups(self, additive: bool = False) -> list[list[Result]]:
        """For each kind and type of columns, the best result of each representation, best first.

        Documents of mean length and of length 1 differ by a factor only, so the better of them counts.
        """
        groups: dict[tuple[str, str], dict[object, Result]] = {}
        for result in self._additive() if additive else self._of_kinds():
            candidate, representation = result.candidate, result.candidate.representation
            group = groups.setdefault((candidate.kind, representation.columns), {})
            scaled = "unit" if representation.length else None
            group.setdefault(replace(representation, length=scaled), result)
        return [list(group.values()) for group in groups.values()]

    def _all_groups(self) -> list[list[Result]]:
        """The groups of all candidates; and, if a recipe that adds is looked for, those of them that add."""
        return [*self._groups(), *(self._groups(additive=True) if self.updates == "auto" else [])]

    def _of_kinds(self) -> list[Result]:
        """The results of the kinds searched for; others were tried only for exact updates."""
        return [result for result in self._ranked() if result.candidate.kind in self.kinds]

    def _ranked(self) -> list[Result]:
        return sorted(self.results.values(), key=lambda result: result.rank)

    def _additive(self) -> list[Result]:
        return [result for result in self._ranked() if result.candidate.additive]

    def _try_by_class(self) -> None:
        """PNB*: choose the best Poisson setting for each class; evaluate the choice on other folds."""
        tried = [result for result in self.results.values() if result.candidate.kind in self._kept_kinds]
        tried.sort(key=lambda result: result.rank)
        self._kept_kinds.clear()
        if len(tried) > 1 and not self.is_over:
            start = time.perf_counter()
            parts = [result.scores for result in tried if result.scores is not None]
            candidate = _by_class([result.candidate for result in tried], best_by_class(parts, self.truth))
            measured = self.quality(self._out_of_fold(parts))
            scores = scores_by_class(parts, best_by_class(parts, self.truth)).astype(np.float32)
            seconds, order, first = time.perf_counter() - start, len(self.results), tried[0]
            found = Result(candidate, measured, seconds, order, scores, first.bias, first.sums)
            self.results[candidate] = found
        self._drop_scores()

    def _out_of_fold(self, parts: Sequence[Singles]) -> Singles:
        """The scores of each class by the candidate chosen for it on the other folds."""
        parts = [(part - part.mean(axis=0)) / np.maximum(part.std(axis=0), 1e-12) for part in parts]
        fold_of, scores = self.fold_of, np.empty_like(parts[0])
        for fold in range(_BLEND_FOLDS):
            chosen = best_by_class([part[fold_of != fold] for part in parts], self.truth[fold_of != fold])
            scores[fold_of == fold] = scores_by_class([part[fold_of == fold] for part in parts], chosen)
        return scores

    # What to try next.

    def _on_columns(self, others: Sequence[str], first: str, kinds: Sequence[str] = SEARCHED) -> list[Trial]:
        """The best candidate of each kind on the first columns, now on others."""
        groups = [group[0].candidate for group in self._all_groups()]
        best = [one for one in groups if one.kind in kinds and one.representation.columns == first]
        moved = (
            replace(one, representation=replace(one.representation, columns=columns))
            for columns in others
            for one in best
        )
        return _once([Trial(candidate, (candidate.smoothing,)) for candidate in moved])

    def refined(self, factor: float = _REFINEMENT) -> list[Trial]:
        """Smaller and larger smoothing for the best of each kind and type of columns."""
        trials = []
        for group in self._all_groups():
            best = group[0].candidate
            # Models that are refitted for every fold would take too long, for little gain.
            if best.smoothing is not None and best.variant.exact_loo:
                near = (best.smoothing / factor, best.smoothing * factor)
                trials.append(Trial(best, tuple(float(f"{value:.2g}") for value in near)))
        return _once(trials)

    # Results.

    @property
    def best(self) -> Result:
        """The best single candidate of the kinds searched for."""
        return (self._of_kinds() or self._ranked())[0]

    @property
    def best_additive(self) -> Result | None:
        """The best single candidate whose statistics add; None if none was tried."""
        return next(iter(self._additive()), None)

    def best_per_kind(self, additive: bool = False) -> list[Result]:
        """The best of each kind of model, on each type of columns."""
        return [result for group in self._groups(additive) for result in group[:_BEST_PER_KIND]]

    def entries(self, chosen: Sequence[Candidate]) -> list[Entry]:
        """Return a line for every candidate that was evaluated."""
        return [
            Entry(
                str(result.candidate),
                result.quality.value,
                result.quality.interval,
                result.seconds,
                result.candidate,
                result.candidate in chosen,
                len(self.training.evaluated),
            )
            for result in self._ranked()
        ]


def _once(trials: list[Trial]) -> list[Trial]:
    return list(dict.fromkeys(trials))
