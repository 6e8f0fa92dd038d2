"""Settings that define the terms of a text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from textbayes._native import Rules, stemmer_names
from textbayes.errors import (
    ParameterConflictError,
    ParameterError,
)
from textbayes.errors.checks import check_option, check_whole

TOKEN_RULES = ("words", "letters", "unicode", "symbols")
DEFAULT_TOKENS = "unicode"
"""The rule of TextCounter and TextClassifier (experiments/default_counter.py)."""
UNITS = ("word", "char", "char_wb")
NUMBER_RULES = ("keep", "drop", "mark")
STOP_WORD_LISTS = ("english",)
STEMMERS = tuple(stemmer_names())

_STOP_WORDS = 'None, "english", or a list or set of strings (a generator can be read only once)'

# A longer n-gram is a mistake in the settings.
_LONGEST_NGRAM = 1_000
_EXAMPLES = {"ngram_range": "(1, 2)", "characters": "(2, 5)"}

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
    tokens: str = DEFAULT_TOKENS
    unit: str = "word"
    numbers: str = "keep"
    stop_words: str | Iterable[str] | None = None
    stemmer: str | None = None
    ngram_range: tuple[int, int] = (1, 1)
    characters: tuple[int, int] | None = None

    def rules(self) -> Rules:
        """Check the settings and compile them to the core's rules."""
        check_option("unit", self.unit, UNITS)
        check_option("numbers", self.numbers, NUMBER_RULES)
        if self.stemmer is not None:
            check_option("stemmer", self.stemmer, STEMMERS)
        self._check_tokens()
        self._check_unit()
        ngrams, stop_words = _checked_range("ngram_range", self.ngram_range), _stop_word_set(self.stop_words)
        characters = None if self.characters is None else _checked_range("characters", self.characters)
        try:
            return Rules(
                bool(self.lowercase),
                self.tokens,
                self.unit,
                self.numbers,
                stop_words,
                self.stemmer,
                (ngrams, characters),
            )
        except ValueError as error:
            reason = " ".join(str(error).split())
            why = f"The pattern cannot be used ({reason}); look-around and back-references are not supported"
            allowed = f"a pattern with at most one group, or one of: {', '.join(TOKEN_RULES)}"
            raise ParameterError("tokens", self.tokens, allowed, why) from None

    def _check_tokens(self) -> None:
        named = isinstance(self.tokens, str) and self.tokens in TOKEN_RULES
        if not named and not (isinstance(self.tokens, str) and _PATTERN_CHARACTERS.intersection(self.tokens)):
            raise ParameterError("tokens", self.tokens, [*TOKEN_RULES, "a regular expression"])

    def _check_unit(self) -> None:
        if self.unit == "word":
            return
        if self.characters is not None:
            why = "characters are counted beside words, and unit counts no words"
            raise ParameterConflictError("characters", self.characters, "unit", self.unit, why)
        # "words" is the default of older model files.
        words_only = {
            "stop_words": (None,),
            "stemmer": (None,),
            "numbers": ("keep",),
            "tokens": (DEFAULT_TOKENS, "words"),
        }
        for name, defaults in words_only.items():
            value = getattr(self, name)
            # Stop words may be an array, and == on an array gives no single truth value.
            if not (value is None or isinstance(value, str)) or value not in defaults:
                raise ParameterConflictError(
                    name, value, "unit", self.unit, f"{name} applies to words, and unit counts characters"
                )


def _checked_range(name: str, lengths: Any) -> tuple[int, int]:
    try:
        min_n, max_n = lengths
        max_n = check_whole(name, max_n, most=_LONGEST_NGRAM)
        return check_whole(name, min_n, most=max_n), max_n
    except (TypeError, ValueError):
        allowed = f"a pair (shortest, longest) from 1 to {_LONGEST_NGRAM}, such as {_EXAMPLES[name]}"
        raise ParameterError(name, lengths, allowed) from None


def _stop_word_set(stop_words: Any) -> set[str]:
    if stop_words is None:
        return set()
    if isinstance(stop_words, str):
        check_option("stop_words", stop_words, STOP_WORD_LISTS)
        return set(_stop_word_list(stop_words))
    # The first call would exhaust an iterator and leave the next call without stop words.
    if not isinstance(stop_words, Iterable) or isinstance(stop_words, Iterator | bytes):
        raise ParameterError("stop_words", stop_words, _STOP_WORDS)
    for word in stop_words:
        if not isinstance(word, str):
            raise ParameterError("stop_words", word, _STOP_WORDS)
    return {str(word) for word in stop_words if _is_utf8(word)}


@cache
def _stop_word_list(name: str) -> frozenset[str]:
    """Read a list, one word per line; "english" is scikit-learn's ENGLISH_STOP_WORDS."""
    return frozenset(Path(__file__).with_name(f"{name}.txt").read_text(encoding="utf-8").split())


def _is_utf8(word: str) -> bool:
    """Return whether a word can be a token: tokens never contain a lone surrogate."""
    return not any("\ud800" <= character <= "\udfff" for character in word)
