"""Texts → sparse rows of counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from textbayes._native import Counting, Vocabulary
from textbayes.counts.cuts import Cuts
from textbayes.text import TextSettings, as_source

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

_INT32_MAX = np.iinfo(np.int32).max


class Counted(NamedTuple):
    """Rows of counts and the vocabulary of their columns."""

    rows: csr_matrix
    vocabulary: Vocabulary


def count_and_grow(
    texts: Any, settings: TextSettings, threads: int, vocabulary: Vocabulary, cuts: Cuts | None = None
) -> Counted:
    """Count texts and append a column for each new term, in sorted order.

    ``vocabulary`` is changed in place. If ``cuts`` remove terms, the returned vocabulary is a new one.
    """
    counting = _count(texts, settings, threads)
    documents = len(counting)
    counting.name_and_grow(vocabulary)
    if cuts is not None and cuts.active:
        keep = cuts.kept(*counting.sums(len(vocabulary)), documents)
        vocabulary = counting.keep(vocabulary, keep)
    return Counted(_take_rows(counting, len(vocabulary)), vocabulary)


def count_by(texts: Any, settings: TextSettings, threads: int, vocabulary: Vocabulary) -> csr_matrix:
    """Count the terms of a fixed vocabulary; other terms are ignored."""
    counting = _count(texts, settings, threads)
    counting.name_by(vocabulary)
    return _take_rows(counting, len(vocabulary))


def count_hashed(texts: Any, settings: TextSettings, threads: int, dimensions: int) -> csr_matrix:
    """Count terms in hashed columns: XXH64 of the term's UTF-8 bytes, seed 0, modulo ``dimensions``."""
    counting = _count(texts, settings, threads)
    counting.name_hashed(dimensions)
    return _take_rows(counting, dimensions)


def _count(texts: Any, settings: TextSettings, threads: int) -> Counting:
    source = as_source(texts)
    counting = Counting(settings.rules(), threads)
    source.add_to(counting)
    return counting


def _take_rows(counting: Counting, columns: int) -> csr_matrix:
    from scipy.sparse import csr_matrix

    documents = len(counting)
    starts, indices, counts = counting.take_rows()
    if len(indices) <= _INT32_MAX:
        starts = starts.astype(np.int32)
    rows = csr_matrix((counts, indices, starts), shape=(documents, columns), copy=False)
    rows.has_sorted_indices = True
    rows.has_canonical_format = True
    return rows
