"""Invalid settings: the error names the value and what to pass."""

from pathlib import Path

import numpy as np
import pytest
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

from textbayes import TextCounter
from textbayes.errors import (
    ParameterConflictError,
    ParameterError,
    TextbayesError,
)
from textbayes.text import TextSettings, settings
from textbayes.text.settings import NUMBER_RULES, STEMMERS, TOKEN_RULES, UNITS

TEXTS = ["wheat rose", "corn fell"]


@pytest.mark.parametrize(
    ("name", "value", "meant"),
    [
        ("tokens", "word", "words"),
        ("tokens", "letter", "letters"),
        ("tokens", "unicod", "unicode"),
        ("unit", "chars", "char"),
        ("unit", "Word", "word"),
        ("numbers", "marks", "mark"),
        ("stop_words", "englsh", "english"),
        ("stemmer", "portr", "porter"),
        ("stemmer", "germn", "german"),
    ],
)
def test_an_unknown_option_suggests_the_closest(name, value, meant):
    with pytest.raises(ParameterError) as caught:
        TextCounter(**{name: value}).fit(TEXTS)
    assert f"{name}={value!r}" in str(caught.value)
    assert f"Did you mean {meant!r}?" in str(caught.value)
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize(
    ("name", "value", "options"),
    [
        ("tokens", None, TOKEN_RULES),
        ("tokens", 5, TOKEN_RULES),
        ("tokens", "", TOKEN_RULES),
        ("unit", None, UNITS),
        ("unit", ["word"], UNITS),
        ("numbers", True, NUMBER_RULES),
        ("stemmer", 5, STEMMERS),
        ("stemmer", [], STEMMERS),
        ("stemmer", "zzzz", STEMMERS),
        ("stop_words", "klingon", ["english"]),
    ],
)
def test_an_unknown_option_lists_all_options(name, value, options):
    with pytest.raises(ParameterError) as caught:
        TextCounter(**{name: value}).fit(TEXTS)
    assert f"{name}={value!r}" in caught.value.what
    for option in options:
        assert option in caught.value.todo


def test_an_array_as_an_option_is_an_unknown_option():
    with pytest.raises(TextbayesError, match=r"^unit="):
        TextCounter(unit=np.array(["word", "char"])).fit(TEXTS)


@pytest.mark.parametrize("unit", ["char", "char_wb"])
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("stop_words", "english"),
        ("stop_words", ["the"]),
        ("stop_words", np.array(["the", "and"])),
        ("stemmer", "porter"),
        ("numbers", "mark"),
        ("tokens", "letters"),
        ("tokens", r"\w+"),
        ("characters", (2, 5)),
        ("characters", np.array([2, 5])),
    ],
)
def test_character_units_conflict_with_word_settings(unit, name, value):
    with pytest.raises(ParameterConflictError) as caught:
        TextCounter(unit=unit, **{name: value}).fit(TEXTS)
    assert name in caught.value.what
    assert f"unit={unit!r}" in caught.value.what


@pytest.mark.parametrize(
    "value",
    [
        3,
        None,
        "12",
        "ab",
        (1,),
        (),
        (1, 2, 3),
        (2, 1),
        (0, 1),
        (-1, 2),
        (1.7, 2.2),
        (1.0, 2.0),
        ("1", "2"),
        (None, 1),
        (1, float("inf")),
        (1, float("nan")),
        (True, 2),
        (1, 10**30),
        {1: 2, 2: 3}.items(),
    ],
)
def test_an_invalid_ngram_range(value):
    with pytest.raises(ParameterError, match=r"^ngram_range="):
        TextCounter(ngram_range=value).fit(TEXTS)
    if value is not None:
        with pytest.raises(ParameterError, match=r"^characters=.*(?s:.*)such as \(2, 5\)"):
            TextCounter(characters=value).fit(TEXTS)


@pytest.mark.parametrize("value", [[1, 2], (np.int64(1), np.int32(2)), np.array([1, 2])])
def test_any_pair_of_integers_is_an_ngram_range(value):
    counter = TextCounter(ngram_range=value)
    assert counter.terms("wheat rose") == ["wheat", "rose", "wheat rose"]


@pytest.mark.parametrize("value", [[3, 4], (np.int64(3), np.int32(4)), np.array([3, 4])])
def test_any_pair_of_integers_is_a_range_of_characters(value):
    counter = TextCounter(characters=value)
    assert counter.terms("of") == ["of", "\0 of", "\0of ", "\0 of "]


