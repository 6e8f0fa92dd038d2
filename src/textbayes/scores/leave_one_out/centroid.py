"""The centroid classifier without one document."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from textbayes.scores.leave_one_out.removal import Removal
from textbayes.scores.linear import LinearScorer
from textbayes.weights import LinearWeights

Reals = NDArray[np.float64]

# Below this share of a squared length, the result of a subtraction has too few digits.
_LEFT = 1e-6


def centroid_scores_without(removal: Removal, norm: str) -> Reals:
    """Return the scores of each document by the model without it.

    A document moves only the centroids of its classes: x·(S − sx) = x·S − s‖x‖² and
    ‖S − sx‖² = ‖S‖² − 2s x·S + s²‖x‖², so plain scores are sufficient.
    """
    statistics, rows = removal.statistics, removal.own_rows
    sums = LinearWeights(
        np.zeros_like(statistics.class_values), linear_factors=np.ones_like(statistics.class_values)
    )
    scores = removal.by_slot(LinearScorer(sums, statistics).scores(removal.rows))
    squares = replace(removal.rows, values=removal.rows.values**2).sums()[rows]
    products, share = scores[removal.own_places], removal.sample_weight[rows]
    left = products - share * squares
    whole = statistics.sums.class_squares()
    lengths = np.sqrt(whole) if norm == "l2" else statistics.class_values
    if norm == "l2":
        own = whole[removal.own_slots]
        left_squares = own - share * (products + left)
        own_lengths = np.sqrt(np.maximum(left_squares, 0.0))
        doubtful = np.flatnonzero(left_squares < _LEFT * own)
    else:
        own_lengths = np.maximum(removal.own_values, 0.0)
        doubtful = np.flatnonzero(own_lengths < _LEFT * statistics.class_values[removal.own_slots])
    scores *= _reciprocal(lengths)
    scores[removal.own_places] = left * _reciprocal(own_lengths)
    _work_out(removal, doubtful, norm, scores)
    return removal.finished(scores)


def _work_out(removal: Removal, doubtful: NDArray[np.intp], norm: str, scores: Reals) -> None:
    """Subtract term by term if almost nothing is left of a class."""
    if not doubtful.size:
        return
    statistics, matrix = removal.statistics, removal.rows.matrix
    sums, documents = statistics.pair_values, statistics.pair_documents
    for at in doubtful:
        row, slot = removal.own_rows[at], removal.own_slots[at]
        x, share = matrix[[row]].toarray()[0], removal.sample_weight[row]
        others = documents[[slot]].toarray()[0] > share * (1.0 + 1e-9)
        left = np.where(others | (x == 0), sums[[slot]].toarray()[0] - share * x, 0.0)
        length = np.linalg.norm(left, 2 if norm == "l2" else 1)
        scores[row, slot] = x @ left / length if length > 0 else 0.0


def _reciprocal(lengths: Reals) -> Reals:
    return np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0)
