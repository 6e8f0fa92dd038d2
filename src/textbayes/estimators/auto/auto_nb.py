"""AutoNB."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from textbayes._native import available_threads
from textbayes.counts import Rows
from textbayes.errors import LabelKindError, LabelsError, NotLearnedYetError, ParameterError
from textbayes.errors.checks import check_number, check_option, check_seed, check_switch
from textbayes.estimators.auto.held_out import TrainingSet
from textbayes.estimators.auto.leaderboard import Entry, Leaderboard
from textbayes.estimators.auto.members import BlendedScorer, Member, sharing
from textbayes.estimators.auto.pairs import check_pair_columns, pair_mask
from textbayes.estimators.auto.recipe import Recipe
from textbayes.estimators.auto.search import Search, check_candidates
from textbayes.estimators.base.classifier import CountsClassifier
from textbayes.estimators.base.progress import progress_bar
from textbayes.estimators.base.storing import restore_columns, storable, store_columns
from textbayes.estimators.models.variants import SEARCHED
from textbayes.measures import SEARCHED_METRICS, is_clearly_better, sample_evenly
from textbayes.persistence import Stored
from textbayes.statistics import KeptDocuments, Targets, Unread, labels_of, restore_kept, store_kept
from textbayes.statistics.targets import kind_of_labels

# So many documents, and scores of one candidate, are judged at most.
_MOST_DOCUMENTS = 20_000
_MOST_SCORES = 1 << 24
# How far the progress bar goes; how many trials there will be depends on what is found.
_USUAL_TRIALS = 50


@storable
class AutoNB(CountsClassifier):
    """A naive Bayes classifier that chooses itself.

    Representations of the one count matrix × models × smoothing are judged by exact leave-one-out, which
    costs about as much as scoring; the best are refined, and the two best of every kind of model blended: a
    weight for each and a bias for each class, learned from the leave-one-out scores. The blend is kept
    unless the best single candidate is better by more than three standard errors, on documents that the
    blend's weights did not see: that candidate is the best of many, so its score flatters it.

    Parameters
    ----------
    metric : {"macro_f1", "micro_f1", "accuracy", "log_loss"}, default="macro_f1"
        What is maximised. With label indicators F1 is taken at break-even: it measures rankings.
    candidates : "default", list of str, list of Candidate, or Recipe, default="default"
        What is tried: everything; only these kinds of model, of "multinomial", "complement", "one-vs-all",
        "complement-all", "centroid", "poisson", "poisson-by-class", "linear-svm", "discriminative" and
        "mixture"; exactly these candidates; or nothing: a recipe that was found before is learned as it is.
    blend : bool, default=True
        Whether several candidates may be blended.
    exact_updates : bool, default=False
        Try only recipes whose statistics add, so that ``partial_fit`` and ``forget`` learn nothing anew.
    budget : float, optional
        Seconds after which no more candidates are tried. The order is fixed: more time only adds.
    pair_columns : array of bool, array of str, or None, default=None
        Which columns hold word pairs: a mask, or the columns' terms, those with a space being pairs. Models
        are then tried on words, and on words with pairs.
    random_state : int, RandomState or None, default=None
        Of folds and samples. The same one gives the same result, unless a budget cuts the search.
    verbose : bool or int, default=0
        Show a progress bar.

    Attributes
    ----------
    classes_ : array
        The labels, sorted.
    leaderboard_ : Leaderboard
        Everything that was tried, with its score, interval and seconds.
    recipe_ : Recipe
        What was chosen: ``recipe_.fit(X, y)`` learns it from other documents.
    best_score_ : float
        The score of the recipe, on documents that it did not learn.

    Notes
    -----
    With more than 20,000 documents candidates learn from all, and are judged on a sample: small classes
    whole, large ones in part.

    The documents are kept, compressed. After ``partial_fit`` and ``forget`` the model is that of the recipe
    fitted on the documents that remain: members whose statistics add are updated, the others learned anew
    before the next prediction. The recipe stays; ``reconsider`` searches again.

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

    def __init__(
        self,
        metric: str = "macro_f1",
        candidates: Any = "default",
        blend: bool = True,
        exact_updates: bool = False,
        budget: float | None = None,
        pair_columns: Any = None,
        random_state: Any = None,
        verbose: bool | int = 0,
    ) -> None:
        self.metric = metric
        self.candidates = candidates
        self.blend = blend
        self.exact_updates = exact_updates
        self.budget = budget
        self.pair_columns = pair_columns
        self.random_state = random_state
        self.verbose = verbose

    # Learning.

    def fit(self, X: Any, y: Any) -> Self:  # type: ignore[override]
        """Search, and learn what was chosen.

        Parameters
        ----------
        X : sparse matrix or array of shape (documents, terms)
            Counts.
        y : array-like of shape (documents,), or indicator of shape (documents, classes)
            One label a document; or 0 and 1, a document having the classes of its ones.
        """
        return self._search_in(X, y, self.pair_columns)

    def _search_in(self, X: Any, y: Any, pairs: Any) -> Self:
        """Search among documents of which these columns hold pairs."""
        self._take(X, y, pairs)
        return self.reconsider()

    def _learn_instead(self, X: Any, y: Any, pairs: Any) -> Self:
        """Learn documents in the place of those there were, by the recipe that was found."""
        self._take(X, y, pairs)
        self._start_members()
        return self

    def _take(self, X: Any, y: Any, pairs: Any) -> None:
        rows, targets, _ = self._validated(X, y, None, reset=True)
        check_pair_columns(pairs, rows.width)
        kept = KeptDocuments()
        kept.add(rows, targets)
        self._documents, self._pairs = kept, pair_mask(pairs, rows.width)
        self._accept_columns(X)

    def _lend(self, lender: Unread) -> None:
        """Let somebody else keep the documents, and ask for them when they are needed."""
        self._documents = KeptDocuments(lender)

    def reconsider(self) -> Self:
        """Search again on the documents there are, and learn what is chosen."""
        if not self._is_fitted():
            raise NotLearnedYetError(type(self).__name__, "reconsider")
        self._check_parameters()
        self._seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        if isinstance(self.candidates, Recipe):
            self.recipe_ = self.candidates
        else:
            self._search()
        self._start_members()
        return self

    def _start_members(self) -> None:
        pairs = self._pair_mask()
        self._members = [Member(member, pairs, self._seed) for member in self.recipe_.members]
        self._refresh()

    def _pair_mask(self) -> NDArray[np.bool_]:
        given = self._pairs if self.pair_columns is None else self.pair_columns
        return pair_mask(given, self.n_features_in_)

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self:  # noqa: ARG002
        """Learn from more documents by the same recipe: new classes and columns are welcome.

        Parameters
        ----------
        X, y
            As for fit.
        classes : ignored
            For scikit-learn's convention; classes need not be announced.
        """
        if not self._is_fitted():
            return self.fit(X, y)
        grows = np.shape(X)[1:] > (self.n_features_in_,)
        rows, targets, _ = self._validated(X, y, None, reset=grows)
        self._check_kind(targets)
        self._documents.add(rows, targets)
        if grows:
            self._accept_columns(X)
        for member in self._members:
            member.learn(rows.matrix, targets)
        return self

    def forget(self, X: Any, y: Any) -> Self:
        """Take documents out: the model is that of the recipe fitted on those that remain.

        Raises
        ------
        NotLearnedError
            When a document was never learned. Nothing is changed.
        """
        self._check_fitted("forget")
        narrow = (0,) < np.shape(X)[1:] < (self.n_features_in_,)
        rows, targets, _ = self._validated(X, y, None, reset=narrow)
        self._check_kind(targets)
        self._documents.remove(rows, targets)
        for member in self._members:
            member.forget(rows.matrix, targets)
        return self

    def _check_kind(self, targets: Targets) -> None:
        if targets.multilabel != self._is_multilabel():
            raise LabelKindError(kind_of_labels(self._is_multilabel()), targets.kind)

    def _learned(self) -> tuple[Rows, Targets]:
        """The documents there are, as wide as the latest, and their classes without those that are gone."""
        return replace(self._documents.batch[0], width=self.n_features_in_), self._targets()

    def _targets(self) -> Targets:
        targets = self._documents.targets
        if targets.multilabel:
            return targets
        # Every prediction asks for the classes, which change with the documents only.
        if getattr(self, "_live", (None,))[0] is not targets:
            self._live = targets, targets.of_used_classes()
        return self._live[1]

    # Searching.

    def _search(self) -> None:
        training = self._training_set()
        with progress_bar("Leaving one out", _USUAL_TRIALS, bool(self.verbose)) as moved:
            search = Search(training, self.metric, self.exact_updates, self.budget, moved)
            search.run(self.candidates)
            self._choose(search)

    def _training_set(self) -> TrainingSet:
        rows, targets = self._learned()
        if not len(targets.codes):
            raise LabelsError("none at all: there is no class to search a model for")
        most = min(_MOST_DOCUMENTS, _MOST_SCORES // len(targets.classes))
        judged = sample_evenly(targets, most, self._seed)
        labels = labels_of(targets)
        if targets.multilabel:
            # Candidates know classes by their number; an indicator of one column would be taken for labels.
            labels = targets = replace(targets, classes=np.arange(len(targets.classes)))
        return TrainingSet(rows.matrix, labels, targets, self._pair_mask(), judged, self._seed)

    def _choose(self, search: Search) -> None:
        best = search.best
        entry = None
        if self.blend and not search.over:
            members, blend, quality, seconds = search.blended()
            entry = Entry(
                f"blend of {int(np.sum(blend.weights > 0))}",
                quality.value,
                quality.interval,
                seconds,
                None,
                not is_clearly_better(best.quality, quality),
            )
        if entry is not None and entry.chosen:
            found = Recipe.of(members, blend, self.classes_)
        else:
            candidate, blend = search.single()
            found = Recipe.of([candidate], blend, self.classes_)
        self.best_score_ = entry.score if entry is not None and entry.chosen else best.quality.value
        self.leaderboard_ = search.leaderboard(found.members, entry)
        self.recipe_ = found.with_names() if self._is_multilabel() else found

    # Scoring.

    @property
    def classes_(self) -> NDArray[Any]:
        """The labels, sorted; of a label indicator, its columns."""
        if not self._is_fitted():
            raise AttributeError(str(NotLearnedYetError(type(self).__name__, "classes_")))
        return self._targets().classes

    @property
    def class_documents_(self) -> NDArray[np.float64]:
        """How many documents each class has."""
        targets = self._targets()
        return np.bincount(targets.codes, minlength=len(targets.classes)).astype(np.float64)

    def _refresh(self) -> None:
        """Learn anew what does not add."""
        stale = [(number, member) for number, member in enumerate(self._members) if member.stale]
        if not stale:
            return
        rows, targets = self._learned()
        counts = rows.matrix
        for number, member in stale:
            member.fit(counts, targets, sharing(self._members, number))
        # Models work their weights out when they are first asked: now, not at the first prediction.
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
        stored = stored.with_part("documents", store_kept(self._documents))
        stored = stored.with_part("recipe", self.recipe_.store())
        for number, member in enumerate(self._members):
            stored = stored.with_part(f"member{number}", member.store(sharing(self._members, number)))
        if hasattr(self, "leaderboard_"):
            stored.arrays["best_score"] = np.array([self.best_score_])
            stored = stored.with_part("leaderboard", self.leaderboard_.store())
        return stored

    def restore(self, stored: Stored) -> None:
        """Take back what ``store`` returned, or refuse the file."""
        if not stored.has_part("documents"):
            return
        columns, self._seed = restore_columns(self, stored), stored.size("seed")
        pairs = stored.array("pairs", np.uint8)
        sound = self._seed < 2**31 and len(pairs) <= columns and bool(np.all(pairs <= 1))
        stored.check(sound, "its columns of word pairs are not sound")
        self._pairs = pairs.astype(bool)
        self._documents = restore_kept(stored.part("documents"), columns)
        self.recipe_ = Recipe.restore(stored.part("recipe"))
        self._members = [Member(member, self._pairs, self._seed) for member in self.recipe_.members]
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

    def _is_multilabel(self) -> bool:
        return self._documents.targets.multilabel

    def _check_parameters(self) -> None:
        check_option("metric", self.metric, SEARCHED_METRICS)
        check_switch("blend", self.blend)
        check_switch("exact_updates", self.exact_updates)
        if self.budget is not None:
            check_number("budget", self.budget, above=0, allowed="seconds, a finite number above 0, or None")
        check_seed("random_state", self.random_state)
        if not isinstance(self.candidates, str | list | tuple | Recipe):
            raise ParameterError("candidates", self.candidates, ("default", *SEARCHED))
        check_candidates(self.candidates, bool(self.exact_updates))
