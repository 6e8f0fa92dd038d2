"""Control characters on screens."""

import json
import sys
import unicodedata

import pytest

from textbayes.datasets import BadRecord
from textbayes.errors import FileReadError, RecordError
from textbayes.errors.printable import printable, printable_json, printable_text

ORDINARY = [
    "plain text, with [brackets] and \\backslashes\\",
    "naïve Ünïcode e\u0301",
    "العربية قمح",
    "می\u200cخواهم",
    "עברית",
    "हिन्दी क्\u200dष",
    "한국어 밀",
    "中文 日本語",
    "👩\u200d💻 🏳️\u200d🌈 🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    "no-break\u00a0space",
]
DECEPTIVE = [
    *map(chr, range(0x20)),
    *map(chr, range(0x7F, 0xA0)),
    *"\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u2028\u2029\ufeff",
    "\ud83d",
    "\udcff",
]


@pytest.mark.parametrize("text", ORDINARY)
def test_letters_of_every_script_stay(text):
    assert printable(text) == printable_text(text) == text
    assert printable_json(json.dumps(text, ensure_ascii=False)) == json.dumps(text, ensure_ascii=False)


@pytest.mark.parametrize("character", DECEPTIVE, ids=ascii)
def test_deceptive_characters_are_shown(character):
    shown = printable(f"a{character}b")
    assert shown == f"a{character.encode('unicode-escape').decode()}b"
    assert shown.isprintable()
    text = printable_text(f"a{character}b")
    assert text == (f"a{character}b" if character in "\n\t" else shown)


def test_nothing_but_joiners_and_tags_is_left():
    every = map(chr, range(sys.maxunicode + 1))
    left = {
        one
        for one in every
        if unicodedata.category(one) in ("Cc", "Cs", "Zl", "Zp") and one in printable(one)
    }
    assert not left
    # Names that look the same are told apart.
    assert printable("spam\u200b") == r"spam\u200b"
    assert printable("spam\u2060") == r"spam\u2060"
    assert printable("sp\u00adam") == r"sp\xadam"
    assert printable_text("ខ្ញុំ\u200bស្រលាញ់") == "ខ្ញុំ\u200bស្រលាញ់"


def test_lines():
    assert printable_text("one\r\ntwo\rthree") == "one\ntwo\\rthree"
    assert printable("one\r\ntwo\t3") == r"one\r\ntwo\t3"
    assert printable(5) == "5"


@pytest.mark.parametrize("character", DECEPTIVE, ids=ascii)
def test_json_has_the_same_values(character):
    for ascii_only in (True, False):
        text = printable_json(json.dumps({character: f"밀{character}"}, ensure_ascii=ascii_only))
        assert json.loads(text) == {character: f"밀{character}"}
        assert text.isprintable()
        text.encode("utf-8")


def test_errors_are_printable():
    error = FileReadError("a\x1b[31m\nFake: line\u202e.csv", None, "why\x07")
    assert str(error).count("\n") == 2
    assert r"a\x1b[31m\nFake: line\u202e.csv" in str(error)
    assert error.filename == "a\x1b[31m\nFake: line\u202e.csv"


def test_bad_records_are_printable():
    error = RecordError("a\x1b.csv", 3, "this is not\x9b JSON", "jsonl")
    assert str(BadRecord("a\x1b.csv", "a\x1b.csv, line 3", "3", error)) == (
        r"a\x1b.csv, line 3: this is not\x9b JSON"
    )
