"""Picking and ranking."""

import numpy as np

from textbayes.decisions import top_positions


def test_of_equal_positions_the_first():
    best, scores = top_positions(np.array([[1.0, 3.0, 3.0, -1.0], [0.0, 0.0, 0.0, 0.0]]), 3)
    assert best.tolist() == [[1, 2, 0], [0, 1, 2]]
    assert scores.tolist() == [[3.0, 3.0, 1.0], [0.0, 0.0, 0.0]]


def test_no_more_than_there_are():
    best, scores = top_positions(np.array([[1.0, 2.0]]), 9)
    assert best.tolist() == [[1, 0]]
    assert scores.shape == (1, 2)
    assert top_positions(np.empty((0, 3)), 2)[0].shape == (0, 2)
