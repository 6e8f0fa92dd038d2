"""Limits that decide which terms get a column."""

from __future__ import annotations

from dataclasses import dataclass, fields
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textbayes.counts.term_counts import TermCounts
from textbayes.errors import NoTermsLeftError, ParameterConflictError
from textbayes.errors.checks import check_number, check_whole


@dataclass(frozen=True)
class Cuts:
    """Limits on terms: by occurrences, by documents, by rank.

    Parameters
    ----------
    min_count : int
        The fewest occurrences of a term.
    min_df, max_df : int or float
        The fewest and the most documents with a term: a number (int) or a share of all documents (float).
    max_features : int or None
        The number of terms to keep: those that occur most.
    """

    min_count: int = 1
    min_df: int | float = 1
    max_df: int | float = 1.0
    max_features: int | None = None

    def __post_init__(self) -> None:
        check_whole("min_count", self.min_count)
        if self.max_features is not None:
            check_whole("max_features", self.max_features)
        _check_share("min_df", self.min_df)
        _check_share("max_df", self.max_df)

    @property
    def active(self) -> list[str]:
        """The names of the limits that can remove a term."""
        # repr distinguishes 1, one document, from 1.0, all documents.
        return [cut.name for cut in fields(self) if repr(getattr(self, cut.name)) != repr(cut.default)]

    def kept(
        self, documents_with: NDArray[np.uint64], occurrences: NDArray[np.uint64], documents: int
    ) -> NDArray[np.bool_]:
        """Return a mask of the columns to keep.

        Parameters
        ----------
        documents_with, occurrences : array of shape (columns,)
            The number of documents with each term, and its number of occurrences.
        documents : int
            The number of documents.
        """
        if not documents:
            return np.ones(len(documents_with), bool)
        least = _documents(self.min_df, documents)
        most = _documents(self.max_df, documents)
        if most < least:
            raise ParameterConflictError(
                "max_df", self.max_df, "min_df", self.min_df, "max_df allows fewer documents than min_df"
            )
        keep = (documents_with >= least) & (documents_with <= most) & (occurrences >= self.min_count)
        if self.max_features is not None and keep.sum() > self.max_features:
            keep = _most_frequent(keep, occurrences, self.max_features)
        if not keep.any():
            raise NoTermsLeftError(documents, len(keep))
        return keep

    def kept_of(self, counts: TermCounts) -> NDArray[np.bool_]:
        """Return a mask of the columns to keep, by counts over all documents."""
        sums = counts.documents_with.astype(np.uint64), counts.occurrences.astype(np.uint64)
        return self.kept(*sums, counts.documents)


def _documents(limit: int | float, documents: int) -> float:
    return limit if isinstance(limit, Integral) else limit * documents


def _most_frequent(keep: NDArray[np.bool_], occurrences: NDArray[np.uint64], k: int) -> NDArray[np.bool_]:
    # The same call as in scikit-learn's CountVectorizer, so that ties at the limit break the same way.
    best = (-occurrences.astype(np.int64)[keep]).argsort()[:k]
    result = np.zeros_like(keep)
    result[np.flatnonzero(keep)[best]] = True
    return result


def _check_share(name: str, value: Any) -> None:
    allowed = "a whole number of documents from 0 up, or a share of them from 0.0 to 1.0"
    if isinstance(value, Integral):
        check_whole(name, value, least=0, allowed=allowed)
    else:
        check_number(name, value, least=0, most=1, allowed=allowed)
