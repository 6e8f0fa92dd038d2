"""Character n-grams beside words, and terms as people see them."""

import pytest
from sklearn.feature_extraction.text import CountVectorizer

from reference.corpora import UNICODE_TEXTS
from textbayes import TextCounter
from textbayes._native import Vocabulary
from textbayes.text import CHARACTERS_MARK, is_character_term, shown_term

TEXTS = [
    *UNICODE_TEXTS,
    "한국어 기사 제목, 한국어로",
    "أخبار اليوم في العالم",
    "हिन्दी में लिखा हुआ",
    "👍🏽 👩‍👩‍👧 nice🎉!! :-)",
    "nul\0in \0the\0 middle \0",
    "\ufffd broken \ufffd\ufffd",
    "",
    "   ",
]


@pytest.mark.parametrize("lowercase", [True, False])
@pytest.mark.parametrize("lengths", [(1, 1), (2, 5), (3, 3), (4, 9)])
@pytest.mark.parametrize("text", TEXTS, ids=ascii)
def test_characters_are_those_of_count_vectorizer(text, lengths, lowercase):
    terms = TextCounter(lowercase=lowercase, characters=lengths).terms(text)
    characters = [term[1:] for term in terms if is_character_term(term)]
    theirs = CountVectorizer(analyzer="char_wb", ngram_range=lengths, lowercase=lowercase).build_analyzer()
    assert characters == theirs(text)
    assert terms[: -len(characters) or None] == TextCounter(lowercase=lowercase).terms(text)


def test_a_lone_surrogate_is_a_replacement_character():
    assert TextCounter(characters=(3, 3)).terms("a\ud800") == ["\0 a\ufffd", "\0a\ufffd "]


@pytest.mark.parametrize("ngram_range", [(1, 1), (1, 2)])
def test_word_settings_do_not_change_the_characters(ngram_range):
    counter = TextCounter(
        tokens="letters",
        numbers="drop",
        stop_words=["the"],
        stemmer="porter",
        ngram_range=ngram_range,
        characters=(3, 4),
    )
    text = "The 17 cats, running"
    characters = [term[1:] for term in counter.terms(text) if is_character_term(term)]
    assert characters == TextCounter(unit="char_wb", ngram_range=(3, 4)).terms(text)
    words = [term for term in counter.terms(text) if not is_character_term(term)]
    assert words == ["cat", "run", "cat run"][: 1 + ngram_range[1]]


@pytest.mark.parametrize("pattern", [r"\S+", r"(?s).", r"\x00\w+", r"\x00(.*)"])
@pytest.mark.parametrize("stemmer", [None, "arabic"])
def test_no_word_of_a_pattern_collides_with_characters(pattern, stemmer):
    text = "\0al \0\0al al\0 \0"
    with_both = TextCounter(tokens=pattern, stemmer=stemmer, characters=(2, 4))
    characters = TextCounter(unit="char_wb", ngram_range=(2, 4)).terms(text)
    terms = with_both.terms(text)
    assert [term[1:] for term in terms if is_character_term(term)] == characters
    rows = with_both.fit_transform([text, text])
    assert rows.sum() == 2 * len(terms)
    assert rows.shape[1] == len(set(terms))


def test_terms_are_shown_to_people():
    assert shown_term("oil") == "oil"
    assert shown_term("crude oil") == "crude oil"
    assert shown_term(f"{CHARACTERS_MARK}il ") == "‹il ›"
    assert shown_term("\0a\0b\x1b") == "‹a\ufffdb\ufffd›"
    assert not is_character_term("")


def test_kinds_of_columns():
    counter = TextCounter(ngram_range=(1, 3), characters=(4, 4)).fit(["new york oil"])
    vocabulary = counter.core_vocabulary
    kinds = dict(zip(map(shown_term, vocabulary.terms()), vocabulary.kinds().tolist(), strict=True))
    assert {term for term, kind in kinds.items() if kind == 0} == {"new", "york", "oil"}
    assert {term for term, kind in kinds.items() if kind == 1} == {"new york", "york oil", "new york oil"}
    assert {term for term, kind in kinds.items() if kind == 2} == {
        *("‹ new›", "‹new ›", "‹ yor›", "‹york›", "‹ork ›", "‹ oil›", "‹oil ›")
    }
    assert vocabulary.kinds(7).tolist() == vocabulary.kinds()[7:].tolist()
    assert vocabulary.kinds(len(vocabulary)).size == 0
    assert vocabulary.kinds(10**6).size == 0
    assert vocabulary.kinds().dtype == "uint8"
    assert Vocabulary().kinds().size == 0


def test_kinds_of_columns_in_a_file():
    vocabulary = TextCounter(ngram_range=(1, 2), characters=(2, 2)).fit(["new oil"]).core_vocabulary
    mapped = Vocabulary.mapped(*vocabulary.state().values())
    assert mapped.kinds().tolist() == vocabulary.kinds().tolist()
    mapped.join(TextCounter(ngram_range=(1, 2), characters=(3, 3)).fit(["up it"]).core_vocabulary)
    kinds = mapped.kinds(len(vocabulary)).tolist()
    added = dict(zip(mapped.terms_from(len(vocabulary)), kinds, strict=True))
    assert added == {"\0 it": 2, "\0 up": 2, "\0it ": 2, "\0up ": 2, "it": 0, "up": 0, "up it": 1}
