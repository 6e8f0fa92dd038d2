"""Oracles of TextCounter: scikit-learn's CountVectorizer, and slow and obvious tokenizers."""

import re
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


# The symbols of tokens="symbols" as one regular expression. Look-around says what stands before and behind;
# the first alternative that matches at a place is the token.
_SYMBOLS = "".join(
    chr(code)
    for first, last in ((0x2300, 0x23FF), (0x2600, 0x27BF), (0x2B00, 0x2BFF), (0x1F000, 0x1FAFF))
    for code in range(first, last + 1)
    if unicodedata.category(chr(code)) == "So"
)
_PICTURE = f"[{_SYMBOLS}]"
_FLAG = "[\U0001f1e6-\U0001f1ff]"
_CHANGE = "(?:[\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]|\ufe0f)"
_EMOJI = f"{_FLAG}{_FLAG}?|(?!{_FLAG}){_PICTURE}{_CHANGE}*(?:\u200d{_PICTURE}{_CHANGE}*)*"
_WORD = r"[0-9A-Za-z_\u0080-\U0010ffff]"
_APART = r"(?:(?<![^\s\u2000-\U0010ffff]))"
_MOUTHS = (
    r"(?P<round>\))(?P=round)*",
    rf"(?P<mouth>[(\[\]*])(?P=mouth)*(?!(?P=mouth)|{_WORD})",
    r"(?P<line>[/\\|])(?P=line)*(?=[\t\n\x0c\r ]|\Z)",
    rf"(?P<letter>[dDpPoO3])(?P=letter)*(?!{_WORD}|:)",
)
_EYES = [rf"{_APART}[:;=][-']?{mouth}" for mouth in _MOUTHS]
_JOINED = [
    r"(?<=[^\W_]|[.!?,]):[-']?(?P<after>\))(?P=after)*",
    rf"(?<=[^\W_]|[.!?,]):[-']?(?P<sad>\()(?P=sad)*(?!\(|{_WORD})",
]
_HEART = rf"(?:{_APART}|(?<=[^\W\d_]))<3(?!{_WORD}|\.[0-9])"
_PLUS = r"(?<![\w])[a-zA-Z](?:\+\+(?!\+)|#(?![#0-9A-Za-z_\u0080-\U0010ffff]))"
_SIDES = "(?:[a-zA-Z]&[a-zA-Z][0-9A-Za-z]?|[a-zA-Z][0-9A-Za-z]&[a-zA-Z])"
_AND = rf"(?<![\w]){_SIDES}(?!;|{_WORD})"


def symbols(text: str) -> list[str]:
    """Return the tokens of "symbols" that are not words, in lower-cased text without marks, in order."""
    pattern = "|".join([_PLUS, _AND, *_EYES, *_JOINED, _HEART, _EMOJI])
    found = []
    for match in re.finditer(pattern, text.lower()):
        token = match.group()
        named = [name for name, value in match.groupdict().items() if value is not None]
        if named:
            # A repeated mouth counts once.
            mouth = match.group(named[0])
            token = token.rstrip(mouth) + mouth
        found.append(token[:-1] if token.endswith("\ufe0f") else token)
    return found
