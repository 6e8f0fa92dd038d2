"""What the one count matrix is made into before a model sees it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import BaseEstimator, TransformerMixin

from textbayes.counts.frequency import SMOOTH
from textbayes.estimators.base.storing import storable
from textbayes.estimators.text.frequency import LENGTHS, FrequencyTransform
from textbayes.estimators.text.term_selection import TermSelector
from textbayes.persistence import Stored
from textbayes.terms import SCORES

COLUMNS = ("all", "words")
_NOT_SOUND = "the representation of a candidate is not sound"


@storable
class WordColumns(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Leave out columns that hold word pairs.

    Parameters
    ----------
    pairs : array of bool
        Which columns do. Columns beyond its end do not.
    """

    _places: tuple[NDArray[np.bool_], NDArray[np.int32]] | None = None

    def __init__(self, pairs: Any = ()) -> None:
        self.pairs = pairs

    def fit(self, X: Any, y: object = None) -> Self:  # noqa: ARG002
        """Do nothing: the columns are given."""
        return self

    def transform(self, X: Any) -> sparse.csr_matrix:
        """Return the other columns."""
        matrix = sparse.csr_matrix(X)
        width = matrix.shape[1]
        # A text has some words, and there may be millions of columns: what they alone decide is kept.
        if self._places is None or len(self._places[0]) != width:
            kept = self._support(width)
            self._places = kept, np.cumsum(kept, dtype=np.int32) - 1
        return _with_places(matrix, *self._places)

    def _support(self, width: int) -> NDArray[np.bool_]:
        """Which of so many columns stay."""
        pairs = np.asarray(self.pairs, dtype=bool)
        kept = np.ones(width, dtype=bool)
        kept[: len(pairs)] = ~pairs[:width]
        return kept

    def store(self) -> Stored:
        """Return what was learned, for a model file."""
        return Stored()

    def restore(self, stored: Stored) -> None:
        """Nothing was learned."""

    def __sklearn_is_fitted__(self) -> bool:
        return True


def without_columns(matrix: sparse.csr_matrix, kept: NDArray[np.bool_]) -> sparse.csr_matrix:
    """Keep some columns: quicker than scipy's own, as rows keep their order."""
    if kept.all():
        return matrix
    return _with_places(matrix, kept, np.cumsum(kept, dtype=np.int32) - 1)


def _with_places(
    matrix: sparse.csr_matrix, kept: NDArray[np.bool_], place: NDArray[np.int32]
) -> sparse.csr_matrix:
    """Keep the columns that have a place."""
    stays = kept[matrix.indices]
    starts = np.concatenate([[0], np.cumsum(stays, dtype=np.int64)])[matrix.indptr]
    shape = (matrix.shape[0], int(place[-1]) + 1 if len(place) else 0)
    return sparse.csr_matrix((matrix.data[stays], place[matrix.indices[stays]], starts), shape=shape)


@dataclass(frozen=True)
class Representation:
    """What becomes of counts.

    Parameters
    ----------
    log, idf, length
        As for :class:`FrequencyTransform`.
    columns : {"all", "words"}
        Whether columns of word pairs are used.
    terms : (score, share) or None
        Keep this share of the columns, those with the greatest ``TermSelector`` score.

    Examples
    --------
    >>> from textbayes.estimators.auto import Representation
    >>> str(Representation(log=True, length="mean", columns="words"))
    'log, length mean, words'
    """

    log: bool = False
    idf: bool | str = False
    length: str | None = None
    columns: str = "all"
    terms: tuple[str, float] | None = None

    @property
    def additive(self) -> bool:
        """Whether a document is represented alike whatever the others are, so that statistics add."""
        return not self.idf and self.length != "mean" and self.terms is None

    def steps(self, pairs: NDArray[np.bool_], width: int) -> list[Any]:
        """Transformers, to be fitted in this order on counts of so many columns."""
        steps: list[Any] = []
        if self.columns == "words" and pairs.any():
            steps.append(WordColumns(pairs))
            width -= int(pairs[:width].sum())
        if self.terms is not None:
            score, share = self.terms
            steps.append(TermSelector(score, k=max(1, round(share * width))))
        if self.log or self.idf or self.length:
            steps.append(FrequencyTransform(self.log, self.idf, self.length))
        return steps

    def store(self) -> Stored:
        """Return it as a configuration."""
        return Stored(asdict(self))

    @classmethod
    def restore(cls, stored: Stored) -> Self:
        """Return the representation that ``store`` gave, or refuse the file."""
        fields = asdict(cls())
        stored.check(set(stored.configuration) <= set(fields), _NOT_SOUND)
        values = {**fields, **stored.configuration}
        terms = values["terms"]
        sound = (
            isinstance(values["log"], bool)
            and (isinstance(values["idf"], bool) or values["idf"] == SMOOTH)
            and values["length"] in (None, *LENGTHS)
            and values["columns"] in COLUMNS
            and (terms is None or _is_share(terms))
        )
        stored.check(sound, _NOT_SOUND)
        return cls(**{**values, "terms": None if terms is None else (terms[0], float(terms[1]))})

    def __str__(self) -> str:
        idf = f"{self.idf} idf" if isinstance(self.idf, str) else "idf"
        parts = [name for name, used in (("log", self.log), (idf, self.idf)) if used] or ["counts"]
        if self.length:
            parts.append(f"length {self.length}")
        if self.terms is not None:
            parts.append(f"{self.terms[1]:.0%} of terms by {self.terms[0]}")
        return ", ".join([*parts, "words"] if self.columns == "words" else parts)


def _is_share(terms: Any) -> bool:
    match terms:
        case [str(score), float() | int() as share]:
            return score in SCORES and 0 < share <= 1
    return False
