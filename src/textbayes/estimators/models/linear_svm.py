"""LinearSVM."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from sklearn.utils import check_random_state

from textbayes.errors.checks import check_number, check_scale, check_seed, check_whole
from textbayes.estimators.base.refitted import RefittedClassifier
from textbayes.estimators.base.storing import storable
from textbayes.persistence import Stored
from textbayes.statistics import ClassStatistics
from textbayes.weights import LARGEST_WEIGHT, LinearWeights, linear_svm_weights, restore_pair_weights

# The visiting order of all passes is made at once.
_MOST_ROUNDS = 10_000


@storable
class LinearSVM(RefittedClassifier):
    """Linear support vector machine with squared hinge loss, each class against the rest.

    It minimises LIBLINEAR's dual L2-loss objective by coordinate descent (Hsieh 2008, algorithm 1), and ends
    at the weights of scikit-learn's ``LinearSVC(loss="squared_hinge", dual=True)``. Like every model here it
    learns more, forgets, merges, explains and saves, and its memory follows the (class, term) pairs seen.

    Parameters
    ----------
    C : float, default=1.0
        Penalty on errors, as in ``LinearSVC``: the larger, the less regularisation.
    max_iter : int, default=100
        Maximum number of passes over all documents.
    tol : float, default=0.1
        Stop when the projected gradients of a pass differ by less.
    random_state : int, RandomState or None, default=None
        Order in which documents are visited. An int gives the same model, to the bit, every time.

    Attributes
    ----------
    classes_ : array
        The labels, sorted.
    class_documents_ : array
        Number of documents of each class.
    n_iter_ : int
        Number of passes made; ``max_iter + 1`` if they did not converge.
    weights_ : array of shape (classes, terms)
        Weights as a dense table, made on demand.

    Notes
    -----
    Give it documents of length 1: ``FrequencyTransform(idf="smooth")`` is the usual tf-idf. Several labels a
    document are supported. It computes in single precision, which suits values up to about 1e15. The scores
    are not log probabilities; :class:`TunedClassifier` calibrates them.

    The weights depend on all documents together, so the model keeps its training documents as compressed
    rows. After ``partial_fit``, ``forget`` or ``merge`` it refits before the next prediction. The optimum is
    unique, so the refitted weights equal those of a fresh fit to within the tolerance. ``loo_scores`` has no
    closed form and returns ``fold_scores``.

    Examples
    --------
    >>> from textbayes import FrequencyTransform, LinearSVM, TextCounter
    >>> counter, unit = TextCounter(), FrequencyTransform(idf="smooth")
    >>> X = unit.fit_transform(counter.fit_transform(["wheat and corn", "corn", "crude oil", "oil and gas"]))
    >>> model = LinearSVM(random_state=0).fit(X, ["grain", "grain", "fuel", "fuel"])
    >>> model.predict(unit.transform(counter.transform(["wheat", "oil and oil"])))
    array(['grain', 'fuel'], dtype='<U5')
    """

    _smoothing = "C"
    fast_parameters: ClassVar = {"max_iter": 10}

    def __init__(
        self, C: float = 1.0, max_iter: int = 100, tol: float = 0.1, random_state: Any = None
    ) -> None:
        self.C = C
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def check_parameters(self) -> None:
        """Raise an error that names the parameter when one cannot be used."""
        check_scale("C", self.C)
        check_whole("max_iter", self.max_iter, most=_MOST_ROUNDS)
        check_number("tol", self.tol, above=0)
        check_seed("random_state", self.random_state)

    def _fit_weights(self) -> tuple[LinearWeights, ClassStatistics]:
        documents = len(self._statistics.training_documents)
        random = check_random_state(self.random_state)
        visits = np.empty((int(self.max_iter), documents), dtype=np.uint32)
        for visit in visits:
            visit[:] = random.permutation(documents)
        weights, values, needed = linear_svm_weights(self._statistics, float(self.C), float(self.tol), visits)
        self._cache.reused = needed
        return weights, values

    def _store_weights(self) -> Stored:
        estimate = super()._store_weights()
        return Stored({"rounds": self.n_iter_}, estimate.arrays)

    def _restore_weights(self, stored: Stored) -> tuple[LinearWeights, ClassStatistics]:
        self._cache.reused = stored.size("rounds")
        return restore_pair_weights(self._statistics, stored, LARGEST_WEIGHT)

    @property
    def n_iter_(self) -> int:
        """Number of passes made; ``max_iter + 1`` if they did not converge."""
        self._scorer("n_iter_")
        return int(self._cache.reused)
