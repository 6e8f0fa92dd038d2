"""What every classifier of counts shares: checked input, scores, decisions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import partial
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_consistent_length, validate_data

from textbayes.answering import Scorer, ScorerAnswers, Scores
from textbayes.counts import Rows
from textbayes.decisions import reject_unsure
from textbayes.errors import UnfittedError
from textbayes.errors.checks import check_labels_passed
from textbayes.estimators.base.changing import changes, reads
from textbayes.estimators.base.counts_model import CountsModel
from textbayes.estimators.base.inputs import any_rows, checked_weights, expected_rows
from textbayes.estimators.base.storing import check_file
from textbayes.scores import ComponentParts, Contributions, contributions_of
from textbayes.statistics import LabelledRows, as_targets

Reals = NDArray[np.float64]


class CountsClassifier(CountsModel, ClassifierMixin, BaseEstimator, ABC):  # type: ignore[misc]
    """The scikit-learn face of rows → scores → decisions.

    A subclass defines how to learn and to score rows; the methods of scikit-learn are here.
    """

    takes_targets = True
    _answers_kind: type[ScorerAnswers] = ScorerAnswers

    # What a subclass defines.

    @abstractmethod
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from documents."""

    @property
    @abstractmethod
    def classes_(self) -> NDArray[Any]:
        """The labels, sorted; of a label indicator, its columns."""

    @abstractmethod
    def check_parameters(self) -> None:
        """Raise an error that names the parameter when one cannot be used."""

    @abstractmethod
    def _is_fitted(self) -> bool:
        """Return whether the model is fitted."""

    @property
    @abstractmethod
    def multilabel_(self) -> bool:
        """Whether labels were an indicator."""

    @abstractmethod
    def _scorer(self, method: str) -> Scorer:
        """Return the scorer of rows; raise UnfittedError, which names the method, if not fitted."""

    @abstractmethod
    def _odds_scorer(self) -> Scores:
        """Return the scorer for label indicators: a class is predicted if its score is above 0."""

    # Scoring and deciding.

    @reads
    def decision_function(self, X: Any) -> Reals:
        """Score documents: the larger, the better.

        Returns
        -------
        array of shape (documents,) with two classes, else (documents, classes)
            With two classes, the lead of the second over the first. Label indicators: one score per class.
        """
        self._check_fitted("decision_function")
        return self._shaped_scores(self.all_scores(self._rows(X)))

    @reads
    def predict_log_proba(self, X: Any) -> Reals:
        """Return the log of predict_proba."""
        self._check_fitted("predict_log_proba")
        rows = self._rows(X)
        return self._answers("predict_log_proba").predict_log_proba(rows)

    @reads
    def predict_proba(self, X: Any) -> Reals:
        """Return the probability of each class, shape (documents, classes).

        One label per document: scores are log P(x, c), normalised over the classes. Label indicators: each
        class separately, against the documents without it.
        """
        return np.exp(self.predict_log_proba(X))

    @reads
    def predict(self, X: Any, reject_below: float | None = None) -> NDArray[Any]:
        """Return the best label of each document, or a label indicator if the model learned from one.

        Parameters
        ----------
        X : sparse matrix or array of shape (documents, terms)
            Documents.
        reject_below : float, optional
            Mask decisions whose probability is lower: the result is then a masked array, with ``None`` in
            ``tolist()``. Naive Bayes is overconfident; :class:`TunedClassifier` calibrates probabilities.
        """
        self._check_fitted("predict")
        rows = self._rows(X)
        found = self._answers("predict").predict(rows)
        if reject_below is None:
            return found
        return reject_unsure(found, self.predict_proba(X), reject_below, self.multilabel_)

    @reads
    def top_k(self, X: Any, k: int) -> tuple[NDArray[Any], Reals]:
        """Return each document's ``k`` best labels and their scores, best first.

        Parameters
        ----------
        X : sparse matrix or array of shape (documents, terms)
            Documents.
        k : int
            Number of labels, at most the number of classes.

        Returns
        -------
        labels, scores : arrays of shape (documents, k)
            Among equal scores, the class that sorts first comes first.
        """
        self._check_fitted("top_k")
        rows = self._rows(X)
        return self._answers("top_k").top_k(rows, k)

    @property
    def scoring_model(self) -> Any:
        """The model itself."""
        return self

    def model_input(self, rows: Rows) -> Any:
        """Rows as they are."""
        return rows

    @reads
    def contributions(self, row: Rows) -> Contributions:
        """Return what each entry of one row adds to the deciding score of each class.

        This is for scores that are linear in the row; other scorers have a method ``contributions``.
        """
        return contributions_of(self._odds_scorer() if self.multilabel_ else self._scorer("explain"), row)

    @reads
    def decision_contributions(self, row: Rows) -> Contributions:
        """Return what each entry of one row adds to decision_function; two classes have one column."""
        return self._shaped_parts(contributions_of(self._scorer("explain"), row))

    def _shaped_parts(self, parts: Contributions) -> Contributions:
        """Contributions to the scores of all classes → contributions to decision_function."""
        bias, entries = self._shaped_scores(parts.bias[None, :]), self._shaped_scores(parts.entries)
        return Contributions(bias.ravel(), entries.reshape(len(entries), bias.size))

    @reads
    def term_weights(self, row: Rows) -> Reals:
        """Return what each entry of one row would add to each class if it were alone in the row."""
        return np.asarray(self.contributions(row).entries)

    @reads
    def component_parts(self, row: Rows) -> list[ComponentParts]:
        """Return what each entry of one row adds to the components of each class; empty if there are none."""
        scorer: Any = self._scorer("explain")
        return scorer.component_parts(row) if hasattr(scorer, "component_parts") else []

    # Plumbing.

    @reads
    def all_scores(self, rows: Rows) -> Reals:
        """Score every row in every class, as decision_function does."""
        return self._answers("decision_function").scores(rows)

    def _shaped_scores(self, scores: Reals) -> Reals:
        """Scores of all classes → the shape of decision_function."""
        return self._answers("decision_function").shaped(scores)

    @reads
    def answers(self) -> ScorerAnswers:
        """Return the answers for rows, to be calibrated."""
        return self._answers("predict_proba")

    def _answers(self, method: str) -> ScorerAnswers:
        """Return the answers for rows, by the scorers of this model."""
        scorer = partial(self._scorer, method)
        return self._answers_kind(self.classes_, self.multilabel_, scorer, self._odds_scorer)

    @changes
    def set_params(self, **params: Any) -> Self:
        """Set parameters: all, or after an error none."""
        super().set_params(**params)
        return self

    def __sklearn_is_fitted__(self) -> bool:
        return self._is_fitted()

    def _check_fitted(self, method: str) -> None:
        if not self._is_fitted() or not len(self.classes_):
            raise UnfittedError(type(self).__name__, method)
        check_file(self)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = True
        tags.classifier_tags.multi_label = True
        # scikit-learn's check uses dense blobs of points, which are not like counts.
        tags.classifier_tags.poor_score = True
        return tags

    def _rows(self, X: Any) -> Rows:
        if isinstance(X, Rows):  # from TextClassifier, which checks texts
            return X
        return expected_rows(self, X, reset=False)

    def _validated(self, X: Any, y: Any, sample_weight: Any, reset: bool) -> LabelledRows:
        """Check all input before anything changes; with ``reset``, X may have other columns."""
        self.check_parameters()
        check_labels_passed(type(self).__name__, y)
        if not reset:
            check_file(self)
        rows = any_rows(X, self) if reset else self._rows(X)
        targets = as_targets(y)
        check_consistent_length(rows.starts[1:], targets.starts[1:])
        return LabelledRows(rows, targets, checked_weights(sample_weight, len(rows)))

    def _accept_columns(self, X: Any) -> None:
        """Expect the columns of X, and their names, from now on."""
        validate_data(self, X, reset=True, skip_check_array=True)
