"""Representations: how counts are transformed before a model learns from them."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import BaseEstimator, TransformerMixin

from textbayes.counts.frequency import SMOOTH
from textbayes.estimators.auto.column_kinds import COLUMNS, Kinds, column_kinds, used_columns
from textbayes.estimators.base.storing import storable
from textbayes.estimators.text.frequency import LENGTHS, FrequencyTransform
from textbayes.estimators.text.term_selection import TermSelector
from textbayes.persistence import Stored
from textbayes.terms import SCORES

_INVALID = "the representation of a candidate is invalid"


@storable
class ColumnsOfKind(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Keep the columns of some kinds.

    Parameters
    ----------
    columns : {"words", "pairs", "characters"}
        Which kinds: words; words and pairs; or character n-grams.
    kinds : array of int
        The kind of each column. Columns beyond its end are words.
    """

    _places: tuple[NDArray[np.bool_], NDArray[np.int32]] | None = None

    def __init__(self, columns: str = "words", kinds: Any = ()) -> None:
        self.columns = columns
        self.kinds = kinds

    def fit(self, X: Any, y: object = None) -> Self:  # noqa: ARG002
        """Do nothing: the columns are given by the parameter."""
        return self

    def transform(self, X: Any) -> sparse.csr_matrix:
        """Return the other columns."""
        matrix = sparse.csr_matrix(X)
        width = matrix.shape[1]
        # Cached: a text has few words, but there may be millions of columns.
        if self._places is None or len(self._places[0]) != width:
            kept = self.support(width)
            self._places = kept, np.cumsum(kept, dtype=np.int32) - 1
        return _with_places(matrix, *self._places)

    def support(self, width: int) -> NDArray[np.bool_]:
        """Mask of the columns that are kept."""
        return used_columns(self.columns, column_kinds(np.asarray(self.kinds, dtype=np.uint8), width))

    def store(self) -> Stored:
        """Return what was learned, for a model file."""
        return Stored()

    def restore(self, stored: Stored) -> None:
        """Do nothing: nothing was learned."""

    def __sklearn_is_fitted__(self) -> bool:
        return True


def fit_step(step: Any, counts: sparse.csr_matrix, labels: Any, weights: Any) -> Any:
    """Fit a transformer; document frequencies and lengths count each document by its weight."""
    if isinstance(step, FrequencyTransform):
        return step.fit(counts, sample_weight=weights)
    return step.fit(counts, labels)


def with_columns(matrix: sparse.csr_matrix, kept: NDArray[np.bool_]) -> sparse.csr_matrix:
    """Keep some columns; faster than scipy, because rows keep their order."""
    if kept.all():
        return matrix
    return _with_places(matrix, kept, np.cumsum(kept, dtype=np.int32) - 1)


def _with_places(
    matrix: sparse.csr_matrix, kept: NDArray[np.bool_], place: NDArray[np.int32]
) -> sparse.csr_matrix:
    """Keep some columns, at their new places."""
    stays = kept[matrix.indices]
    starts = np.concatenate([[0], np.cumsum(stays, dtype=np.int64)])[matrix.indptr]
    shape = (matrix.shape[0], int(place[-1]) + 1 if len(place) else 0)
    return sparse.csr_matrix((matrix.data[stays], place[matrix.indices[stays]], starts), shape=shape)


@dataclass(frozen=True)
class Representation:
    """How counts are transformed.

    Parameters
    ----------
    log, idf, length
        As for :class:`FrequencyTransform`.
    columns : {"all", "words", "pairs", "characters"}
        Which columns are used: all; words; words and word pairs; or character n-grams.
    terms : (score, share) or None
        Keep this share of the columns, those with the largest ``TermSelector`` score.

    Examples
    --------
    >>> from textbayes.estimators.auto import Representation
    >>> str(Representation(log=True, length="mean", columns="characters"))
    'log, length mean, characters'
    """

    log: bool = False
    idf: bool | str = False
    length: str | None = None
    columns: str = "all"
    terms: tuple[str, float] | None = None

    @property
    def additive(self) -> bool:
        """Whether the row of a document depends on that document alone, so that statistics add."""
        return not self.idf and self.length != "mean" and self.terms is None

    def steps(self, kinds: Kinds, width: int) -> list[Any]:
        """Return the transformers to fit, in this order, on counts with this many columns."""
        steps: list[Any] = []
        used = used_columns(self.columns, column_kinds(kinds, width))
        if not used.all():
            steps.append(ColumnsOfKind(self.columns, kinds))
            width = int(used.sum())
        if self.terms is not None:
            score, share = self.terms
            steps.append(TermSelector(score, k=max(1, round(share * width))))
        if self.log or self.idf or self.length:
            steps.append(FrequencyTransform(self.log, self.idf, self.length))
        return steps

    def store(self) -> Stored:
        """Return the representation as a configuration."""
        return Stored(asdict(self))

    @classmethod
    def restore(cls, stored: Stored) -> Self:
        """Load a representation."""
        fields = asdict(cls())
        stored.check(set(stored.configuration) <= set(fields), _INVALID)
        values = {**fields, **stored.configuration}
        terms = values["terms"]
        sound = (
            isinstance(values["log"], bool)
            and (isinstance(values["idf"], bool) or values["idf"] == SMOOTH)
            and values["length"] in (None, *LENGTHS)
            and values["columns"] in COLUMNS
            and (terms is None or _is_share(terms))
        )
        stored.check(sound, _INVALID)
        return cls(**{**values, "terms": None if terms is None else (terms[0], float(terms[1]))})

    def __str__(self) -> str:
        idf = f"{self.idf} idf" if isinstance(self.idf, str) else "idf"
        parts = [name for name, used in (("log", self.log), (idf, self.idf)) if used] or ["counts"]
        if self.length:
            parts.append(f"length {self.length}")
        if self.terms is not None:
            parts.append(f"{self.terms[1]:.0%} of terms by {self.terms[0]}")
        if self.columns in ("pairs", "characters"):
            parts.append("words and pairs" if self.columns == "pairs" else self.columns)
        return ", ".join(parts)


def _is_share(terms: Any) -> bool:
    match terms:
        case [str(score), float() | int() as share]:
            return score in SCORES and 0 < share <= 1
    return False
