"""TextCounter beside CountVectorizer, and its own promises."""

import pickle
import unicodedata

import numpy as np
import pytest
import xxhash
from scipy.sparse import csr_matrix
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import CountVectorizer

from reference.corpora import UNICODE_TEXTS, everyday_texts, real_texts
from reference.count_vectorizer import assert_parity, assert_same_bytes, vectorizer_like
from textbayes import TextCounter
from textbayes.errors import (
    NoTermsLeftError,
    ParameterConflictError,
    ParameterError,
    TextsError,
    UnfittedError,
)

TRAIN, TEST = everyday_texts()[:100], everyday_texts()[100:]

OPTIONS = [
    {},
    {"lowercase": False},
    {"ngram_range": (1, 2)},
    {"ngram_range": (2, 3)},
    {"ngram_range": (4, 4)},
    {"stop_words": "english"},
    {"stop_words": "english", "ngram_range": (1, 3)},
    {"stop_words": ["the", "of", "wheat", "한국어", "nowhere"]},
    {"min_df": 2},
    {"min_df": 0.1},
    {"min_df": 0.0},
    {"max_df": 10},
    {"max_df": 1},
    {"max_df": 0.5},
    {"min_df": 2, "max_df": 0.3},
    {"min_df": 0.02, "max_df": 40, "ngram_range": (1, 2)},
    {"min_df": 3, "max_df": 3},
    {"max_features": 1},
    {"max_features": 10},
    {"max_features": 1000},
    {"max_features": 10**9},
    {"max_features": 100, "min_df": 2, "max_df": 0.9},
    {"max_features": 500, "ngram_range": (2, 2), "stop_words": "english"},
    {"unit": "char"},
    {"unit": "char", "lowercase": False},
    {"unit": "char", "ngram_range": (1, 3)},
    {"unit": "char", "ngram_range": (5, 6)},
    {"unit": "char_wb"},
    {"unit": "char_wb", "ngram_range": (2, 4)},
    {"unit": "char_wb", "ngram_range": (3, 3), "lowercase": False},
    {"unit": "char_wb", "ngram_range": (7, 9), "min_df": 2},
    {"tokens": r"(?u)\b\w\w+\b"},
    {"tokens": r"[a-z]+"},
    {"tokens": r"\b([a-z])\w+"},
    {"tokens": r"[a-z]{4,}", "ngram_range": (1, 2), "max_features": 77},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_the_same_options_give_what_count_vectorizer_gives(options):
    assert_parity(TextCounter(**options), TRAIN, TEST)


@pytest.mark.parametrize(
    "options", [{}, {"ngram_range": (1, 2)}, {"unit": "char_wb", "ngram_range": (1, 5)}], ids=str
)
def test_parity_on_each_odd_text(options):
    for text in UNICODE_TEXTS:
        # A text with no term is an error on both sides; see below.
        assert_parity(TextCounter(**options), [text, "any other text"], UNICODE_TEXTS)


@pytest.mark.parametrize("k", [1, 2, 3, 7, 16, 17, 40, 99])
def test_ties_at_the_cut_fall_as_in_count_vectorizer(k):
    # A hundred terms in groups of equal frequency, long enough for an unstable sort to shuffle them.
    texts = [" ".join(f"term{j:02d}" for j in range(100) if j % 5 <= i) for i in range(5)]
    assert_parity(TextCounter(max_features=k), texts)
    assert_parity(TextCounter(max_features=k), [" ".join(f"same{j}" for j in range(100))])


@pytest.mark.slow
def test_parity_on_20_newsgroups(shared_data):
    texts = real_texts(shared_data("20news-bydate.jsonl.zst"))
    assert len(texts) == 18_846
    assert_parity(TextCounter(), texts)


def test_parity_on_reuters(shared_data):
    texts = real_texts(shared_data("reuters21578.jsonl.zst"), with_title=True)
    assert len(texts) == 21_578
    assert_parity(TextCounter(), texts[:14_000], texts[14_000:])


@pytest.mark.parametrize(
    "options",
    [
        {"ngram_range": (1, 2), "min_df": 2},
        {"stop_words": "english", "max_features": 5_000},
        {"unit": "char_wb", "ngram_range": (3, 3)},
        {"lowercase": False, "max_df": 0.5},
    ],
    ids=str,
)
def test_options_on_a_part_of_20_newsgroups(options, shared_data):
    texts = real_texts(shared_data("20news-bydate.jsonl.zst"))[::15]
    assert_parity(TextCounter(**options), texts[:1000], texts[1000:])


@pytest.mark.slow
@pytest.mark.timeout(1800)  # scikit-learn's character n-grams take minutes
@pytest.mark.parametrize("corpus", ["20news-bydate.jsonl.zst", "reuters21578.jsonl.zst", "webkb.jsonl.zst"])
@pytest.mark.parametrize(
    "options",
    [
        {"ngram_range": (1, 2)},
        {"unit": "char_wb", "ngram_range": (2, 4)},
        {"unit": "char", "ngram_range": (3, 4)},
    ],
    ids=str,
)
def test_options_on_whole_corpora(options, corpus, shared_data):
    texts = real_texts(shared_data(corpus))
    # A text has at least one term here; parity on texts without is tested above.
    assert_parity(TextCounter(**options), texts)


# --- the result ----------------------------------------------------------------------------------------


def test_rows_are_canonical():
    rows = TextCounter().fit_transform(TRAIN)
    assert isinstance(rows, csr_matrix)
    assert rows.dtype == np.int64
    assert (rows.indices.dtype, rows.indptr.dtype) == (np.int32, np.int32)
    again = csr_matrix((rows.data, rows.indices, rows.indptr), rows.shape)
    assert again.has_sorted_indices
    assert again.has_canonical_format
    assert (rows.data > 0).all()


def test_min_count_counts_occurrences():
    texts = ["wheat wheat corn", "wheat corn rice"]
    assert TextCounter(min_count=2).fit(texts).vocabulary_ == {"corn": 0, "wheat": 1}
    assert TextCounter(min_count=3).fit(texts).vocabulary_ == {"wheat": 0}
    rows = TextCounter(min_count=3, max_df=0.9, min_df=1).fit_transform(
        ["wheat wheat wheat corn", "corn corn"]
    )
    assert rows.toarray().tolist() == [[3], [0]]


def test_min_count_keeps_the_columns_that_a_filter_of_all_columns_keeps():
    counter = TextCounter().fit(TRAIN)
    rows = counter.transform(TRAIN)
    frequent = np.asarray(rows.sum(axis=0)).ravel() >= 5
    cut = TextCounter(min_count=5)
    assert_same_bytes(cut.fit_transform(TRAIN), csr_matrix(rows[:, frequent]))
    assert list(cut.get_feature_names_out()) == list(counter.get_feature_names_out()[frequent])


def test_the_order_of_columns_is_that_of_code_points():
    names = TextCounter().fit(["zebra Äpfel apfel 𐀀𐀀 ｶﾅ 한국 zz"]).get_feature_names_out()
    assert list(names) == sorted(names)
    assert names.dtype == object
    assert all(type(name) is str for name in names)


def test_texts_without_a_known_term_are_rows_of_zeros():
    counter = TextCounter().fit(["wheat", ""])
    assert counter.transform(["", "unseen words", "wheat \x00"]).toarray().tolist() == [[0], [0], [1]]
    assert counter.transform([]).shape == (0, 1)


def test_lone_surrogates_are_no_part_of_a_word_as_in_count_vectorizer():
    assert_parity(TextCounter(), ["ab\ud800cd", "\udfff wheat", "\ud83d\ude00 rose", "x\ud800"])


def test_an_empty_list_gives_no_rows():
    for options in ({}, {"min_df": 2}, {"max_features": 5}, {"min_df": 0.5}, {"max_df": 1}, {"min_count": 2}):
        counter = TextCounter(**options)
        assert counter.fit_transform([]).shape == (0, 0)
        assert counter.transform(["wheat"]).shape == (1, 0)
    assert TextCounter(dimensions=7).fit_transform([]).shape == (0, 7)


@pytest.mark.parametrize(
    ("texts", "options"),
    [
        ([""], {}),
        (["", " ", "a b c"], {}),
        (["the and of"], {"stop_words": "english"}),
        (["wheat", "corn"], {"min_df": 2}),
        (["wheat", "wheat"], {"max_df": 1}),
        (["wheat corn"], {"min_count": 2}),
        (["wheat corn"], {"ngram_range": (3, 3)}),
    ],
)
def test_no_term_left_is_an_error_on_both_sides(texts, options):
    counter = TextCounter(**options)
    said = "in the text" if len(texts) == 1 else f"in the {len(texts)} texts"
    with pytest.raises(NoTermsLeftError, match=said) as caught:
        counter.fit(texts)
    assert isinstance(caught.value, ValueError)
    with pytest.raises(NotFittedError):
        counter.transform(texts)
    if "min_count" not in options:
        with pytest.raises(ValueError, match=r"empty vocabulary|no terms remain"):
            vectorizer_like(counter).fit(texts)


# --- sizes ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("length", [2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 1_000_000])
def test_tokens_of_any_length(length):
    tokens = ["a" * length, "a" * (length - 1) + "b", "b" + "a" * (length - 1), "a" * (length + 1)]
    assert_parity(TextCounter(), [" ".join(tokens), " ".join(tokens[:2] * 3)], [tokens[0]])


@pytest.mark.parametrize("head", [7, 8, 15, 16, 17, 24, 32])
def test_tokens_that_differ_only_far_behind(head):
    tokens = [f"{'x' * head}{i:04d}" for i in range(2_000)]
    counter = TextCounter()
    rows = counter.fit_transform([" ".join(tokens), tokens[0]])
    assert list(counter.vocabulary_) == tokens
    assert rows.toarray()[0].tolist() == [1] * 2_000
    assert rows.toarray()[1].sum() == 1


def test_tokens_of_two_to_four_byte_characters_at_the_edges_of_sixteen_bytes():
    tokens = [character * n for character in "é한𐀀" for n in range(2, 20)]
    assert_parity(TextCounter(), [" ".join(tokens), " ".join(tokens[::2])])


def test_a_token_with_zero_bytes_is_not_a_shorter_one():
    # Inside sixteen bytes a short token is padded: the padding must not be taken for characters.
    assert_parity(TextCounter(tokens=r"(?s)[^ ]+"), ["ab ab\x00 ab\x00\x00 \x00", "ab"])
    assert_parity(TextCounter(unit="char", ngram_range=(1, 3)), ["\x00\x00\x00", "a\x00", "a"])


def test_many_distinct_tokens():
    tokens = [f"t{i:06d}" for i in range(300_000)]
    counter = TextCounter()
    rows = counter.fit_transform([" ".join(tokens[start : start + 1000]) for start in range(0, 300_000, 500)])
    assert list(counter.get_feature_names_out()) == tokens
    assert rows.sum() == 599_500
    assert rows.max() == 1


def test_a_document_of_a_hundred_megabytes():
    text = "wheat corn, Straße 한국어 " * 4_000_000
    assert len(text.encode()) > 100_000_000
    counter = TextCounter()
    rows = counter.fit_transform([text, "corn"])
    assert counter.vocabulary_ == {"corn": 0, "straße": 1, "wheat": 2, "한국어": 3}
    assert rows.toarray().tolist() == [[4_000_000] * 4, [1, 0, 0, 0]]


def test_a_token_of_fifty_megabytes():
    counter = TextCounter()
    assert counter.fit_transform(["x" * 50_000_000, "yy"]).toarray().tolist() == [[1, 0], [0, 1]]
    assert counter.transform(["x" * 49_999_999]).nnz == 0


# --- hashed columns --------------------------------------------------------------------------------------


# Fixed for ever: a model saved by one version is read by another. Taken from the xxhash package.
STABLE = {
    "wheat": 338372879110719144,
    "corn": 17966131405468226790,
    "東京": 10758203168130339924,
    "naïve bayes": 11363781203326341052,
    "a" * 40: 6241609220271238915,
}


@pytest.mark.parametrize("dimensions", [1, 2, 10, 1024, 2**20, 2**20 + 7, 2**31 - 1])
def test_the_column_of_a_term_is_fixed_for_ever(dimensions):
    for term, digest in STABLE.items():
        assert xxhash.xxh64_intdigest(term.encode(), seed=0) == digest
        tokens = r"(?s).+"
        rows = TextCounter(dimensions=dimensions, tokens=tokens).transform([term])
        assert rows.shape == (1, dimensions)
        assert rows.indices.tolist() == [digest % dimensions]


@pytest.mark.parametrize(
    "options", [{}, {"ngram_range": (1, 3)}, {"unit": "char", "ngram_range": (1, 2)}], ids=str
)
@pytest.mark.parametrize("dimensions", [3, 1000])
def test_hashed_rows_are_the_counts_moved_to_their_columns(options, dimensions):
    counter = TextCounter(**options).fit(TRAIN)
    rows = counter.transform(TRAIN)
    names = counter.get_feature_names_out()
    columns = [xxhash.xxh64_intdigest(name.encode(), seed=0) % dimensions for name in names]
    move = csr_matrix((np.ones(len(names), np.int64), (range(len(names)), columns)), (len(names), dimensions))
    expected = csr_matrix(rows @ move)
    expected.sort_indices()
    hashed = TextCounter(dimensions=dimensions, **options).transform(TRAIN)
    assert (hashed != expected).nnz == 0
    again = csr_matrix((hashed.data, hashed.indices, hashed.indptr), hashed.shape)
    assert again.has_canonical_format


def test_hashing_needs_no_fit_and_keeps_no_vocabulary():
    counter = TextCounter(dimensions=16)
    rows = counter.transform(TRAIN)
    assert_same_bytes(counter.fit(TRAIN).transform(TRAIN), rows)
    assert_same_bytes(counter.fit_transform(TRAIN), rows)
    assert_same_bytes(counter.partial_fit(TEST).transform(TRAIN), rows)
    assert not hasattr(counter, "vocabulary_")
    names = counter.get_feature_names_out()
    assert len(names) == len(set(names)) == 16


def test_texts_without_terms_are_rows_of_zeros_when_hashed():
    assert TextCounter(dimensions=4).fit_transform(["", "a", "\x00"]).nnz == 0


# --- growing -------------------------------------------------------------------------------------------


def by_name(counter, texts):
    """Give the counts with the columns sorted by term."""
    names = list(counter.get_feature_names_out())
    order = sorted(range(len(names)), key=names.__getitem__)
    return [names[column] for column in order], counter.transform(texts).toarray()[:, order]


def test_partial_fit_grows_and_columns_keep_their_numbers():
    counter = TextCounter()
    seen = {}
    for start in range(0, len(TRAIN), 7):
        counter.partial_fit(TRAIN[start : start + 7])
        assert list(counter.vocabulary_.items())[: len(seen)] == list(seen.items())
        new = list(counter.vocabulary_)[len(seen) :]
        assert new == sorted(new)
        seen = counter.vocabulary_
        assert sorted(seen.values()) == list(range(len(seen)))
    assert set(seen) == set(TextCounter().fit(TRAIN).vocabulary_)


@pytest.mark.parametrize("size", [1, 3, 50, 1000])
@pytest.mark.parametrize("step", [1, -1])
def test_any_batches_in_any_order_count_the_same(size, step):
    whole_names, whole = by_name(TextCounter().fit(TRAIN), TEST)
    counter = TextCounter()
    for start in range(0, len(TRAIN), size)[::step]:
        counter.partial_fit(iter(TRAIN[start : start + size]))
    names, rows = by_name(counter, TEST)
    assert names == whole_names
    assert (rows == whole).all()


def test_one_partial_fit_is_fit():
    assert TextCounter().partial_fit(TRAIN).vocabulary_ == TextCounter().fit(TRAIN).vocabulary_
    assert_same_bytes(TextCounter().partial_fit(TRAIN).transform(TRAIN), TextCounter().fit_transform(TRAIN))


def test_partial_fit_after_fit_goes_on_and_fit_starts_anew():
    counter = TextCounter().fit(["wheat"]).partial_fit(["corn"])
    assert counter.vocabulary_ == {"wheat": 0, "corn": 1}
    assert counter.fit(["rice"]).vocabulary_ == {"rice": 0}


def test_partial_fit_takes_empty_batches():
    counter = TextCounter().partial_fit([]).partial_fit([""]).partial_fit(["wheat"]).partial_fit([])
    assert counter.vocabulary_ == {"wheat": 0}


@pytest.mark.parametrize(
    "options", [{"min_df": 2}, {"max_df": 0.5}, {"max_df": 1}, {"max_features": 5}, {"min_count": 2}]
)
def test_partial_fit_and_cuts_conflict(options):
    (name,) = options
    with pytest.raises(ParameterConflictError, match=rf"^{name}="):
        TextCounter(**options).partial_fit(["wheat"])


def broken():
    yield "new words here"
    raise RuntimeError("the disk is gone")


@pytest.mark.parametrize("method", ["fit", "fit_transform", "partial_fit", "transform"])
@pytest.mark.parametrize(
    ("texts", "error", "message"),
    [
        (["new words", None], TextsError, r"^texts\[1\] is None"),
        (broken, RuntimeError, "the disk is gone"),
        ("text", TypeError, "one str, 'text'"),
    ],
)
def test_a_failure_leaves_the_counter_as_it_was(method, texts, error, message):
    counter = TextCounter().fit(TRAIN)
    vocabulary, rows = counter.vocabulary_, counter.transform(TEST)
    with pytest.raises(error, match=message):
        getattr(counter, method)(texts() if callable(texts) else texts)
    assert counter.vocabulary_ == vocabulary
    assert_same_bytes(counter.transform(TEST), rows)


def test_a_failed_first_fit_leaves_no_vocabulary():
    counter = TextCounter()
    for method in (counter.fit, counter.partial_fit):
        with pytest.raises(TextsError, match=r"^texts\[1\] is None"):
            method(["wheat", None])
        assert not hasattr(counter, "vocabulary_")


def test_a_copy_does_not_grow_with_the_original():
    counter = TextCounter().fit(["wheat"])
    copy = pickle.loads(pickle.dumps(counter))
    counter.partial_fit(["corn"])
    assert copy.vocabulary_ == {"wheat": 0}
    assert copy.partial_fit(["rice"]).vocabulary_ == {"wheat": 0, "rice": 1}


# --- settings ------------------------------------------------------------------------------------------


def test_before_fit_there_is_no_vocabulary():
    counter = TextCounter()
    for call in (lambda: counter.transform(["wheat"]), counter.get_feature_names_out):
        with pytest.raises(UnfittedError) as caught:
            call()
        assert isinstance(caught.value, NotFittedError)
    assert not hasattr(counter, "vocabulary_")
    with pytest.raises(AttributeError):
        counter.vocabulary_  # noqa: B018


@pytest.mark.parametrize("value", [0, -2, 1.5, "2", True, [2]])
def test_bad_numbers_of_threads(value):
    with pytest.raises(ParameterError, match=r"^n_jobs=") as caught:
        TextCounter(n_jobs=value).fit(["wheat"])
    assert repr(value) in caught.value.what


@pytest.mark.parametrize("value", [None, -1, 1, 2, np.int64(3), 64, 10**6, 2**80])
def test_good_numbers_of_threads(value):
    assert TextCounter(n_jobs=value).fit(["wheat"]).vocabulary_ == {"wheat": 0}


@pytest.mark.parametrize("value", [0, -1, 2.0, "8", True, 2**31, 2**80, [4]])
def test_bad_numbers_of_dimensions(value):
    for method in ("fit", "transform", "fit_transform", "partial_fit"):
        with pytest.raises(ParameterError, match="dimensions="):
            getattr(TextCounter(dimensions=value), method)(["wheat"])


@pytest.mark.parametrize("options", [{"min_df": 2}, {"max_df": 0.5}, {"max_features": 5}, {"min_count": 2}])
def test_hashing_and_cuts_conflict(options):
    (name,) = options
    with pytest.raises(ParameterConflictError) as caught:
        TextCounter(dimensions=8, **options).fit(["wheat"])
    assert "dimensions=8" in caught.value.what
    assert name in caught.value.what


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("min_df", 1.5),
        ("min_df", -1),
        ("min_df", -0.1),
        ("min_df", float("nan")),
        ("min_df", "2"),
        ("min_df", None),
        ("min_df", True),
        ("max_df", 1.5),
        ("max_df", -1),
        ("max_df", float("inf")),
        ("max_df", [1]),
        ("min_count", 0),
        ("min_count", -3),
        ("min_count", 2.0),
        ("min_count", None),
        ("max_features", 0),
        ("max_features", -5),
        ("max_features", 2.5),
        ("max_features", "10"),
    ],
)
def test_bad_cuts(name, value):
    with pytest.raises(ParameterError) as caught:
        TextCounter(**{name: value}).fit(["wheat"])
    assert f"{name}={value!r}" in caught.value.what


