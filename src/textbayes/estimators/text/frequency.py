"""FrequencyTransform: counts → log, idf, length."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from textbayes.counts import CountTransform, Frequencies, Rows, TermCounts
from textbayes.counts.frequency import SMOOTH, count_documents
from textbayes.errors.checks import check_option, check_switch
from textbayes.estimators.base.changing import Forkable, changes, reads
from textbayes.estimators.base.inputs import checked_weights, expected_rows
from textbayes.estimators.base.storing import check_file, restore_columns, storable, store_columns
from textbayes.persistence import Stored

LENGTHS = ("unit", "mean")


@storable
class FrequencyTransform(Forkable, OneToOneFeatureMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Transform counts as Rennie 2003 does (eqs. 10–12): logarithm, inverse document frequency, length.

    The defaults with ``ComplementNB(norm=True)`` are TWCNB.

    Parameters
    ----------
    log : bool, default=True
        Replace counts by log2(1 + x) (eq. 10).
    idf : bool or "smooth", default=True
        Multiply by log(N / df) (eq. 11); with "smooth", by 1 + log((1 + N) / (1 + df)) as in scikit-learn,
        which gives frequent terms more weight and is more stable with few documents. A term in no training
        document becomes 0.
    length : {"unit", "mean"} or None, default="unit"
        Scale each document to L2 length 1 (eq. 12), or to the mean length of the training documents before
        scaling (Frank 2006, section 5; empty ones count); None for no scaling. An empty document stays empty.

    Attributes
    ----------
    idf_ : array of shape (terms,)
        Factor of each term.
    length_ : float
        L2 length of scaled documents.

    Notes
    -----
    scikit-learn differs: ``sublinear_tf`` is 1 + log x, and its idf is always the smooth one.

    Examples
    --------
    >>> from textbayes import FrequencyTransform
    >>> FrequencyTransform(idf=False).fit_transform([[3, 0], [1, 1]]).toarray().round(3)
    array([[1.   , 0.   ],
           [0.707, 0.707]])
    """

    def __init__(self, log: bool = True, idf: bool | str = True, length: str | None = "unit") -> None:
        self.log = log
        self.idf = idf
        self.length = length

    @changes
    def fit(self, X: Any, y: object = None, sample_weight: Any = None) -> Self:  # noqa: ARG002
        """Learn document frequencies and the mean length.

        Parameters
        ----------
        X : sparse matrix or array of shape (documents, terms)
            Counts.
        y : ignored
            For scikit-learn's pipelines.
        sample_weight : array-like of shape (documents,), optional
            A document of weight 2 counts as two documents; one of weight 0 as none.
        """
        self._learn(expected_rows(self, X, reset=True), sample_weight)
        return self

    @changes
    def fit_transform(self, X: Any, y: object = None, sample_weight: Any = None) -> sparse.csr_matrix:  # noqa: ARG002
        """Learn from counts and transform them."""
        rows = expected_rows(self, X, reset=True)
        self._learn(rows, sample_weight)
        return self.transform_rows(rows).matrix

    @reads
    def transform(self, X: Any) -> sparse.csr_matrix:
        """Transform counts by what was learned.

        Returns
        -------
        csr_matrix of float64, shape (documents, terms)
            The transformed counts.
        """
        check_is_fitted(self)
        check_file(self)
        return self.transform_rows(expected_rows(self, X, reset=False)).matrix

    @property
    def idf_(self) -> NDArray[np.float64]:
        """Factor of each term."""
        check_is_fitted(self)
        return self._frequencies.idf(self.idf == SMOOTH)

    @property
    def length_(self) -> float:
        """The L2 length that documents are scaled to."""
        check_is_fitted(self)
        return self._frequencies.length

    def _check_options(self) -> None:
        check_switch("log", self.log)
        check_switch("idf", self.idf, SMOOTH)
        if self.length is not None:
            check_option("length", self.length, LENGTHS)

    def _learn(self, rows: Rows, sample_weight: Any) -> None:
        self._check_options()
        weights = checked_weights(sample_weight, len(rows))
        self._frequencies = count_documents(rows, weights)
        if self.needs_lengths and self._frequencies.documents:
            self.use_length(float(np.average(self.lengths_of(rows), weights=weights)))

    @changes
    def fit_counted(self, counts: TermCounts, rows: Callable[[], Iterator[Rows]]) -> Self:
        """Learn document frequencies that were counted before, and the mean length.

        Parameters
        ----------
        counts : TermCounts
            The number of documents, and of documents with each term.
        rows : function without arguments
            Returns an iterator over all counts, in blocks; it is used for the mean length only.
        """
        self.use_counts(counts)
        if self.needs_lengths and counts.documents:
            lengths = np.concatenate([self.lengths_of(block) for block in rows()])
            self.use_length(float(np.average(lengths)))
        return self

    @property
    def needs_lengths(self) -> bool:
        """Whether it scales documents to their mean length."""
        return self.length == "mean"

    def use_counts(self, counts: TermCounts) -> None:
        """Learn document frequencies; the mean length, if it is needed, comes by ``use_length``."""
        self._check_options()
        self._frequencies = Frequencies(counts.documents, counts.documents_with)
        self.n_features_in_ = len(counts.documents_with)

    def lengths_of(self, rows: Rows) -> NDArray[np.float64]:
        """Return the L2 length of rows of counts before they are scaled."""
        return self.count_transform().lengths_of(rows)

    def use_length(self, length: float) -> None:
        """Scale documents to this length."""
        self._frequencies = replace(self._frequencies, length=length)

    def transform_rows(self, rows: Rows) -> Rows:
        """Transform checked rows by what was learned."""
        return self.count_transform()(rows)

    def count_transform(self) -> CountTransform:
        """Return what was learned, as a function from rows to rows."""
        return CountTransform(self._frequencies, self.log, self.idf, self.length is not None)

    @property
    def rows_are_independent(self) -> bool:
        """Whether the transform of a row depends on that row only, not on the training documents."""
        return not self.idf and self.length != "mean"

    def widen(self, columns: int) -> None:
        """Expect more columns, of terms in no training document."""
        known = self._frequencies
        more = np.zeros(columns - len(known.documents_with), dtype=known.documents_with.dtype)
        self._frequencies = replace(known, documents_with=np.concatenate([known.documents_with, more]))
        self.n_features_in_ = columns

    def store(self) -> Stored:
        """Return what was learned, for a model file."""
        if not hasattr(self, "_frequencies"):
            return Stored()
        columns, known = store_columns(self), self._frequencies.store()
        return Stored({**columns.configuration, **known.configuration}, {**columns.arrays, **known.arrays})

    def restore(self, stored: Stored) -> None:
        """Load what ``store`` returned; refuse an invalid file."""
        if "documents" not in stored.configuration:
            return
        self._frequencies = Frequencies.restore(stored, restore_columns(self, stored))

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_frequencies")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = True
        return tags
