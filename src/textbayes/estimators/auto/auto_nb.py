"""AutoNB."""

from __future__ import annotations

import copy
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from textbayes._native import available_threads
from textbayes.errors import LabelsError, ParameterError, UnfittedError
from textbayes.errors.checks import check_number, check_option, check_seed, check_switch
from textbayes.estimators.auto.choosing import choose
from textbayes.estimators.auto.grid import UPDATES
from textbayes.estimators.auto.held_out import TrainingSet
from textbayes.estimators.auto.leaderboard import Compared, Leaderboard
from textbayes.estimators.auto.members import BlendedScorer, Member, sharing
from textbayes.estimators.auto.pairs import check_pair_columns, pair_mask
from textbayes.estimators.auto.recipe import Recipe
from textbayes.estimators.auto.search import Search, check_candidates
from textbayes.estimators.base.borrowed import BorrowedDocuments, restore_documents
from textbayes.estimators.base.classifier import CountsClassifier
from textbayes.estimators.base.progress import progress_bar
from textbayes.estimators.base.storing import restore_columns, storable, store_columns
from textbayes.estimators.models.variants import SEARCHED
from textbayes.measures import SEARCHED_METRICS, sample_evenly
from textbayes.persistence import Stored
from textbayes.statistics import Documents, LabelledRows, Targets, check_labels_kind

# Candidates are evaluated on at most this many documents, and scores.
_MOST_DOCUMENTS = 20_000
_MOST_SCORES = 1 << 24
# Length of the progress bar; the number of trials depends on the results.
_EXPECTED_TRIALS = 50


