"""Training documents scored by models without them, fold by fold."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from textbayes.errors.checks import check_whole
from textbayes.estimators.base.classifier import CountsClassifier
from textbayes.measures import deal_folds, strata
from textbayes.statistics import LabelledRows

Reals = NDArray[np.float64]


class FoldedClassifier(CountsClassifier):
    """A classifier that says what it would be without some of its documents."""

    refits = True
    """Whether the model refits when documents change; if not, it forgets a document by a subtraction."""

    def loo_decider(self, multilabel: bool) -> Self | None:  # noqa: ARG002
        """Return the model whose ``loo_scores`` decide, by the best score or by every score above 0.

        None if leave-one-out scores do not decide.
        """
        return None

    @abstractmethod
    def removable(self, X: Any, y: Any, sample_weight: Any, method: str) -> LabelledRows:
        """Check that documents were learned, and can be taken out."""

    @abstractmethod
    def without(self, documents: LabelledRows, places: NDArray[np.intp]) -> Self:
        """Return the model that a fit without some of the documents gives."""

    def fold_scores(self, X: Any, y: Any, sample_weight: Any = None, folds: int = 10) -> Reals:
        """Score training documents, each by the model without the documents of its fold.

        For models whose estimate depends on more than sums, for which leave-one-out would be as many fits as
        documents; it works with any.

        Parameters
        ----------
        X, y, sample_weight
            As for loo_scores.
        folds : int, default=10
            How many models are made, 2 or more. The documents of a class are dealt out in turn, so that every
            fold has its share of each.

        Returns
        -------
        array of the shape of decision_function
            A class with no document outside the fold scores −∞.

        Examples
        --------
        >>> from textbayes import MultinomialNB
        >>> X, y = [[3, 0], [2, 1], [0, 2], [1, 2]], ["a", "a", "b", "b"]
        >>> MultinomialNB().fit(X, y).fold_scores(X, y, folds=2).round(3)
        array([-1.216, -1.005,  0.811,  1.48 ])
        """
        check_whole("folds", folds, least=2)
        documents = self.removable(X, y, sample_weight, "fold_scores")
        return self._shaped_scores(self._scores_by_folds(documents, int(folds)))

    def loo_scores(self, X: Any, y: Any, sample_weight: Any = None) -> Reals:
        """Score training documents by models that have not seen them: fold_scores with ten folds.

        A model whose statistics add gives exact leave-one-out scores instead.

        Parameters
        ----------
        X, y, sample_weight
            All documents that the model learned, with their labels and weights.

        Returns
        -------
        array of the shape of decision_function
            A class whose documents are all in one fold scores −∞ there.

        Raises
        ------
        NotLearnedError
            If these are not the documents that were learned.

        Examples
        --------
        >>> from textbayes import PoissonMixtureNB
        >>> X, y = [[3, 0], [2, 1], [0, 2], [1, 2]], ["a", "a", "b", "b"]
        >>> model = PoissonMixtureNB(background=1.0).fit(X, y)
        >>> model.loo_scores(X, y).round(2)
        array([-2.16, -0.02,  1.55,  0.74])
        >>> PoissonMixtureNB(background=1.0).fit(X[1:], y[1:]).decision_function(X[:1]).round(2)
        array([-2.16])
        """
        documents = self.removable(X, y, sample_weight, "loo_scores")
        return self._shaped_scores(self._scores_by_folds(documents))

    def _scores_by_folds(self, documents: LabelledRows, folds: int = 10, **parameters: Any) -> Reals:
        """Scores of every class, each document's by the model, with other parameters, without its fold."""
        scores = np.full((len(documents), len(self.classes_)), -np.inf)
        fold_of = deal_folds(strata(documents.targets, by="first"), folds)
        for fold in np.unique(fold_of):
            chosen = np.flatnonzero(fold_of == fold)
            rest = self.without(documents, chosen).set_params(**parameters)
            if rest.__sklearn_is_fitted__() and len(rest.classes_):
                known = np.isin(self.classes_, rest.classes_)
                scores[np.ix_(chosen, known)] = rest.all_scores(documents.rows.take(chosen))
        return scores
