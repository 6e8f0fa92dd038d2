"""TextCounter: raw text → sparse counts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.base import BaseEstimator, TransformerMixin

from textbayes._native import Vocabulary
from textbayes.counts import (
    COUNTER_PARAMETERS,
    CounterSettings,
    Cuts,
    TextReader,
    count_and_grow,
    count_by,
    count_hashed,
    counter_settings,
    restore_vocabulary,
    store_vocabulary,
)
from textbayes.errors import (
    NoTermsLeftError,
    ParameterConflictError,
    UnfittedError,
)
from textbayes.estimators.base.changing import Forkable, changes
from textbayes.estimators.base.storing import check_file, storable
from textbayes.persistence import Stored
from textbayes.text import TextSettings
from textbayes.text.settings import DEFAULT_TOKENS


@storable
class TextCounter(Forkable, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    r"""Count the terms of texts.

    It reads every script. With ``tokens="words"``, or in scripts with spaces between words, its defaults give
    the vocabulary, the column order and the counts of scikit-learn's ``CountVectorizer``, on all cores and
    many times faster.

    Parameters
    ----------
    lowercase : bool, default=True
        Lower-case each text first, by the rules of Unicode.
    tokens : {"unicode", "symbols", "words", "letters"} or regular expression, default="unicode"
        How a text is split into tokens.

        - "unicode": "words"; in runs of Han, Kana, Thai, Lao, Khmer and Burmese, which are written without
          spaces, each overlapping pair of characters; a single character is a token.
        - "symbols": "unicode"; also emoji, emoticons such as ":)" and "<3", and short words with a symbol:
          "c++", "c#", "r&d". For messages and reviews.
        - "words": two or more word characters, scikit-learn's default rule.
        - "letters": two or more letters.
        - a regular expression in Rust's syntax: its matches, or those of its only group.
    unit : {"word", "char", "char_wb"}, default="word"
        What terms are n-grams of: tokens; characters; or characters inside words padded with a space on both
        sides. Like ``analyzer`` of ``CountVectorizer``.
    numbers : {"keep", "drop", "mark"}, default="keep"
        Keep numbers as terms; drop them; or count every number, such as "1,234.5" and "7", as "NUM"
        (Schneider 2004).
    stop_words : None, "english" or iterable of str, default=None
        Tokens to drop. "english" is scikit-learn's list.
    stemmer : None, "porter" or a Snowball language, default=None
        Reduce each token to its stem, after stop words are dropped.
    ngram_range : (int, int), default=(1, 1)
        Smallest and largest number of consecutive tokens (or characters) in a term.
    characters : None or (int, int), default=None
        Also count character n-grams, from the smallest to the largest number of characters: those of
        ``unit="char_wb"``. Their terms begin with NUL, so that they differ from words;
        ``textbayes.text.shown_term`` makes them readable.
    min_count : int, default=1
        Drop terms with fewer occurrences.
    min_df, max_df : int or float, default=1 and 1.0
        Drop terms in fewer, or more, documents: a number (int) or a share (float).
    max_features : int or None, default=None
        Keep this many terms, the most frequent ones.
    dimensions : int or None, default=None
        Hash terms to this many columns, without a vocabulary: XXH64 of the term's UTF-8 bytes with seed 0,
        modulo ``dimensions``, on every machine and in every version.
    n_jobs : int or None, default=None
        Number of threads; None or -1 for all cores. It does not change the result.

    Attributes
    ----------
    vocabulary_ : dict of str to int
        Column of each term.

    Notes
    -----
    "words" differs from Python's ``\w\w+`` in one rule: a combining mark continues a word (it never starts
    one), so words in Devanagari, Tamil, Thai or decomposed Latin stay whole; ``\w`` splits them at each mark.
    Characters are classified by the Unicode version of the build (18.0), which may know letters that an older
    Python does not.

    A lone surrogate has no UTF-8 and is read as U+FFFD. Neither U+FFFD nor NUL is part of a word. An empty
    text is a row of zeros, and an empty list gives no rows. With ``characters``, a regular expression reads
    NUL as a space.

    Examples
    --------
    >>> from textbayes import TextCounter
    >>> counter = TextCounter(stop_words="english")
    >>> X = counter.fit_transform(["Wheat rose.", "Wheat and corn fell; corn most."])
    >>> counter.get_feature_names_out()
    array(['corn', 'fell', 'rose', 'wheat'], dtype=object)
    >>> X.toarray()
    array([[0, 0, 1, 1],
           [2, 1, 0, 1]])
    """

    def __init__(
        self,
        lowercase: bool = True,
        tokens: str = DEFAULT_TOKENS,
        unit: str = "word",
        numbers: str = "keep",
        stop_words: str | Iterable[str] | None = None,
        stemmer: str | None = None,
        ngram_range: tuple[int, int] = (1, 1),
        characters: tuple[int, int] | None = None,
        min_count: int = 1,
        min_df: int | float = 1,
        max_df: int | float = 1.0,
        max_features: int | None = None,
        dimensions: int | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.lowercase = lowercase
        self.tokens = tokens
        self.unit = unit
        self.numbers = numbers
        self.stop_words = stop_words
        self.stemmer = stemmer
        self.ngram_range = ngram_range
        self.characters = characters
        self.min_count = min_count
        self.min_df = min_df
        self.max_df = max_df
        self.max_features = max_features
        self.dimensions = dimensions
        self.n_jobs = n_jobs

    @changes
    def fit(self, texts: Any, y: object = None) -> Self:
        """Learn the vocabulary of the texts.

        Parameters
        ----------
        texts : iterable of str, or column
            A list, tuple, generator, numpy array, or a pandas, polars or pyarrow column of strings.
        y : ignored
            For scikit-learn's pipelines.

        Examples
        --------
        >>> from textbayes import TextCounter
        >>> TextCounter().fit(["a cat", "a dog"]).vocabulary_
        {'cat': 0, 'dog': 1}
        """
        self.fit_transform(texts, y)
        return self

    @changes
    def fit_transform(self, texts: Any, y: object = None) -> csr_matrix:  # noqa: ARG002
        """Learn the vocabulary of the texts and count them, in one pass.

        Returns
        -------
        csr_matrix of int64, shape (texts, terms)
            Columns sorted in every row.

        Raises
        ------
        NoTermsLeftError
            If no text has a term, or the cuts drop them all.
        """
        checked = self._checked()
        settings, threads = checked.text, checked.threads
        if self.dimensions is not None:
            return count_hashed(texts, settings, threads, self.dimensions)
        rows, vocabulary = count_and_grow(texts, settings, threads, Vocabulary(), checked.cuts)
        if rows.shape[0] and not len(vocabulary):
            raise NoTermsLeftError(rows.shape[0], 0)
        self._vocabulary = vocabulary
        return rows

    @changes
    def partial_fit(self, texts: Any, y: object = None) -> Self:  # noqa: ARG002
        """Add the new terms of texts after the existing columns, which keep their numbers.

        New terms are added in sorted order, so the columns depend only on the batches.

        Raises
        ------
        ParameterConflictError
            With a cut of the vocabulary, which needs all documents.

        Examples
        --------
        >>> from textbayes import TextCounter
        >>> counter = TextCounter().fit(["a cat"])
        >>> counter.partial_fit(["an apple for the cat"]).vocabulary_
        {'cat': 0, 'an': 1, 'apple': 2, 'for': 3, 'the': 4}
        """
        checked = self._checked()
        settings, threads = checked.text, checked.threads
        for cut in checked.cuts.active:
            raise ParameterConflictError(
                cut, getattr(checked.cuts, cut), "partial_fit", "a batch", "A cut needs all documents at once"
            )
        if self.dimensions is not None:
            count_hashed(texts, settings, threads, self.dimensions)
            return self
        grown = self._vocabulary.copy() if self._is_fitted() else Vocabulary()
        self._vocabulary = count_and_grow(texts, settings, threads, grown).vocabulary
        return self

    def transform(self, texts: Any) -> csr_matrix:
        """Count the terms of the vocabulary in the texts; other terms are ignored.

        Returns
        -------
        csr_matrix of int64, shape (texts, terms)
            Columns sorted in every row.
        """
        checked = self._checked()
        settings, threads = checked.text, checked.threads
        if self.dimensions is not None:
            return count_hashed(texts, settings, threads, self.dimensions)
        if not self._is_fitted():
            raise UnfittedError("TextCounter", "transform")
        check_file(self)
        return count_by(texts, settings, threads, self._vocabulary)

    def terms(self, text: str) -> list[str]:
        """Return the terms of one text in order, before any cut.

        Examples
        --------
        >>> from textbayes import TextCounter
        >>> TextCounter().terms("東京都 weather")
        ['東京', '京都', 'weather']
        """
        return self._settings().rules().terms(text)

    @property
    def vocabulary_(self) -> dict[str, int]:
        """Column of each term, made on demand: the vocabulary itself is in the core."""
        if not self._is_fitted():
            raise UnfittedError.of_attribute("TextCounter", "vocabulary_")
        return {term: column for column, term in enumerate(self._vocabulary.terms())}

    def get_feature_names_out(self, input_features: object = None) -> NDArray[np.object_]:  # noqa: ARG002
        """Return the terms in the order of their columns; for hashed columns, their numbers.

        Parameters
        ----------
        input_features : ignored
            For scikit-learn's pipelines.
        """
        if self.dimensions is not None:
            return np.array([f"hashed{column}" for column in range(self.dimensions)], dtype=object)
        if not self._is_fitted():
            raise UnfittedError("TextCounter", "get_feature_names_out")
        return np.array(self._vocabulary.terms(), dtype=object)

    @property
    def core_vocabulary(self) -> Vocabulary:
        """The vocabulary in the core: the terms in the order of their columns."""
        if not self._is_fitted():
            raise UnfittedError.of_attribute("TextCounter", "core_vocabulary")
        return self._vocabulary

    @core_vocabulary.setter
    def core_vocabulary(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary

    def reader(self) -> TextReader:
        """Return a reader of texts with these settings, for any vocabulary.

        Examples
        --------
        >>> from textbayes import TextCounter
        >>> counter = TextCounter().fit(["a cat", "a dog"])
        >>> counter.reader().read(["cat and cat"], counter.core_vocabulary).values
        array([2.])
        """
        return self._checked().reader()

    def cuts(self) -> Cuts:
        """Return the cuts of the vocabulary, checked."""
        return self._checked().cuts

    def _is_fitted(self) -> bool:
        return hasattr(self, "_vocabulary")

    def store(self) -> Stored:
        """Return what was learned, for a model file."""
        return store_vocabulary(self._vocabulary) if self._is_fitted() else Stored()

    def restore(self, stored: Stored) -> None:
        """Load what ``store`` returned; refuse an invalid file."""
        if "ends" in stored.arrays:
            self._vocabulary = restore_vocabulary(stored)

    def __sklearn_is_fitted__(self) -> bool:
        return self.dimensions is not None or self._is_fitted()

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        tags.requires_fit = self.dimensions is None
        return tags

    def _settings(self) -> TextSettings:
        return TextSettings(
            self.lowercase,
            self.tokens,
            self.unit,
            self.numbers,
            self.stop_words,
            self.stemmer,
            self.ngram_range,
            self.characters,
        )

    def _checked(self) -> CounterSettings:
        return counter_settings(**{name: getattr(self, name) for name in COUNTER_PARAMETERS})
