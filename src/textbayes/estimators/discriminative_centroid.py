"""DiscriminativeCentroid."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from textbayes.estimators.estimated import EstimatedClassifier
from textbayes.estimators.parameters import check_positive, check_seed, check_whole
from textbayes.estimators.storing import storable
from textbayes.persistence import Stored
from textbayes.statistics import ClassStatistics
from textbayes.weights import LARGEST_SUM, LinearWeights, margin_weights, restore_weighed

# The order of all rounds is made at once.
_MOST_ROUNDS = 10_000


@storable
class DiscriminativeCentroid(EstimatedClassifier):
    """The centroid classifier whose documents count by the doubt there is about them.

    A class is the sum of its documents less that of all others, as in :class:`CentroidClassifier` for label
    indicators, but a document counts as much as it falls short of a margin: f_c(d) should be 1 or more where
    d has the class and −1 or less where it has not. What is beyond the margin does not count at all. Each
    document is counted anew in turn until what it counts and what it falls short agree. There it is
    the linear support vector machine with squared hinge loss, each class against the rest: the same weights
    that scikit-learn's ``LinearSVC`` has, reached by sums of weighted documents.

    Parameters
    ----------
    cost : float, default=1.0
        How much falling short counts: ``C`` of ``LinearSVC``.
    max_iter : int, default=100
        How many rounds through all documents are made at most.
    tol : float, default=0.1
        When what documents count agrees so well with what they fall short, no more rounds are made.
    random_state : int, RandomState or None, default=None
        Decides the order of the documents. An int gives the same model, to the bit, every time.

    Attributes
    ----------
    classes_ : array
        The labels, sorted.
    class_documents_ : array
        How many documents each class has.
    n_iter_ : int
        How many rounds were needed; ``max_iter + 1`` where they did not suffice.
    weights_ : array of shape (classes, terms)
        Sums of weighted documents; made when asked for.

    Notes
    -----
    Documents should have length 1: ``FrequencyTransform(idf="smooth")`` comes near to what is usual for
    support vector machines. Several labels a document are welcome. It computes in single precision, which
    values up to 1e15 or so leave room for. The scores are no log probabilities; see
    :class:`TunedClassifier` for those.

    What a document counts depends on all others, so that none can be taken out by itself: the model keeps its
    training documents, as compressed rows, and counts those that are left anew before the first answer
    after ``partial_fit``, ``forget`` or ``merge``. The weights it ends with are the only ones that agree, to
    the tolerance, whatever was learned and forgotten on the way. ``loo_scores`` has no closed form here; it
    gives ``fold_scores``.

    Examples
    --------
    >>> from textbayes import DiscriminativeCentroid, FrequencyTransform, TextCounter
    >>> counter, unit = TextCounter(), FrequencyTransform(idf="smooth")
    >>> X = unit.fit_transform(counter.fit_transform(["wheat and corn", "corn", "crude oil", "oil and gas"]))
    >>> model = DiscriminativeCentroid(random_state=0).fit(X, ["grain", "grain", "fuel", "fuel"])
    >>> model.predict(unit.transform(counter.transform(["wheat", "oil and oil"])))
    array(['grain', 'fuel'], dtype='<U5')
    """

    _smoothing = "cost"

    def __init__(
        self, cost: float = 1.0, max_iter: int = 100, tol: float = 0.1, random_state: Any = None
    ) -> None:
        self.cost = cost
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def _check_parameters(self) -> None:
        check_positive("cost", self.cost)
        check_whole("max_iter", self.max_iter, most=_MOST_ROUNDS)
        check_positive("tol", self.tol)
        check_seed("random_state", self.random_state)

    def _estimate(self) -> tuple[LinearWeights, ClassStatistics]:
        documents = len(self._statistics.kept.batch[0])
        random = check_random_state(self.random_state)
        visits = np.empty((int(self.max_iter), documents), dtype=np.uint32)
        for visit in visits:
            visit[:] = random.permutation(documents)
        weights, values, needed = margin_weights(self._statistics, float(self.cost), float(self.tol), visits)
        self._kept.carried = needed
        return weights, values

    def _stored_estimate(self) -> Stored:
        estimate = super()._stored_estimate()
        return Stored({"rounds": self.n_iter_}, estimate.arrays)

    def _restored_estimate(self, stored: Stored) -> tuple[LinearWeights, ClassStatistics]:
        self._kept.carried = stored.size("rounds")
        return restore_weighed(self._statistics, stored, LARGEST_SUM)

    @property
    def n_iter_(self) -> int:
        """How many rounds were needed; ``max_iter + 1`` where they did not suffice."""
        self._scorer("n_iter_")
        return int(self._kept.carried)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        return tags
