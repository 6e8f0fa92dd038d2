"""Word characters and lower case, compared with Python for every assigned character."""

import re
import sys
import unicodedata

import pytest

from textbayes import TextCounter
from textbayes.text import TextSettings

# A character that is unassigned (Cn) in Python's Unicode database may be a letter in the newer one that the
# core is built with; a surrogate (Cs) has no UTF-8.
ASSIGNED = [
    character
    for character in map(chr, range(sys.maxunicode + 1))
    if unicodedata.category(character) not in ("Cn", "Cs")
]
MARKS = [character for character in ASSIGNED if unicodedata.category(character).startswith("M")]
OTHERS = [character for character in ASSIGNED if not unicodedata.category(character).startswith("M")]
WORD = re.compile(r"\w")


def tokens_in(texts: list[str]) -> list[int]:
    """Return the number of tokens of each text, without lower-casing."""
    counter = TextCounter(lowercase=False, tokens="words", dimensions=1)
    return counter.transform(texts).toarray().ravel().tolist()


def test_word_characters_except_marks_match_python():
    assert len(OTHERS) > 250_000
    expected = [int(WORD.match(character) is not None) for character in OTHERS]
    assert tokens_in([f"x{character}" for character in OTHERS]) == expected
    assert tokens_in([f"{character}x" for character in OTHERS]) == expected


def test_marks_continue_a_word_but_do_not_start_one():
    assert len(MARKS) > 2_000
    assert tokens_in([f"x{mark}" for mark in MARKS]) == [1] * len(MARKS)
    assert tokens_in([f"{mark}x" for mark in MARKS]) == [0] * len(MARKS)
    assert tokens_in([f"-{mark}{mark}-" for mark in MARKS]) == [0] * len(MARKS)
    assert tokens_in([f"x{mark}y" for mark in MARKS]) == [1] * len(MARKS)


def test_the_lower_case_of_every_character_matches_python():
    terms = TextSettings(unit="char").rules().terms
    # unit="char" keeps single blanks, so this is the whole text, lower-cased.
    wrong = [character for character in ASSIGNED if "".join(terms(character)) != character.lower()]
    assert not wrong


def test_the_lower_case_of_all_characters_in_one_text_matches_python():
    text = " ".join(OTHERS[::7])
    assert TextSettings().rules().terms(text) == TextSettings(lowercase=False).rules().terms(text.lower())


@pytest.mark.parametrize(
    "text",
    [
        "ΟΔΥΣΣΕΥΣ",
        "ΣΑΣ ΣΣ Σ",
        "aΣ",
        "aΣb",
        "a\u0301Σ",  # a mark is passed over when looking for the letter before
        "aΣ\u0301",  # … and after
        "aΣ\u0301b",
        "\u00adΣ",
        "a\u00adΣ",
        "aΣ.b",  # so is a full stop
        "a.Σ",
        "aΣ'",
        "ΑΣ ΑΣ\nΑΣ",
        "İSTANBUL İΣ",
        "STRAẞE ẞ",
        "ǅ ǈ Ǆ",
        "𐐀𐐁 Ꭰ ꭰ Ა ა",
        "ＡＢＣ Ⅷ Ⓐ",
        "K Å Ω",  # the signs of kelvin, ångström and ohm
    ],
)
def test_lower_case_depends_on_context_as_in_python(text):
    assert "".join(TextSettings(unit="char").rules().terms(text)) == text.lower()


@pytest.mark.parametrize(
    "word", ["हिन्दी", "தமிழ்", "বাংলা", "ภาษาไทย", "cafe\u0301", "עִבְרִית", "العَرَبِيَّة", "ქართული", "မြန်မာ", "សួស្តី"]
)
def test_a_word_with_marks_stays_whole(word):
    assert TextCounter(tokens="words").terms(f"{word}, {word}!") == [word, word]


def test_python_would_split_the_same_word():
    assert re.findall(r"\w\w+", "हिन्दी") != ["हिन्दी"]
