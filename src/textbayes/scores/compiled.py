"""Rows × a compiled weight table → scores."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from textbayes._native import BlendSettings, CompiledWeights, CountedTable, available_threads
from textbayes._native import CompiledScorer as _CoreScorer
from textbayes.counts import Rows
from textbayes.scores.explanation import Contributions

Reals = NDArray[np.float64]


class CompiledScorer:
    """Scores rows by the compiled weights of a blend.

    Parameters
    ----------
    weights : CompiledWeights
        The weights.
    classes : int
        The number of classes.
    live : (BlendSettings, list of CountedTable), optional
        Tables that are computed from sums, in place of compiled ones. The scorer holds these sums: drop it
        before they change.
    """

    def __init__(
        self,
        weights: CompiledWeights,
        classes: int,
        live: tuple[BlendSettings, list[CountedTable]] | None = None,
    ) -> None:
        self._scorer, self._classes = _CoreScorer(weights, live), classes

    def scores(self, rows: Rows) -> Reals:
        """Score every row in every class: shape (documents, classes), classes sorted."""
        return self._scorer.scores(rows, available_threads()).reshape(len(rows), self._classes)

    def best(self, rows: Rows, k: int) -> tuple[NDArray[np.intp], Reals]:
        """Return the ``k`` best classes of each row and their scores, best first."""
        k = min(k, self._classes)
        best, scores = self._scorer.best(rows, k, available_threads())
        return best.reshape(len(rows), k).astype(np.intp), scores.reshape(len(rows), k)

    def first(self, rows: Rows) -> NDArray[np.intp]:
        """Return the best class of each row."""
        return self._scorer.first(rows, available_threads()).astype(np.intp)

    def contributions(self, row: Rows) -> Contributions:
        """Return what each entry of one row adds to each class."""
        bias, entries = self._scorer.contributions(row)
        return Contributions(bias, entries.reshape(len(row.columns), len(bias)))

    def table_scores(self, row: Rows, table: int) -> Reals:
        """Return what one table adds to the scores of one row."""
        return self._scorer.table_scores(row, table)

    def form_values(self, row: Rows, form: int) -> Reals:
        """Return one row in one form, divided by its length: a value for each entry."""
        return self._scorer.form_values(row, form)
