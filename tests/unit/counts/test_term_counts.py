"""Sums over batches equal sums over everything."""

import numpy as np

from textbayes.counts import TermCounts, as_rows


def test_batches_of_growing_width():
    rng = np.random.default_rng(0)
    rows = rng.poisson(0.4, size=(50, 8))
    rows[:20, 5:] = 0
    counts = TermCounts()
    for start, width in ((0, 5), (10, 5), (20, 8), (40, 8)):
        counts.add(as_rows(rows[start : {0: 10, 10: 20, 20: 40, 40: 50}[start], :width]))
    assert counts.documents == 50
    assert counts.documents_with.tolist() == (rows > 0).sum(axis=0).tolist()
    assert counts.occurrences.tolist() == rows.sum(axis=0).tolist()


def test_some_columns():
    counts = TermCounts(3, np.array([1, 2, 3]), np.array([4, 5, 6]))
    assert counts.take(np.array([2, 0])).occurrences.tolist() == [6, 4]
    assert counts.take(np.array([True, False, True])).documents_with.tolist() == [1, 3]
    assert counts.take(np.array([0])).documents == 3
