"""What workers need to count: how texts are represented, and what is summed."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np

from textbayes.estimators.auto.group import Group
from textbayes.estimators.base.storing import restore_estimator, store_estimator
from textbayes.estimators.text.text_representation import TextRepresentation
from textbayes.persistence import Stored
from textbayes.statistics import ClassStatistics, LengthStatistics

KINDS = {kind.__name__: kind for kind in (ClassStatistics, LengthStatistics)}
"""The kinds of sums, by name."""


@dataclass
class Contents:
    """The representation of texts, and the sums that are needed.

    Parameters
    ----------
    representation : TextRepresentation
        How texts become rows. Its terms and its transform may be unknown still.
    kind : class
        The kind of sums that the model follows from.
    groups : list of Group
        The representations of a recipe's members; empty for a model by name.
    calibrates : bool
        Whether a sample of documents is needed.
    """

    representation: TextRepresentation
    kind: type[ClassStatistics] = ClassStatistics
    groups: list[Group] = field(default_factory=list)
    calibrates: bool = True

    def store(self) -> Stored:
        """Return everything as a configuration and arrays."""
        settings = {"groups": len(self.groups), "kind": self.kind.__name__, "calibrates": self.calibrates}
        stored = Stored(settings)
        stored = stored.with_part("counter", store_estimator(self.representation.counter))
        if self.representation.transform is not None:
            stored = stored.with_part("transform", store_estimator(self.representation.transform))
        for number, group in enumerate(self.groups):
            stored = stored.with_part(f"group{number}", group.store())
        return stored

    @classmethod
    def restore(cls, stored: Stored) -> Self:
        """Load what ``store`` returned."""
        counter = restore_estimator(stored.part("counter"))
        transform = restore_estimator(stored.part("transform")) if stored.has_part("transform") else None
        groups = [Group.restore(stored.part(f"group{number}")) for number in range(stored.size("groups"))]
        kind = KINDS[stored.value("kind", str)]
        representation = TextRepresentation.of_parts(counter, transform)
        return cls(representation, kind, groups, stored.value("calibrates", bool))

    def with_threads(self, threads: int) -> Self:
        """Return contents whose reader uses this many threads."""
        self.representation.reader = replace(self.representation.reader, threads=threads)
        return self

    def new_statistics(self, multilabel: bool) -> list[ClassStatistics]:
        """Return empty sums: those of the model, or of each group."""
        return [self.kind(width, multilabel) for width in self.widths()]

    def widths(self) -> list[int]:
        """Return the number of columns of each of the sums."""
        own = self.representation
        return [group.width for group in self.groups] or [own.reader.width(own.model_vocabulary)]

    def represented(self, counts: Any) -> list[Any]:
        """Return rows of counts in the representation of each of the sums."""
        rows = self.representation.transformed(counts)
        return [group.represent(rows) for group in self.groups] or [rows]

    def lengths_of(self, counts: Any) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Return the sum of the unscaled lengths of rows, in each representation that needs it."""
        transform = self.representation.transform
        if not self.groups and transform is not None:
            return np.array([transform.lengths_of(counts).sum()])
        rows = self.representation.transformed(counts)
        return np.array([group.lengths_of(rows).sum() for group in self.groups])
