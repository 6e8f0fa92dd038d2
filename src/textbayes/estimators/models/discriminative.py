"""DiscriminativeNB."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from textbayes.errors import LabelsError, ParameterConflictError
from textbayes.errors.checks import check_number, check_option, check_seed, check_switch, check_whole
from textbayes.estimators.base.estimated import EstimatedClassifier
from textbayes.estimators.base.storing import storable
from textbayes.persistence import Stored
from textbayes.scores import LinearScorer
from textbayes.statistics import ClassStatistics, LabelledRows
from textbayes.weights import (
    LARGEST_LOG_RATIO,
    LinearWeights,
    discriminative_statistics,
    log_prior,
    multinomial_weights,
    one_vs_rest_weights,
    restore_pair_weights,
    restore_weighted_counts,
    store_weighted_counts,
)

_ONE_LABEL = 'a label indicator; DiscriminativeNB takes one label a document, unless against="rest"'
# The order of all visits is made at once; after so many nothing moves any more.
_MOST_VISITS = 10_000
_MOST_ORDERS = 100


@storable
class DiscriminativeNB(EstimatedClassifier):
    """Multinomial naive Bayes whose counts come from its errors (Su, Zhang, Ling and Matwin 2008).

    The documents are visited several times in random order. A document adds its counts to its class times
    1 − P(c|d), the doubt of the model so far: what is known already adds little, what is mistaken adds all.
    Counts are counts still, and P(w|c) = (α + n_wc) / (αk + n_c) as in :class:`MultinomialNB`, but they are
    chosen to tell classes apart.

    Parameters
    ----------
    alpha : float, default=1.0
        The count every term starts with.
    max_iter : int, default=5
        How often each document is visited, 10,000 times at most.
    block_size : int, default=32
        So many documents in a row are judged by the same model. Smaller blocks follow the paper more closely.
    fit_prior : bool, default=True
        P(c) is the class's share of the documents; otherwise it is the same for all classes.
    against : {None, "rest"}, default=None
        With "rest" a document adds its counts also against every other class, times P(c|d), what the model
        so far gives that class: w_ct = log((α + n⁺_ct) / (α + n⁻_ct)). Then several labels a document are
        welcome, each class being judged on its own.
    orders : int, default=1
        With ``against="rest"``: learn in so many random orders, each by itself, and take the mean weights.
    random_state : int, RandomState or None, default=None
        Decides the order of the visits. An int gives the same model, to the bit, every time.

    Attributes
    ----------
    classes_ : array
        The labels, sorted.
    class_documents_ : array
        How many documents each class has.
    n_iter_ : int
        How often each document was visited.
    weights_ : array of shape (classes, terms)
        log P(w|c), or log n⁺ − log n⁻ with ``against="rest"``; made when asked for.

    Notes
    -----
    One label a document, unless ``against="rest"``. The estimate depends on the order of the documents, so
    that a document cannot be taken out of it: the model keeps its training documents, as compressed rows,
    and estimates anew from those that are left, before the first answer after ``partial_fit``, ``forget``
    or ``merge``. ``loo_scores`` has no closed form here; it gives ``fold_scores``.

    ``block_size`` was chosen on the built-in corpus (experiments/discriminative.py), where two visits and
    ``alpha=0.01`` do better than the defaults, which are those of the family: with many classes and few
    documents choose alpha by ``loo_score_path``.

    ``against="rest"`` is ours, not the paper's. It suits documents of length 1 (``FrequencyTransform``), one
    or two visits, three orders and an alpha of .01 to .1 (experiments/discriminative.py).

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

    def _check_parameters(self) -> None:
        check_number("alpha", self.alpha, above=0)
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

    def _estimate(self) -> tuple[LinearWeights, ClassStatistics]:
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

    def _stored_estimate(self) -> Stored:
        if self.against is not None:
            return super()._stored_estimate()
        scorer: LinearScorer = self._scorer("save")
        return store_weighted_counts(scorer.statistics)

    def _restored_estimate(self, stored: Stored) -> tuple[LinearWeights, ClassStatistics]:
        if self.against is not None:
            return restore_pair_weights(self._statistics, stored, LARGEST_LOG_RATIO)
        sums = restore_weighted_counts(self._statistics, stored)
        prior = log_prior(self._statistics, bool(self.fit_prior), None)
        return multinomial_weights(sums, float(self.alpha), None, prior), sums

    def _make_odds_scorer(self) -> LinearScorer:
        if self.against is None:
            raise LabelsError(_ONE_LABEL)
        return super()._make_odds_scorer()

    @property
    def n_iter_(self) -> int:
        """How often each document was visited."""
        self._check_fitted("n_iter_")
        return int(self.max_iter)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = self.against is not None
        return tags
