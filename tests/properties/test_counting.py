"""Laws of counting, on texts that hypothesis makes up."""

from collections import Counter

import numpy as np
import pyarrow as pa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reference.count_vectorizer import (
    assert_parity,
    assert_same_bytes,
    letters,
    vectorizer_like,
    words,
)
from textbayes import TextCounter
from textbayes.errors import NoTermsLeftError

# Left out of the comparison with CountVectorizer:
# - M: a combining mark continues a word here, and breaks it in Python's \w: the documented difference;
#   U+0130 (İ) for the same reason, since its lower case is an i and a mark;
# - Cn: what Python's Unicode database does not know may be a letter in the newer one of the core.
# Lone surrogates (Cs) stay in: words must be the same around them.
MARKS, UNKNOWN, SURROGATES = ("Mn", "Mc", "Me"), ("Cn",), ("Cs",)


def text_without(*categories: str) -> st.SearchStrategy[str]:
    anything = st.characters(exclude_categories=categories, exclude_characters="İ")
    # Mostly a small alphabet with blanks, so that words repeat and case, sigma and padding come into play.
    few = st.sampled_from(
        "aAbBsSΣσς ß_0１²\u01c5 \t\n\r\x0b\x0c\x1c\x1f\x85\xa0\u2028\u3000.-'漢あ가ا\x00\u00ad\u200d"
    )
    return st.text(st.one_of(few, few, anything), max_size=40)


WORD_TEXTS = st.lists(text_without(*MARKS, *UNKNOWN), max_size=8)
# A lone surrogate is a character to CountVectorizer; it has no UTF-8, and is read as U+FFFD here.
CHARACTER_TEXTS = st.lists(text_without(*MARKS, *UNKNOWN, *SURROGATES), max_size=8)
ANY_TEXTS = st.lists(st.text(st.characters(exclude_categories=()), max_size=40), max_size=8)
RANGES = st.tuples(st.integers(1, 4), st.integers(0, 3)).map(lambda pair: (pair[0], pair[0] + pair[1]))

MANY = settings(max_examples=400)


def check_parity(counter: TextCounter, train: list[str], test: list[str]) -> None:
    """Compare; where CountVectorizer finds no term, require that the counter says so too."""
    try:
        vectorizer_like(counter).fit(train)
    except ValueError:
        try:
            assert counter.fit_transform(train).shape == (0, 0)
            assert not train
        except NoTermsLeftError:
            assert train
        return
    assert_parity(counter, train, test)


@given(WORD_TEXTS, WORD_TEXTS, RANGES, st.booleans())
@MANY
def test_words_equal_count_vectorizers(train, test, ngram_range, lowercase):
    check_parity(TextCounter(ngram_range=ngram_range, lowercase=lowercase), train, test)


@given(CHARACTER_TEXTS, CHARACTER_TEXTS, RANGES, st.booleans(), st.sampled_from(["char", "char_wb"]))
@MANY
def test_characters_equal_count_vectorizers(train, test, ngram_range, lowercase, unit):
    check_parity(TextCounter(unit=unit, ngram_range=ngram_range, lowercase=lowercase), train, test)


@given(
    st.lists(
        st.lists(st.sampled_from(["aa", "bb", "cc", "dd", "ee", "ff"]), max_size=9).map(" ".join), min_size=1
    ),
    st.one_of(st.integers(1, 4), st.floats(0, 1)),
    st.one_of(st.integers(1, 6), st.floats(0, 1)),
    st.one_of(st.none(), st.integers(1, 7)),
)
def test_cuts_equal_count_vectorizers(texts, min_df, max_df, max_features):
    counter = TextCounter(min_df=min_df, max_df=max_df, max_features=max_features)
    try:
        vectorizer_like(counter).fit(texts)
    except ValueError:
        try:
            counter.fit(texts)
        except ValueError:
            return
        raise AssertionError("CountVectorizer refuses what TextCounter takes") from None
    assert_parity(counter, texts)


@given(st.lists(text_without(*UNKNOWN), max_size=8))
@MANY
def test_words_and_letters_are_those_of_the_obvious_tokenizers(texts):
    for text in texts:
        assert TextCounter().terms(text) == words(text)
        assert TextCounter(tokens="letters").terms(text) == letters(text)


SETTINGS = st.fixed_dictionaries(
    {},
    optional={
        "lowercase": st.booleans(),
        "tokens": st.sampled_from(["words", "letters", "unicode", r"\S+", r"(?s)."]),
        "numbers": st.sampled_from(["keep", "drop", "mark"]),
        "stop_words": st.sampled_from([None, "english", ["aa", "b"]]),
        "stemmer": st.sampled_from([None, "porter", "english", "turkish", "arabic"]),
        "ngram_range": RANGES,
    },
)


@given(ANY_TEXTS, SETTINGS)
@settings(suppress_health_check=[HealthCheck.too_slow])
def test_rows_are_the_terms_counted(texts, options):
    counter = TextCounter(**options).partial_fit(texts)
    names = counter.get_feature_names_out()
    rows = counter.transform(texts)
    for position, text in enumerate(texts):
        row = rows[position]
        counted = dict(zip(names[row.indices], row.data.tolist(), strict=True))
        assert counted == Counter(counter.terms(text))
    assert list(names) == sorted({term for text in texts for term in counter.terms(text)})


@given(ANY_TEXTS, SETTINGS, st.integers(1, 5), st.integers(1, 3))
def test_batches_threads_and_forms_change_no_bit(texts, options, threads, size):
    counter = TextCounter(n_jobs=1, **options).partial_fit(texts)
    rows = counter.transform(texts)
    other = TextCounter(n_jobs=threads, **options).partial_fit(iter(texts))
    assert other.vocabulary_ == counter.vocabulary_
    assert_same_bytes(other.transform(tuple(texts)), rows)
    encodable = [text.encode("utf-8", "surrogatepass").decode("utf-8", "replace") for text in texts]
    if encodable == texts:
        chunks = [pa.array(texts[start : start + size], pa.string()) for start in range(0, len(texts), size)]
        assert_same_bytes(counter.transform(pa.chunked_array(chunks, pa.string())), rows)


@given(st.lists(ANY_TEXTS, max_size=5), st.randoms(use_true_random=False))
def test_growing_in_any_order_gives_the_same_counts_by_name(batches, random):
    texts = [text for batch in batches for text in batch]
    whole = TextCounter().partial_fit(texts)
    shuffled = list(batches)
    random.shuffle(shuffled)
    grown = TextCounter()
    for batch in shuffled:
        before = grown.vocabulary_ if hasattr(grown, "vocabulary_") else {}
        grown.partial_fit(batch)
        assert before.items() <= grown.vocabulary_.items()
    if not batches:
        return
    assert set(grown.vocabulary_) == set(whole.vocabulary_)
    order = [grown.vocabulary_[name] for name in whole.get_feature_names_out()]
    np.testing.assert_array_equal(
        grown.transform(texts).toarray()[:, order], whole.transform(texts).toarray()
    )


@given(ANY_TEXTS, st.integers(1, 50))
def test_hashing_keeps_the_sum_of_every_row(texts, dimensions):
    hashed = TextCounter(dimensions=dimensions).transform(texts)
    assert hashed.shape == (len(texts), dimensions)
    lengths = [len(TextCounter().terms(text)) for text in texts]
    assert np.asarray(hashed.sum(axis=1)).ravel().tolist() == lengths
