"""PoissonMixtureNB."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Self, cast

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils import check_random_state

from textbayes.errors import (
    LabelsError,
    NotLearnedError,
    ParameterError,
    UnfittedError,
)
from textbayes.estimators.base.folds import FoldedClassifier
from textbayes.estimators.base.progress import progress_bar
from textbayes.estimators.base.storing import restore_columns, storable, store_columns
from textbayes.estimators.models.mixture_settings import check_mixture, mixture_settings
from textbayes.persistence import Stored
from textbayes.scores import ComponentParts, MixtureOddsScorer, MixtureScorer
from textbayes.statistics import LabelledRows
from textbayes.statistics.targets import kind_of_labels
from textbayes.weights import (
    MixtureComponent,
    MixtureModel,
    learn_mixtures,
)

Reals = NDArray[np.float64]


@dataclass(eq=False)
class _Kept:
    """The model made ready to score rows."""

    scorer: MixtureScorer | None = None
    odds: MixtureOddsScorer | None = None


@storable
class PoissonMixtureNB(FoldedClassifier):
    """A mixture of structural Poisson components for each class (Grim 2008).

    log P(x|c) = log F(x|θ_0) + log Σ_m f(m) G(x|θ_m, φ_m), where the background θ_0 is common to all classes
    and cancels in Bayes' formula (eq. 13), and a component departs from it in a subset of terms of its own:

        G(x|θ_m, φ_m) = Π_n [ (θ_mn/θ_0n)^{x_n} e^{(θ_0n − θ_mn)|x|} ]^{φ_mn}        (12)

    Parameters
    ----------
    n_components : int, float, "auto" or mapping of label to these, default=1
        How many components a class gets: a number; a share of its documents, between 0 and 1; or as many as
        make held-out documents of the class likelier. Never more than one for every two documents.
    keep : float, default=1.0
        Keep this share of a class's parameters, those with the largest gain γ over the background (eq. 21).
        They are chosen anew in every iteration.
    keep_threshold : float, optional
        Keep the parameters whose gain is above this instead (the paper's experiments, section 5).
    background : float, optional
        How strongly components are drawn to the background: with ``smoothing="prior"`` the words it is worth,
        with "mix" its share. By default the smoothing's own: 30 words, or .2.
    smoothing : {"prior", "mix", None}, default="prior"
        "prior": θ = (Σ q x_n + s θ_0n) / (Σ q |x| + s), which keeps EM monotone. "mix": (1 − b) θ + b θ_0.
        None: the paper's estimates as they are; a term that a class lacks then rules the class out.
    max_iter : int, default=100
        Iterations at most.
    tol : float, default=1e-6
        EM stops when the criterion changes by less than this share of itself.
    n_init : int, default=1
        So many random starts are tried for each class; the one with the greatest criterion is kept.
    init : {"random"}, default="random"
        Documents are dealt to the components at random, in parts of equal size.
    random_state : int, RandomState or None, default=None
        The same one gives the same model, to the bit, on any number of cores.
    verbose : bool or int, default=0
        Show a progress bar.

    Attributes
    ----------
    classes_ : array
        The labels, sorted.
    class_documents_ : array
        How many documents each class has.
    background_ : array of shape (terms,)
        θ_0, each term's share of all words.
    components_ : list of list of MixtureComponent
        For each class its components: ``weight`` f(m), ``documents``, ``terms`` kept and their ``theta``.
    history_ : list of array
        For each class the criterion at the start and after every iteration: L of eq. 15, and with
        ``smoothing="prior"`` the log of the prior too, divided by the documents alike.
    n_iter_ : array of int
        For each class how many iterations EM took.
    n_parameters_ : int
        How many θ_mn are kept.
    parameter_share_ : float
        Their share of components × terms, as the paper's tables have it.
    dropped_ : array of int
        For each class how many of its components died.
    model_ : MixtureModel
        Everything learned, as arrays.

    Notes
    -----
    With a number of parameters as the rule, and without smoothing or with a prior, the criterion never
    decreases. With a threshold t it is the criterion less t for every parameter that does not. A component
    whose share of the class falls below 1e-10 is dropped.

    A term in no training document has no parameter, and says nothing. A document that no class can have made
    (only without smoothing) is decided by p(c).

    EM is not a sum over documents, so there is no exact ``partial_fit``, ``forget`` or ``merge``, and
    ``loo_scores`` goes by folds. For a label
    indicator each class is compared with the mixture of the documents without it; ``decision_function`` is
    the numerator of eq. 13, the background being the reference.

    Examples
    --------
    >>> from textbayes import PoissonMixtureNB, TextCounter
    >>> counter = TextCounter()
    >>> texts = ["oil rose", "crude oil oil", "wheat fell", "corn and wheat", "tea rose", "tea and coffee"]
    >>> labels = ["energy", "energy", "food", "food", "food", "food"]
    >>> X = counter.fit_transform(texts)
    >>> model = PoissonMixtureNB({"food": 2}, background=1.0, n_init=5, random_state=0).fit(X, labels)
    >>> model.predict(counter.transform(["coffee", "crude oil"]))
    array(['food', 'energy'], dtype='<U6')
    >>> [len(components) for components in model.components_]
    [1, 2]
    """

    model_: MixtureModel

    def __init__(
        self,
        n_components: Any = 1,
        *,
        keep: float = 1.0,
        keep_threshold: float | None = None,
        background: float | None = None,
        smoothing: str | None = "prior",
        max_iter: int = 100,
        tol: float = 1e-6,
        n_init: int = 1,
        init: str = "random",
        random_state: Any = None,
        verbose: bool | int = 0,
    ) -> None:
        self.n_components = n_components
        self.keep = keep
        self.keep_threshold = keep_threshold
        self.background = background
        self.smoothing = smoothing
        self.max_iter = max_iter
        self.tol = tol
        self.n_init = n_init
        self.init = init
        self.random_state = random_state
        self.verbose = verbose

    # Learning.

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from documents.

        Parameters
        ----------
        X : sparse matrix or array of shape (documents, terms)
            Counts, or weights such as tf-idf: never negative.
        y : array-like of shape (documents,), or indicator of shape (documents, classes)
            One label a document; or 0 and 1, a document having the classes of its ones.
        sample_weight : array-like of shape (documents,), optional
            A document of weight 2 counts as two documents; one of weight 0 as none.
        """
        documents = self._validated(X, y, sample_weight, reset=True)
        random = check_random_state(self.random_state)

        def watched(what: str, total: int) -> AbstractContextManager[Any]:
            return progress_bar(what, total, bool(self.verbose))

        self.model_ = learn_mixtures(
            documents.rows,
            documents.targets,
            documents.weights,
            self.n_components,
            mixture_settings(self),
            random,
            watched,
        )
        self._accept_columns(X)
        self._kept = _Kept()
        return self

    def _check_parameters(self) -> None:
        check_mixture(self)

    # Leaving out.

    def loo_scores(self, X: Any, y: Any, sample_weight: Any = None) -> Reals:
        """Score training documents, each by a model that has not seen it: fold_scores, in ten folds.

        EM has no closed form for a document less, and as many fits as documents would be too many. So each
        document is scored by one of ten models, which lacks a tenth of every class, that document included.
        As those models know a little less, their scores are on the careful side.

        Parameters
        ----------
        X, y, sample_weight
            All the documents that the model learned, with their labels and weights.

        Returns
        -------
        array of the shape of decision_function
            A class whose documents are all in one fold scores −∞ there, and with two classes the lead is −∞
            or ∞ accordingly. Columns of a label indicator stay; they score what the refit gives them.

        Raises
        ------
        NotLearnedError
            When these are not all the documents that were learned.

        Notes
        -----
        The documents of a class are dealt to the folds in turn, in the order of the rows. ``random_state``
        decides the start of every fit, as it does in ``fit``: with an int, scores are the same to the bit.

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
        documents = self._removable(X, y, sample_weight, "loo_scores")
        return self._shaped_scores(self._scores_by_folds(documents))

    def _removable(self, X: Any, y: Any, sample_weight: Any, method: str) -> LabelledRows:
        self._check_fitted(method)
        documents = self._validated(X, y, sample_weight, reset=False)
        if documents.targets.multilabel != self._is_multilabel():
            raise LabelsError(documents.targets.kind, kind_of_labels(self._is_multilabel()))
        difference = self.model_.difference(documents.rows, documents.targets, documents.weights)
        if difference:
            raise NotLearnedError(None, difference=difference)
        return documents

    def _without(self, documents: LabelledRows, places: NDArray[np.intp]) -> Self:
        others = documents.take(np.delete(np.arange(len(documents)), places))
        targets, weights = others.targets, others.weights
        rest: Self = clone(self)
        if isinstance(self.n_components, Mapping) and not targets.multilabel:
            here = set(targets.classes[np.unique(targets.codes)].tolist())
            numbers = {label: number for label, number in self.n_components.items() if label in here}
            rest.set_params(n_components=numbers)
        if len(others) and (weights is None or weights.any()):
            rest.fit(others.rows.matrix, targets, weights)
        return rest

    # Looking inside.

    @property
    def classes_(self) -> NDArray[Any]:
        """The labels, sorted; of a label indicator, its columns."""
        return self._learned("classes_").classes

    @property
    def class_documents_(self) -> Reals:
        """How many documents each class has (sample weights added up)."""
        return self._learned("class_documents_").class_documents

    @property
    def background_(self) -> Reals:
        """θ_0, each term's share of all words."""
        return self._learned("background_").background

    @property
    def components_(self) -> list[list[MixtureComponent]]:
        """For each class its components: made when asked for."""
        model = self._learned("components_")
        return model.own.components(model.background)

    @property
    def history_(self) -> list[Reals]:
        """For each class the criterion at the start and after every iteration."""
        return self._learned("history_").own.histories

    @property
    def n_iter_(self) -> NDArray[np.int64]:
        """For each class how many iterations EM took; one component needs none, and counts as one."""
        own = self._learned("n_iter_").own
        return np.maximum(own.iterations.astype(np.int64) - 1, 1)

    @property
    def n_parameters_(self) -> int:
        """How many parameters are kept."""
        return int(self._learned("n_parameters_").own.parameters.sum())

    @property
    def parameter_share_(self) -> float:
        """The parameters' share of components × terms (terms that occur)."""
        model = self._learned("parameter_share_")
        everything = int(model.own.sizes.sum()) * int(np.count_nonzero(model.background))
        return self.n_parameters_ / max(everything, 1)

    @property
    def dropped_(self) -> NDArray[np.int64]:
        """For each class how many of its components died."""
        own = self._learned("dropped_").own
        return own.given.astype(np.int64) - own.sizes

    def responsibilities(self, X: Any, label: Any) -> Reals:
        """Return q(m|x) of eq. 16: which component of a class a document is of.

        Parameters
        ----------
        X : sparse matrix or array of shape (documents, terms)
            Documents.
        label : label
            One of ``classes_``; of a label indicator, the number of a column.

        Returns
        -------
        array of shape (documents, components)
            Each row sums to 1; the components in the order of ``components_``.
        """
        scorer = self._scorer("responsibilities")
        return scorer.responsibilities(self._rows(X), self._number(label))

    def component_contributions(self, X: Any, label: Any) -> list[ComponentParts]:
        """Take what each component of a class says of documents apart.

        Parameters
        ----------
        X : sparse matrix or array of shape (documents, terms)
            Documents.
        label : label
            One of ``classes_``; of a label indicator, the number of a column.

        Returns
        -------
        list of ComponentParts
            For each document: ``responsibilities`` q(m|x), ``bias`` log f(m), and ``entries``, what each of
            the document's terms (by column) adds. A component's bias and entries sum to log f(m) G(x|m).

        Examples
        --------
        >>> from textbayes import PoissonMixtureNB
        >>> X, y = [[3, 0, 0], [2, 0, 0], [0, 3, 0], [0, 2, 0], [0, 0, 2]], list("aaaab")
        >>> model = PoissonMixtureNB({"a": 2}, background=1.0, n_init=5, random_state=0).fit(X, y)
        >>> parts = model.component_contributions([[2, 0, 0]], "a")[0]
        >>> parts.responsibilities.round(2)
        array([0.99, 0.01])
        >>> parts.entries.round(1)  # of the first term, to either component
        array([[ 1.5, -3.5]])
        """
        scorer, number = self._scorer("component_contributions"), self._number(label)
        rows = self._rows(X)
        each = (rows.block(place, place + 1) for place in range(len(rows)))
        return [scorer.component_parts(row)[number] for row in each]

    # Plumbing.

    def _number(self, label: Any) -> int:
        found = np.flatnonzero(self.classes_ == label)
        if len(found) != 1:
            raise ParameterError("label", label, self.classes_.tolist())
        return int(found[0])

    def _learned(self, name: str) -> MixtureModel:
        if not self._is_fitted():
            raise AttributeError(str(UnfittedError(type(self).__name__, name)))
        return self.model_

    def _is_fitted(self) -> bool:
        return hasattr(self, "model_")

    def _is_multilabel(self) -> bool:
        return self.model_.multilabel

    def _scorer(self, method: str) -> MixtureScorer:
        self._check_fitted(method)
        model, kept = self.model_, self._kept
        if kept.scorer is None:
            kept.scorer = MixtureScorer(model.own, model.background, model.log_priors)
        return kept.scorer

    def _odds_scorer(self) -> MixtureOddsScorer:
        model, kept = self.model_, self._kept
        if kept.odds is None and model.rest is not None:
            rest = MixtureScorer(model.rest, model.background, model.rest_log_priors)
            kept.odds = MixtureOddsScorer(self._scorer("predict"), rest)
        return cast(MixtureOddsScorer, kept.odds)

    def store(self) -> Stored:
        """Return what was learned, for a model file."""
        if not self._is_fitted():
            return Stored()
        return store_columns(self).with_part("mixture", self.model_.store())

    def restore(self, stored: Stored) -> None:
        """Take back what ``store`` returned, or refuse the file."""
        if not stored.has_part("mixture"):
            return
        self.model_ = MixtureModel.restore(stored.part("mixture"), restore_columns(self, stored))
        self._kept = _Kept()
        try:
            # The core looks at its arrays before it takes them.
            if len(self.classes_):
                self._scorer("load")
                self._odds_scorer()
        except ValueError as error:
            stored.refuse(f"its mixtures cannot be used ({error})")

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = super().__getstate__()
        # Worked out anew from the model: they are as large, and the core's own.
        return state | {"_kept": _Kept()}
