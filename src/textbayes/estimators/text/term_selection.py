"""term_scores and TermSelector: which terms tell the classes apart."""

from __future__ import annotations

from typing import Any, Self, overload

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from textbayes.counts import Rows, restore_mask, select_columns
from textbayes.errors.checks import check_labels_passed, check_option, check_switch, check_whole
from textbayes.estimators.base.changing import Forkable, changes
from textbayes.estimators.base.inputs import any_rows, expected_rows
from textbayes.estimators.base.storing import check_file, restore_columns, storable, store_columns
from textbayes.estimators.models.poisson import PoissonNB
from textbayes.persistence import Stored
from textbayes.statistics import as_targets
from textbayes.terms import SCORES, TermStatistics, best_terms

Reals = NDArray[np.float64]

# The score "ratio" uses the default parameters of the Poisson model.
_POISSON = PoissonNB()


@overload
def term_scores(X: Any, y: Any, criterion: str) -> Reals: ...
@overload
def term_scores(X: Any, y: Any, criterion: list[str] | tuple[str, ...]) -> dict[str, Reals]: ...
def term_scores(X: Any, y: Any, criterion: str | list[str] | tuple[str, ...]) -> Reals | dict[str, Reals]:
    """Score terms by how informative they are about the classes.

    Parameters
    ----------
    X : sparse matrix or array of shape (documents, terms)
        Counts.
    y : array-like of shape (documents,), or indicator of shape (documents, classes)
        Labels.
    criterion : str, or several
        - "mi": mutual information of word events (Schneider 2004, eq. 4);
        - "kl", "dkl": Schneider's divergence scores (eqs. 13 and 14);
        - "kl_exact": what they approximate, from eq. 8;
        - "ig", "chi2", "ratio": information gain, χ² and probability ratio of each class (Kim 2003,
          eqs. 11–13), the last from the Poisson means with PoissonNB's default θ and α.

    Returns
    -------
    array of shape (terms,), or (classes, terms) for "ig", "chi2" and "ratio"
        Larger is more informative. For several criteria, a dict of arrays; counts are summed once for all.

    Examples
    --------
    >>> from textbayes import term_scores
    >>> term_scores([[2, 0, 1], [1, 0, 1], [0, 3, 1]], ["a", "a", "b"], "mi").round(3)
    array([0.263, 0.387, 0.013])
    """
    names = list(criterion) if isinstance(criterion, list | tuple) else [criterion]
    for name in names:
        check_option("criterion", name, tuple(SCORES))
    scores = _scores(any_rows(X), y, names)
    return scores if isinstance(criterion, list | tuple) else scores[criterion]


def _scores(rows: Rows, y: Any, names: list[str]) -> dict[str, Reals]:
    check_labels_passed("term_scores", y)
    targets = as_targets(y)
    check_consistent_length(rows.starts[1:], targets.starts[1:])
    known = TermStatistics(rows, targets, _POISSON.theta, _POISSON.alpha)
    return {name: SCORES[name](known) for name in names}


@storable
class TermSelector(Forkable, SelectorMixin, BaseEstimator):  # type: ignore[misc]
    """Keep the terms that are most informative about the classes.

    Parameters
    ----------
    criterion : str, default="dkl"
        A criterion of :func:`term_scores`.
    k : int or "all", default=10000
        Number of terms to keep.
    per_class : bool, default=False
        For a criterion with a score for each class: keep k terms for each class, instead of the k with the
        largest maximum over the classes.

    Attributes
    ----------
    scores_ : array of shape (terms,) or (classes, terms)
        The scores.

    Examples
    --------
    >>> from textbayes import TermSelector
    >>> selector = TermSelector("mi", k=1)
    >>> selector.fit_transform([[2, 0, 1], [1, 0, 1], [0, 3, 1]], ["a", "a", "b"])
    array([[0],
           [0],
           [3]])
    """

    # Labels may be given as Targets, with their names.
    takes_targets = True

    def __init__(self, criterion: str = "dkl", k: int | str = 10_000, per_class: bool = False) -> None:
        self.criterion = criterion
        self.k = k
        self.per_class = per_class

    @changes
    def fit(self, X: Any, y: Any) -> Self:
        """Score the terms and choose.

        Parameters
        ----------
        X : sparse matrix or array of shape (documents, terms)
            Counts.
        y : array-like of shape (documents,), or indicator of shape (documents, classes)
            Labels.
        """
        check_option("criterion", self.criterion, tuple(SCORES))
        check_switch("per_class", self.per_class)
        k = self._checked_k()
        rows = expected_rows(self, X, reset=True)
        self.scores_ = _scores(rows, y, [self.criterion])[self.criterion]
        mask = np.zeros(rows.width, dtype=bool)
        mask[best_terms(self.scores_, rows.width if k is None else k, self.per_class)] = True
        self._mask = mask
        return self

    def _checked_k(self) -> int | None:
        if self.k == "all":
            return None
        return check_whole("k", self.k, allowed='a whole number from 1 up, or "all"')

    def _get_support_mask(self) -> NDArray[np.bool_]:
        check_is_fitted(self, "scores_")
        check_file(self)
        return self._mask

    def transform_rows(self, rows: Rows) -> Rows:
        """Keep the chosen terms of checked rows."""
        return select_columns(rows, self._get_support_mask())

    def store(self) -> Stored:
        """Return what was learned, for a model file."""
        if not hasattr(self, "_mask"):
            return Stored()
        columns = store_columns(self)
        arrays: dict[str, NDArray[Any]] = {
            "mask": self._mask.astype(np.uint8),
            "scores": np.asarray(self.scores_, np.float64).ravel(),
        }
        learned = {**columns.configuration, "per_class_scores": self.scores_.ndim == 2}
        return Stored(learned, columns.arrays | arrays)

    def restore(self, stored: Stored) -> None:
        """Load what ``store`` returned; refuse an invalid file."""
        if "per_class_scores" not in stored.configuration:
            return
        columns = restore_columns(self, stored)
        mask, scores = restore_mask(stored, columns), stored.array("scores", np.float64)
        fits = len(scores) % columns == 0 if columns else not len(scores)
        stored.check(fits, "its scores and its columns do not have the same terms")
        self.scores_ = scores
        if stored.value("per_class_scores", bool):
            self.scores_ = scores.reshape(len(scores) // max(columns, 1), columns)
        else:
            stored.check(len(scores) == columns, "its scores and its columns do not have the same terms")
        self._mask = mask

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = True
        tags.target_tags.required = True
        return tags
