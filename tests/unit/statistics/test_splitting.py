"""Sums by parts are the whole again."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from textbayes.counts import as_rows
from textbayes.statistics import ClassStatistics, LabelledRows, LengthStatistics, as_targets

REALS = st.sampled_from((0.0, 0.0, 0.0, 1.0, 3.0, 0.1, 1 / 3, 1e9))


def state(statistics):
    arrays = statistics.store().arrays
    return {name: array.tolist() for name, array in arrays.items()}


@pytest.mark.parametrize("kind", [ClassStatistics, LengthStatistics])
@given(
    st.lists(st.tuples(st.lists(REALS, min_size=6, max_size=6), st.sampled_from("abc")), min_size=1),
    st.lists(st.integers(0, 2), min_size=6, max_size=6),
)
@settings(deadline=None, max_examples=60)
def test_parts_and_totals_are_the_whole(kind, documents, part_of):
    whole = kind(6, multilabel=False)
    counts = np.array([counts for counts, _ in documents])
    whole.add(LabelledRows(as_rows(counts), as_targets([label for _, label in documents])))
    joined = kind(0, multilabel=False)
    joined.merge(whole.of_classes())
    joined.widen(6)
    seen = []
    for number, columns, part in whole.parts(np.array(part_of), 3):
        assert all(part_of[column] == number for column in columns)
        assert part.values == 0
        seen += columns.tolist()
        joined.merge(part, columns)
    assert sorted(seen) == np.flatnonzero(counts.any(axis=0)).tolist()
    every = np.arange(6, dtype=np.uint32)
    assert state(joined.in_order(every)) == state(whole.in_order(every))


def test_a_part_has_only_its_own_classes():
    whole = ClassStatistics(2, multilabel=False)
    rows = as_rows(np.array([[1, 0], [0, 2], [0, 1]]))
    whole.add(LabelledRows(rows, as_targets(["a", "b", "c"])))
    labels = [part.store().part("labels") for _, _, part in whole.parts(np.array([0, 1]), 2)]
    assert [len(stored.arrays["labels_ends"]) for stored in labels] == [1, 2]
