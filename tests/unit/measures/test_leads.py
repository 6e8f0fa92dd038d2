"""A lead of the second class, and two columns."""

import numpy as np
import pytest

from textbayes.measures import second_lead, two_column_parts, two_columns
from textbayes.scores import Contributions


def test_two_columns_become_their_difference():
    assert second_lead(np.array([[1.0, 3.0], [2.0, 2.0]])).tolist() == [2.0, 0.0]
    for width in (0, 1, 3):
        assert second_lead(np.zeros((4, width))).shape == (4, width)


def test_a_lead_becomes_two_halves():
    lead = np.array([3.0, -1e-300, 0.0, 1e308])
    columns = two_columns(lead)
    assert np.array_equal(second_lead(columns), lead)
    assert np.array_equal(columns[:, 0], -columns[:, 1])
    assert two_columns(columns) is columns


def test_an_infinite_lead_rules_a_class_out():
    assert two_columns(np.array([np.inf, -np.inf])).tolist() == [[-np.inf, 0.0], [0.0, -np.inf]]


@pytest.mark.parametrize(
    ("bias", "entries"),
    [(2.0, [1.0, -0.5]), (2.0, [np.inf, -1.0]), (np.inf, [1.0]), (-np.inf, [1.0]), (0.5, [3.0, -np.inf])],
)
def test_parts_add_up_to_the_columns(bias, entries):
    parts = Contributions(np.array([bias]), np.array(entries)[:, None])
    assert np.array_equal(two_column_parts(parts).scores, two_columns(parts.scores)[0])
