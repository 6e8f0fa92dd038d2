"""AutoNB."""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from textbayes.answering import CalibratedAnswers
from textbayes.decisions import Calibration, SharedOdds, Tuned
from textbayes.errors import ParameterError, UnfittedError
from textbayes.errors.checks import check_number, check_option, check_seed, check_switch
from textbayes.estimators.auto.candidate import Candidate
from textbayes.estimators.auto.choosing import Chosen
from textbayes.estimators.auto.column_kinds import CHARACTERS, COLUMNS, Kinds, check_terms, column_kinds
from textbayes.estimators.auto.compiled_blend import CompiledBlend
from textbayes.estimators.auto.grid import PLANS, UPDATES
from textbayes.estimators.auto.group import Group
from textbayes.estimators.auto.leaderboard import Compared, Leaderboard
from textbayes.estimators.auto.members import BlendedScorer, MemberBlend
from textbayes.estimators.auto.recipe import Recipe
from textbayes.estimators.auto.rounds import Plan, Shortlist, first_round, run_rounds, second_round
from textbayes.estimators.auto.search import check_candidates, names_kinds
from textbayes.estimators.base.borrowed import BorrowedDocuments, Reader, restore_documents
from textbayes.estimators.base.changing import changes, reads
from textbayes.estimators.base.classifier import CountsClassifier
from textbayes.estimators.base.memory import release_memory
from textbayes.estimators.base.progress import progress_bar
from textbayes.estimators.base.storing import restore_columns, storable, storable_value, store_columns
from textbayes.estimators.models.variants import SEARCHED
from textbayes.measures import (
    CostMatrix,
    Objective,
    TreeF1,
    check_class_weight,
    check_metric,
    metric_name,
    objective,
)
from textbayes.persistence import Stored
from textbayes.scores import CompiledScorer
from textbayes.statistics import ClassStatistics, Documents, LabelledRows, Targets

# Length of the progress bar; the number of trials depends on the results.
_EXPECTED_TRIALS = 50

# These parameters are stored with a model.
for _kind in (CostMatrix, TreeF1):
    storable_value(_kind)


