"""Figures by class size."""

import numpy as np
import pytest

from textbayes.errors import ParameterError, ShapeError
from textbayes.evaluation import break_even, by_class_size


def test_edges_belong_to_the_bin_they_begin():
    found = by_class_size([0.1, 0.2, 0.3, 0.5, 0.7], [9, 10, 29, 30, 300])
    assert [(each.name, each.classes) for each in found] == [
        ("0–9", 1),
        ("10–29", 2),
        ("30–99", 1),
        ("100–299", 0),
        ("300+", 1),
    ]
    assert [each.mean for each in found] == pytest.approx([0.1, 0.25, 0.5, np.nan, 0.7], nan_ok=True)


def test_bins_make_up_macro():
    random = np.random.default_rng(1)
    truth = random.random((60, 7)) < np.linspace(0.02, 0.6, 7)
    result = break_even(truth, random.random((60, 7)))
    bins = [each for each in by_class_size(result, truth.sum(axis=0), (5, 20)) if each.classes]
    total = sum(each.mean * each.classes for each in bins) / sum(each.classes for each in bins)
    assert total == pytest.approx(result.macro)


def test_classes_without_a_figure_do_not_count():
    first, _ = by_class_size([np.nan, 0.5], [0, 3], bins=[10])
    assert str(first) == "0–9: .500 (1 class)"


@pytest.mark.parametrize("bins", [(), (0, 5), (5, 5), (10, 5)])
def test_invalid_bins(bins):
    with pytest.raises(ParameterError, match=r"^bins="):
        by_class_size([0.5], [1], bins)


def test_sizes_of_other_classes():
    with pytest.raises(ShapeError, match="values has 1 item, and class_sizes has 2"):
        by_class_size([0.5], [1, 2])
