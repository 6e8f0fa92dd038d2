"""Texts → rows by rules that stay the same: many texts on every core, one text without any ceremony."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from textbayes._native import Counting, Rules, Vocabulary, count_text_hashed
from textbayes.counts.rows import Rows
from textbayes.text import as_source


@dataclass(frozen=True)
class TextReader:
    """Reads texts as rows of counts.

    A row's entries stand in the order of their terms, though a vocabulary that has grown has late terms
    behind the sorted ones: so a sum over a row does not depend on when a term was first seen.

    Parameters
    ----------
    rules : Rules
        What decides which terms a text has.
    threads : int
        How many may work at once.
    dimensions : int or None
        Columns to hash terms to; None to go by a vocabulary.
    """

    rules: Rules
    threads: int
    dimensions: int | None = None

    def width(self, vocabulary: Vocabulary) -> int:
        """Return how many columns rows have."""
        return len(vocabulary) if self.dimensions is None else self.dimensions

    def read(self, texts: Any, vocabulary: Vocabulary) -> Rows:
        """Count the terms of the vocabulary; others are left out."""
        if isinstance(texts, list) and len(texts) == 1 and isinstance(texts[0], str):
            return self._read_one(texts[0], vocabulary)
        counting = self.count(texts)
        if self.dimensions is None:
            counting.name_by(vocabulary)
        return self.take(counting, vocabulary)

    def count(self, texts: Any) -> Counting:
        """Count texts; columns are named in a second step."""
        source = as_source(texts)
        counting = Counting(self.rules, self.threads)
        source.add_to(counting)
        return counting

    def grow(self, counting: Counting, vocabulary: Vocabulary) -> Rows:
        """Take the rows of texts that were counted; terms not seen before get columns behind the last."""
        if self.dimensions is None:
            counting.name_and_grow(vocabulary)
        return self.take(counting, vocabulary)

    def take(self, counting: Counting, vocabulary: Vocabulary) -> Rows:
        """Take the rows of texts that were counted, once their columns are named."""
        if self.dimensions is not None:
            counting.name_hashed(self.dimensions)
        starts, columns, counts = counting.take_rows()
        values = counts.astype(np.float64)
        if self.dimensions is None and vocabulary.late_terms():
            columns, values = vocabulary.order_rows(starts, columns, values)
        return Rows(starts, columns, values, self.width(vocabulary))

    def _read_one(self, text: str, vocabulary: Vocabulary) -> Rows:
        if self.dimensions is None:
            columns, counts = vocabulary.count_text(self.rules, text)
        else:
            columns, counts = count_text_hashed(self.rules, text, self.dimensions)
        return Rows(np.array([0, len(columns)]), columns, counts, self.width(vocabulary))
