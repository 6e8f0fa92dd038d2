"""PoissonMixtureNB."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Self, cast

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from textbayes._native import MixtureSettings
from textbayes.errors import LabelUnknownError, NotLearnedYetError, SettingConflictError
from textbayes.estimators.classifier import CountsClassifier
from textbayes.estimators.parameters import check_count, check_number
from textbayes.estimators.progress import progress_bar
from textbayes.scores import MixtureOddsScorer, MixtureScorer
from textbayes.text import check_option
from textbayes.weights import MixtureComponent, MixtureModel, check_component_counts, learn_mixtures
from textbayes.weights.mixture import INITS, SMOOTHINGS

Reals = NDArray[np.float64]


@dataclass(eq=False)
class _Kept:
    """The model made ready to score rows."""

    scorer: MixtureScorer | None = None
    odds: MixtureOddsScorer | None = None


class PoissonMixtureNB(CountsClassifier):
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

    EM is not a sum over documents, so there is no exact ``partial_fit``, ``forget`` or ``merge``. For a label
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
        rows, targets, weights = self._validated(X, y, sample_weight, reset=True)
        random = check_random_state(self.random_state)

        def watched(what: str, total: int) -> AbstractContextManager[Any]:
            return progress_bar(what, total, bool(self.verbose))

        self.model_ = learn_mixtures(
            rows, targets, weights, self.n_components, self._settings(), random, watched
        )
        self._accept_columns(X)
        self._kept = _Kept()
        return self

    def _settings(self) -> MixtureSettings:
        strength = 0.0
        if self.smoothing is not None:
            strength = float(SMOOTHINGS[self.smoothing] if self.background is None else self.background)
        threshold = None if self.keep_threshold is None else float(self.keep_threshold)
        return MixtureSettings(
            self.smoothing,
            strength,
            float(self.keep),
            threshold,
            int(self.max_iter),
            float(self.tol),
            int(self.n_init),
        )

    def _check_parameters(self) -> None:
        check_component_counts(self.n_components)
        check_number("keep", self.keep, above=0, up_to=1)
        if self.keep_threshold is not None:
            check_number("keep_threshold", self.keep_threshold, least=0)
            if self.keep != 1:
                raise SettingConflictError(
                    "keep", self.keep, "keep_threshold", self.keep_threshold, "a share of the parameters"
                )
        self._check_smoothing()
        check_count("max_iter", self.max_iter)
        check_count("n_init", self.n_init)
        check_number("tol", self.tol, least=0)
        check_option("init", self.init, INITS)

    def _check_smoothing(self) -> None:
        if self.smoothing is not None:
            check_option("smoothing", self.smoothing, SMOOTHINGS)
            if self.background is not None:
                check_number(
                    "background", self.background, above=0, up_to=1 if self.smoothing == "mix" else None
                )
            return
        if self.background:
            raise SettingConflictError(
                "background", self.background, "smoothing", None, "how strongly estimates are smoothed"
            )
        if _wants_auto(self.n_components):
            raise SettingConflictError(
                "n_components",
                "auto",
                "smoothing",
                None,
                "held-out documents, whose new words need smoothing",
            )

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
        found = np.flatnonzero(self.classes_ == label)
        if len(found) != 1:
            raise LabelUnknownError(label, self.classes_.tolist())
        return scorer.responsibilities(self._rows(X), int(found[0]))

    # Plumbing.

    def _learned(self, name: str) -> MixtureModel:
        if not self._is_fitted():
            raise AttributeError(str(NotLearnedYetError(type(self).__name__, name)))
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

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = super().__getstate__()
        # Worked out anew from the model: they are as large, and the core's own.
        return state | {"_kept": _Kept()}


def _wants_auto(n_components: Any) -> bool:
    numbers = n_components.values() if isinstance(n_components, Mapping) else [n_components]
    return any(isinstance(number, str) for number in numbers)
