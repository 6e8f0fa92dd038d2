"""Biases for a cost matrix."""

import itertools

import numpy as np
import pytest

from textbayes.decisions import (
    cost_biases,
    expected_cost_biases,
    held_out_cost_biases,
    least_cost_biases,
    pairwise_biases,
)


def drawn(classes=3, documents=400, seed=0):
    """Calibrated log probabilities, and classes drawn from them."""
    random = np.random.default_rng(seed)
    chances = random.dirichlet(np.full(classes, 0.7), size=documents)
    codes = np.array([random.choice(classes, p=row) for row in chances])
    return np.log(np.maximum(chances, 1e-12)), np.eye(classes, dtype=bool)[codes]


def cost(scores, truth, costs, biases=0.0):
    return costs[truth.argmax(axis=1), np.argmax(scores + biases, axis=1)].mean()


def drawn_costs(classes, seed=0):
    costs = np.exp(1.5 * np.random.default_rng(seed).normal(size=(classes, classes)))
    np.fill_diagonal(costs, 0.0)
    return costs


def test_two_classes_get_the_decision_of_least_expected_cost():
    scores, _ = drawn(2)
    costs = np.array([[0.5, 20.0], [3.0, 1.0]])
    best = np.argmin(np.exp(scores) @ costs, axis=1)
    assert np.array_equal(np.argmax(scores + pairwise_biases(costs), axis=1), best)
    assert np.array_equal(np.argmax(scores + expected_cost_biases(scores, costs), axis=1), best)


def test_costs_of_the_true_class_get_the_decision_of_least_expected_cost():
    scores, _ = drawn(5)
    costs = np.array([1.0, 2.0, 5.0, 0.1, 30.0])[:, None] * (1.0 - np.eye(5))
    best = np.argmin(np.exp(scores) @ costs, axis=1)
    assert np.array_equal(np.argmax(scores + pairwise_biases(costs), axis=1), best)


@pytest.mark.parametrize("seed", range(5))
def test_expected_costs_fall_from_step_to_step(seed):
    scores, _ = drawn(6, seed=seed)
    costs, chances = drawn_costs(6, seed), np.exp(scores)
    expected = [
        (chances @ costs)[np.arange(len(scores)), np.argmax(scores + biases, axis=1)].mean()
        for biases in (np.zeros(6), pairwise_biases(costs), expected_cost_biases(scores, costs))
    ]
    assert expected[2] < expected[1]
    assert expected[2] < expected[0]


@pytest.mark.parametrize("seed", range(5))
def test_one_bias_is_optimal(seed):
    scores, truth = drawn(2, 60, seed)
    costs = np.array([[0.0, 7.0], [2.0, 1.0]])
    found = cost(scores, truth, costs, cost_biases(scores, truth, costs))
    leads = scores[:, 1] - scores[:, 0]
    every = itertools.chain(leads - 1e-9, leads + 1e-9)
    assert found == pytest.approx(min(cost(scores, truth, costs, np.array([bias, 0.0])) for bias in every))


@pytest.mark.parametrize("seed", range(3))
def test_other_documents_cost_less_too(seed):
    scores, truth = drawn(4, 3000, seed)
    costs, half = drawn_costs(4, seed), np.arange(3000) < 1500
    biases = cost_biases(scores[half], truth[half], costs)
    assert cost(scores[~half], truth[~half], costs, biases) < 0.95 * cost(scores[~half], truth[~half], costs)


def test_held_out_biases_are_those_of_the_other_folds():
    scores, truth = drawn(3, 200)
    costs, fold_of = drawn_costs(3), np.arange(200) % 3
    weights = np.random.default_rng(0).integers(1, 4, 200).astype(float)
    found = held_out_cost_biases(scores, truth, costs, fold_of, weights)
    others = fold_of != 1
    expected = cost_biases(scores[others], truth[others], costs, weights[others])
    assert np.array_equal(found[4], expected)
    changed = truth.copy()
    changed[fold_of == 1] = truth[fold_of == 1][::-1]
    again = held_out_cost_biases(scores, changed, costs, fold_of, weights)
    assert np.array_equal(found[fold_of == 1], again[fold_of == 1])


def test_a_weight_is_a_number_of_documents():
    scores, truth = drawn(3, 100)
    costs, weights = drawn_costs(3), np.random.default_rng(0).integers(1, 4, 100)
    repeated = np.repeat(np.arange(100), weights)
    weighted = cost_biases(scores, truth, costs, weights.astype(float))
    assert weighted == pytest.approx(cost_biases(scores[repeated], truth[repeated], costs))


def test_the_scale_of_costs_does_not_matter():
    scores, truth = drawn(3)
    costs = drawn_costs(3)
    for factor in (1e-6, 1e6):
        assert cost_biases(scores, truth, factor * costs) == pytest.approx(cost_biases(scores, truth, costs))


def test_mistakes_without_cost_and_impossible_classes_stay_finite():
    costs = np.array([[0.0, 0.0, 1.0], [0.0, 0.0, 1.0], [5.0, 5.0, 0.0]])
    assert np.isfinite(pairwise_biases(costs)).all()
    scores, truth = drawn(3, 50)
    scores[::7, 0] = -np.inf
    for biases in (cost_biases(scores, truth, costs), expected_cost_biases(scores, costs)):
        assert np.isfinite(biases).all()


def test_without_documents_the_costs_decide():
    costs = drawn_costs(3)
    none, empty = np.zeros((0, 3)), np.zeros((0, 3), dtype=bool)
    assert np.array_equal(cost_biases(none, empty, costs), pairwise_biases(costs))
    assert np.array_equal(expected_cost_biases(none, costs), pairwise_biases(costs))
    assert not pairwise_biases(np.zeros((1, 1))).any()


@pytest.mark.parametrize("seed", range(3))
def test_leaders_are_kept_up(seed):
    """Coordinate descent that looks at all scores after every step finds the same biases."""
    random = np.random.default_rng(seed)
    scores = np.round(random.normal(size=(80, 5)), 1)
    charged = random.random((80, 5))
    biases = least_cost_biases(scores, charged)
    for column in range(5):
        own = [np.array(biases) for _ in range(2)]
        total = charged[np.arange(80), np.argmax(scores + biases, axis=1)].sum()
        for shift, changed in zip((-0.2, 0.2), own, strict=True):
            changed[column] += shift
            assert charged[np.arange(80), np.argmax(scores + changed, axis=1)].sum() >= total - 1e-9
