"""Settings that define the terms of a text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from numbers import Integral
from typing import Any

from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

from textbayes._native import Rules, stemmer_names
from textbayes.errors import (
    NgramRangeError,
    SettingConflictError,
    StopWordsError,
    TokenPatternError,
    UnknownOptionError,
)

TOKEN_RULES = ("words", "letters", "unicode")
UNITS = ("word", "char", "char_wb")
NUMBER_RULES = ("keep", "drop", "mark")
STOP_WORD_LISTS: dict[str, frozenset[str]] = {"english": ENGLISH_STOP_WORDS}
STEMMERS = tuple(stemmer_names())

# A longer n-gram is a mistake in the settings.
_LONGEST_NGRAM = 1_000

# A string with one of these is a regular expression, not a misspelt name of a rule.
_PATTERN_CHARACTERS = frozenset(r"\[](){}.*+?^$|")


@dataclass(frozen=True)
class TextSettings:
    """Settings that define the terms of a text; :class:`textbayes.TextCounter` describes each.

    Examples
    --------
    >>> from textbayes.text import TextSettings
    >>> TextSettings(stemmer="porter", stop_words="english").rules().terms("The cats are running")
    ['cat', 'run']
    """

    lowercase: bool = True
    tokens: str = "words"
    unit: str = "word"
    numbers: str = "keep"
    stop_words: str | Iterable[str] | None = None
    stemmer: str | None = None
    ngram_range: tuple[int, int] = (1, 1)

    def rules(self) -> Rules:
        """Check the settings and compile them to the core's rules."""
        check_option("unit", self.unit, UNITS)
        check_option("numbers", self.numbers, NUMBER_RULES)
        if self.stemmer is not None:
            check_option("stemmer", self.stemmer, STEMMERS)
        self._check_tokens()
        self._check_unit()
        ngrams, stop_words = _checked_range(self.ngram_range), _stop_word_set(self.stop_words)
        try:
            return Rules(
                bool(self.lowercase),
                self.tokens,
                self.unit,
                self.numbers,
                stop_words,
                self.stemmer,
                ngrams,
            )
        except ValueError as error:
            raise TokenPatternError(self.tokens, str(error)) from None

    def _check_tokens(self) -> None:
        if not isinstance(self.tokens, str):
            raise UnknownOptionError("tokens", self.tokens, [*TOKEN_RULES, "a regular expression"])
        if self.tokens not in TOKEN_RULES and not _PATTERN_CHARACTERS.intersection(self.tokens):
            raise UnknownOptionError("tokens", self.tokens, [*TOKEN_RULES, "a regular expression"])

    def _check_unit(self) -> None:
        if self.unit == "word":
            return
        words_only = {"stop_words": None, "stemmer": None, "numbers": "keep", "tokens": "words"}
        for name, default in words_only.items():
            value = getattr(self, name)
            # Stop words may be an array, and == on an array gives no single truth value.
            if not (value is default or (isinstance(value, str) and value == default)):
                raise SettingConflictError(name, value, "unit", self.unit, "words, not characters")


def check_option(name: str, value: Any, options: Iterable[str]) -> None:
    """Check that a setting is one of the allowed names."""
    if not isinstance(value, str) or value not in options:
        raise UnknownOptionError(name, value, options)


def _checked_range(ngram_range: Any) -> tuple[int, int]:
    try:
        min_n, max_n = ngram_range
    except (TypeError, ValueError):
        raise NgramRangeError(ngram_range) from None
    if not all(isinstance(n, Integral) and not isinstance(n, bool) for n in (min_n, max_n)):
        raise NgramRangeError(ngram_range)
    if not 1 <= int(min_n) <= int(max_n) <= _LONGEST_NGRAM:
        raise NgramRangeError(ngram_range)
    return int(min_n), int(max_n)


def _stop_word_set(stop_words: Any) -> set[str]:
    if stop_words is None:
        return set()
    if isinstance(stop_words, str):
        check_option("stop_words", stop_words, STOP_WORD_LISTS)
        return set(STOP_WORD_LISTS[stop_words])
    # The first call would exhaust an iterator and leave the next call without stop words.
    if not isinstance(stop_words, Iterable) or isinstance(stop_words, Iterator | bytes):
        raise StopWordsError(stop_words)
    for word in stop_words:
        if not isinstance(word, str):
            raise StopWordsError(word)
    return {str(word) for word in stop_words if _is_utf8(word)}


def _is_utf8(word: str) -> bool:
    """Return whether a word can be a token: tokens never contain a lone surrogate."""
    return not any("\ud800" <= character <= "\udfff" for character in word)
