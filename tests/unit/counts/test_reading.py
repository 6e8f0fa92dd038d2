"""TextReader: many texts and a single text give the same rows, sorted by term."""

from itertools import pairwise

import numpy as np
import pytest

from reference.corpora import UNICODE_TEXTS
from textbayes._native import Vocabulary
from textbayes.counts import Rows, TextReader
from textbayes.text import TextSettings

SETTINGS = [
    TextSettings(),
    TextSettings(tokens="unicode", stop_words=("ab", "wheat"), stemmer="english"),
    TextSettings(ngram_range=(1, 2), numbers="mark"),
    TextSettings(unit="char_wb", ngram_range=(2, 3)),
    TextSettings(tokens="unicode", ngram_range=(1, 2), characters=(2, 5)),
    TextSettings(stop_words=("wheat",), stemmer="english", characters=(1, 3)),
]


@pytest.mark.parametrize("dimensions", [None, 50], ids=["vocabulary", "hashed"])
@pytest.mark.parametrize("settings", SETTINGS, ids=repr)
def test_a_single_text_gives_the_same_row_as_a_batch(settings, dimensions):
    reader = TextReader(settings.rules(), 2, dimensions)
    vocabulary = Vocabulary()
    texts = list(UNICODE_TEXTS)
    reader.grow(reader.count(texts[:6]), vocabulary)
    reader.grow(reader.count(texts[6:]), vocabulary)  # these terms are late
    together = reader.read(texts, vocabulary)
    for number, text in enumerate(texts):
        one, same = reader.read([text], vocabulary), together.block(number, number + 1)
        assert one.columns.tolist() == same.columns.tolist()
        assert one.values.tolist() == same.values.tolist()
        if dimensions is None:
            terms = [vocabulary.terms()[column] for column in one.columns]
            assert [term.encode() for term in terms] == sorted(term.encode() for term in terms)


def test_unknown_terms_are_ignored():
    reader, vocabulary = TextReader(TextSettings().rules(), 1), Vocabulary()
    reader.grow(reader.count(["wheat oil"]), vocabulary)
    assert reader.read(["corn oil oil"], vocabulary).values.tolist() == [2.0]
    assert len(vocabulary) == 2


def test_a_vocabulary_loaded_from_a_file_gives_the_same_rows(tmp_path):
    reader, vocabulary = TextReader(TextSettings().rules(), 1), Vocabulary()
    for text in ("mm zz", "bb nn", "aa 밀가루"):
        reader.grow(reader.count([text]), vocabulary)
    state = vocabulary.state()
    mapped = Vocabulary.mapped(state["bytes"], state["ends"], state["order"])
    text = ["zz 밀가루 aa mm bb nn zz unknown"]
    ours, theirs = reader.read(text, vocabulary), reader.read(text, mapped)
    assert np.array_equal(ours.columns, theirs.columns)
    assert np.array_equal(ours.values, theirs.values)
    assert mapped.late_terms() == vocabulary.late_terms() == 4


def test_a_row_has_the_same_sum_alone_and_in_a_batch():
    rng = np.random.default_rng(0)
    starts = np.array([0, 1, 1, 10, 17, 150, 1150])
    rows = Rows(starts, np.arange(1150, dtype=np.int32), rng.random(1150), 1150)
    alone = [rows.block(number, number + 1).sums() for number in range(len(rows))]
    assert np.concatenate(alone).tobytes() == rows.sums().tobytes()


@pytest.mark.parametrize("dimensions", [None, 7])
def test_entries_by_column_although_the_vocabulary_has_grown(dimensions):
    reader, vocabulary = TextReader(TextSettings().rules(), 2, dimensions), Vocabulary()
    reader.grow_by_column(reader.count(["zebra yak", "yak owl"]), vocabulary)
    rows = reader.grow_by_column(reader.count(["zebra ant yak bee yak", "", "owl ant"]), vocabulary)
    for start, end in pairwise(rows.starts.tolist()):
        assert np.all(np.diff(rows.columns[start:end]) > 0)
    expected = reader.read(["zebra ant yak bee yak", "", "owl ant"], vocabulary)
    assert rows.matrix.toarray().tolist() == expected.matrix.toarray().tolist()
