"""Keys of documents."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from textbayes import TextCounter
from textbayes._native import Vocabulary, hashed_row_keys
from textbayes.counts import as_rows

WORDS = st.lists(st.sampled_from(["밀", "oil", "كلمة", "हिंदी", "a b", "😀", ""]), max_size=12)


def keys(texts, vocabulary):
    """Count words by hand in the columns of a vocabulary, and return the keys of the rows."""
    table = np.zeros((len(texts), len(vocabulary)))
    for row, words in enumerate(texts):
        for word in words:
            table[row, vocabulary.index(word)] += 1
    data = [word.encode() for word in vocabulary]
    core = Vocabulary(b"".join(data), np.cumsum([len(word) for word in data], dtype=np.int64))
    return core.row_keys(as_rows(table)).tolist()


@given(
    st.lists(WORDS, min_size=1, max_size=8), st.permutations(["밀", "oil", "كلمة", "हिंदी", "a b", "😀", ""])
)
def test_keys_depend_on_terms_and_counts_only(texts, order):
    sorted_words = sorted(order)
    found = keys(texts, sorted_words)
    assert found == keys([words[::-1] for words in texts], order)
    contents = [tuple(sorted(words)) for words in texts]
    assert len(set(found)) == len(set(contents))


def test_hashed_columns_have_keys_too():
    texts = ["wheat corn", "corn wheat", "wheat wheat corn", ""]
    rows = as_rows(TextCounter(dimensions=64).fit_transform(texts))
    found = hashed_row_keys(rows).tolist()
    assert found[0] == found[1]
    assert len(set(found)) == 3
