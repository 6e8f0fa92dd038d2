"""How many components a class gets."""

import numpy as np
import pytest

from textbayes.errors import ParameterError
from textbayes.weights import check_component_counts, component_counts

CLASSES = np.array(["밀", "قمح", "🌾"])
DOCUMENTS = np.array([1000, 30, 3])


@pytest.mark.parametrize(
    ("n_components", "expected"),
    [
        (1, [1, 1, 1]),
        (4, [4, 4, 1]),
        (np.int64(20), [20, 15, 1]),
        (0.01, [10, 1, 1]),
        (0.1, [100, 3, 1]),
        (0.999, [500, 15, 1]),
        ({"밀": 3}, [3, 1, 1]),
        ({"밀": 3, "قمح": 0.2, "🌾": 2}, [3, 6, 1]),
        # Below 0: held-out documents choose, up to this many.
        ("auto", [-16, 1, 1]),
        ({"밀": "auto", "قمح": 2}, [-16, 2, 1]),
    ],
)
def test_never_more_than_a_class_can_feed(n_components, expected):
    check_component_counts(n_components)
    assert component_counts(n_components, CLASSES, DOCUMENTS) == expected


@pytest.mark.parametrize(
    "n_components", [0, -1, 0.0, 1.0, 1.5, True, "many", None, [2], {"밀": 0}, {"밀": "x"}]
)
def test_what_is_no_number_of_components(n_components):
    with pytest.raises(ParameterError, match=r"n_components=.* is not allowed"):
        check_component_counts(n_components)


def test_a_mapping_names_classes_that_there_are():
    with pytest.raises(ParameterError, match=r"n_components\['wheat'\]=2"):
        component_counts({"wheat": 2}, CLASSES, DOCUMENTS)
