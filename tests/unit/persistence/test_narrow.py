"""Whole numbers in the narrowest type."""

import numpy as np
import pytest

from textbayes.errors import ModelDamagedError
from textbayes.persistence import Stored, narrowed, widened


@pytest.mark.parametrize(
    ("largest", "kind"),
    [(0, "u1"), (255, "u1"), (256, "u2"), (65_535, "u2"), (65_536, "u4"), (2**32 - 1, "u4")],
)
def test_the_largest_number_decides(largest, kind):
    numbers = np.array([0, largest])
    array = narrowed(numbers)
    assert array.dtype == np.dtype(kind)
    found = widened(Stored(arrays={"x": array}), "x", 2)
    assert found.dtype == np.uint32
    assert found.tolist() == [0, largest]


def test_no_numbers():
    assert narrowed(np.empty(0, np.int64)).dtype == np.uint8
    assert widened(Stored(arrays={"x": np.empty(0, np.uint8)}), "x").tolist() == []


@pytest.mark.parametrize(
    "array", [None, np.zeros(2), np.zeros(2, np.int64), np.zeros(3, np.uint16)], ids=repr
)
def test_other_arrays_are_refused(array):
    with pytest.raises(ModelDamagedError):
        widened(Stored(arrays={} if array is None else {"x": array}), "x", 2)
