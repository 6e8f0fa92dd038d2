"""Settings that cannot be."""

from __future__ import annotations

from collections.abc import Iterable

from textbayes.errors.base import TextbayesError, did_you_mean, shown


class UnknownOptionError(TextbayesError, ValueError):
    """A setting was given a value it does not have."""

    code = "option-unknown"

    def __init__(self, name: str, value: object, options: Iterable[str]) -> None:
        options = list(options)
        super().__init__(
            f"{name}={shown(value)} is not an option.{did_you_mean(value, options)}",
            f"{name} decides how the work is done, so a guess would give another result silently.",
            f"Pass one of: {', '.join(options)}.",
        )


class SettingConflictError(TextbayesError, ValueError):
    """Two settings ask for things that cannot both be had."""

    code = "settings-conflict"

    def __init__(self, name: str, value: object, other: str, other_value: object, reason: str) -> None:
        super().__init__(
            f"{name}={shown(value)} does not go with {other}={shown(other_value)}.",
            f"{name} is about {reason}, so it would be silently without effect.",
            f"Leave {name} at its default, or change {other}.",
        )


class NgramRangeError(TextbayesError, ValueError):
    """A range of n-gram lengths is no range."""

    code = "settings-ngrams"

    def __init__(self, value: object) -> None:
        super().__init__(
            f"ngram_range={shown(value)} is no pair (shortest, longest) from 1 to 1000.",
            "It says how many neighbouring words or characters make a term.",
            "Pass (1, 1) for single words, (1, 2) for words and pairs of words.",
        )


class StopWordsError(TextbayesError, TypeError):
    """Stop words are no strings."""

    code = "settings-stop-words"

    def __init__(self, value: object) -> None:
        super().__init__(
            f"stop_words holds {shown(value)} of type {type(value).__name__}.",
            "A stop word is compared with tokens, which are strings.",
            'Pass None, "english", or a list or set of strings (not a generator: it can be read only once).',
        )


class TokenPatternError(TextbayesError, ValueError):
    """A regular expression for tokens cannot be used."""

    code = "settings-pattern"

    def __init__(self, pattern: str, reason: str) -> None:
        reason = " ".join(reason.split())
        super().__init__(
            f"tokens={shown(pattern)} cannot be used: {reason}.",
            "Patterns run in Rust in linear time, which rules out look-around and back-references.",
            "Rewrite the pattern with at most one group, or use one of the rules: words, letters, unicode.",
        )


class CutRangeError(TextbayesError, ValueError):
    """A cut of the vocabulary is out of range."""

    code = "settings-cut"

    def __init__(self, name: str, value: object, reason: str) -> None:
        super().__init__(
            f"{name}={shown(value)} is {reason}.",
            "It decides which terms get a column.",
            "Pass a whole number; min_df and max_df also take a share of the documents, such as 0.5.",
        )


class DimensionsError(TextbayesError, ValueError):
    """A number of hashed columns is out of range."""

    code = "settings-dimensions"

    def __init__(self, value: object) -> None:
        super().__init__(
            f"dimensions={shown(value)} is not a whole number from 1 to 2147483647.",
            "It is the number of columns that terms are hashed to.",
            "Pass a number well above the terms expected, such as 2**20, or None to keep a vocabulary.",
        )


class ThreadsError(TextbayesError, ValueError):
    """A number of threads is out of range."""

    code = "settings-threads"

    def __init__(self, value: object) -> None:
        super().__init__(
            f"n_jobs={shown(value)} is not a number of threads.",
            "It says how many cores may work at once.",
            "Pass None or -1 for all cores, or a whole number from 1 up.",
        )


class PairColumnsError(TextbayesError, ValueError):
    """What says which columns are word pairs does not fit the columns."""

    code = "settings-pairs"

    def __init__(self, shape: object, dtype: object, columns: int) -> None:
        super().__init__(
            f"pair_columns has shape {shown(shape)} and type {shown(dtype)}; "
            f"the counts have {columns} columns.",
            "It says of every column whether it holds word pairs.",
            "Pass a mask of bool, or the terms themselves: TextCounter's get_feature_names_out().",
        )
