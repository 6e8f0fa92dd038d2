"""The parts of a fitted scikit-learn pipeline of text."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted

from textbayes.errors import ParameterError
from textbayes.estimators.text.counter import TextCounter

_ALLOWED = "a fitted Pipeline of a TextCounter, transforms if any, and a classifier"


class TransformSteps(BaseEstimator):  # type: ignore[misc]
    """Several fitted transforms, one after the other, as one.

    Parameters
    ----------
    steps : list of transformers
        The transforms.
    """

    def __init__(self, steps: list[Any]) -> None:
        self.steps = steps

    @property
    def n_features_in_(self) -> int:
        """The number of columns of the counts."""
        return int(self.steps[0].n_features_in_)

    def transform(self, counts: Any) -> Any:
        """Transform counts."""
        for step in self.steps:
            counts = step.transform(counts)
        return counts

    def fit_transform(self, counts: Any, labels: Any = None) -> Any:
        """Learn from counts, and transform them."""
        for step in self.steps:
            counts = step.fit_transform(counts, labels)
        return counts

    def get_support(self, indices: bool = False) -> NDArray[Any]:
        """Return the columns that are kept: their numbers, or a mask."""
        columns: NDArray[Any] = np.arange(self.n_features_in_)
        for step in self.steps:
            columns = columns[step.get_support(indices=True)] if hasattr(step, "get_support") else columns
        if indices:
            return columns
        return np.isin(np.arange(self.n_features_in_), columns)

    def get_feature_names_out(self, names: Any) -> NDArray[Any]:
        """Return the terms of the columns that are kept."""
        kept: NDArray[Any] = np.asarray(names)[self.get_support(indices=True)]
        return kept


def parts_of_pipeline(pipeline: Any) -> tuple[TextCounter, Any, Any]:
    """Return the counter, the transform (None without one) and the classifier of a fitted pipeline.

    Examples
    --------
    >>> from sklearn.pipeline import make_pipeline
    >>> from textbayes import ComplementNB, TextCounter
    >>> from textbayes.estimators.text.pipelines import parts_of_pipeline
    >>> fitted = make_pipeline(TextCounter(), ComplementNB()).fit(["wheat corn", "crude oil"], [1, 2])
    >>> parts_of_pipeline(fitted)
    (TextCounter(), None, ComplementNB())
    """
    steps = [step for _, step in pipeline.steps] if isinstance(pipeline, Pipeline) else []
    if not steps or not isinstance(steps[0], TextCounter) or not hasattr(steps[-1], "predict"):
        first = type(steps[0]).__name__ if steps else type(pipeline).__name__
        why = f"It takes texts, and {first} does not turn texts into counts"
        if steps and isinstance(steps[0], TextCounter):
            why = f"It gives labels, and {type(steps[-1]).__name__} is no classifier"
        raise ParameterError("pipeline", pipeline, _ALLOWED, why)
    counter, *transforms, model = (step for step in steps if step is not None and step != "passthrough")
    for step in (counter, *transforms, model):
        try:
            check_is_fitted(step)
        except NotFittedError:
            why = f"Its {type(step).__name__} has not learned anything"
            raise ParameterError("pipeline", pipeline, _ALLOWED, why) from None
    if len(transforms) > 1:
        return counter, TransformSteps(transforms), model
    return counter, transforms[0] if transforms else None, model