@storable
class AutoNB(CountsClassifier):
    """Automatic model selection: search representations, models and smoothing, and blend the best.

    Most candidates are evaluated by exact leave-one-out, which costs about as much as scoring; the others by
    five folds. The best are refined, and the best of each kind of model are blended. The blend has a
    weight for each member and a bias for each class, learned from the held-out scores. A single candidate
    replaces it only if it is better by more than three standard errors, on documents that the blend's weights
    did not see: the score of the best of many candidates is too high by selection.

    Parameters
    ----------
    metric : str, CostMatrix or TreeF1, default="macro_f1"
        What to maximise: "macro_f1", "micro_f1", "accuracy"; for labels such as "a/b/c" "tree_f1" or
        "macro_tree_f1". What to minimise: "log_loss", or the mean cost of a :class:`CostMatrix`; their scores
        are negative. With label indicators, candidates are compared at break-even, which measures rankings;
        the recipe is then measured with its thresholds.
    candidates : "default", "bayes", list of str, list of Candidate, or Recipe, default="default"
        What to try: "one-vs-all" (with indicators also "complement-all"), "centroid" and "linear-svm";
        without the linear SVM, but with the other kinds of naive Bayes; only these kinds, of
        "multinomial", "complement", "one-vs-all", "complement-all", "centroid", "linear-svm",
        "discriminative", and "poisson", "poisson-by-class" and "mixture", which do not fold; exactly these
        candidates; or nothing: a recipe found before is fitted without a search.
    blend : bool, default=True
        Whether several candidates may be blended.
    updates : {"auto", "exact", "any"}, default="auto"
        Whether ``partial_fit`` and ``forget`` must be exact additions. "exact" tries only candidates whose
        statistics add. "any" tries all; members whose statistics do not add are refitted. "auto" takes the
        best recipe with exact updates, unless the best of all leads by .005 and by a standard error.
    budget : float, optional
        Seconds after which no more candidates are tried. The order is fixed: a larger budget only adds
        candidates.
    class_weight : "balanced", dict or None, default=None
        How often a document of each class counts: all classes the same in total, or the weights of some
        labels, the others having 1. As in scikit-learn, a document of a class of weight 2 counts as two
        documents; but only in the metric and in the weights and biases of the blend. Models learn every
        document as it is, so updates stay exact. With label indicators each class is decided on its own: a
        document counts more where it has the class, which lowers the threshold.
    terms : array of str, array of int, or None, default=None
        The terms of the columns, as ``TextCounter.get_feature_names_out()`` returns them; or their kinds: 0
        for a word, 1 for a word pair, 2 for a character n-gram. Models are then tried on words, on words and
        pairs, and on character n-grams. None: all columns are words.
    random_state : int, RandomState or None, default=None
        Seed of folds, samples and random models. An int gives the same result every time, unless a budget
        ends the search.
    verbose : bool or int, default=0
        Show a progress bar.

    Attributes
    ----------
    classes_ : array
        The labels, sorted.
    leaderboard_ : Leaderboard
        Every candidate tried, with its score, interval and seconds.
    recipe_ : Recipe
        The choice: ``recipe_.fit(X, y)`` fits it on other documents.
    best_score_ : float
        Held-out score of the recipe, with biases and thresholds that were chosen on other documents.
    is_settled_ : bool
        Whether the model equals a fresh fit of its recipe on its documents.
    updates_ : {"exact", "any"}
        "exact" if the statistics of every member add, "any" if some members are refitted.
    alternative_score_ : float or None
        Held-out score of the best recipe of the other kind; None if ``updates="auto"`` had no choice.

    Notes
    -----
    Large collections are searched in two rounds, on samples with 1.5 and 2 million counts, in which every
    class has its share; the recipe then learns from all documents. With more than 1,000 classes the best
    candidate is taken alone, and linear SVMs are left out if they would take too long.

    The fitted blend is compiled into one weight table, with weights of half precision. The model also keeps
    its documents. ``partial_fit`` takes effect at once. If all statistics of the recipe add (``updates_`` is
    "exact"), the model then equals the recipe fitted on all documents, to the bit. Otherwise sums are updated
    exactly; document frequencies, mean lengths and selected terms stay, and fitted weights take one step
    towards each new document. ``is_settled_`` is then False, until ``settle`` fits the recipe again. Recipes
    with models that do not fold, such as mixtures, are fitted again before the next prediction. The recipe
    does not change; ``reconsider`` searches again.

    Examples
    --------
    >>> from textbayes import AutoNB, TextCounter
    >>> counter = TextCounter()
    >>> texts = ["wheat and corn", "wheat harvest", "corn harvest", "crude oil", "oil output", "crude output"]
    >>> model = AutoNB(random_state=0).fit(counter.fit_transform(texts), ["grain"] * 3 + ["oil"] * 3)
    >>> model.predict(counter.transform(["corn prices", "crude"]))
    array(['grain', 'oil'], dtype='<U5')
    """

    # Names that parameters have in older model files.
    RENAMED_PARAMETERS: ClassVar = {"pair_columns": "terms"}

    leaderboard_: Leaderboard
    recipe_: Recipe
    best_score_: float
    _documents: Documents | BorrowedDocuments
    _fitted: CompiledBlend | MemberBlend
    # Bits of a compiled weight.
    _precision = 16
    # The result of a first round on a sample.
    _raced: Shortlist | None = None
    searches = True

    def __init__(
        self,
        metric: str | CostMatrix | TreeF1 = "macro_f1",
        candidates: Any = "default",
        blend: bool = True,
        updates: str = "auto",
        budget: float | None = None,
        class_weight: Any = None,
        terms: Any = None,
        random_state: Any = None,
        verbose: bool | int = 0,
    ) -> None:
        self.metric = metric
        self.candidates = candidates
        self.blend = blend
        self.updates = updates
        self.budget = budget
        self.class_weight = class_weight
        self.terms = terms
        self.random_state = random_state
        self.verbose = verbose

    # Learning.

    @changes
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Search, and fit the choice.

        Parameters
        ----------
        X : sparse matrix or array of shape (documents, terms)
            Counts.
        y : array-like of shape (documents,), or indicator of shape (documents, classes)
            One label per document; or an indicator of 0 and 1.
        sample_weight : array-like of shape (documents,), optional
            A document of weight 2 counts as two documents, in the search and in the fit; one of weight 0 as
            none. Only the choice of terms by χ² counts every document once.
        """
        documents = self._validated(X, y, sample_weight, reset=True).counted()
        check_terms(self.terms, documents.rows.width)
        own = Documents(documents.targets.multilabel)
        own.add(documents)
        self._documents, self._kinds = own, column_kinds(self.terms, documents.rows.width)
        self._accept_columns(X)
        return self._choose_and_fit(self._all_documents())

    def fit_documents(self, documents: LabelledRows, read: Reader, kinds: Any) -> None:
        """Fit on documents that the caller keeps: the recipe chosen before, or one found by a search."""
        self.check_parameters()
        check_terms(kinds, documents.rows.width)
        self._documents, self._kinds = BorrowedDocuments(read), column_kinds(kinds, documents.rows.width)
        self._accept_columns(documents.rows.matrix)
        if hasattr(self, "recipe_"):
            self._fit_recipe(documents)
        else:
            self._choose_and_fit(documents)

    def fit_groups(self, chosen: AutoNB, groups: list[Group], labels: ClassStatistics, kinds: Kinds) -> None:
        """Fit the recipe that another search found, by sums that were added up elsewhere.

        Parameters
        ----------
        chosen : AutoNB
            The model that searched.
        groups, labels, kinds
            As for ``CompiledBlend.fit_groups``.
        """
        for name in ("recipe_", "_seed", "leaderboard_", "best_score_"):
            if hasattr(chosen, name):
                setattr(self, name, getattr(chosen, name))
        self._documents, self._kinds, self.n_features_in_ = BorrowedDocuments(None), kinds, len(kinds)
        fitted = CompiledBlend(self.recipe_, self._seed, self._precision)
        fitted.fit_groups(groups, labels, kinds)
        self._fitted = fitted

    def borrow(self, read: Reader | None) -> Self:
        """Use ``read`` to get the documents again; with None, they are not kept."""
        if self._is_fitted():
            self._documents = BorrowedDocuments(read)
        return self

    def without_documents(self) -> Self:
        """Return a copy without documents, fitted if it must be."""
        if self._is_fitted():
            self._ready("without_documents")
        return copy.copy(self).borrow(None)

    @changes
    def reconsider(self) -> Self:
        """Search again on the current documents, and fit the choice."""
        if not self._is_fitted():
            raise UnfittedError(type(self).__name__, "reconsider")
        self.check_parameters()
        return self._choose_and_fit(self._all_documents())

    @changes
    def settle(self) -> Self:
        """Fit the recipe on all documents: the model then equals a fresh fit.

        This does nothing if the model is settled: see ``is_settled_``.
        """
        self._check_fitted("settle")
        if not self.is_settled_:
            self._fit_recipe(self._all_documents())
        return self

    def _choose_and_fit(self, documents: LabelledRows) -> Self:
        self._seed = self._drawn_seed()
        if isinstance(self.candidates, Recipe):
            self.recipe_ = self.candidates
        else:
            self._search(documents)
        self._fit_recipe(documents)
        return self

    def _drawn_seed(self) -> int:
        return int(check_random_state(self.random_state).randint(2**31 - 1))

    def _fit_recipe(self, documents: LabelledRows) -> None:
        fitted = fitted_blend(self.recipe_, self._seed, self._precision)
        fitted.fit(documents, self._column_kinds())
        self._fitted = fitted

    def _all_documents(self) -> LabelledRows:
        return _of_used_classes(self._documents.labelled(self.n_features_in_))

    def _column_kinds(self) -> Kinds:
        return column_kinds(self._kinds if self.terms is None else self.terms, self.n_features_in_)

    @changes
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:  # noqa: ARG002
        """Learn from more documents by the same recipe. They may have new classes and columns.

        If all statistics of the recipe add, the model equals a fresh fit of the recipe. Otherwise it is not
        settled: see ``settle``.

        Parameters
        ----------
        X, y, sample_weight
            As for fit.
        classes : ignored
            For scikit-learn's convention.
        """
        if not self._is_fitted():
            return self.fit(X, y, sample_weight)
        grows = np.shape(X)[1:] > (self.n_features_in_,)
        documents = self._validated(X, y, sample_weight, reset=grows).counted()
        documents.targets.check_like(self.classes_.tolist(), self.multilabel_)
        own = self._documents = self._documents.owned()
        if grows:
            self._accept_columns(X)
        self.learn_documents(documents, None)
        own.add(documents)
        return self

    def prepare(self) -> None:
        """Compute what the first change after loading needs."""
        if self._is_fitted():
            self._fitted.prepare(self._all_documents)

    def learn_documents(self, documents: LabelledRows, kinds: Kinds | None) -> None:
        """Learn documents that the caller keeps; ``kinds`` are those of the columns that are new."""
        new = np.zeros(documents.rows.width - len(self._kinds), np.uint8) if kinds is None else kinds
        self._kinds = np.concatenate([self._kinds, new])
        self.n_features_in_ = len(self._kinds)
        self._fitted.learn(documents, self._column_kinds(), self._all_documents)

    def forget_documents(self, documents: LabelledRows) -> None:
        """Forget documents that the caller removes from its own."""
        self._fitted.forget(documents, self._all_documents)

    @changes
    def forget(self, X: Any, y: Any, sample_weight: Any = None, settle: bool = True) -> Self:
        """Forget documents: the model then equals the recipe fitted on the remaining ones.

        Parameters
        ----------
        X, y, sample_weight
            The documents, as they were learned.
        settle : bool, default=True
            Fit the recipe again unless its statistics add. Without it, document frequencies and fitted
            weights still know the documents until ``settle`` is called.

        Raises
        ------
        NotLearnedError
            If a document was never learned. Nothing is changed.
        """
        self._check_fitted("forget")
        narrow = (0,) < np.shape(X)[1:] < (self.n_features_in_,)
        documents = self._validated(X, y, sample_weight, reset=narrow).counted()
        documents.targets.check_like(self.classes_.tolist(), self.multilabel_)
        own = self._documents = self._documents.owned()
        places = own.find_learned(documents)
        self.forget_documents(documents)
        own.remove(places)
        if settle and len(own):
            self.settle()
        return self

    # Searching.

    @property
    def is_searched(self) -> bool:
        """Whether there is a search with a choice of columns: candidates are not given one by one."""
        return names_kinds(self.candidates)

    def race(self, documents: LabelledRows, kinds: Kinds, growth: float) -> set[int]:
        """Run the first round of the search on a sample of documents; the second too, if it is all of them.

        Parameters
        ----------
        documents : LabelledRows
            The sample.
        kinds : array of int
            The kinds of its columns.
        growth : float
            How many times as many documents will be fitted.

        Returns
        -------
        set of int
            The kinds of columns that are needed: for the second round, or for the recipe if it is chosen.
        """
        self.check_parameters()
        self._seed = self._drawn_seed()
        with self._progress() as moved:
            found = first_round(documents, kinds, self._plan(documents.targets, moved), growth)
        release_memory(cycles=True)
        if not isinstance(found, Shortlist):
            self._accept(found, documents.targets)
            return _used_kinds(self.recipe_.members, kinds)
        self._raced = found
        return _used_kinds(found.candidates, kinds)

    def decide(self, documents: LabelledRows, kinds: Kinds, growth: float) -> set[int]:
        """Run the second round on a larger sample; return the kinds of columns that the recipe needs.

        The parameters are those of ``race``.
        """
        raced, self._raced = self._raced, None
        assert raced is not None
        with self._progress() as moved:
            plan = replace(self._plan(documents.targets, moved), end=raced.end)
            found = second_round(raced, documents, kinds, plan, growth)
        release_memory(cycles=True)
        self._accept(found, documents.targets)
        return _used_kinds(self.recipe_.members, kinds)

    def _search(self, documents: LabelledRows) -> None:
        kinds = self._column_kinds()
        with self._progress() as moved:
            found = run_rounds(documents, kinds, self._plan(documents.targets, moved))
        self._accept(found, documents.targets)

    def _progress(self) -> AbstractContextManager[Callable[[int], object] | None]:
        return progress_bar("Leaving one out", _EXPECTED_TRIALS, bool(self.verbose))

    def _plan(self, targets: Targets, moved: Callable[[int], object] | None) -> Plan:
        end = None if self.budget is None else time.monotonic() + self.budget
        return Plan(
            self._objective(targets), self.candidates, bool(self.blend), self.updates, end, self._seed, moved
        )

    def _objective(self, targets: Targets) -> Objective:
        """Return the metric for these classes, and their weights."""
        return objective(self.metric, targets.classes.tolist(), targets.multilabel, self.class_weight)

    def _accept(self, chosen: Chosen, targets: Targets) -> None:
        """Take the choice of a search."""
        choice, other = chosen.choice, chosen.other
        found = Recipe.of(choice.members, choice.blend, targets.classes, choice.per_count)
        self.recipe_ = found.with_names() if targets.multilabel else found
        self.best_score_ = choice.quality.value
        compared = None if other is None else Compared(self.updates_, self.best_score_, other.quality.value)
        self.leaderboard_ = Leaderboard(metric_name(self.metric), chosen.entries, compared)

    @property
    def updates_(self) -> str:
        """The updates of the recipe: "exact" if the statistics of every member add, or "any"."""
        if not hasattr(self, "recipe_"):
            raise UnfittedError.of_attribute(type(self).__name__, "updates_")
        return "exact" if self.recipe_.additive else "any"

    @property
    def alternative_score_(self) -> float | None:
        """Held-out score of the best recipe of the other kind; None if there was no choice."""
        if not hasattr(self, "recipe_"):
            raise UnfittedError.of_attribute(type(self).__name__, "alternative_score_")
        compared = self.leaderboard_.compared if hasattr(self, "leaderboard_") else None
        return None if compared is None else compared.other_score

    # Scoring.

    @property
    def tuned_(self) -> Tuned | None:
        """The calibration of the recipe's scores; None without one."""
        if not self.recipe_.chance:
            return None
        classes, chance = len(self.classes_), self.recipe_.chance_map
        if not self.multilabel_:
            best = Calibration(0.0, 1.0, chance)
            return Tuned(np.empty(0), np.zeros(classes), best, SharedOdds.none(0))
        odds = replace(SharedOdds.none(classes), chance=chance)
        return Tuned(np.zeros(classes), np.empty(0), Calibration(0.0, 1.0), odds)

    @reads
    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the log of predict_proba."""
        self._check_fitted("predict_log_proba")
        tuned = self.tuned_
        if tuned is None:
            return super().predict_log_proba(X)
        rows = self._rows(X)
        return CalibratedAnswers(self.answers(), tuned, np.zeros(len(rows))).predict_log_proba(rows)

    @property
    def is_settled_(self) -> bool:
        """Whether the model equals a fresh fit of its recipe on its documents."""
        return self._ready("is_settled_").is_settled

    @property
    def learns_in_place(self) -> bool:
        """Whether all statistics of the recipe add."""
        return self.learns_warmly and self.recipe_.additive and self._documents.are_kept

    @property
    def learns_warmly(self) -> bool:
        """Whether documents can be learned before the next fit."""
        return self._is_fitted() and self._ready("learns_warmly").learns

    def has_all(self, columns: NDArray[np.integer]) -> bool:
        """Return whether every class, and each of these terms, has a document left."""
        return self._fitted.has_all(columns)

    def with_columns(self, order: NDArray[np.uint32]) -> Self:
        """Return a copy whose columns are these columns, in this order."""
        twin = copy.copy(self)
        twin._fitted = self._fitted.with_columns(order)
        twin._kinds, twin.n_features_in_ = self._kinds[order], len(order)
        return twin

    def compiled_blend(self) -> CompiledBlend | None:
        """Return the fitted recipe as one compiled table; None if a member has no sparse linear weights."""
        self._check_fitted("compiled_blend")
        fitted = self._ready("compiled_blend")
        return fitted if isinstance(fitted, CompiledBlend) else None

    @property
    def classes_(self) -> NDArray[Any]:
        """The labels, sorted; of a label indicator, its columns."""
        return self._ready("classes_").classes

    @property
    def class_documents_(self) -> NDArray[np.float64]:
        """Number of documents of each class, as the sum of their weights."""
        return self._ready("class_documents_").class_documents

    @property
    def documents_(self) -> float:
        """Number of documents, as the sum of their weights."""
        return self._ready("documents_").documents

    def _check_learned(self, name: str) -> None:
        if not self._is_fitted():
            raise UnfittedError.of_attribute(type(self).__name__, name)

    def _ready(self, name: str) -> CompiledBlend | MemberBlend:
        """Return the fitted blend; fit it again if it is stale because documents changed."""
        self._check_learned(name)
        found = self._fitted
        if found.is_stale:
            with found.lock:
                # Another thread may have fitted it in the meantime.
                if self._fitted is found:
                    self._fit_recipe(self._all_documents())
        return self._fitted

    def _scorer(self, method: str) -> CompiledScorer | BlendedScorer:
        self._check_fitted(method)
        return self._ready(method).scorer()

    def _odds_scorer(self) -> CompiledScorer | BlendedScorer:
        return self._scorer("predict")

    # In a model file.

    @reads
    def store(self) -> Stored:
        """Return what was learned, for a model file."""
        if not self._is_fitted():
            return Stored()
        fitted, columns = self._ready("store"), store_columns(self)
        learned = {"seed": self._seed}
        stored = Stored(
            {**columns.configuration, **learned}, {**columns.arrays, "pairs": self._column_kinds()}
        )
        stored = stored.with_part("documents", self._documents.store())
        stored = stored.with_part("recipe", self.recipe_.store())
        stored = stored.with_part("blend", fitted.store())
        if hasattr(self, "leaderboard_"):
            stored.arrays["best_score"] = np.array([self.best_score_])
            stored = stored.with_part("leaderboard", self.leaderboard_.store())
        return stored

    def restore(self, stored: Stored) -> None:
        """Load what ``store`` returned; refuse an invalid file."""
        if not stored.has_part("recipe"):
            return
        columns, self._seed = restore_columns(self, stored), stored.size("seed")
        kinds = stored.array("pairs", np.uint8)
        sound = self._seed < 2**31 and len(kinds) <= columns and bool(np.all(kinds <= CHARACTERS))
        stored.check(sound, "the kinds of its columns are invalid")
        self._kinds = column_kinds(kinds, columns)
        self._documents = restore_documents(stored.part("documents"), columns)
        self.recipe_ = Recipe.restore(stored.part("recipe"))
        if stored.has_part("blend"):
            self._fitted = fitted_blend(self.recipe_, self._seed)
            self._fitted.restore(stored.part("blend"), columns, self._kinds)
            self._precision = self._fitted.precision
        else:
            # A file of an older format: its recipe is fitted when it is first used, to answer as it did.
            self._precision = 64
            self._fitted = fitted_blend(self.recipe_, self._seed, self._precision)
        if stored.has_part("leaderboard"):
            self.leaderboard_ = Leaderboard.restore(stored.part("leaderboard"))
            self.best_score_ = float(stored.array("best_score", np.float64, 1)[0])

    # Plumbing.

    def fork(self) -> Self:
        """Return a model with its own sums, weights and documents."""
        twin = super().fork()
        if self._is_fitted():
            twin._fitted, twin._documents = self._fitted.fork(), self._documents.fork()
        return twin

    def _is_fitted(self) -> bool:
        return hasattr(self, "_fitted")

    @property
    def multilabel_(self) -> bool:
        """Whether labels were an indicator."""
        return self._ready("multilabel_").multilabel

    def check_parameters(self) -> None:
        """Raise an error that names the parameter when one cannot be used."""
        check_metric(self.metric)
        check_class_weight(self.class_weight)
        check_terms(self.terms)
        check_switch("blend", self.blend)
        check_option("updates", self.updates, UPDATES)
        if self.budget is not None:
            check_number("budget", self.budget, above=0, allowed="seconds, a finite number above 0, or None")
        check_seed("random_state", self.random_state)
        if not isinstance(self.candidates, str | list | tuple | Recipe):
            raise ParameterError("candidates", self.candidates, (*PLANS, *SEARCHED))
        check_candidates(self.candidates, self.updates)


def fitted_blend(recipe: Recipe, random_state: int, precision: int = 16) -> CompiledBlend | MemberBlend:
    """Return the unfitted blend of a recipe: compiled if all members are linear."""
    folds = not recipe.by_document and all(member.variant.folds for member in recipe.members)
    return (CompiledBlend if folds else MemberBlend)(recipe, random_state, precision)


def _used_kinds(members: Sequence[Candidate], kinds: Kinds) -> set[int]:
    """Return the kinds of columns that members use, of those that there are."""
    used = {kind for member in members for kind in COLUMNS[member.representation.columns]}
    return used & set(np.unique(kinds).tolist())


def _of_used_classes(documents: LabelledRows) -> LabelledRows:
    """Return the documents without empty classes; an indicator keeps all its columns."""
    if documents.targets.multilabel:
        return documents
    return replace(documents, targets=documents.targets.of_used_classes())
