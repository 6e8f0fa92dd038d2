"""The candidates of a recipe, fitted, and their blended scores."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from textbayes._native import available_threads
from textbayes.counts import Rows, as_rows
from textbayes.decisions import Blend, top_classes
from textbayes.estimators.auto.candidate import Candidate
from textbayes.estimators.auto.column_kinds import Kinds
from textbayes.estimators.auto.fitted_blend import FittedBlend
from textbayes.estimators.auto.recipe import Recipe
from textbayes.estimators.base.borrowed import Reader
from textbayes.estimators.base.counts_model import fit_on
from textbayes.measures import two_column_parts, two_columns
from textbayes.persistence import Stored
from textbayes.scores import Contributions, contributions_per_count, scores_per_count
from textbayes.statistics import ClassStatistics, LabelledRows

Reals = NDArray[np.float64]


class Member:
    """A fitted candidate."""

    def __init__(
        self, candidate: Candidate, kinds: Kinds, random_state: int, per_count: bool = False
    ) -> None:
        self.candidate = candidate
        self.per_count = per_count
        self.kinds = kinds
        self.random_state = random_state

    def fit(self, documents: LabelledRows, like: Member | None = None) -> None:
        """Fit on all documents, or share the sums of another member that did."""
        if like is not None:
            self._share(like)
            return
        self.steps = self.candidate.representation.steps(self.kinds, documents.rows.width)
        for step in self.steps:
            fit_on(step, documents)
            documents = replace(documents, rows=as_rows(step.transform(documents.rows.matrix)))
        given = {} if documents.weights is None else {"sample_weight": documents.weights}
        model = self.candidate.model(self.random_state)
        self.model = model.fit(documents.rows.matrix, documents.targets, **given)

    def _share(self, like: Member) -> None:
        self.steps = like.steps
        self.model = self.candidate.model(self.random_state).share_statistics(like.model)

    # In a model file.

    def store(self, like: Member | None = None) -> Stored:
        """Return what was learned. The candidate with its parameters is in the recipe."""
        if like is not None:
            return Stored({"shared": True})
        stored = Stored().with_part("model", self.model.store())
        for number, step in enumerate(self.steps):
            stored = stored.with_part(f"step{number}", step.store())
        return stored

    def restore(
        self, stored: Stored, width: int, labels: ClassStatistics, like: Member | None = None
    ) -> None:
        """Load what ``store`` returned, for documents with this width and these classes."""
        if stored.configuration.get("shared") is True:
            if like is None:
                stored.refuse("a member has no other to share sums with")
            self._share(like)
            return
        self.steps = self.candidate.representation.steps(self.kinds, width)
        for number, step in enumerate(self.steps):
            if self.candidate.additive and not stored.has_part(f"step{number}"):
                step.fit(sparse.csr_matrix((1, width)))  # it learns only the number of columns
            else:
                step.restore(stored.part(f"step{number}"))
            known = hasattr(step, "support") or getattr(step, "n_features_in_", None) == width
            stored.check(known, "the representation of a member has other columns than its documents")
            width = len(kept_columns(step, width))
        self.model = self.candidate.model(self.random_state)
        self.model.restore(stored.part("model"))
        learned = self.model.__sklearn_is_fitted__() and self.model.n_features_in_ == width
        stored.check(learned, "a member has other columns than its representation")
        fits = (
            self.model.multilabel_ == labels.multilabel
            and self.model.classes_.tolist() == labels.classes.tolist()
        )
        stored.check(fits, "a member has other classes than its documents")

    def scores(self, counts: sparse.csr_matrix) -> Reals:
        """Score documents: a column for each class."""
        rows = self._represented(counts)
        scores = two_columns(self.model.decision_function(rows))
        if not self.per_count:
            return scores
        bias = two_columns(self.model.decision_function(sparse.csr_matrix((1, rows.shape[1]))))[0]
        return scores_per_count(scores, bias, as_rows(rows).sums())

    def contributions(self, row: Rows) -> Contributions:
        """Return what each count of one document adds to its scores; 0 for a column that is not used."""
        own, columns = as_rows(self._represented(row.matrix)), self._columns(row.width)
        parts = self.model.decision_contributions(own)
        if len(parts.bias) < len(self.model.classes_):
            parts = two_column_parts(parts)
        if self.per_count:
            parts = contributions_per_count(parts, float(own.sums()[0]))
        entries = np.zeros((len(row.columns), len(parts.bias)))
        order = np.argsort(row.columns, kind="stable")
        entries[order[np.searchsorted(row.columns[order], columns[own.columns])]] = parts.entries
        return Contributions(parts.bias, entries)

    def _represented(self, counts: sparse.csr_matrix) -> sparse.csr_matrix:
        """Counts in the representation of the model."""
        for step in self.steps:
            counts = step.transform(counts)
        return counts

    def _columns(self, width: int) -> NDArray[np.intp]:
        """The columns that the model uses."""
        columns = np.arange(width)
        for step in self.steps:
            columns = columns[kept_columns(step, len(columns))]
        return columns


def sharing(members: list[Member], number: int) -> Member | None:
    """Return an earlier member with the same representation whose sums this one can share."""
    own = members[number].candidate
    if not own.variant.uses_sums:
        return None
    for other in members[:number]:
        theirs = other.candidate
        if theirs.variant.uses_sums and theirs.representation == own.representation:
            return other
    return None


def kept_columns(step: Any, width: int) -> NDArray[np.intp]:
    """Return the columns that a transformer keeps, sorted."""
    if hasattr(step, "support"):
        return np.flatnonzero(step.support(width))
    return np.asarray(step.get_support(indices=True)) if hasattr(step, "get_support") else np.arange(width)


class BlendedScorer:
    """Score rows by the blend of several members."""

    def __init__(self, members: list[Member], blend: Blend) -> None:
        self.members, self.blend = members, blend

    def scores(self, rows: Rows) -> Reals:
        """Score every row in every class."""
        if not len(rows):
            # The steps of a member take one row or more.
            return np.empty((0, len(self.blend.biases)))
        counts = rows.matrix
        return self.blend([member.scores(counts) for member in self.members])

    def contributions(self, row: Rows) -> Contributions:
        """Return the contributions of one row to the blended scores."""
        return self.blend.contributions([member.contributions(row) for member in self.members])

    def best(self, rows: Rows, k: int) -> tuple[NDArray[np.intp], Reals]:
        """Find each row's ``k`` best classes."""
        return top_classes(self.scores, rows, len(self.blend.biases), k)

    def first(self, rows: Rows) -> NDArray[np.intp]:
        """Find each row's best class."""
        return self.best(rows, 1)[0][:, 0]


