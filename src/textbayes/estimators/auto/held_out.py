"""Held-out scores: training documents scored by models that did not learn them."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from textbayes._native import available_threads
from textbayes.estimators.auto.candidate import Candidate
from textbayes.estimators.auto.column_kinds import Kinds, used_columns
from textbayes.estimators.auto.representation import Representation, fit_step, with_columns
from textbayes.estimators.models.multinomial import MultinomialNB
from textbayes.measures import deal_folds, shuffled_strata, two_columns
from textbayes.statistics import Targets

Reals = NDArray[np.float64]
Places = NDArray[np.intp]

FOLDS = 5
# With more entries, candidates and folds follow each other: each takes memory, and its core uses all threads.
_MOST_PARALLEL = 300_000
# Leave-one-out of a Poisson model visits classes × terms for each length; with more cells, folds are used.
_MOST_CELLS = 1 << 28


def dealt_folds(targets: Targets, seed: int) -> Places:
    """Return the fold of each document."""
    return deal_folds(shuffled_strata(targets, seed), FOLDS)


class HeldOut(NamedTuple):
    """Held-out scores of a candidate, and what they are divided by in a blend.

    Parameters
    ----------
    scores : array of shape (documents, classes)
        Scores of the evaluated documents.
    bias : array of shape (classes,)
        Scores of an empty row; 0 for a model that is not linear.
    sums : array of shape (documents,)
        Sum of each row in the candidate's representation.
    """

    scores: Reals
    bias: Reals
    sums: Reals


class _Represented(NamedTuple):
    """Documents in one representation."""

    representation: Representation
    learned: sparse.csr_matrix
    evaluated: sparse.csr_matrix
    sums: MultinomialNB

    @property
    def row_sums(self) -> Reals:
        return np.asarray(self.evaluated.sum(axis=1), dtype=np.float64).ravel()


@dataclass(eq=False)
class TrainingSet:
    """Counts, labels, and the documents on which candidates are evaluated.

    Parameters
    ----------
    counts : csr_matrix of shape (documents, terms)
        Counts.
    labels : array
        Labels or an indicator, as ``fit`` takes them.
    targets : Targets
        The same as targets.
    kinds : array of int
        The kinds of the columns.
    evaluated : array of int
        Documents that are scored.
    random_state : int
        Seed of the folds and of random models.
    weights : array of shape (documents,), optional
        How often each document counts, never 0; once by default. A document is left out with its whole
        weight. Only the choice of terms counts every document once.
    """

    counts: sparse.csr_matrix
    labels: Any
    targets: Targets
    kinds: Kinds
    evaluated: Places
    random_state: int
    weights: Reals | None = None
    # The latest representation of each thread: threads work on several at once.
    _latest: threading.local = field(default_factory=threading.local, init=False)
    _parts: dict[str, sparse.csr_matrix] = field(default_factory=dict, init=False)

    @property
    def threads(self) -> int:
        """How many representations or folds are worked on at a time."""
        return available_threads() if self.counts.nnz <= _MOST_PARALLEL else 1

    def entries(self, columns: str) -> int:
        """Return the number of counts in some of the columns."""
        return int(self._counts_of(columns).nnz)

    @property
    def truth(self) -> NDArray[np.bool_]:
        """Label indicator of the evaluated documents."""
        return self.targets.take(self.evaluated).indicator()

    @property
    def evaluated_weights(self) -> Reals | None:
        """Weights of the evaluated documents."""
        return None if self.weights is None else self.weights[self.evaluated]

    def held_out_scores(self, candidate: Candidate, values: Sequence[float | None]) -> Iterator[HeldOut]:
        """Yield held-out scores for each value of a candidate's smoothing.

        They are leave-one-out scores, without the terms that no other document has: a new document's unknown
        terms have no column either. Five folds are used instead if labels select the terms, if the model has
        no closed form, or if a Poisson model has many terms.
        """
        exact = candidate.representation.terms is None and candidate.variant.exact_loo
        if candidate.variant.by_length:
            exact = (
                exact
                and self.counts.shape[1] * len(self.targets.classes) * len(self.evaluated) <= _MOST_CELLS
            )
        yield from self._leave_one_out(candidate, values) if exact else self._by_folds(candidate, values)

    def _leave_one_out(self, candidate: Candidate, values: Sequence[float | None]) -> Iterator[HeldOut]:
        represented = self._represent(candidate.representation)
        labels, weights = self.labels[self.evaluated], self.evaluated_weights
        if candidate.variant.by_length:
            evaluated = represented.learned[self.evaluated]
            model = candidate.model().fit(represented.learned, self.labels, sample_weight=self.weights)
        else:
            evaluated, model = represented.evaluated, candidate.model().share_statistics(represented.sums)
        smoothing = candidate.variant.smoothing
        if smoothing is None or values[0] is None:
            scores = two_columns(model.loo_scores(evaluated, labels, weights))
            yield HeldOut(scores, _bias(candidate, model), represented.row_sums)
            return
        numbers = [float(value or 0) for value in values]
        path = model.loo_score_path(evaluated, labels, numbers, weights)
        for value, scores in zip(numbers, path, strict=True):
            bias = _bias(candidate, model.set_params(**{smoothing: value}))
            yield HeldOut(two_columns(scores), bias, represented.row_sums)

    def _represent(self, representation: Representation) -> _Represented:
        """Represent and sum all documents; drop the terms of evaluated documents that no other has."""
        latest: _Represented | None = getattr(self._latest, "represented", None)
        if latest is not None and latest.representation == representation:
            return latest
        learned, steps = self._cut(representation)
        for step in steps:
            learned = step.fit_transform(learned, sample_weight=self.weights)
        learned = sparse.csr_matrix(learned, dtype=np.float64)
        with_term = np.bincount(learned.indices, minlength=learned.shape[1])
        evaluated = sparse.csr_matrix(learned[self.evaluated])
        evaluated.data *= with_term[evaluated.indices] > 1
        evaluated.eliminate_zeros()
        sums = MultinomialNB().fit(learned, self.labels, sample_weight=self.weights)
        latest = self._latest.represented = _Represented(representation, learned, evaluated, sums)
        return latest

    def _cut(self, representation: Representation) -> tuple[sparse.csr_matrix, list[Any]]:
        """Return the columns of a representation, and the transformers to apply to them."""
        counts = self._counts_of(representation.columns)
        return counts, replace(representation, columns="all").steps(self.kinds, counts.shape[1])

    def _counts_of(self, columns: str) -> sparse.csr_matrix:
        if columns not in self._parts:
            self._parts[columns] = with_columns(self.counts, used_columns(columns, self.kinds))
        return self._parts[columns]

    def _by_folds(self, candidate: Candidate, values: Sequence[float | None]) -> Iterator[HeldOut]:
        fold_of = dealt_folds(self.targets, self.random_state)
        place = np.full(len(fold_of), -1)
        place[self.evaluated] = np.arange(len(self.evaluated))
        parts = [(np.flatnonzero((fold_of == fold) & (place >= 0)), fold_of != fold) for fold in range(FOLDS)]
        parts = [(rows, others) for rows, others in parts if rows.size and others.any()]
        scores = np.full((len(values), len(self.evaluated), len(self.targets.classes)), -np.inf)
        biases, sums = np.zeros((len(values), len(self.targets.classes))), np.zeros(len(self.evaluated))
        models_of = np.zeros(len(self.targets.classes))
        # The threads of one model wait for each other; those of the folds do not, but they take more memory.
        with ThreadPoolExecutor(self.threads) as pool:
            found = pool.map(partial(self._fold_scores, candidate, values), parts)
            for (rows, _), (known, own) in zip(parts, found, strict=True):
                models_of[known] += 1
                for smoothed, bias, one in zip(scores, biases, own, strict=True):
                    smoothed[np.ix_(place[rows], known)] = one.scores
                    bias[known] += one.bias
                    sums[place[rows]] = one.sums
        # The models of the folds have almost the same bias.
        biases /= np.maximum(models_of, 1.0)
        yield from (HeldOut(*one, sums) for one in zip(scores, biases, strict=True))

    def _fold_scores(
        self,
        candidate: Candidate,
        values: Sequence[float | None],
        fold: tuple[Places, NDArray[np.bool_]],
    ) -> tuple[Places, list[HeldOut]]:
        """Return the classes known to the model of a fold, and its scores for each value of its smoothing."""
        rows, learned = fold
        counts, steps = self._cut(candidate.representation)
        evaluated, learned_counts, labels = counts[rows], counts[learned], self.labels[learned]
        weights = None if self.weights is None else self.weights[learned]
        for step in steps:
            learned_counts = fit_step(step, learned_counts, labels, weights).transform(learned_counts)
            evaluated = step.transform(evaluated)
        variant, found = candidate.variant, []
        fast = getattr(variant.estimator, "fast_parameters", {})
        model = candidate.model(self.random_state).set_params(**fast)
        model.fit(learned_counts, labels, sample_weight=weights)
        for value in values:
            if variant.smoothing is not None and value is not None:
                model.set_params(**{variant.smoothing: float(value)})
            scores = two_columns(model.decision_function(evaluated))
            sums = np.asarray(evaluated.sum(axis=1), dtype=np.float64).ravel()
            found.append(HeldOut(scores, _bias(candidate, model), sums))
        return np.searchsorted(self.targets.classes, model.classes_), found


def _bias(candidate: Candidate, model: Any) -> Reals:
    """Return the scores of an empty row, if they are needed: 0 for a model that a blend takes as it is."""
    if not candidate.per_count:
        return np.zeros(len(model.classes_))
    empty = sparse.csr_matrix((1, model.n_features_in_))
    return np.asarray(two_columns(model.decision_function(empty))[0])
