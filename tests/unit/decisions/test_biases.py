"""Biases that make the fewest errors, and biases in favour of rare classes."""

import itertools

import numpy as np
import pytest

from textbayes.decisions import class_biases, rare_class_offsets


def errors(scores, classes, biases):
    return int((np.argmax(scores + biases, axis=1) != classes).sum())


@pytest.mark.parametrize("seed", range(8))
def test_one_bias_is_optimal(seed):
    rng = np.random.default_rng(seed)
    classes = rng.integers(0, 2, 40)
    scores = rng.normal(size=(40, 2)) + np.eye(2)[classes] + [1.5, 0.0]
    found = errors(scores, classes, class_biases(scores, classes))
    leads = scores[:, 0] - scores[:, 1]
    every = itertools.chain(leads - 1e-9, leads + 1e-9)
    assert found == min(errors(scores, classes, np.array([0.0, bias])) for bias in every)


@pytest.mark.parametrize("seed", range(5))
def test_never_more_errors_than_without(seed):
    rng = np.random.default_rng(seed)
    classes = rng.integers(0, 6, 200)
    scores = 2.0 * rng.normal(size=(200, 6)) + 2 * np.eye(6)[classes] + rng.normal(size=6) * 2
    biases = class_biases(scores, classes)
    assert errors(scores, classes, biases) < errors(scores, classes, np.zeros(6))
    again = class_biases(scores, classes)
    assert biases.tobytes() == again.tobytes()


def test_no_bias_without_errors():
    scores, classes = np.array([[3.0, 1.0], [0.0, 2.0]]), np.array([0, 1])
    assert class_biases(scores, classes).tolist() == [0.0, 0.0]


def test_impossible_classes_and_weights():
    scores = np.array([[-np.inf, 0.0], [1.0, 0.5], [1.0, 0.0]])
    assert np.isfinite(class_biases(scores, np.array([0, 1, 0]))).all()
    heavy = class_biases(scores, np.array([0, 1, 0]), np.array([1.0, 5.0, 1.0]))
    assert np.argmax(scores[1] + heavy) == 1


# In favour of rare classes.


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