@pytest.mark.parametrize(
    "options", [{"min_df": 3, "max_df": 2}, {"min_df": 0.9, "max_df": 0.1}, {"min_df": 2, "max_df": 0.3}]
)
def test_the_least_above_the_most(options):
    with pytest.raises(ParameterConflictError, match="max_df") as caught:
        TextCounter(**options).fit(["wheat", "wheat", "corn"])
    assert "min_df" in str(caught.value)


def test_numpy_numbers_are_numbers():
    counter = TextCounter(
        min_df=np.int64(2), max_df=np.float32(1.0), max_features=np.int32(5), min_count=np.int8(1)
    )
    assert counter.fit(["wheat corn", "wheat"]).vocabulary_ == {"wheat": 0}
    assert TextCounter(dimensions=np.int64(4)).transform(["wheat"]).shape == (1, 4)


def test_the_defaults_are_those_of_the_specification():
    assert TextCounter().get_params() == {
        "lowercase": True,
        "tokens": "unicode",
        "unit": "word",
        "numbers": "keep",
        "stop_words": None,
        "stemmer": None,
        "ngram_range": (1, 1),
        "characters": None,
        "min_count": 1,
        "min_df": 1,
        "max_df": 1.0,
        "max_features": None,
        "dimensions": None,
        "n_jobs": None,
    }


def test_marks_are_where_the_two_differ():
    """The documented difference, so that it does not grow: a text with marks, and only that."""
    text = "हिन्दी शब्द cafe\u0301"
    assert any(unicodedata.category(character).startswith("M") for character in text)
    assert list(TextCounter().fit([text]).vocabulary_) == ["cafe\u0301", "शब्द", "हिन्दी"]
    assert list(CountVectorizer().fit([text]).get_feature_names_out()) != ["cafe\u0301", "शब्द", "हिन्दी"]
