"""Texts → rows by fixed rules: many texts in parallel, a single text with little overhead."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textbayes._native import Counting, Rules, Vocabulary, count_text_hashed, hashed_row_keys
from textbayes.counts.rows import Rows
from textbayes.text import as_source


@dataclass(frozen=True)
class TextReader:
    """Reads texts as rows of counts.

    The entries of a row are sorted by term, although a vocabulary that has grown appends new terms after the
    sorted ones. So a sum over a row does not depend on when a term was first seen.

    Parameters
    ----------
    rules : Rules
        The rules that define the terms of a text.
    threads : int
        The number of threads.
    dimensions : int or None
        The number of hashed columns; None to use a vocabulary.
    """

    rules: Rules
    threads: int
    dimensions: int | None = None

    def width(self, vocabulary: Vocabulary) -> int:
        """Return the number of columns."""
        return len(vocabulary) if self.dimensions is None else self.dimensions

    def read(self, texts: Any, vocabulary: Vocabulary) -> Rows:
        """Count the terms of the vocabulary; other terms are ignored."""
        if isinstance(texts, list) and len(texts) == 1 and isinstance(texts[0], str):
            return self._read_one(texts[0], vocabulary)
        counting = self.count(texts)
        if self.dimensions is None:
            counting.name_by(vocabulary)
        return self.take(counting, vocabulary)

    def count(self, texts: Any) -> Counting:
        """Count texts; a second step assigns columns."""
        source = as_source(texts)
        counting = Counting(self.rules, self.threads)
        source.add_to(counting)
        return counting

    def grow(self, counting: Counting, vocabulary: Vocabulary) -> Rows:
        """Take the rows of counted texts and append a column for each new term."""
        if self.dimensions is None:
            counting.name_and_grow(vocabulary)
        return self.take(counting, vocabulary)

    def grow_by_column(self, counting: Counting, vocabulary: Vocabulary) -> Rows:
        """Like ``grow``, but with the entries of a row sorted by column, also if the vocabulary has grown."""
        if self.dimensions is None:
            counting.name_and_grow(vocabulary)
        else:
            counting.name_hashed(self.dimensions)
        return Rows(*counting.take_rows(), self.width(vocabulary))

    def take(self, counting: Counting, vocabulary: Vocabulary) -> Rows:
        """Take the rows of counted texts whose columns are assigned."""
        if self.dimensions is not None:
            counting.name_hashed(self.dimensions)
        starts, columns, counts = counting.take_rows()
        rows = Rows(starts, columns, counts.astype(np.float64), self.width(vocabulary))
        if self.dimensions is None and vocabulary.late_terms():
            columns, values = vocabulary.order_rows(rows)
            return Rows(starts, columns, values, rows.width)
        return rows

    def row_keys(self, rows: Rows, vocabulary: Vocabulary) -> NDArray[np.uint64]:
        """Return a hash of the terms and counts of each row, wherever the columns of the terms are."""
        return vocabulary.row_keys(rows) if self.dimensions is None else hashed_row_keys(rows)

    def _read_one(self, text: str, vocabulary: Vocabulary) -> Rows:
        if self.dimensions is None:
            columns, counts = vocabulary.count_text(self.rules, text)
        else:
            columns, counts = count_text_hashed(self.rules, text, self.dimensions)
        return Rows(np.array([0, len(columns)]), columns, counts, self.width(vocabulary))