def test_a_range_longer_than_the_texts_is_harmless():
    counter = TextCounter(ngram_range=(1, 250))
    assert counter.terms("a cat ate rice") == ["cat", "ate", "rice", "cat ate", "ate rice", "cat ate rice"]
    assert TextCounter(unit="char", ngram_range=(250, 250)).terms("abc") == []


def test_a_range_that_is_too_long_has_its_own_message():
    with pytest.raises(ParameterError, match=r"^ngram_range=") as caught:
        TextCounter(ngram_range=(1, 10**9)).terms("wheat rose")
    assert not caught.value.what.endswith("with 1 <= shortest <= longest."), "1 <= 1 <= 1000000000 holds"


@pytest.mark.parametrize(
    ("value", "shown"),
    [(5, "5"), ([1], "1"), (["the", b"x"], "b'x'"), (b"english", ""), (["the", None], "None"), (3.5, "3.5")],
)
def test_invalid_stop_words(value, shown):
    with pytest.raises(ParameterError, match=r"^stop_words=") as caught:
        TextCounter(stop_words=value).fit(TEXTS)
    assert shown in caught.value.what
    assert isinstance(caught.value, TypeError)


@pytest.mark.parametrize("kind", [list, tuple, set, frozenset, np.array, dict.fromkeys])
def test_stop_words_in_any_collection(kind):
    counter = TextCounter(stop_words=kind(["rose", "fell"]))
    for _ in range(2):
        assert counter.fit(TEXTS).vocabulary_ == {"corn": 0, "wheat": 1}


def test_an_iterator_of_stop_words_is_refused():
    # It can be read only once: the second call would have no stop words.
    with pytest.raises(ParameterError, match=r"^stop_words="):
        TextCounter(stop_words=iter(["rose", "fell"])).fit(TEXTS)


def test_a_stop_word_without_utf8_is_ignored():
    assert TextCounter(stop_words=["a\ud800", "rose"]).terms("wheat rose") == ["wheat"]


def test_no_stop_words():
    assert TextCounter(stop_words=[]).terms("the cat") == ["the", "cat"]


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        (r"\w+(?=s)", "look-ahead"),
        (r"(?<=a)\w+", "look-ahead"),  # Rust names both look-arounds in one sentence
        (r"(\w)\1", "backreference"),
        (r"(a)(b)", "2 groups"),
        (r"(\w+)=(\w+)=(\w+)", "3 groups"),
        (r"[", "unclosed"),
        (r"a{2,1}", "repetition"),
        (r"*", "repetition"),
    ],
)
def test_invalid_patterns(pattern, reason):
    with pytest.raises(ParameterError, match=r"^tokens=") as caught:
        TextCounter(tokens=pattern).fit(TEXTS)
    message = str(caught.value)
    assert reason in message
    assert repr(pattern) in message
    assert len(message.splitlines()) == 3


def test_a_pattern_that_would_need_too_much_memory_is_refused():
    with pytest.raises(ParameterError, match=r"^tokens="):
        TextCounter(tokens=r"(?:\w{1000}){1000}").fit(TEXTS)


def test_settings_are_checked_before_texts_are_read():
    def texts():
        raise AssertionError("read")
        yield ""

    with pytest.raises(ParameterError, match=r"^unit='chars'"):
        TextCounter(unit="chars").fit(texts())


def test_every_method_reports_an_invalid_setting():
    counter = TextCounter().fit(TEXTS).set_params(unit="chars")
    for method in (counter.fit, counter.fit_transform, counter.partial_fit, counter.transform):
        with pytest.raises(ParameterError, match=r"^unit='chars'"):
            method(TEXTS)
    with pytest.raises(ParameterError, match=r"^unit='chars'"):
        counter.terms("wheat")


def test_settings_compare_by_value():
    assert TextSettings() == TextSettings()
    assert hash(TextSettings()) == hash(TextSettings())
    assert TextSettings(lowercase=False) != TextSettings()


def test_english_stop_words_are_those_of_scikit_learn():
    text = " ".join(sorted(ENGLISH_STOP_WORDS))
    kept = TextCounter(stop_words="english", tokens=r"\S+")
    assert kept.terms(text) == []
    assert kept.terms("thee wheat") == ["thee", "wheat"]
    words = Path(settings.__file__).with_name("english.txt").read_text(encoding="utf-8").split()
    assert words == sorted(ENGLISH_STOP_WORDS)
