"""Rows, labels and weights as one value."""

import numpy as np
import pytest

from textbayes.counts import as_rows
from textbayes.statistics import LabelledRows, as_label_targets

ROWS = [[1.5, 0], [0, 2], [0, 0], [4, 1]]


def labelled(labels=("밀", "oil", "밀", "🌾"), weights=None, rows=ROWS):
    counts = as_rows(np.array(rows, dtype=float))
    return LabelledRows(
        counts, as_label_targets(list(labels)), None if weights is None else np.array(weights)
    )


def shown(documents):
    return (
        documents.rows.matrix.toarray().tolist(),
        documents.targets.labels().tolist(),
        documents.sample_weight.tolist(),
    )


def test_taken():
    some = labelled(weights=[1.0, 2.0, 3.0, 4.0]).take(np.array([3, 1, 1]))
    assert len(some) == 3
    assert shown(some) == ([[4, 1], [0, 2], [0, 2]], ["🌾", "oil", "oil"], [4, 2, 2])
    assert labelled().take(np.array([0])).weights is None


def test_documents_of_weight_0_do_not_count():
    documents = labelled(weights=[0.0, 1.0, 0.0, 0.5])
    assert shown(documents.counted()) == ([[0, 2], [4, 1]], ["oil", "🌾"], [1, 0.5])
    for whole in (labelled(), labelled(weights=[1.0, 2.0, 3.0, 4.0])):
        assert whole.counted() is whole


def test_widened():
    wide = labelled().widened(5)
    assert wide.rows.width == 5
    assert wide.rows.values is not None
    assert wide.rows.matrix.shape == (4, 5)


@pytest.mark.parametrize("weights", [None, [1.0, 2.0]])
def test_joined(weights):
    one = labelled(["b", "a"], weights, rows=ROWS[:2])
    two = labelled(["c", "a"], None, rows=[[0, 0, 7], [1, 0, 0]])
    both = LabelledRows.joined([one, two])
    expected = (
        [[1.5, 0, 0], [0, 2, 0], [0, 0, 7], [1, 0, 0]],
        ["b", "a", "c", "a"],
        [*(weights or [1, 1]), 1, 1],
    )
    assert shown(both) == expected
    assert (both.weights is None) == (weights is None)
    assert both.targets.classes.tolist() == ["a", "b", "c"]


def test_joined_lists_of_labels():
    one, two = labelled([["b", "a"], []], rows=ROWS[:2]), labelled([["c"], ["a"]], rows=ROWS[2:])
    both = LabelledRows.joined([one, two]).targets
    assert both.classes.tolist() == ["a", "b", "c"]
    assert both.indicator().astype(int).tolist() == [[1, 1, 0], [0, 0, 0], [0, 0, 1], [1, 0, 0]]


@pytest.mark.parametrize("size", [1, 2, 3, 5, 100])
def test_blocks_are_the_documents_in_order(size):
    whole = labelled(["b", "a", "b", "c"], [1.0, 2.0, 3.0, 4.0])
    blocks = list(whole.blocks(size))
    assert shown(LabelledRows.joined(blocks)) == shown(whole)
    assert all(len(block.rows.columns) + len(block) <= size + 4 for block in blocks)
    assert {tuple(block.targets.classes) for block in blocks} == {("a", "b", "c")}
    if size == 1:
        assert len(blocks) == 4
    if size == 100:
        assert len(blocks) == 1


def test_blocks_of_nothing():
    assert list(labelled(["a"], [1.0], rows=ROWS[:1]).take(np.empty(0, np.intp)).blocks()) == []
