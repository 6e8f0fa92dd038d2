"""The results of every model in every run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from textbayes.evaluation.collection import Collection
from textbayes.evaluation.protocols import Run
from textbayes.measures import indicator_of, shares

Reals = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Result:
    """The result of one model in one run."""

    model: str
    run: Run = field(repr=False)
    values: dict[str, float]
    per_class: dict[str, list[float | None]] = field(repr=False)
    decided: list[list[int]] = field(repr=False)
    seconds: float

    def figures(self, metric: str) -> Reals:
        """Return the figure of each class; NaN for none."""
        return np.array(self.per_class[metric], dtype=np.float64)

    def record(self) -> dict[str, Any]:
        """Return the record of the run for exports."""
        return {
            "model": self.model,
            "run": self.run.name,
            "documents_per_class": self.run.documents_per_class,
            "train": len(self.run.train),
            "test": len(self.run.test),
            "seconds": self.seconds,
            **self.values,
        }


@dataclass(frozen=True)
class Results(Sequence[Result]):
    """All results, with their documents.

    Where a method takes a point of a learning curve, None means all points.
    """

    collection: Collection
    results: tuple[Result, ...]

    def __len__(self) -> int:
        return len(self.results)

    def __getitem__(self, at: Any) -> Any:
        return self.results[at]

    @property
    def models(self) -> tuple[str, ...]:
        """The names of the models, in order."""
        return tuple(dict.fromkeys(result.model for result in self.results))

    @property
    def points(self) -> tuple[int | None, ...]:
        """The points of a learning curve; ``(None,)`` for other protocols."""
        return tuple(dict.fromkeys(result.run.documents_per_class for result in self.results))

    @property
    def documents(self) -> int:
        """The number of documents in training or test sides; a split may leave some out."""
        sides = [side for result in self.results for side in (result.run.train, result.run.test)]
        return len(np.unique(np.concatenate(sides)))

    def of(self, model: str, point: int | None = None) -> list[Result]:
        """Return the results of a model."""
        return [
            result
            for result in self.results
            if result.model == model and point in (None, result.run.documents_per_class)
        ]

    def values(self, model: str, metric: str, point: int | None = None) -> Reals:
        """Return the figure of a model in every run."""
        return np.array([result.values[metric] for result in self.of(model, point)])

    def per_class(self, model: str, metric: str, point: int | None = None) -> Reals:
        """Return the mean figure of each class over the runs where it has one."""
        figures = np.array([result.figures(metric) for result in self.of(model, point)])
        some = ~np.isnan(figures)
        return shares(np.where(some, figures, 0.0).sum(axis=0), some.sum(axis=0))

    def indicators(self, result: Result) -> tuple[sparse.csr_array, sparse.csr_array]:
        """Return the truth and the decisions of a run as indicators."""
        return self._indicator(self.collection.codes_of(result.run.test)), self._indicator(result.decided)

    def decisions(self, model: str, point: int | None = None) -> tuple[Any, Any]:
        """Return the truth and the decisions over all runs: labels, or indicators."""
        results = self.of(model, point)
        truth = [codes for result in results for codes in self.collection.codes_of(result.run.test)]
        decided = [codes for result in results for codes in result.decided]
        if self.collection.multilabel:
            return self._indicator(truth), self._indicator(decided)
        return self._labels(truth), self._labels(decided)

    def _indicator(self, codes: Sequence[Sequence[int]]) -> sparse.csr_array:
        return indicator_of(codes, len(self.collection.classes))

    def _labels(self, codes: Sequence[Sequence[int]]) -> NDArray[Any]:
        # None if a model did not decide.
        return np.array([self.collection.classes[each[0]] if each else None for each in codes], dtype=object)
