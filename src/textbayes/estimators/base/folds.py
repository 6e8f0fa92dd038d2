"""Training documents scored by models without them, fold by fold."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from textbayes.errors.checks import check_whole
from textbayes.estimators.base.changing import reads
from textbayes.estimators.base.classifier import CountsClassifier
from textbayes.measures import deal_folds, strata
from textbayes.statistics import LabelledRows

Reals = NDArray[np.float64]


class FoldedClassifier(CountsClassifier):
    """A classifier that can be refitted without some of its documents."""

    refits = True
    """Whether the model refits when documents change; if not, it subtracts them."""
    fast_parameters: ClassVar[Mapping[str, Any]] = {}
    """Cheaper parameters, for models that are fitted only to score held-out documents."""
    calibratable = True

    def loo_decider(self, multilabel: bool) -> Self | None:  # noqa: ARG002
        """Return the model whose ``loo_scores`` decide: the best score, or every score above 0.

        None if leave-one-out scores do not decide.
        """
        return None

    @abstractmethod
    def removable(self, X: Any, y: Any, sample_weight: Any, method: str) -> LabelledRows:
        """Check that documents were learned and can be removed."""

    @abstractmethod
    def without(self, documents: LabelledRows, places: NDArray[np.intp]) -> Self:
        """Return the model fitted without some of the documents."""

    @reads
    def fold_scores(self, X: Any, y: Any, sample_weight: Any = None, folds: int = 10) -> Reals:
        """Score training documents, each by the model without the documents of its fold.

        Use it for models that are not functions of sums: leave-one-out would fit once for each document.

        Parameters
        ----------
        X, y, sample_weight
            As for loo_scores.
        folds : int, default=10
            Number of folds, 2 or more. Folds are stratified by class.

        Returns
        -------
        array of the shape of decision_function
            A class without documents outside the fold scores −∞.

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

    @reads
    def loo_scores(self, X: Any, y: Any, sample_weight: Any = None) -> Reals:
        """Score training documents by models fitted without them: fold_scores with ten folds.

        Models whose statistics add override it with exact leave-one-out.

        Parameters
        ----------
        X, y, sample_weight
            All training documents, with their labels and weights.

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
        """Score each document in every class by the model without its fold, with changed parameters."""
        scores = np.full((len(documents), len(self.classes_)), -np.inf)
        fold_of = deal_folds(strata(documents.targets, by="first"), folds)
        for fold in np.unique(fold_of):
            chosen = np.flatnonzero(fold_of == fold)
            rest = self.without(documents, chosen).set_params(**parameters)
            if rest.__sklearn_is_fitted__() and len(rest.classes_):
                known = np.isin(self.classes_, rest.classes_)
                scores[np.ix_(chosen, known)] = rest.all_scores(documents.rows.take(chosen))
        return scores
