"""DiscriminativeNB."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from sklearn.utils import check_random_state

from textbayes.errors import LabelsError, ParameterConflictError
from textbayes.errors.checks import check_option, check_scale, check_seed, check_switch, check_whole
from textbayes.estimators.base.refitted import RefittedClassifier
from textbayes.estimators.base.storing import storable
from textbayes.persistence import Stored
from textbayes.scores import LinearScorer
from textbayes.statistics import ClassStatistics, LabelledRows
from textbayes.weights import (
    LinearWeights,
    discriminative_statistics,
    log_prior,
    multinomial_weights,
    one_vs_rest_weights,
    restore_discriminative,
    store_weighted_counts,
)

_ONE_LABEL = 'a label indicator; DiscriminativeNB takes one label per document, unless against="rest"'
# The visiting order of all passes is made at once; more passes do not change the model.
_MOST_VISITS = 10_000
_MOST_ORDERS = 100


@storable
class DiscriminativeNB(RefittedClassifier):
    """Multinomial naive Bayes with discriminative counts (Su, Zhang, Ling and Matwin 2008).

    The documents are visited several times in random order. A document adds its counts times 1 − P(c|d) to
    its class, where P is the current model: a document that is already right adds little, an error adds all.
    P(w|c) = (α + n_wc) / (αk + n_c) as in :class:`MultinomialNB`, but the counts separate the classes.

    Parameters
    ----------
    alpha : float, default=1.0
        Smoothing: the count that every term starts with.
    max_iter : int, default=5
        Number of passes over the documents, at most 10,000.
    block_size : int, default=32
        Number of consecutive documents scored by the same model. Smaller blocks are closer to the paper.
    fit_prior : bool, default=True
        Whether P(c) is the class's share of the documents; if not, it is the same for all classes.
    against : {None, "rest"}, default=None
        With "rest" a document also adds its counts against every other class, times P(c|d) of that class:
        w_ct = log((α + n⁺_ct) / (α + n⁻_ct)). This also supports several labels per document, each
        class separately.
    orders : int, default=1
        With ``against="rest"``: number of random orders. The weights are the mean over the orders.
    random_state : int, RandomState or None, default=None
        Order in which documents are visited. An int gives the same model, to the bit, every time.

    Attributes
    ----------
    classes_ : array
        The labels, sorted.
    class_documents_ : array
        Number of documents of each class.
    n_iter_ : int
        Number of passes made.
    weights_ : array of shape (classes, terms)
        log P(w|c), or log n⁺ − log n⁻ with ``against="rest"``: a dense table, made on demand.

    Notes
    -----
    One label per document, unless ``against="rest"``. The counts depend on the order of the documents, so the
    model keeps its training documents as compressed rows. After ``partial_fit``, ``forget`` or ``merge`` it
    refits before the next prediction. ``loo_scores`` has no closed form and returns ``fold_scores``.

    ``block_size`` was chosen on the built-in corpus (experiments/discriminative.py). Two passes and
    ``alpha=0.01`` do better there than the defaults, which are those of the other models. With many classes
    and few documents, choose alpha by ``loo_score_path``.

    ``against="rest"`` is not in the paper. Use it with documents of length 1 (``FrequencyTransform``), one or
    two passes, three orders and an alpha of .01 to .1 (experiments/discriminative.py).

    Examples
    --------
    >>> from textbayes import DiscriminativeNB, TextCounter
    >>> counter = TextCounter()
    >>> X = counter.fit_transform(["not good", "not bad", "good", "bad", "very good", "very bad"])
    >>> model = DiscriminativeNB(random_state=0).fit(X, ["bad", "good", "good", "bad", "good", "bad"])
    >>> model.predict(counter.transform(["very good", "very bad"]))
    array(['good', 'bad'], dtype='<U4')
    """

    _smoothing = "alpha"
    fast_parameters: ClassVar = {"orders": 1}

    def __init__(
        self,
        alpha: float = 1.0,
        max_iter: int = 5,
        block_size: int = 32,
        fit_prior: bool = True,
        against: str | None = None,
        orders: int = 1,
        random_state: Any = None,
    ) -> None:
        self.alpha = alpha
        self.max_iter = max_iter
        self.block_size = block_size
        self.fit_prior = fit_prior
        self.against = against
        self.orders = orders
        self.random_state = random_state

    def check_parameters(self) -> None:
        """Raise an error that names the parameter when one cannot be used."""
        check_scale("alpha", self.alpha)
        check_whole("max_iter", self.max_iter, most=_MOST_VISITS)
        check_whole("block_size", self.block_size, most=2**31 - 1)
        check_switch("fit_prior", self.fit_prior)
        if self.against is not None:
            check_option("against", self.against, ("rest",))
        check_whole("orders", self.orders, most=_MOST_ORDERS)
        if self.orders > 1 and self.against is None:
            raise ParameterConflictError(
                "orders", self.orders, "against", None, 'orders applies only to against="rest"'
            )
        check_seed("random_state", self.random_state)

    def _validated(self, X: Any, y: Any, sample_weight: Any, reset: bool) -> LabelledRows:
        documents = super()._validated(X, y, sample_weight, reset)
        if documents.targets.multilabel and self.against is None:
            raise LabelsError(_ONE_LABEL)
        return documents

    def _fit_weights(self) -> tuple[LinearWeights, ClassStatistics]:
        documents, orders = len(self._statistics.training_documents), int(self.orders)
        random = check_random_state(self.random_state)
        visits = [random.permutation(documents) for _ in range(orders * int(self.max_iter))]
        order = np.concatenate(visits).astype(np.uint32).reshape(orders, -1)
        alpha, block, prior = float(self.alpha), int(self.block_size), bool(self.fit_prior)
        if self.against is not None:
            return one_vs_rest_weights(self._statistics, alpha, order, block, prior)
        shares = log_prior(self._statistics, prior, None)
        sums = discriminative_statistics(self._statistics, alpha, shares, order[0], block)
        return multinomial_weights(sums, alpha, None, shares), sums

    def _store_weights(self) -> Stored:
        if self.against is not None:
            return super()._store_weights()
        scorer: LinearScorer = self._scorer("save")
        return store_weighted_counts(scorer.statistics)

    def _restore_weights(self, stored: Stored) -> tuple[LinearWeights, ClassStatistics]:
        settings = self.against, float(self.alpha), bool(self.fit_prior)
        return restore_discriminative(self._statistics, stored, *settings)

    def _make_odds_scorer(self) -> LinearScorer:
        if self.against is None:
            raise LabelsError(_ONE_LABEL)
        return super()._make_odds_scorer()

    @property
    def n_iter_(self) -> int:
        """Number of passes made."""
        self._check_fitted("n_iter_")
        return int(self.max_iter)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = self.against is not None
        return tags
