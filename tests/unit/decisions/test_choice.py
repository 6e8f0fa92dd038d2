"""Picking and ranking."""

import numpy as np
import pytest

from textbayes.decisions import check_k, top_positions
from textbayes.errors import TopKError


def test_of_equal_positions_the_first():
    best, scores = top_positions(np.array([[1.0, 3.0, 3.0, -1.0], [0.0, 0.0, 0.0, 0.0]]), 3)
    assert best.tolist() == [[1, 2, 0], [0, 1, 2]]
    assert scores.tolist() == [[3.0, 3.0, 1.0], [0.0, 0.0, 0.0]]


def test_no_more_than_there_are():
    best, scores = top_positions(np.array([[1.0, 2.0]]), 9)
    assert best.tolist() == [[1, 0]]
    assert scores.shape == (1, 2)
    assert top_positions(np.empty((0, 3)), 2)[0].shape == (0, 2)


@pytest.mark.parametrize("k", [1, np.int32(3), 10**12])
def test_whole_numbers(k):
    assert check_k(k) == int(k)


@pytest.mark.parametrize("k", [0, -2, True, 1.0, "1", None])
def test_anything_else(k):
    with pytest.raises(TopKError):
        check_k(k)
