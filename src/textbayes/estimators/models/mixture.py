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

from textbayes.counts import Rows
from textbayes.errors import NotLearnedError, ParameterError, UnfittedError
from textbayes.estimators.base.changing import changes, reads
from textbayes.estimators.base.folds import FoldedClassifier
from textbayes.estimators.base.progress import progress_bar
from textbayes.estimators.base.storing import restore_columns, storable, store_columns
from textbayes.estimators.models.mixture_choice import MixtureChoice, choose_settings, given_choice
from textbayes.estimators.models.mixture_settings import check_mixture
from textbayes.persistence import Stored
from textbayes.scores import (
    ComponentParts,
    MixtureOddsScorer,
    MixtureScorer,
    linear_contributions,
    mixture_odds_scorer,
    mixture_scorer,
)
from textbayes.statistics import LabelledRows
from textbayes.statistics.document_order import in_order
from textbayes.weights import MixtureComponent, MixtureModel, learn_mixtures

Reals = NDArray[np.float64]


@dataclass(eq=False)
class _Scorers:
    """The model made ready to score rows."""

    scorer: MixtureScorer | None = None
    odds: MixtureOddsScorer | None = None


@storable
class PoissonMixtureNB(FoldedClassifier):
    """A mixture of structural Poisson components for each class (Grim 2008).

    log P(x|c) = log F(x|θ_0) + log Σ_m f(m) G(x|θ_m, φ_m). The background θ_0 is common to all classes and
    cancels in Bayes' formula (eq. 13). A component differs from it in a subset of the terms:

        G(x|θ_m, φ_m) = Π_n [ (θ_mn/θ_0n)^{x_n} e^{(θ_0n − θ_mn)|x|} ]^{φ_mn}        (12)

    Parameters
    ----------
    n_components : int, float, "auto" or mapping of label to these, default=1
        Number of components of a class: a number; a share of its documents, between 0 and 1; or "auto", the
        number that makes held-out documents of the class likeliest. At most one for every two documents.
    keep : float or "auto", default=1.0
        Keep this share of a class's parameters, those with the largest gain γ over the background (eq. 21).
        Every iteration selects again. "auto" chooses the share by held-out documents.
    keep_threshold : float, optional
        Keep the parameters whose gain is above this instead (the paper's experiments, section 5).
    background : float, "auto" or None, default="auto"
        Strength of the background: with ``smoothing="prior"`` the number of words it is worth, with "mix" its
        share. "auto" chooses it by documents left out: one by one with one component and all parameters,
        otherwise in three folds. None: 30 words, or a share of .2.
    smoothing : {"auto", "prior", "mix", None}, default="auto"
        "prior": θ = (Σ q x_n + s θ_0n) / (Σ q |x| + s), which keeps EM monotone. "mix": (1 − b) θ + b θ_0.
        "auto" chooses one of them together with the strength; if ``background`` is not "auto", it is "prior".
        None: the paper's estimates; a term that a class lacks then rules the class out.
    max_iter : int, default=100
        Maximum number of iterations.
    tol : float, default=1e-6
        EM stops when the criterion changes by less than this share of itself.
    n_init : int, default=1
        Number of random starts for each class; the one with the largest criterion is kept.
    init : {"random"}, default="random"
        Documents are assigned to components at random, in parts of equal size.
    random_state : int, RandomState or None, default=None
        An int gives the same model, to the bit, on any number of cores.
    verbose : bool or int, default=0
        Show a progress bar.

    Attributes
    ----------
    classes_ : array
        The labels, sorted.
    class_documents_ : array
        Number of documents of each class.
    background_ : array of shape (terms,)
        θ_0, each term's share of all words.
    smoothing_ : {"prior", "mix", None}
        The kind of smoothing.
    strength_ : float
        The strength of the background: words or a share; 0 without smoothing.
    keep_ : float
        The share of parameters that was asked for or chosen.
    components_ : list of list of MixtureComponent
        For each class its components: ``weight`` f(m), ``documents``, ``terms`` kept and their ``theta``.
    history_ : list of array
        For each class the criterion at the start and after every iteration: L of eq. 15, and with
        ``smoothing="prior"`` the log of the prior too, both divided by the number of documents.
    n_iter_ : array of int
        Number of EM iterations of each class.
    n_parameters_ : int
        Number of θ_mn kept.
    parameter_share_ : float
        Their share of components × terms, as in the paper's tables.
    dropped_ : array of int
        Number of dropped components of each class.
    model_ : MixtureModel
        Everything that was learned, as arrays.

    Notes
    -----
    With ``keep``, and without smoothing or with a prior, the criterion never decreases. With a threshold t,
    the criterion minus t for each parameter never does. A component whose share of the class falls below
    1e-10 is dropped.

    A term in no training document has no parameter and is ignored. A document that no class can have
    generated (only without smoothing) is decided by p(c).

    EM is not a sum over documents, so there is no ``partial_fit``, ``forget`` or ``merge``, and
    ``loo_scores`` uses folds. With several labels per document, each class is compared with the mixture of
    the documents without it; ``decision_function`` is the numerator of eq. 13 relative to the background.

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
        keep: float | str = 1.0,
        keep_threshold: float | None = None,
        background: float | str | None = "auto",
        smoothing: str | None = "auto",
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

    @changes
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from documents.

        Parameters
        ----------
        X : sparse matrix or array of shape (documents, terms)
            Counts, or weights such as tf-idf: never negative.
        y : array-like of shape (documents,), or indicator of shape (documents, classes)
            One label per document; or an indicator of 0 and 1.
        sample_weight : array-like of shape (documents,), optional
            A document of weight 2 counts as two documents; one of weight 0 as none.
        """
        documents = in_order(self._validated(X, y, sample_weight, reset=True))
        random = check_random_state(self.random_state)

        def watched(what: str, total: int) -> AbstractContextManager[Any]:
            return progress_bar(what, total, bool(self.verbose))

        choice = choose_settings(self, documents, watched)
        self.model_ = learn_mixtures(
            documents.rows,
            documents.targets,
            documents.weights,
            self.n_components,
            choice.settings(self),
            random,
            watched,
        )
        self._accept_columns(X)
        self._choice, self._scorers = choice, _Scorers()
        return self

    def check_parameters(self) -> None:
        """Raise an error that names the parameter when one cannot be used."""
        check_mixture(self)

    # Leaving out.

    def removable(self, X: Any, y: Any, sample_weight: Any, method: str) -> LabelledRows:
        """Check that documents were learned and can be removed."""
        self._check_fitted(method)
        documents = self._validated(X, y, sample_weight, reset=False)
        documents.targets.check_like(self.classes_.tolist(), self.multilabel_)
        difference = self.model_.difference(documents.rows, documents.targets, documents.weights)
        if difference:
            raise NotLearnedError(difference)
        return documents

    def without(self, documents: LabelledRows, places: NDArray[np.intp]) -> Self:
        """Return the model fitted without some of the documents; smoothing and share are those of fit."""
        others = documents.take(np.delete(np.arange(len(documents)), places))
        targets, weights = others.targets, others.weights
        rest: Self = clone(self)
        rest.set_params(**self._choice.parameters(self))
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
        """Number of documents of each class (the sum of sample weights)."""
        return self._learned("class_documents_").class_documents

    @property
    def background_(self) -> Reals:
        """θ_0, each term's share of all words."""
        return self._learned("background_").background

    @property
    def smoothing_(self) -> str | None:
        """The kind of smoothing."""
        return self._chosen("smoothing_").smoothing

    @property
    def strength_(self) -> float:
        """The strength of the background."""
        return self._chosen("strength_").strength

    @property
    def keep_(self) -> float:
        """The share of parameters that was asked for or chosen."""
        return self._chosen("keep_").keep

    @property
    def components_(self) -> list[list[MixtureComponent]]:
        """Components of each class, made on demand."""
        model = self._learned("components_")
        return model.own.components(model.background)

    @property
    def history_(self) -> list[Reals]:
        """For each class the criterion at the start and after every iteration."""
        return self._learned("history_").own.histories

    @property
    def n_iter_(self) -> NDArray[np.int64]:
        """Number of EM iterations of each class; 1 for a single component, which needs none."""
        own = self._learned("n_iter_").own
        return np.maximum(own.iterations.astype(np.int64) - 1, 1)

    @property
    def n_parameters_(self) -> int:
        """Number of parameters kept."""
        return int(self._learned("n_parameters_").own.parameters.sum())

    @property
    def parameter_share_(self) -> float:
        """Share of the parameters in components × terms that occur."""
        model = self._learned("parameter_share_")
        everything = int(model.own.sizes.sum()) * int(np.count_nonzero(model.background))
        return self.n_parameters_ / max(everything, 1)

    @property
    def dropped_(self) -> NDArray[np.int64]:
        """Number of dropped components of each class."""
        own = self._learned("dropped_").own
        return own.given.astype(np.int64) - own.sizes

    @reads
    def responsibilities(self, X: Any, label: Any) -> Reals:
        """Return q(m|x) of eq. 16: the responsibility of each component of a class for documents.

        Parameters
        ----------
        X : sparse matrix or array of shape (documents, terms)
            Documents.
        label : label
            One of ``classes_``; of a label indicator, the number of a column.

        Returns
        -------
        array of shape (documents, components)
            Each row sums to 1; components are in the order of ``components_``.
        """
        scorer = self._scorer("responsibilities")
        return scorer.responsibilities(self._rows(X), self._number(label))

    @reads
    def component_contributions(self, X: Any, label: Any) -> list[ComponentParts]:
        """Return what each term of documents adds to each component of a class.

        Parameters
        ----------
        X : sparse matrix or array of shape (documents, terms)
            Documents.
        label : label
            One of ``classes_``; of a label indicator, the number of a column.

        Returns
        -------
        list of ComponentParts
            For each document: ``responsibilities`` q(m|x), ``bias`` log f(m), and ``entries``, the
            contribution of each term (by column). Bias and entries sum to log f(m) G(x|m).

        Examples
        --------
        >>> from textbayes import PoissonMixtureNB
        >>> X, y = [[3, 0, 0], [2, 0, 0], [0, 3, 0], [0, 2, 0], [0, 0, 2]], list("aaaab")
        >>> model = PoissonMixtureNB({"a": 2}, background=1.0, n_init=5, random_state=0).fit(X, y)
        >>> parts = model.component_contributions([[2, 0, 0]], "a")[0]
        >>> parts.responsibilities.round(2)
        array([0.01, 0.99])
        >>> parts.entries.round(1)  # of the first term, to either component
        array([[-3.5,  1.5]])
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
            raise UnfittedError.of_attribute(type(self).__name__, name)
        return self.model_

    def _chosen(self, name: str) -> MixtureChoice:
        self._learned(name)
        return self._choice

    def _is_fitted(self) -> bool:
        return hasattr(self, "model_")

    @property
    def multilabel_(self) -> bool:
        """Whether labels were an indicator."""
        return self.model_.multilabel

    def _scorer(self, method: str) -> MixtureScorer:
        self._check_fitted(method)
        model, scorers = self.model_, self._scorers
        if scorers.scorer is None:
            scorers.scorer = mixture_scorer(model)
        return scorers.scorer

    def _odds_scorer(self) -> MixtureOddsScorer:
        model, scorers = self.model_, self._scorers
        if scorers.odds is None:
            scorers.odds = mixture_odds_scorer(model, self._scorer("predict"))
        return cast(MixtureOddsScorer, scorers.odds)

    def term_weights(self, row: Rows) -> Reals:
        """Return what each term adds to each class as the only term of a text.

        In a text with several terms, few components would have a share.
        """
        scorer = self._odds_scorer() if self.multilabel_ else self._scorer("inspect")
        return linear_contributions(scorer, row).entries

    def store(self) -> Stored:
        """Return what was learned, for a model file."""
        if not self._is_fitted():
            return Stored()
        stored = store_columns(self).with_part("mixture", self.model_.store())
        return stored.with_part("choice", self._choice.store())

    def restore(self, stored: Stored) -> None:
        """Load what ``store`` returned; refuse an invalid file."""
        if not stored.has_part("mixture"):
            return
        self.model_ = MixtureModel.restore(stored.part("mixture"), restore_columns(self, stored))
        # Files from before there was a choice have explicit parameters.
        known = stored.has_part("choice")
        self._choice = MixtureChoice.restore(stored.part("choice")) if known else given_choice(self)
        self._scorers = _Scorers()
        try:
            # The core checks the arrays.
            if len(self.classes_):
                self._scorer("load")
                self._odds_scorer()
        except ValueError as error:
            stored.refuse(f"its mixtures cannot be used ({error})")

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = super().__getstate__()
        # Computed from the model when needed: scorers are as large, and cannot be pickled.
        return state | {"_scorers": _Scorers()}
