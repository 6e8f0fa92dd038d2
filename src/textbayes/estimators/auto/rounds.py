"""The rounds of a search: many candidates on a sample of the documents, then the best of them on more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textbayes.counts.selection import select_columns
from textbayes.errors import LabelsError
from textbayes.estimators.auto.candidate import Candidate
from textbayes.estimators.auto.choosing import ALL, Chosen, choose, shortlist
from textbayes.estimators.auto.choosing_columns import choose_columns
from textbayes.estimators.auto.column_kinds import Kinds
from textbayes.estimators.auto.grid import EXACT, PLANS, Trial
from textbayes.estimators.auto.held_out import FOLDS, TrainingSet, dealt_folds
from textbayes.estimators.auto.leaderboard import Entry
from textbayes.estimators.auto.search import Search, names_kinds
from textbayes.measures import Objective, sample_in_proportion
from textbayes.statistics import LabelledRows, Targets

# The sizes of the rounds, in entries of the count matrix: a compromise between quality, time and memory.
FIRST_ENTRIES = 1_500_000
SECOND_ENTRIES = 2_000_000
# Candidates are evaluated on at most this many documents, and scores.
_MOST_DOCUMENTS = 6_000
_MOST_SCORES = 1 << 22
# With more classes, the best candidate is taken alone: weights of a blend would take longer than the search.
_MOST_BLENDED = 1_000


@dataclass(frozen=True, eq=False)
class Plan:
    """What a search looks for, and how long.

    Parameters
    ----------
    metric : Objective
        Metric to maximise, and the weights of classes.
    candidates, blend, updates
        As for AutoNB.
    end : float or None
        The time of ``time.monotonic`` after which no more candidates are tried.
    seed : int
        Seed of samples, folds and random models.
    on_progress : callable or None
        Called with the number of trials done.
    """

    metric: str | Objective
    candidates: Any
    blend: bool
    updates: str
    end: float | None
    seed: int
    on_progress: Callable[[int], object] | None = None

    @property
    def is_given(self) -> bool:
        """Whether the candidates are given one by one."""
        return not names_kinds(self.candidates)

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of models."""
        if isinstance(self.candidates, str):
            return EXACT if self.updates == "exact" else PLANS[self.candidates]
        return tuple(one if isinstance(one, str) else one.kind for one in self.candidates)

    def blends(self, documents: LabelledRows) -> bool:
        """Whether candidates may be blended."""
        return self.blend and len(documents.targets.classes) <= _MOST_BLENDED

    def search(self, documents: LabelledRows, kinds: Kinds, growth: float = 1.0) -> Search:
        """Return a search on documents."""
        training = _training_set(documents, kinds, self.seed)
        return Search(training, self.metric, self.kinds, self.updates, self.end, self.on_progress, growth)


@dataclass(frozen=True, eq=False)
class Shortlist:
    """What is left after the first round.

    Parameters
    ----------
    candidates : sequence of Candidate
        The candidates for the second round.
    entries : sequence of Entry
        Lines of the leaderboard for all candidates of the first round.
    end : float or None
        When the search ends: that of the plan, for both rounds.
    """

    candidates: Sequence[Candidate]
    entries: Sequence[Entry]
    end: float | None = None


def first_round(documents: LabelledRows, kinds: Kinds, plan: Plan, growth: float = 1.0) -> Chosen | Shortlist:
    """Search a sample of documents.

    Parameters
    ----------
    documents : LabelledRows
        The documents.
    kinds : array of int
        The kinds of their columns.
    plan : Plan
        What to look for.
    growth : float, default=1.0
        How many times as many documents there are: if more than 1, these are a sample already.

    Returns
    -------
    Chosen or Shortlist
        The choice, if all documents were searched; otherwise the candidates for a second round.
    """
    sample = _drawn(documents, FIRST_ENTRIES, plan.seed)
    growth *= len(documents) / max(len(sample), 1)
    search = plan.search(sample, kinds, growth)
    search.run()
    blends = plan.blends(documents)
    columns = choose_columns(search) if blends else ALL
    if growth == 1.0:
        return choose(search, blends, columns)
    # Word pairs gain with more documents, so that the second round decides about them.
    columns |= ALL - {"characters"}
    found = shortlist(search, blends, columns)
    return Shortlist(found, search.entries([]), plan.end)


def second_round(
    found: Shortlist, documents: LabelledRows, kinds: Kinds, plan: Plan, growth: float = 1.0
) -> Chosen:
    """Compare the candidates of a shortlist on as many documents as a search takes."""
    search = _compared(found.candidates, documents, kinds, plan, growth)
    search.evaluate(search.refined())
    blends = plan.blends(documents)
    chosen = choose(search, blends, choose_columns(search) if blends else ALL)
    tried = set(search.results)
    early = [entry for entry in found.entries if entry.candidate not in tried]
    return chosen._replace(tried=[*chosen.tried, *early])


def _compared(
    candidates: Sequence[Candidate], documents: LabelledRows, kinds: Kinds, plan: Plan, growth: float = 1.0
) -> Search:
    sample = _drawn(documents, SECOND_ENTRIES, plan.seed)
    search = plan.search(sample, kinds, growth * len(documents) / max(len(sample), 1))
    search.evaluate([Trial(candidate, (candidate.smoothing,)) for candidate in candidates])
    return search


def run_rounds(documents: LabelledRows, kinds: Kinds, plan: Plan) -> Chosen:
    """Search all documents, in one round or two."""
    if plan.is_given:
        return choose(_compared(plan.candidates, documents, kinds, plan), plan.blends(documents))
    found = first_round(documents, kinds, plan)
    return second_round(found, documents, kinds, plan) if isinstance(found, Shortlist) else found


def _drawn(documents: LabelledRows, entries: int, seed: int) -> LabelledRows:
    """Draw documents with about this many entries, every class among them."""
    share = entries / max(len(documents.rows.columns), 1)
    if share >= 1.0:
        return documents
    most = max(int(share * len(documents)), 1)
    return documents.take(sample_in_proportion(documents.targets, most, seed))


def _evaluated(targets: Targets, seed: int) -> NDArray[np.intp]:
    """Choose documents to evaluate: whole folds, because other folds then need no model."""
    most = max(min(_MOST_DOCUMENTS, _MOST_SCORES // len(targets.classes)), 1)
    if len(targets) <= most:
        return np.arange(len(targets))
    folds = int(np.ceil(FOLDS * most / len(targets)))
    found = np.flatnonzero(dealt_folds(targets, seed) < folds)
    own = targets.take(found)
    return np.asarray(found[sample_in_proportion(own, most, seed, least=0)])


def _training_set(documents: LabelledRows, kinds: Kinds, seed: int) -> TrainingSet:
    targets = documents.targets
    if not len(targets.codes):
        raise LabelsError("no labels at all, so there is no class to search a model for")
    evaluated = _evaluated(targets, seed)
    labels = targets.labels()
    if targets.multilabel:
        # Candidates number the classes; an indicator with one column would be read as labels.
        labels = targets = replace(targets, classes=np.arange(len(targets.classes)))
    used = np.zeros(documents.rows.width, dtype=bool)
    used[documents.rows.columns] = True
    rows = documents.rows if used.all() else select_columns(documents.rows, used)
    return TrainingSet(rows.matrix, labels, targets, kinds[used], evaluated, seed, documents.weights)
