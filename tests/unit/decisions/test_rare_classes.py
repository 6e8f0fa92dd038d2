"""Biases that lean towards rare classes."""

import numpy as np
import pytest

from textbayes.decisions import rare_class_offsets


def test_rarer_classes_gain_more_and_the_largest_nothing():
    truth = np.eye(3, dtype=bool)[[0] * 8 + [1] * 4 + [2]]
    scores = np.random.default_rng(0).normal(size=truth.shape)
    tilt = rare_class_offsets(scores, truth)
    assert tilt[0] == 0 < tilt[1] < tilt[2]
    assert tilt[2] / tilt[1] == pytest.approx(np.log(8) / np.log(2))


def test_offsets_grow_with_the_scale_of_scores():
    truth = np.eye(3, dtype=bool)[[0, 0, 1, 2, 0]]
    scores = np.random.default_rng(1).normal(size=truth.shape)
    assert rare_class_offsets(7 * scores, truth) == pytest.approx(7 * rare_class_offsets(scores, truth))


@pytest.mark.parametrize("shape", [(0, 3), (4, 1)])
def test_no_offsets_without_classes_or_documents(shape):
    assert not rare_class_offsets(np.zeros(shape), np.ones(shape, dtype=bool)).any()


def test_infinite_leads_do_not_count():
    truth = np.eye(3, dtype=bool)[[0, 0, 1]]
    scores = np.array([[2.0, 1.0, 0.0], [3.0, 2.0, -np.inf], [np.inf, 0.0, 0.0]])
    assert rare_class_offsets(scores, truth)[1] == pytest.approx(np.log(2))
