"""Isotonic maps from numbers to probabilities."""

import numpy as np
import pytest

from textbayes.decisions.isotonic import IsotonicMap, fit_isotonic_map
from textbayes.errors import ModelDamagedError
from textbayes.persistence import Stored


def fitted(values, came_true, prior=0.5):
    return fit_isotonic_map(
        np.asarray(values, float), np.asarray(came_true, float), np.ones(len(values)), prior
    )


def test_levels_are_how_often_values_came_true():
    random = np.random.default_rng(0)
    values = random.random(20_000)
    found = fitted(values, random.random(20_000) < values**2)
    grid = np.linspace(0.05, 0.95, 19)
    assert np.abs(found(grid) - grid**2).max() < 0.04
    assert np.all(np.diff(found.levels) >= 0)


def test_few_cases_are_not_certain():
    assert fitted([0.9, 0.95, 0.99, 0.8], [1, 1, 1, 1])(np.array([0.5, 1.0])).tolist() == [5 / 6, 5 / 6]
    assert fitted([0.9, 0.95], [0, 0])(np.array([0.9])).tolist() == [1 / 4]


def test_equal_values_get_one_level_in_any_order():
    values, came_true = np.full(100, 0.7), np.repeat([1.0, 0.0], 50)
    one, two = fitted(values, came_true), fitted(values, came_true[::-1])
    assert one.levels.tolist() == two.levels.tolist() == [51 / 102]


def test_weights_count_as_cases():
    values, came_true = np.repeat([0.2, 0.8], 30), np.tile([0.0, 1.0, 1.0], 20)
    doubled = fit_isotonic_map(values, came_true, np.full(60, 2.0))
    repeated = fitted(np.repeat(values, 2), np.repeat(came_true, 2))
    assert doubled(values) == pytest.approx(repeated(values))


@pytest.mark.parametrize(
    ("points", "levels"),
    [
        ([0.1, 0.2], [0.5]),
        ([0.2, 0.1], [0.5, 0.6]),
        ([0.1, 0.2], [0.6, 0.5]),
        ([0.1, 2.0], [0.1, 0.2]),
        ([0.1], [np.nan]),
    ],
)
def test_a_file_with_another_map_is_refused(points, levels):
    stored = Stored({}, {"p": np.array(points), "l": np.array(levels)})
    with pytest.raises(ModelDamagedError):
        IsotonicMap.restore(stored, "p", "l", 0.0, 1.0)
