"""Oracles of TextCounter: scikit-learn's CountVectorizer, and slow and obvious tokenizers."""

import unicodedata
from collections.abc import Callable, Iterable

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.feature_extraction.text import CountVectorizer

from textbayes import TextCounter


def vectorizer_like(counter: TextCounter) -> CountVectorizer:
    """Return the CountVectorizer with the options of a counter."""
    ours = counter.get_params()
    options = {
        name: ours[name]
        for name in ("lowercase", "stop_words", "ngram_range", "min_df", "max_df", "max_features")
    }
    if ours["tokens"] != "words":
        options["token_pattern"] = ours["tokens"]
    return CountVectorizer(analyzer=ours["unit"], **options)


def assert_same_rows(ours: csr_matrix, theirs: csr_matrix) -> None:
    """Assert the same shape, the same stored entries in the same order, and the same types."""
    theirs = csr_matrix(theirs, copy=True)
    theirs.sort_indices()
    assert ours.shape == theirs.shape
    assert ours.dtype == theirs.dtype
    np.testing.assert_array_equal(ours.indptr, theirs.indptr)
    np.testing.assert_array_equal(ours.indices, theirs.indices)
    np.testing.assert_array_equal(ours.data, theirs.data)


def assert_same_bytes(one: csr_matrix, other: csr_matrix) -> None:
    """Assert that two matrices are identical to the bit."""
    assert one.shape == other.shape
    for ours, theirs in ((one.indptr, other.indptr), (one.indices, other.indices), (one.data, other.data)):
        assert ours.dtype == theirs.dtype
        assert ours.tobytes() == theirs.tobytes()


def assert_parity(counter: TextCounter, train: Iterable[str], test: Iterable[str] = ()) -> None:
    """Assert that a counter learns and counts like the CountVectorizer with its options.

    By default a counter also cuts scripts without spaces, which CountVectorizer does not.
    """
    train, test = list(train), list(test)
    if counter.tokens == "unicode":
        counter.set_params(tokens="words")
    vectorizer = vectorizer_like(counter)
    theirs = vectorizer.fit_transform(train)
    ours = counter.fit_transform(train)
    assert list(counter.get_feature_names_out()) == list(vectorizer.get_feature_names_out())
    assert counter.vocabulary_ == vectorizer.vocabulary_
    assert_same_rows(ours, theirs)
    assert_same_rows(counter.transform(train), theirs)
    if test:
        assert_same_rows(counter.transform(test), vectorizer.transform(test))


def words(text: str) -> list[str]:
    """Return the tokens of "words": two or more word characters; combining marks continue a word."""
    return _runs(text.lower(), lambda character: character.isalnum() or character == "_")


def letters(text: str) -> list[str]:
    """Return the tokens of "letters": two or more letters; combining marks continue a word."""
    return _runs(text.lower(), lambda character: unicodedata.category(character).startswith("L"))


def _runs(text: str, starts: Callable[[str], bool]) -> list[str]:
    runs, run = [], ""
    for character in text + " ":
        if starts(character) or (run and unicodedata.category(character).startswith("M")):
            run += character
            continue
        if len(run) >= 2:
            runs.append(run)
        run = ""
    return runs
