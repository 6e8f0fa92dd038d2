"""Spans: the characters of the text that each term comes from."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import examples
from reference.corpora import UNICODE_TEXTS
from textbayes.text import TextSettings, is_character_term

SETTINGS = [
    TextSettings(),
    TextSettings(tokens="unicode", lowercase=False),
    TextSettings(tokens="symbols"),
    TextSettings(tokens="letters", ngram_range=(1, 3)),
    TextSettings(stop_words=("the", "wheat"), stemmer="english", ngram_range=(1, 2)),
    TextSettings(numbers="mark", tokens="unicode"),
    TextSettings(tokens=r"#(\w+)"),
    TextSettings(unit="char", ngram_range=(1, 3)),
    TextSettings(unit="char_wb", ngram_range=(2, 4)),
    TextSettings(tokens="unicode", ngram_range=(1, 2), characters=(2, 4)),
    TextSettings(tokens=r"\S+", characters=(3, 3)),
]
ODD = [*UNICODE_TEXTS, "İİ \u212aelvin ΟΔΟΣ ΣΑΣ", "#ab #İc \ud800 #x\udfffy", "e\u0301te\u0301 हिन्दी ไทย"]


def check(settings, text):
    rules = settings.rules()
    spans = rules.spans(text)
    assert [term for *_, term in spans] == rules.terms(text)
    for start, end, term in spans:
        assert 0 <= start <= end <= len(text)
        # For single words: counting the characters of a span alone gives the same term.
        alone = rules.terms(text[start:end])
        single = settings.unit == "word" and settings.ngram_range == (1, 1) and not is_character_term(term)
        if single and "(" not in settings.tokens:
            assert term in alone or "Σ" in text, (text[start:end], term)


@pytest.mark.parametrize("text", ODD, ids=ascii)
@pytest.mark.parametrize("settings", SETTINGS, ids=repr)
def test_odd_texts(settings, text):
    check(settings, text)


@pytest.mark.parametrize("chosen", SETTINGS, ids=repr)
@settings(max_examples=examples(60), deadline=None)
@given(text=st.text(st.sampled_from("aB \n\tİΣßẞ東京ไ\u0e49\u0301,.1٣#\u212a🌾\ud800_\0")))
def test_any_text(chosen, text):
    check(chosen, text)


def test_positions_count_python_characters():
    spans = TextSettings(tokens="unicode").rules().spans("🌾 Straße, İZMİR 東京都!")
    assert spans == [(2, 8, "straße"), (10, 15, "i̇zmi̇r"), (16, 18, "東京"), (17, 19, "京都")]


def test_symbols_have_their_places():
    spans = TextSettings(tokens="symbols").rules().spans("İ 👍🏽 :))) C++ 🇩🇪")
    assert spans == [(0, 1, "i̇"), (2, 4, "👍🏽"), (5, 7, ":)"), (10, 13, "c++"), (14, 16, "🇩🇪")]


def test_characters_beside_words_have_their_places():
    spans = TextSettings(characters=(4, 5)).rules().spans("  İl🌾 up")
    expected = [
        (2, 4, "i̇l"),
        (6, 8, "up"),
        (2, 4, "\0 i̇l"),
        (2, 5, "\0i̇l🌾"),
        (2, 5, "\0\u0307l🌾 "),
        (2, 5, "\0 i̇l🌾"),
        (2, 5, "\0i̇l🌾 "),
        (6, 8, "\0 up "),
    ]
    assert spans == expected
