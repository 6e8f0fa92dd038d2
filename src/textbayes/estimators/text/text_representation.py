"""Texts → rows as a model takes them."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.base import clone

from textbayes._native import Counting, Vocabulary, hashed_column
from textbayes.counts import Rows, TermCounts, as_rows, restore_vocabulary, store_vocabulary
from textbayes.counts.selection import places_in
from textbayes.errors import NoTermsLeftError
from textbayes.estimators.auto.column_kinds import CHARACTERS, PAIR, WORD, Kinds, column_kinds
from textbayes.estimators.base.counts_model import fit_on
from textbayes.estimators.base.storing import restore_estimator, store_estimator
from textbayes.estimators.text.counter import TextCounter
from textbayes.persistence import Stored
from textbayes.statistics import Documents, LabelledRows
from textbayes.statistics.document_order import OrderColumns


class TextRepresentation:
    """A counter with its cuts, and a transform: they turn texts into the rows of a model.

    Parameters
    ----------
    counter : TextCounter
        Counts texts. It is cloned.
    transform : transformer or None
        Transforms counts. It is cloned.

    Attributes
    ----------
    counter, transform : estimators
        The clones, fitted by ``fit``.
    vocabulary : Vocabulary
        The terms of all documents; the counter has only those that its cuts keep.
    """

    def __init__(self, counter: TextCounter, transform: Any) -> None:
        self.counter: TextCounter = clone(counter)
        self.transform = None if transform is None else clone(transform)
        self.vocabulary = Vocabulary()
        # The file of the vocabulary, until its terms are known to be distinct.
        self._unchecked: Stored | None = None
        self._prepare()

    # Whether its terms are those of a file.
    _is_mapped = False

    def fork(self) -> Self:
        """Return a representation with its own vocabulary, counter and transform."""
        twin = copy.copy(self)
        twin.vocabulary = self.vocabulary.copy()
        twin.counter, twin.transform = copy.copy(self.counter), copy.copy(self.transform)
        if not self.is_hashed and self.counter.core_vocabulary is self.vocabulary:
            # Without cuts the vocabulary of the counter grows with that of the documents.
            twin.counter.core_vocabulary = twin.vocabulary
        return twin

    def _prepare(self) -> None:
        self.reader, self.cuts = self.counter.reader(), self.counter.cuts()

    @property
    def is_hashed(self) -> bool:
        """Whether columns are hashes of terms, without a vocabulary."""
        return self.reader.dimensions is not None

    @property
    def width(self) -> int:
        """The number of columns of documents, before cuts and transform."""
        return self.reader.width(self.vocabulary)

    @property
    def rows_are_independent(self) -> bool:
        """Whether the row of a text depends only on that text and the vocabulary."""
        alone = self.transform is None or getattr(self.transform, "rows_are_independent", False)
        return bool(alone) and not self.cuts.active

    # Documents, in the columns of all terms.

    def count(self, texts: Any) -> Counting:
        """Count texts; their columns are named by ``grow`` or ``take_known``."""
        return self.reader.count(texts)

    def grow(self, counting: Counting) -> Rows:
        """Convert counted texts to rows; new terms get columns."""
        return self.reader.grow(counting, self.vocabulary)

    def take_known(self, counting: Counting) -> Rows:
        """Convert counted texts to rows, without unknown terms."""
        if not self.is_hashed:
            counting.name_by(self.vocabulary)
        return self.reader.take(counting, self.vocabulary)

    def count_known(self, texts: Any) -> Rows:
        """Count the known terms of texts."""
        return self.reader.read(texts, self.vocabulary)

    def total_counts(self, texts: Any) -> NDArray[np.float64]:
        """Return the number of terms of each text, known or not."""
        return replace(self.reader, dimensions=2**31 - 1).read(texts, self.vocabulary).sums()

    def widen(self) -> None:
        """Let the transform expect the columns of new terms."""
        if self.transform is not None:
            self.transform.widen(self.width)

    def join(self, other: TextRepresentation) -> NDArray[np.uint32]:
        """Add the terms of another vocabulary; return the column here of each of its columns."""
        if self.is_hashed:
            return np.arange(other.width, dtype=np.uint32)
        return self.vocabulary.join(other.vocabulary)

    # Rows as a model takes them.

    def fit(self, documents: Documents) -> LabelledRows:
        """Learn terms, cuts and transform from all documents, and represent them."""
        self.check_terms()
        if not self.is_hashed:
            self._sort_columns(documents)
        documents.order_by(self.order_columns())
        counted = documents.labelled(self.width)
        if not self.is_hashed:
            rows, self.counter.core_vocabulary = self._cut(counted.rows)
            counted = replace(counted, rows=rows)
        if self.transform is None:
            return counted
        # Another representation may have the fitted one.
        self.transform = clone(self.transform)
        return replace(counted, rows=as_rows(fit_on(self.transform, counted, "fit_transform")))

    def represent(self, documents: Documents) -> LabelledRows:
        """Represent documents by what was learned from them."""
        counted = self.counted(documents)
        return replace(counted, rows=self.transformed(counted.rows))

    def counted(self, documents: Documents) -> LabelledRows:
        """Return the counts of documents in the columns that the cuts keep, before the transform."""
        counted = documents.labelled(self.width)
        return counted if self.is_hashed else replace(counted, rows=self._cut(counted.rows)[0])

    def represented_blocks(self, documents: Documents) -> Iterator[LabelledRows]:
        """Represent documents by what was learned from them, some at a time."""
        for block in self.counted_blocks(documents):
            yield replace(block, rows=self.transformed(block.rows))

    def counted_blocks(self, documents: Documents) -> Iterator[LabelledRows]:
        """Yield the counts of documents, before the transform, some at a time."""
        keep = self._kept_columns(documents)
        for block in documents.blocks(self.width):
            yield block if keep is None else replace(block, rows=as_rows(block.rows.matrix[:, keep]))

    def by_term(self, rows: Rows) -> Rows:
        """Return rows with entries in the order of their terms: sums of doubles depend on it."""
        if self.is_hashed or not self.model_vocabulary.late_terms():
            return rows
        columns, values = self.model_vocabulary.order_rows(rows)
        return replace(rows, columns=columns, values=values)

    def row_keys(self, rows: Rows) -> NDArray[np.uint64]:
        """Return a hash of the model's terms and their counts in each row, wherever the columns are."""
        return self.reader.row_keys(rows, self.model_vocabulary)

    def document_keys(self, rows: Rows) -> NDArray[np.uint64]:
        """Return the same for rows in the columns of all terms."""
        return self.reader.row_keys(rows, self.vocabulary)

    def _kept_columns(self, documents: Documents) -> NDArray[np.bool_] | None:
        """Return a mask of the columns that the cuts keep; None if there are no cuts."""
        if not self.cuts.active:
            return None
        counts = TermCounts()
        for block in documents.blocks(self.width):
            counts.add(block.rows)
        return self.cuts.kept_of(counts)

    def read_counts(self, texts: Any) -> Rows:
        """Count the terms of texts that the model knows."""
        return self.reader.read(texts, self.model_vocabulary)

    def transformed(self, rows: Rows) -> Rows:
        """Transform rows of counts."""
        if self.transform is None:
            return rows
        if hasattr(self.transform, "transform_rows"):
            own: Rows = self.transform.transform_rows(rows)
            return own
        if not len(rows):
            # A transformer of scikit-learn takes one row or more.
            return as_rows(self.transform.transform(csr_matrix((1, rows.width)))).block(0, 0)
        return as_rows(self.transform.transform(rows.matrix))

    def with_sorted_columns(self, documents: Documents) -> tuple[Self, NDArray[np.uint32]]:
        """Return a copy with sorted columns, and for each its column here; renumber the documents too."""
        twin, order = copy.copy(self), self.vocabulary.sorted()
        twin._take_columns(order, documents)
        twin.counter = copy.copy(self.counter)
        twin.counter.core_vocabulary = twin.vocabulary
        return twin, order

    def _sort_columns(self, documents: Documents) -> None:
        """Drop terms without documents, and sort the others."""
        live = documents.used_columns(self.width)
        if not live.any():
            raise NoTermsLeftError(len(documents), 0)
        if not live.all() or self.vocabulary.late_terms():
            order = self.vocabulary.sorted()
            self._take_columns(order[live[order]], documents)

    def _take_columns(self, order: NDArray[np.uint32], documents: Documents) -> None:
        """Keep these columns, in this order."""
        documents.renumber(places_in(order, self.width), len(order))
        self.vocabulary = self.vocabulary.select(order)

    def _cut(self, rows: Rows) -> tuple[Rows, Vocabulary]:
        """Drop the terms that the counter's cuts drop."""
        if not self.cuts.active:
            return rows, self.vocabulary
        documents_with = np.bincount(rows.columns, minlength=rows.width).astype(np.uint64)
        occurrences = np.bincount(rows.columns, rows.values, minlength=rows.width).astype(np.uint64)
        keep = self.cuts.kept(documents_with, occurrences, len(rows))
        return as_rows(rows.matrix[:, keep]), self.vocabulary.select(np.flatnonzero(keep).astype(np.uint32))

    # Terms.

    @property
    def model_vocabulary(self) -> Vocabulary:
        """The terms that the cuts keep."""
        return self.vocabulary if self.is_hashed else self.counter.core_vocabulary

    def terms(self) -> NDArray[Any]:
        """The terms of the model's columns."""
        names = self.counter.get_feature_names_out()
        return names if self.transform is None else np.asarray(self.transform.get_feature_names_out(names))

    def term_names(self) -> Callable[[int], str]:
        """Return a function from a column of the model to its term."""
        if self.is_hashed:
            return lambda column: f"hashed{column}"
        names = self.terms()
        return lambda column: str(names[column])

    def columns_of(self, terms: list[str]) -> list[int | None]:
        """The model's column of each term; None for a term without one."""
        if self.reader.dimensions is not None:
            columns: list[int | None] = [hashed_column(term, self.reader.dimensions) for term in terms]
        else:
            columns = [self.model_vocabulary.column(term) for term in terms]
        if self.transform is None or not hasattr(self.transform, "get_support"):
            return columns
        kept = self.transform.get_support(indices=True)
        place_of = {int(column): place for place, column in enumerate(kept)}
        return [None if column is None else place_of.get(column) for column in columns]

    def column_kinds(self) -> Kinds | None:
        """Return the kinds of the model's columns; None if there is one kind."""
        if not self._has_kinds or not hasattr(self.transform or self.counter, "get_feature_names_out"):
            return None
        if self.transform is None:
            kinds = self.model_vocabulary.kinds()
        else:
            terms = self.terms()
            kinds = column_kinds(terms, len(terms))
        # Without words, pairs stand for them.
        return kinds if np.any(kinds == WORD) else np.where(kinds == CHARACTERS, kinds, WORD)

    def order_columns(self) -> OrderColumns | None:
        """Return how the columns of documents count in their order: words first.

        So the order does not depend on the kinds of terms that a search chose to count besides words.
        """
        return OrderColumns.of_kinds(self.vocabulary.kinds()) if self._has_kinds else None

    def new_column_kinds(self, known: int) -> Kinds | None:
        """Return the kinds of the columns after the first ``known``; None if there is one kind."""
        return self.vocabulary.kinds(known) if self._has_kinds else None

    @property
    def chosen_terms(self) -> dict[str, Any]:
        """The settings of the counter that a search may choose."""
        return {name: getattr(self.counter, name) for name in ("ngram_range", "characters")}

    @property
    def counted_kinds(self) -> list[int]:
        """The kinds of terms that the counter counts."""
        pairs, characters = self.counter.ngram_range[1] > 1, self.counter.characters is not None
        return [WORD, *([PAIR] if pairs else []), *([CHARACTERS] if characters else [])]

    @property
    def _has_kinds(self) -> bool:
        return not self.is_hashed and self.counter.unit == "word"

    def index_terms(self) -> None:
        """Find terms by a table in memory. Those of a file are found by bisection, which takes longer."""
        if not self._is_mapped:
            return
        self.check_terms()
        whole = self.vocabulary is self.model_vocabulary
        self.counter.core_vocabulary = _indexed(self.model_vocabulary)
        self.vocabulary = self.model_vocabulary if whole else _indexed(self.vocabulary)
        self._is_mapped = False

    def drop_documents_terms(self) -> None:
        """Keep only the model's terms: there are no documents to refit on."""
        self.vocabulary = self.model_vocabulary

    # In a model file.

    def store(self, keeps_documents: bool) -> Stored:
        """Return counter, transform and vocabulary as parts."""
        stored = Stored({}).with_part("counter", store_estimator(self.counter))
        if self.transform is not None:
            stored = stored.with_part("transform", store_estimator(self.transform))
        if self.cuts.active and keeps_documents:
            stored = stored.with_part("vocabulary", store_vocabulary(self.vocabulary))
        return stored

    @classmethod
    def restore(cls, stored: Stored, keeps_documents: bool) -> Self:
        """Load counter, transform and vocabulary."""
        made = cls.__new__(cls)
        made.counter = restore_estimator(stored.part("counter"))
        stored.check(isinstance(made.counter, TextCounter), "the stored counter is not a TextCounter")
        made.transform = restore_estimator(stored.part("transform")) if stored.has_part("transform") else None
        made._unchecked, made.vocabulary = stored, Vocabulary()
        made._prepare()
        if not made.is_hashed:
            made._restore_vocabulary(stored, keeps_documents)
        return made

    def _restore_vocabulary(self, stored: Stored, keeps_documents: bool) -> None:
        self._is_mapped = True
        stored.check(self.counter.__sklearn_is_fitted__(), "its vocabulary is missing")
        if stored.has_part("vocabulary"):
            self.vocabulary = restore_vocabulary(stored.part("vocabulary"))
            return
        lacking = bool(self.cuts.active) and keeps_documents
        stored.check(not lacking, "the vocabulary of its documents is missing")
        self.vocabulary = self.counter.core_vocabulary

    def check_widths(self, stored: Stored, model: Any) -> None:
        """Refuse a file whose transform or model has other columns than its vocabulary."""
        width = self.reader.width(self.model_vocabulary)
        for part in (self.transform, model):
            if part is not None and hasattr(part, "n_features_in_"):
                fits = width == part.n_features_in_
                stored.check(fits, "its vocabulary and its model do not have the same terms")
            if part is not None and hasattr(part, "get_support"):
                width = int(part.get_support().sum())

    def check_terms(self) -> None:
        """Refuse a file with a duplicate term, which bisection does not notice."""
        if self._unchecked is None:
            return
        terms = np.arange(len(self.vocabulary), dtype=np.uint32)
        distinct = len(self.vocabulary.select(terms)) == len(terms)
        self._unchecked.check(distinct, "its vocabulary has a term twice")
        self._unchecked = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "reader": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._prepare()


def _indexed(vocabulary: Vocabulary) -> Vocabulary:
    return vocabulary.select(np.arange(len(vocabulary), dtype=np.uint32))
