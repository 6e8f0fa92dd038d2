"""The candidates of a recipe, fitted, and their blended scores."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from textbayes.counts import Rows, as_rows
from textbayes.decisions import Blend, top_classes
from textbayes.estimators.auto.candidate import Candidate
from textbayes.measures import two_column_parts, two_columns
from textbayes.persistence import Stored
from textbayes.scores import Contributions, contributions_per_count, scores_per_count
from textbayes.statistics import Targets

Reals = NDArray[np.float64]


class Member:
    """A fitted candidate. If its statistics do not add, it is stale after a change and must be refitted."""

    def __init__(
        self, candidate: Candidate, pairs: NDArray[np.bool_], random_state: int, per_count: bool = False
    ) -> None:
        self.candidate = candidate
        self.per_count = per_count
        self.pairs = pairs
        self.random_state = random_state
        self.stale = True

    def fit(self, counts: sparse.csr_matrix, labels: Targets, like: Member | None = None) -> None:
        """Fit on all documents, or share the sums of another member that did."""
        if like is not None:
            self._share(like)
            return
        self.steps = self.candidate.representation.steps(self.pairs, counts.shape[1])
        for step in self.steps:
            counts = step.fit(counts, labels).transform(counts)
        self.model = self.candidate.model(self.random_state).fit(counts, labels)
        self.stale = False

    def _share(self, like: Member) -> None:
        self.steps = like.steps
        self.model = self.candidate.model(self.random_state).share_statistics(like.model)
        self.stale = False

    def learn(self, counts: sparse.csr_matrix, labels: Targets) -> None:
        """Learn from more documents."""
        if self.candidate.additive and not self.stale:
            self.model.partial_fit(self._represented(counts), labels)
        else:
            self.stale = True

    def forget(self, counts: sparse.csr_matrix, labels: Targets) -> None:
        """Forget documents."""
        if self.candidate.additive and not self.stale:
            self.model.forget(self._represented(counts), labels)
        else:
            self.stale = True

    # In a model file.

    def store(self, like: Member | None = None) -> Stored:
        """Return what was learned. The candidate with its parameters is in the recipe."""
        if self.stale:
            return Stored({"stale": True})
        if like is not None:
            return Stored({"stale": False, "shared": True})
        stored = Stored({"stale": False}).with_part("model", self.model.store())
        for number, step in enumerate([] if self.candidate.additive else self.steps):
            stored = stored.with_part(f"step{number}", step.store())
        return stored

    def restore(self, stored: Stored, width: int, targets: Targets, like: Member | None = None) -> None:
        """Load what ``store`` returned, for documents with this width and these classes."""
        if stored.value("stale", bool):
            return
        if stored.configuration.get("shared") is True:
            if like is None or like.stale:
                stored.refuse("a member has no other to share sums with")
            self._share(like)
            return
        self.steps = self.candidate.representation.steps(self.pairs, width)
        for number, step in enumerate(self.steps):
            if not self.candidate.additive:
                step.restore(stored.part(f"step{number}"))
                known = hasattr(step, "support") or getattr(step, "n_features_in_", None) == width
                stored.check(known, "the representation of a member has other columns than its documents")
            width = len(kept_columns(step, width))
        self.model = self.candidate.model(self.random_state)
        self.model.restore(stored.part("model"))
        learned = self.model.__sklearn_is_fitted__() and self.model.n_features_in_ == width
        stored.check(learned, "a member has other columns than its representation")
        fits = (
            self.model.multilabel_ == targets.multilabel
            and self.model.classes_.tolist() == targets.classes.tolist()
        )
        stored.check(fits, "a member has other classes than its documents")
        self.stale = False

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
        for step in self._steps(counts.shape[1]):
            counts = step.fit_transform(counts) if self.candidate.additive else step.transform(counts)
        return counts

    def _columns(self, width: int) -> NDArray[np.intp]:
        """The columns that the model uses."""
        columns = np.arange(width)
        for step in self._steps(width):
            columns = columns[kept_columns(step, len(columns))]
        return columns

    def _steps(self, width: int) -> list[Any]:
        """Transformers of counts with this width; for an additive candidate it may have grown."""
        if not self.candidate.additive:
            return self.steps
        return self.candidate.representation.steps(self.pairs, width)


def sharing(members: list[Member], number: int) -> Member | None:
    """Return an earlier member with the same representation whose sums this one can share.

    Additive members change in place, so they share nothing.
    """
    own = members[number].candidate
    if own.additive or not own.variant.uses_sums:
        return None
    for other in members[:number]:
        theirs = other.candidate
        if theirs.variant.uses_sums and not theirs.additive and theirs.representation == own.representation:
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