class MemberBlend(FittedBlend):
    """A recipe fitted on documents, member by member, for members that are not linear.

    It does not learn: after a change it must be fitted again.

    Parameters
    ----------
    recipe : Recipe
        The recipe.
    random_state : int
        Seed of random models.
    precision : int, default=64
        Bits of a compiled weight; nothing is compiled here.
    """

    learns = False
    is_settled = True

    def __init__(self, recipe: Recipe, random_state: int, precision: int = 64) -> None:
        super().__init__(recipe, random_state, precision)
        self._members: list[Member] = []

    def fit(self, documents: LabelledRows, kinds: Kinds) -> None:
        """Fit the members."""
        self._start(documents)
        self._members = self._unfitted(kinds)
        for number, member in enumerate(self._members):
            member.fit(documents, sharing(self._members, number))
        # Compute the weights now, not at the first prediction.
        first = documents.rows.block(0, min(1, len(documents))).matrix
        with ThreadPoolExecutor(available_threads()) as pool:
            list(pool.map(lambda member: member.scores(first), self._members if len(documents) else []))

    def prepare(self, read: Reader) -> None:
        """Do nothing: after a change it is fitted again."""

    def learn(self, documents: LabelledRows, kinds: Kinds, read: Reader) -> None:  # noqa: ARG002
        """Note that there are more documents."""
        self.is_stale = True

    def forget(self, documents: LabelledRows, read: Reader) -> None:  # noqa: ARG002
        """Note that there are fewer documents."""
        self.is_stale = True

    def has_all(self, columns: NDArray[np.integer]) -> bool:  # noqa: ARG002
        """Return False: the next fit finds the terms and classes that are left."""
        return False

    def with_columns(self, order: NDArray[np.uint32]) -> MemberBlend:  # noqa: ARG002
        """Return an unfitted copy."""
        return MemberBlend(self.recipe, self.random_state, self.precision)

    def _unfitted(self, kinds: Kinds) -> list[Member]:
        given = zip(self.recipe.members, self.recipe.per_count, strict=True)
        return [Member(candidate, kinds, self.random_state, per_count) for candidate, per_count in given]

    def scorer(self) -> BlendedScorer:
        """Return the scorer of rows."""
        return BlendedScorer(self._members, self.recipe.blend(self.classes.tolist()))

    def store(self) -> Stored:
        """Return what the members learned, for a model file."""
        stored = Stored().with_part("labels", self._labels.store())
        for number, member in enumerate(self._members):
            stored = stored.with_part(f"member{number}", member.store(sharing(self._members, number)))
        return stored

    def restore(self, stored: Stored, columns: int, kinds: Kinds) -> None:
        """Load what ``store`` returned; refuse an invalid file."""
        self._labels = ClassStatistics.restore(stored.part("labels"), 0)
        self.is_stale = False
        self._members = self._unfitted(kinds)
        for number, member in enumerate(self._members):
            like = sharing(self._members, number)
            member.restore(stored.part(f"member{number}"), columns, self._labels, like)
