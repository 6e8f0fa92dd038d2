"""The rules that split a text into tokens."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import examples
from reference.corpora import everyday_texts
from reference.count_vectorizer import letters, symbols, words
from textbayes import TextCounter

HINDI = "हिन्दी में ३ शब्द"
THAI = "ภาษาไทย"


def terms(text, tokens="words", **settings):
    return TextCounter(tokens=tokens, **settings).terms(text)


def test_words_match_the_reference_tokenizer():
    for text in (*everyday_texts(), HINDI, THAI, "e\u0301a \u0301ab x\u0301"):
        assert terms(text) == words(text)


def test_letters_match_the_reference_tokenizer():
    for text in (*everyday_texts(), HINDI, THAI):
        assert terms(text, tokens="letters") == letters(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("don't stop_words x86 3d 42nd a", ["don", "stop", "words", "nd"]),
        ("한국어2024", ["한국어"]),
        ("हिन्दी", ["हिन्दी"]),
        ("Ⅷ ²² ½½", []),
        ("", []),
        ("a b c", []),
    ],
)
def test_letters(text, expected):
    assert terms(text, tokens="letters") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # Scripts with spaces: as "words".
        ("The weather, 3d a", ["the", "weather", "3d"]),
        ("한국어 형태소", ["한국어", "형태소"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        # Han and Kana: overlapping pairs; a single character is a token.
        ("東京都", ["東京", "京都"]),
        ("北京 上海市", ["北京", "上海", "海市"]),
        ("東", ["東"]),
        ("東。京", ["東", "京"]),
        ("ひらがな", ["ひら", "らが", "がな"]),
        ("カタカナ", ["カタ", "タカ", "カナ"]),
        ("食べる", ["食べ", "べる"]),
        ("𠮷野家", ["𠮷野", "野家"]),  # beyond the first plane
        # Adjacent words, digits and pairs.
        ("abc漢字def", ["abc", "漢字", "def"]),
        ("2024年", ["2024", "年"]),
        ("漢1", ["漢"]),
        ("x漢", ["漢"]),
        # Thai, Lao, Khmer: a character with its marks counts as one of the pair.
        ("กา", ["กา"]),
        ("ที่นี่", ["ที่นี่"]),
        ("ที่นี่ดี", ["ที่นี่", "นี่ดี"]),
        ("ลาว", ["ลา", "าว"]),
        ("ភាសា", ["ភាសា"]),
        ("ភាសាខ្មែរ", ["ភាសា", "សាខ្", "ខ្មែ", "មែរ"]),
        ("ไทย English", ["ไท", "ทย", "english"]),
        ("日本語 and ไทย", ["日本", "本語", "and", "ไท", "ทย"]),
        ("", []),
        ("。、！", []),
    ],
)
def test_unicode(text, expected):
    assert terms(text, tokens="unicode") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # Emoji: with a skin tone, joined, flags, variation selectors, tags.
        ("😀😀 ok", ["😀", "😀", "ok"]),
        ("👍🏽 👩‍🌾 👨‍👩‍👧‍👦", ["👍🏽", "👩‍🌾", "👨‍👩‍👧‍👦"]),
        ("🇩🇪🇫🇷🇩", ["🇩🇪", "🇫🇷", "🇩"]),
        ("❤️❤ ☺️!", ["❤", "❤", "☺"]),
        ("🏳️‍🌈 🏴󠁧󠁢󠁳󠁣󠁴󠁿", ["🏳️‍🌈", "🏴󠁧󠁢󠁳󠁣󠁴󠁿"]),
        ("love❤️you 東京😀都", ["love", "❤", "you", "東京", "😀", "都"]),
        ("© ® → ½", []),
        # Emoticons: apart from words; a repeated mouth counts once.
        (":) :-( ;) =D :'( <3 :3 :/", [":)", ":-(", ";)", "=d", ":'(", "<3", ":3", ":/"]),
        ("great:))) done. :((( :D", ["great", ":)", "done", ":(", ":d"]),
        (
            "http://x.org f(x=) a[:3] std::) x<3.5 :(see :do 10:30 note:(see",
            ["http", "org", "std", "see", "do", "10", "30", "note", "see"],
        ),
        # Words with a symbol.
        ("C++, c# and R&D at AT&T", ["c++", "c#", "and", "r&d", "at", "at&t"]),
        ("C/C++11 i++; a+++ c## b#c ab++ x&lt;y foo&bar", ["c++", "11", "i++", "ab", "lt", "foo", "bar"]),
    ],
)
def test_symbols(text, expected):
    assert terms(text, tokens="symbols") == expected
    words = [term for term in terms(text, tokens="unicode") if term != "at"]
    assert words == [term for term in expected if re.fullmatch(r"\w+", term) and term != "at"]


SYMBOLS = [
    "😀",
    "👍🏽",
    "👩‍🌾",
    "🇩🇪",
    "🇫",
    "❤️",
    "❤",
    "\u200d",
    ":",
    ";",
    "=",
    "-",
    "'",
    ")",
    "(",
    "[",
    "/",
    "|",
    "*",
    "<",
]


@settings(max_examples=examples(300), deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [*SYMBOLS, "3", "d", "p", "C", "+", "++", "#", "&", "R&D", "ab", "x", " ", " ", ".", "\n", "é"]
        )
    )
)
def test_symbols_match_the_reference(parts):
    text = "".join(parts)
    found = [term for term in terms(text, tokens="symbols") if re.search(r"\W", term)]
    assert found == symbols(text)


def test_a_repeated_mouth_counts_once():
    assert terms(":DDD :)) :(((", tokens="symbols") == [":d", ":)", ":("]


def test_symbols_beside_numbers():
    assert terms("7 :3 1,000 c++ 😀", tokens="symbols", numbers="mark") == ["NUM", ":3", "NUM", "c++", "😀"]
    assert terms("7 :3 1,000 c++ 😀", tokens="symbols", numbers="drop") == [":3", "c++", "😀"]


def test_symbols_are_not_stemmed_and_can_be_stop_words():
    kept = terms("Running :) C++ 👍🏽 r&d", tokens="symbols", stemmer="porter")
    assert kept == ["run", ":)", "c++", "👍🏽", "r&d"]
    assert terms("Running :) C++", tokens="symbols", stop_words=[":)"]) == ["running", "c++"]
    assert terms("so good :)", tokens="symbols", ngram_range=(2, 2)) == ["so good", "good :)"]


def test_adjacent_scripts_keep_their_pairs():
    mixed = terms("東京ไทยカナ", tokens="unicode")
    assert {"東京", "ไท", "ทย", "カナ"} <= set(mixed)
    assert all(len(term) == 2 for term in mixed)


def test_unicode_equals_words_in_scripts_with_spaces():
    han = re.compile(
        "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u30ff\u3400-\u9fff\uf900-\ufaff\uff66-\uff9f]"
    )
    checked = [text for text in everyday_texts() if not han.search(text)]
    assert len(checked) > 100
    for text in checked:
        assert terms(text, tokens="unicode") == terms(text)


@pytest.mark.parametrize("text", ["пʼять", "hawaiʼi", "oʼzbek"])
def test_an_apostrophe_stays_inside_a_word(text):
    # U+02BC is also used in Thai, which has no spaces.
    assert terms(text, tokens="unicode") == [text]
    assert terms(f"{text} 東京都", tokens="unicode") == [text, "東京", "京都"]


def test_the_default_reads_every_script():
    text = "iPhone手机 한국어"
    assert TextCounter().terms(text) == terms(text, tokens="unicode") == ["iphone", "手机", "한국어"]


def test_pairs_of_unicode_tokens():
    assert terms("東京都", tokens="unicode", ngram_range=(2, 2)) == ["東京 京都"]


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"numbers": "keep"}, ["234", "and", "3d", "1e5", "2024", "x1", "10"]),
        ({"numbers": "drop"}, ["and", "3d", "1e5", "x1"]),
        ({"numbers": "mark"}, ["NUM", "and", "NUM", "3d", "1e5", "NUM", "x1", "NUM"]),
    ],
)
def test_numbers(settings, expected):
    assert terms("1,234.5 and 7 3d 1e5 2024 x1 10%", **settings) == expected


@pytest.mark.parametrize("number", ["7", "42", "1,234.5", "3.14", "1.000.000,5", "٣٤", "१२", "９９", "²"])
def test_a_number_is_marked_once(number):
    assert terms(f"costs {number}.", numbers="mark") == ["costs", "NUM"]
    assert terms(f"costs {number}.", numbers="drop") == ["costs"]


@pytest.mark.parametrize("word", ["3d", "x1", "1e5", "42nd", "mp3", "b2b"])
def test_a_word_with_digits_is_not_a_number(word):
    assert terms(word, numbers="mark") == [word]
    assert terms(word, numbers="drop") == [word]


def test_a_number_mark_is_not_a_word_of_the_text():
    assert terms("num NUM 12", numbers="mark") == ["num", "num", "NUM"]
    assert terms("num 12", numbers="mark", stop_words=["num"]) == ["NUM"]


def test_number_marks_are_not_stemmed_but_form_ngrams():
    assert terms("12 cats", numbers="mark", stemmer="porter", ngram_range=(1, 2)) == ["NUM", "cat", "NUM cat"]


def test_numbers_with_the_other_rules():
    assert terms("2024年 12", tokens="unicode", numbers="mark") == ["NUM", "年", "NUM"]
    assert terms("2024年 12", tokens="unicode", numbers="drop") == ["年"]
    assert terms("about 12 cats", tokens="letters", numbers="drop") == ["about", "cats"]
    assert terms("about 12 cats", tokens="letters", numbers="mark") == ["about", "NUM", "cats"]
    assert terms("7 cats 12", tokens=r"\w+", numbers="mark") == ["NUM", "cats", "NUM"]
    assert terms("7 cats 12", tokens=r"\w+", numbers="drop") == ["cats"]


def test_stop_words_are_removed_before_ngrams_and_stemming():
    assert terms("cats and dogs", stop_words=["and"], stemmer="porter", ngram_range=(2, 2)) == ["cat dog"]
    # A stop word is a token, not a stem.
    assert terms("cats cat", stop_words=["cat"], stemmer="porter") == ["cat"]


def test_stop_words_are_compared_after_lower_casing():
    assert terms("The cat", stop_words=["the"]) == ["cat"]
    assert terms("The cat", stop_words=["The"]) == ["the", "cat"]
    assert terms("The cat", stop_words=["The"], lowercase=False) == ["cat"]


@pytest.mark.parametrize(
    "pattern",
    [
        r"\w+",
        r"\S+",
        r"[a-z]{3,}",
        r"#(\w+)",
        r"(?i)[A-F]+",
        r"\b[a-z]\w*\b",
        r"[^\W\d_]+",
        r"(?:ab|cd)+",
        r"\d+\.\d+",
    ],
)
def test_a_pattern_finds_the_same_tokens_as_python(pattern):
    # Rust's \\w includes the joiners U+200C and U+200D, Python's does not. Python's \\w includes numbers such
    # as ² and ½, and its \\s includes U+001C to U+001F; Rust's do not.
    told_apart = re.compile("[\u200c\u200d\x1c-\x1f²½④]")
    for text in everyday_texts():
        if not told_apart.search(text):
            assert terms(text, tokens=pattern) == re.findall(pattern, text.lower()), text


def test_a_named_group_counts_as_a_group():
    assert terms("k=v a=b", tokens=r"(?P<key>\w)=") == ["k", "a"]


def test_terms_of_one_text_must_be_a_string():
    for text in (None, b"ab", 5, ["ab"]):
        with pytest.raises(TypeError):
            TextCounter().terms(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ab\ud800cd", ["ab", "cd"]),
        ("\ud83d\ude00", []),
        ("ab\udfffcd x\ud800", ["ab", "cd"]),
        ("ab\x00cd", ["ab", "cd"]),
        ("\x00", []),
        ("👩‍👩‍👧‍👦 ok", ["ok"]),
        (
            "a\u200db ab\ufe0f",
            ["ab\ufe0f"],
        ),  # ZWJ is not a word character (as in \w); a variation selector is a mark
        ("שלום עולם\u200f", ["שלום", "עולם"]),
        ("\u202eabc\u202c", ["abc"]),
    ],
)
def test_odd_characters(text, expected):
    assert terms(text) == expected
