"""Samples of documents."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import examples
from textbayes import TextCounter
from textbayes.counts import as_rows
from textbayes.errors import ModelDamagedError
from textbayes.statistics import LabelledRows, as_label_targets, as_targets
from textbayes.statistics.sample import Sample, stream_sample


@settings(max_examples=examples(50), deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 9), st.sampled_from("ab")), min_size=1, max_size=30),
    st.integers(1, 8),
    st.data(),
)
def test_samples_keep_the_smallest_keys(documents, most, data):
    rows = TextCounter(dimensions=16).fit_transform([f"word{number}" for number, _ in documents])
    whole = LabelledRows(as_rows(rows), as_targets([label for _, label in documents]))
    keys = np.array([number * 2**60 for number, _ in documents], dtype=np.uint64)
    order = np.array(data.draw(st.permutations(range(len(documents)))))
    at_once, bit_by_bit = Sample(most), Sample(most)
    at_once.add(whole, keys)
    for place in order:
        bit_by_bit.add(whole.take(np.array([place])), keys[[place]])
    contents = [
        sorted(zip(s.documents.rows.columns.tolist(), s.documents.targets.labels().tolist(), strict=True))
        for s in (at_once, bit_by_bit)
    ]
    assert contents[0] == contents[1]


def made_sample(most=3):
    sample = Sample(most)
    counts = np.array([[1, 0, 2], [0, 3, 0], [0, 0, 1], [1, 1, 1]])
    documents = LabelledRows(as_rows(counts), as_label_targets([["금", "oil"], ["oil"], [], ["금"]]))
    sample.add(documents, np.array([7, 5, 11, 3], dtype=np.uint64))
    return sample


def test_a_stored_sample_goes_on_as_if_it_had_not_been_stored():
    sample, more = made_sample(), made_sample()
    restored = Sample.restore(sample.store())
    assert len(restored) == 3
    for each in (sample, restored):
        each.join(more)
    assert restored.places.tolist() == sample.places.tolist()
    one, other = restored.documents, sample.documents
    assert one.targets.labels().toarray().tolist() == other.targets.labels().toarray().tolist()
    assert one.rows.matrix.toarray().tolist() == other.rows.matrix.toarray().tolist()


def test_a_stored_sample_with_a_wrong_column_is_refused():
    stored = made_sample().store()
    stored.arrays["columns"][0] = 3
    with pytest.raises(ModelDamagedError):
        Sample.restore(stored)


def test_several_labels_are_calibrated_on_more_documents():
    assert stream_sample(multilabel=True).most > stream_sample(multilabel=False).most
