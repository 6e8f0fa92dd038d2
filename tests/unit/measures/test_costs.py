"""Cost matrices and the mean cost of decisions."""

import copy
import pickle
from dataclasses import replace

import numpy as np
import pytest

from textbayes import CostMatrix
from textbayes.errors import (
    LabelsError,
    ModelDamagedError,
    ParameterConflictError,
    ParameterError,
    ShapeError,
)
from textbayes.evaluation import mean_cost
from textbayes.measures import best_classes, decided_quality, is_expected_better, objective, quality

CLASSES = ["größe", "名前", "ham"]
COSTS = [[0, 2, 5], [1, 0.5, 1], [20, 30, 0]]


def drawn(seed=0, documents=300):
    random = np.random.default_rng(seed)
    codes = random.integers(3, size=documents)
    truth = np.eye(3, dtype=bool)[codes]
    return truth + random.normal(size=truth.shape), truth, codes


def test_the_mean_cost_is_the_mean_over_documents():
    scores, truth, codes = drawn()
    given = scores.argmax(axis=1)
    expected = sum(COSTS[i][j] for i, j in zip(codes, given, strict=True)) / len(codes)
    labels = np.array(CLASSES)
    assert mean_cost(labels[codes], labels[given], CostMatrix(COSTS, CLASSES)) == pytest.approx(expected)
    own = objective(CostMatrix(COSTS, CLASSES), CLASSES)
    assert quality(scores, truth, own, False).value == pytest.approx(-expected)
    assert decided_quality(best_classes(scores), truth, own).value == pytest.approx(-expected)


def test_the_error_is_that_of_the_bootstrap():
    scores, truth, _ = drawn(documents=1500)
    own, random = objective(CostMatrix(COSTS, CLASSES), CLASSES), np.random.default_rng(0)
    samples = [random.integers(0, len(truth), len(truth)) for _ in range(300)]
    spread = np.std([quality(scores[rows], truth[rows], own, False).value for rows in samples])
    assert quality(scores, truth, own, False).error == pytest.approx(spread, rel=0.15)


def test_classes_may_come_in_any_order():
    matrix = CostMatrix(COSTS, CLASSES)
    assert matrix.of(["ham", "größe"]).tolist() == [[0, 20], [5, 0]]
    with pytest.raises(ParameterError, match="'spam' has none"):
        matrix.of(["ham", "spam"])
    assert CostMatrix([[0, 1], [2, 0]], [7, 3]).of([3, 7]).tolist() == [[0, 2], [1, 0]]


def test_the_unit_does_not_change_a_choice():
    scores, truth, _ = drawn()
    better = scores + 0.3 * truth
    for factor in (1e-3, 1.0, 1e4):
        own = objective(CostMatrix(factor * np.array(COSTS), CLASSES), CLASSES)
        one, other = (quality(each, truth, own, False) for each in (better, scores))
        assert one.unit == pytest.approx(factor * 58 / 6)
        assert is_expected_better(one, other)
        assert not is_expected_better(other, one)
        narrow = replace(other, value=other.value + 1e-6 * factor)
        assert not is_expected_better(narrow, one)


@pytest.mark.parametrize(
    ("costs", "place"),
    [
        ([[0, 1], [-1, 0]], r"costs\[1\]\[0\] \(true '名', decided 'a'\)=-1"),
        ([[0, float("nan")], [1, 0]], r"costs\[0\]\[1\] \(true 'a', decided '名'\)=nan"),
        ([[0, float("inf")], [1, 0]], r"costs\[0\]\[1\].*=inf"),
        ([[0, "1"], [1, 0]], r"costs\[0\]\[1\].*='1'"),
        ([[0, True], [1, 0]], r"costs\[0\]\[1\].*=True"),
        ([[2, 1], [1, 0]], r"costs\[0\]\[0\] \(true 'a', decided 'a'\)=2"),
        ([[1, 1], [0, 0]], "costs="),
    ],
)
def test_bad_costs_are_named(costs, place):
    with pytest.raises(ParameterError, match=place):
        CostMatrix(costs, ["a", "名"])


@pytest.mark.parametrize("costs", [[[0, 1]], [[0], [1]], [[0, 1], [1, 0], [1, 1]], [[0, 1], [1]]])
def test_costs_are_square(costs):
    with pytest.raises(ShapeError, match="costs"):
        CostMatrix(costs, ["a", "b"])


def test_no_costs_and_labels_twice():
    with pytest.raises(ParameterError, match="costs"):
        CostMatrix([], [])
    with pytest.raises(ParameterError, match=r"classes\[2\]='a'"):
        CostMatrix(np.ones((3, 3)) - np.eye(3), ["a", "b", "a"])


def test_several_labels_have_no_cost():
    with pytest.raises(ParameterConflictError, match="several labels"):
        objective(CostMatrix(COSTS, CLASSES), CLASSES, multilabel=True)
    with pytest.raises(LabelsError):
        mean_cost([[1, 0]], [[0, 1]], CostMatrix(COSTS, CLASSES))


def test_mean_cost_checks_its_input():
    with pytest.raises(ShapeError):
        mean_cost(["ham"], ["ham", "ham"], CostMatrix(COSTS, CLASSES))
    with pytest.raises(ParameterError, match="'spam' has none"):
        mean_cost(["ham"], ["spam"], CostMatrix(COSTS, CLASSES))
    assert np.isnan(mean_cost([], [], CostMatrix(COSTS, CLASSES)))


def test_it_is_a_value():
    matrix = CostMatrix(np.array(COSTS), np.array(CLASSES))
    assert matrix == CostMatrix(COSTS, CLASSES)
    assert hash(matrix) == hash(CostMatrix(COSTS, CLASSES))
    assert matrix != CostMatrix(COSTS, ["a", "b", "c"])
    assert matrix == copy.deepcopy(matrix) == pickle.loads(pickle.dumps(matrix))
    assert CostMatrix.restore(matrix.store()) == matrix
    numbers = CostMatrix([[0, 1], [2, 0]], np.array([3, 7]))
    assert CostMatrix.restore(numbers.store()) == numbers
    assert type(numbers.classes[0]) is int


@pytest.mark.parametrize("broken", [[0.0] * 8, [np.nan] * 9, [0.0] * 9, [0, -1, 0, 1, 0, 1, 1, 1, 0]])
def test_a_damaged_file_is_refused(broken):
    stored = CostMatrix(COSTS, CLASSES).store()
    with pytest.raises(ModelDamagedError):
        CostMatrix.restore(replace(stored, arrays={**stored.arrays, "costs": np.array(broken, dtype=float)}))
