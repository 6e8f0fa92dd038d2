"""What workers need to count: how texts become rows, and what is summed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

from textbayes._native import Vocabulary
from textbayes.counts import CountTransform, Rows, TextReader, restore_reader, restore_vocabulary
from textbayes.persistence import Stored
from textbayes.statistics import ClassStatistics, LengthStatistics

KINDS = {kind.__name__: kind for kind in (ClassStatistics, LengthStatistics)}
"""The kinds of sums, by name."""


@dataclass(frozen=True)
class Contents:
    """How texts become rows, and the sums that are needed.

    Workers load it without scikit-learn, which takes a second and a half to import.

    Parameters
    ----------
    counter : Stored
        A TextCounter, as model files have it. Its terms may be unknown still.
    transforms : tuple of CountTransform or None
        How counts become rows, for each of the sums; None where they are the rows.
    kind : class
        The kind of the sums.
    calibrates : bool
        Whether a sample of documents is needed.
    threads : int
        The number of threads that count.
    """

    counter: Stored
    transforms: tuple[CountTransform | None, ...] = (None,)
    kind: type[ClassStatistics] = ClassStatistics
    calibrates: bool = False
    threads: int = 1

    def store(self) -> Stored:
        """Return everything but the number of threads as a configuration and arrays."""
        settings = {"sums": len(self.transforms), "kind": self.kind.__name__, "calibrates": self.calibrates}
        stored = Stored(settings).with_part("counter", self.counter)
        for number, transform in enumerate(self.transforms):
            if transform is not None:
                stored = stored.with_part(f"transform{number}", transform.store())
        return stored

    @classmethod
    def restore(cls, stored: Stored, threads: int) -> Self:
        """Load what ``store`` returned."""
        transforms = (_transform(stored, f"transform{number}") for number in range(stored.size("sums")))
        kind = KINDS[stored.value("kind", str)]
        return cls(stored.part("counter"), tuple(transforms), kind, stored.value("calibrates", bool), threads)

    @cached_property
    def reader(self) -> TextReader:
        """Counts the terms of texts."""
        return replace(restore_reader(self.counter), threads=self.threads)

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The terms; empty for hashed columns, and as long as they are unknown."""
        return restore_vocabulary(self.counter) if "ends" in self.counter.arrays else Vocabulary()

    def widths(self) -> list[int]:
        """Return the number of columns of each of the sums."""
        counts = self.reader.width(self.vocabulary)
        return [counts if transform is None else transform.width for transform in self.transforms]

    def new_statistics(self, multilabel: bool) -> list[ClassStatistics]:
        """Return empty sums."""
        return [self.kind(width, multilabel) for width in self.widths()]

    def read_counts(self, texts: Any) -> Rows:
        """Count the terms of texts."""
        return self.reader.read(texts, self.vocabulary)

    def represented(self, counts: Rows) -> list[Rows]:
        """Return counts as the rows of each of the sums."""
        return [counts if transform is None else transform(counts) for transform in self.transforms]


def _transform(stored: Stored, name: str) -> CountTransform | None:
    return CountTransform.restore(stored.part(name)) if stored.has_part(name) else None