@storable
class AutoNB(CountsClassifier):
    """Automatic model selection: search representations, models and smoothing, and blend the best.

    Most candidates are evaluated by exact leave-one-out, which costs about as much as scoring; the others by
    five folds. The best are refined, and the two best of each kind of model are blended. The blend has a
    weight for each member and a bias for each class, learned from the held-out scores. A single candidate
    replaces it only if it is better by more than three standard errors, on documents that the blend's weights
    did not see: the score of the best of many candidates is too high by selection.

    Parameters
    ----------
    metric : {"macro_f1", "micro_f1", "accuracy", "log_loss"}, default="macro_f1"
        Metric to maximise. With label indicators F1 is taken at break-even: it measures rankings.
    candidates : "default", list of str, list of Candidate, or Recipe, default="default"
        What to try: every kind of model whose weights fold into one sparse table; only these kinds, of
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
    pair_columns : array of bool, array of str, or None, default=None
        Which columns are word pairs: a mask, or the terms of the columns, where a term with a space is a
        pair. Models are then tried on words, and on words and pairs.
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
        Held-out score of the recipe.
    updates_ : {"exact", "any"}
        "exact" if the statistics of every member add, "any" if some members are refitted.
    alternative_score_ : float or None
        Held-out score of the best recipe of the other kind; None if ``updates="auto"`` had no choice.

    Notes
    -----
    With more than 20,000 documents, candidates learn from all of them and are evaluated on a sample: all of a
    small class, part of a large one.

    The model keeps its documents, compressed. After ``partial_fit`` and ``forget`` it equals the recipe
    fitted on the remaining documents: members whose statistics add are updated, the others refit before the
    next prediction. The recipe does not change; ``reconsider`` searches again.

    Examples
    --------
    >>> from textbayes import AutoNB, TextCounter
    >>> counter = TextCounter()
    >>> texts = ["wheat and corn", "wheat harvest", "corn harvest", "crude oil", "oil output", "crude output"]
    >>> model = AutoNB(random_state=0).fit(counter.fit_transform(texts), ["grain"] * 3 + ["oil"] * 3)
    >>> model.predict(counter.transform(["corn prices", "crude"]))
    array(['grain', 'oil'], dtype='<U5')
    """

    leaderboard_: Leaderboard
    recipe_: Recipe
    best_score_: float
    _documents: Documents | BorrowedDocuments
    searches = True

    def __init__(
        self,
        metric: str = "macro_f1",
        candidates: Any = "default",
        blend: bool = True,
        updates: str = "auto",
        budget: float | None = None,
        pair_columns: Any = None,
        random_state: Any = None,
        verbose: bool | int = 0,
    ) -> None:
        self.metric = metric
        self.candidates = candidates
        self.blend = blend
        self.updates = updates
        self.budget = budget
        self.pair_columns = pair_columns
        self.random_state = random_state
        self.verbose = verbose

    # Learning.

    def fit(self, X: Any, y: Any) -> Self:  # type: ignore[override]
        """Search, and fit the choice.

        Parameters
        ----------
        X : sparse matrix or array of shape (documents, terms)
            Counts.
        y : array-like of shape (documents,), or indicator of shape (documents, classes)
            One label per document; or an indicator of 0 and 1.
        """
        documents = self._validated(X, y, None, reset=True)
        own = Documents(documents.targets.multilabel)
        own.add(documents)
        self._take(own, documents, self.pair_columns)
        self._accept_columns(X)
        return self._choose_and_fit(documents)

    def fit_documents(self, documents: LabelledRows, read: Callable[[], LabelledRows], pairs: Any) -> None:
        """Fit on documents that the caller keeps: the recipe chosen before, or one found by a search."""
        self.check_parameters()
        self._take(BorrowedDocuments(documents.targets, read), documents, pairs)
        self._accept_columns(documents.rows.matrix)
        if hasattr(self, "recipe_"):
            self._fit_members(documents)
        else:
            self._choose_and_fit(documents)

    def borrow(self, read: Callable[[], LabelledRows] | None) -> Self:
        """Use ``read`` to get the documents again; with None, keep only their labels."""
        if self._is_fitted():
            self._documents = BorrowedDocuments(self._documents.targets, read)
        return self

    def without_documents(self) -> Self:
        """Return a copy with only the labels of its documents."""
        return copy.copy(self).borrow(None)

    def _take(self, own: Documents | BorrowedDocuments, documents: LabelledRows, pairs: Any) -> None:
        check_pair_columns(pairs, documents.rows.width)
        self._documents, self._pairs = own, pair_mask(pairs, documents.rows.width)

    def reconsider(self) -> Self:
        """Search again on the current documents, and fit the choice."""
        if not self._is_fitted():
            raise UnfittedError(type(self).__name__, "reconsider")
        self.check_parameters()
        return self._choose_and_fit(self._documents.labelled(self.n_features_in_))

    def _choose_and_fit(self, documents: LabelledRows) -> Self:
        self._seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        if isinstance(self.candidates, Recipe):
            self.recipe_ = self.candidates
        else:
            self._search(documents)
        self._fit_members(documents)
        return self

    def _fit_members(self, documents: LabelledRows) -> None:
        pairs = self._pair_mask()
        self._members = self._unfitted_members(pairs)
        self._refresh(documents)

    def _unfitted_members(self, pairs: NDArray[np.bool_]) -> list[Member]:
        given = zip(self.recipe_.members, self.recipe_.per_count, strict=True)
        return [Member(candidate, pairs, self._seed, per_count) for candidate, per_count in given]

    def _pair_mask(self) -> NDArray[np.bool_]:
        given = self._pairs if self.pair_columns is None else self.pair_columns
        return pair_mask(given, self.n_features_in_)

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self:  # noqa: ARG002
        """Learn from more documents by the same recipe. They may have new classes and columns.

        Parameters
        ----------
        X, y
            As for fit.
        classes : ignored
            For scikit-learn's convention.
        """
        if not self._is_fitted():
            return self.fit(X, y)
        grows = np.shape(X)[1:] > (self.n_features_in_,)
        documents = self._validated(X, y, None, reset=grows)
        check_labels_kind(documents.targets.multilabel, self.multilabel_)
        own = self._documents = self._documents.owned()
        own.add(documents)
        if grows:
            self._accept_columns(X)
        for member in self._members:
            member.learn(documents.rows.matrix, documents.targets)
        return self

    def forget(self, X: Any, y: Any) -> Self:
        """Forget documents: the model then equals the recipe fitted on the remaining ones.

        Raises
        ------
        NotLearnedError
            If a document was never learned. Nothing is changed.
        """
        self._check_fitted("forget")
        narrow = (0,) < np.shape(X)[1:] < (self.n_features_in_,)
        documents = self._validated(X, y, None, reset=narrow)
        check_labels_kind(documents.targets.multilabel, self.multilabel_)
        own = self._documents = self._documents.owned()
        own.remove(own.find_learned(documents))
        for member in self._members:
            member.forget(documents.rows.matrix, documents.targets)
        return self

    def _targets(self) -> Targets:
        """The labels of the documents, without classes that have none left."""
        targets = self._documents.targets
        if targets.multilabel:
            return targets
        # Cached: every prediction needs the classes, and only a change of the documents changes them.
        if getattr(self, "_live", (None,))[0] is not targets:
            self._live = targets, targets.of_used_classes()
        return self._live[1]

    # Searching.

    def _search(self, documents: LabelledRows) -> None:
        training = self._training_set(documents)
        with progress_bar("Leaving one out", _EXPECTED_TRIALS, bool(self.verbose)) as moved:
            search = Search(training, self.metric, self.updates, self.budget, moved)
            search.run(self.candidates)
            self._choose(search)

    def _training_set(self, documents: LabelledRows) -> TrainingSet:
        targets = self._targets()
        if not len(targets.codes):
            raise LabelsError("no labels at all, so there is no class to search a model for")
        most = min(_MOST_DOCUMENTS, _MOST_SCORES // len(targets.classes))
        evaluated = sample_evenly(targets, most, self._seed)
        labels = targets.labels()
        if targets.multilabel:
            # Candidates number the classes; an indicator with one column would be read as labels.
            labels = targets = replace(targets, classes=np.arange(len(targets.classes)))
        return TrainingSet(documents.rows.matrix, labels, targets, self._pair_mask(), evaluated, self._seed)

    def _choose(self, search: Search) -> None:
        chosen = choose(search, bool(self.blend))
        choice, other = chosen.choice, chosen.other
        found = Recipe.of(choice.members, choice.blend, self.classes_, choice.per_count)
        self.recipe_ = found.with_names() if self.multilabel_ else found
        self.best_score_ = choice.quality.value
        compared = None if other is None else Compared(self.updates_, self.best_score_, other.quality.value)
        entries = [*chosen.entries, *search.entries(found.members)]
        self.leaderboard_ = Leaderboard(self.metric, entries, compared)

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
    def classes_(self) -> NDArray[Any]:
        """The labels, sorted; of a label indicator, its columns."""
        if not self._is_fitted():
            raise UnfittedError.of_attribute(type(self).__name__, "classes_")
        return self._targets().classes

    @property
    def class_documents_(self) -> NDArray[np.float64]:
        """Number of documents of each class."""
        targets = self._targets()
        return np.bincount(targets.codes, minlength=len(targets.classes)).astype(np.float64)

    def _refresh(self, documents: LabelledRows | None = None) -> None:
        """Refit the members that are stale because documents changed."""
        stale = [(number, member) for number, member in enumerate(self._members) if member.stale]
        if not stale:
            return
        if documents is None:
            documents = self._documents.labelled(self.n_features_in_)
        counts, targets = documents.rows.matrix, self._targets()
        for number, member in stale:
            member.fit(counts, targets, sharing(self._members, number))
        # Compute the weights now, not at the first prediction.
        with ThreadPoolExecutor(available_threads()) as pool:
            list(pool.map(lambda pair: pair[1].scores(counts[:1]), stale if len(targets.codes) else []))

    def _scorer(self, method: str) -> BlendedScorer:
        self._check_fitted(method)
        self._refresh()
        return BlendedScorer(self._members, self.recipe_.blend(self.classes_.tolist()))

    def _odds_scorer(self) -> BlendedScorer:
        return self._scorer("predict")

    # In a model file.

    def store(self) -> Stored:
        """Return what was learned, for a model file."""
        if not self._is_fitted():
            return Stored()
        if len(self.classes_):
            self._refresh()
        columns, found = store_columns(self), {"seed": self._seed}
        pairs = self._pair_mask().astype(np.uint8)
        stored = Stored({**columns.configuration, **found}, {**columns.arrays, "pairs": pairs})
        stored = stored.with_part("documents", self._documents.store())
        stored = stored.with_part("recipe", self.recipe_.store())
        for number, member in enumerate(self._members):
            stored = stored.with_part(f"member{number}", member.store(sharing(self._members, number)))
        if hasattr(self, "leaderboard_"):
            stored.arrays["best_score"] = np.array([self.best_score_])
            stored = stored.with_part("leaderboard", self.leaderboard_.store())
        return stored

    def restore(self, stored: Stored) -> None:
        """Load what ``store`` returned; refuse an invalid file."""
        if not stored.has_part("documents"):
            return
        columns, self._seed = restore_columns(self, stored), stored.size("seed")
        pairs = stored.array("pairs", np.uint8)
        sound = self._seed < 2**31 and len(pairs) <= columns and bool(np.all(pairs <= 1))
        stored.check(sound, "its columns of word pairs are invalid")
        self._pairs = pairs.astype(bool)
        self._documents = restore_documents(stored.part("documents"), columns)
        self.recipe_ = Recipe.restore(stored.part("recipe"))
        self._members = self._unfitted_members(self._pairs)
        targets = self._targets()
        for number, member in enumerate(self._members):
            like = sharing(self._members, number)
            member.restore(stored.part(f"member{number}"), columns, targets, like)
        if stored.has_part("leaderboard"):
            self.leaderboard_ = Leaderboard.restore(stored.part("leaderboard"))
            self.best_score_ = float(stored.array("best_score", np.float64, 1)[0])

    # Plumbing.

    def _is_fitted(self) -> bool:
        return hasattr(self, "_documents")

    @property
    def multilabel_(self) -> bool:
        """Whether labels were an indicator."""
        return self._documents.targets.multilabel

    def check_parameters(self) -> None:
        """Raise an error that names the parameter when one cannot be used."""
        check_option("metric", self.metric, SEARCHED_METRICS)
        check_switch("blend", self.blend)
        check_option("updates", self.updates, UPDATES)
        if self.budget is not None:
            check_number("budget", self.budget, above=0, allowed="seconds, a finite number above 0, or None")
        check_seed("random_state", self.random_state)
        if not isinstance(self.candidates, str | list | tuple | Recipe):
            raise ParameterError("candidates", self.candidates, ("default", *SEARCHED))
        check_candidates(self.candidates, self.updates)
