"""PNB*: a weighting and a smoothing for each class (Kim 2003, section 5's future work)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin

from textbayes.counts import Rows
from textbayes.estimators.base.changing import Forkable, changes, reads
from textbayes.estimators.base.storing import storable
from textbayes.estimators.models.poisson import PoissonNB
from textbayes.persistence import Stored
from textbayes.scores import Contributions
from textbayes.statistics import restore_labels, store_labels
from textbayes.weights.poisson import WEIGHTINGS

Reals = NDArray[np.float64]
Setting = tuple[str | None, float]
Choices = tuple[tuple[Any, str | None, float], ...]

# Weightings by number, as files have them.
_WEIGHTINGS = (None, *WEIGHTINGS)


@storable
class ClasswisePoissonNB(Forkable, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Poisson naive Bayes with a term weighting and a θ for each class.

    The statistics do not depend on either, so there is one copy.

    Parameters
    ----------
    choices : tuple of (label, weighting, theta)
        Settings of some classes.
    weighting, theta
        Settings of all other classes.
    """

    def __init__(
        self,
        choices: Choices = (),
        weighting: str | None = None,
        theta: float = 0.0003,
    ) -> None:
        self.choices = choices
        self.weighting = weighting
        self.theta = theta

    @changes
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from documents."""
        self._base = PoissonNB().fit(X, y, sample_weight)
        return self

    @changes
    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from more documents."""
        self._base.partial_fit(X, y, sample_weight=sample_weight)
        return self

    @changes
    def forget(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Forget documents."""
        self._base.forget(X, y, sample_weight)
        return self

    def fork(self) -> Self:
        """Return a model with its own sums."""
        twin = super().fork()
        if hasattr(self, "_base"):
            twin._base = self._base.fork()
        return twin

    @property
    def classes_(self) -> NDArray[Any]:
        """The labels, sorted."""
        return self._base.classes_

    @property
    def n_features_in_(self) -> int:
        """Number of terms."""
        return self._base.n_features_in_

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_base")

    @property
    def multilabel_(self) -> bool:
        """Whether labels were an indicator."""
        return self._base.multilabel_

    def check_parameters(self) -> None:
        """Raise an error that names the parameter when one cannot be used."""
        settings = [
            (self.weighting, self.theta),
            *((weighting, theta) for _, weighting, theta in self.choices),
        ]
        for weighting, theta in dict.fromkeys(settings):
            PoissonNB(theta=theta, weighting=weighting).check_parameters()

    def store(self) -> Stored:
        """Return what was learned, for a model file."""
        return Stored().with_part("sums", self._base.store()) if hasattr(self, "_base") else Stored()

    def restore(self, stored: Stored) -> None:
        """Load what ``store`` returned; refuse an invalid file."""
        if stored.has_part("sums"):
            base = PoissonNB()
            base.restore(stored.part("sums"))
            stored.check(base.__sklearn_is_fitted__(), "its sums are missing")
            self._base = base

    def settings(self) -> list[Setting]:
        """Return weighting and θ of each class."""
        own = {label: (weighting, theta) for label, weighting, theta in self.choices}
        return [own.get(label, (self.weighting, self.theta)) for label in self.classes_.tolist()]

    def summary(self) -> str:
        """Describe it in a line: how many classes have which setting."""
        count = Counter((weighting, theta) for _, weighting, theta in self.choices)
        parts = [
            f"{weighting}, θ={theta:g}: {classes}" for (weighting, theta), classes in count.most_common()
        ]
        parts.append(f"{self.weighting}, θ={self.theta:g}: the others")
        return f"PNB* ({'; '.join(parts)})"

    @reads
    def decision_function(self, X: Any) -> Reals:
        """Rank documents: z* of eq. 15, each class by its setting."""
        scores: Reals | None = None
        for model, own in self._models():
            found = model.decision_function(X)
            if found.ndim == 1:
                return found
            scores = np.empty_like(found) if scores is None else scores
            scores[:, own] = found[:, own]
        assert scores is not None
        return scores

    @reads
    def decision_contributions(self, row: Rows) -> Contributions:
        """Return what each entry of one row adds to decision_function, each class by its setting."""
        parts: Contributions | None = None
        for model, own in self._models():
            found = model.decision_contributions(row)
            if found.bias.size == 1:
                return found
            parts = found if parts is None else parts
            parts.bias[own], parts.entries[:, own] = found.bias[own], found.entries[:, own]
        assert parts is not None
        return parts

    def _models(self) -> Iterator[tuple[PoissonNB, list[int]]]:
        """Yield a model for each setting, and the classes that use it."""
        settings = self.settings()
        for setting in dict.fromkeys(settings):
            own = [at for at, other in enumerate(settings) if other == setting]
            yield PoissonNB(theta=setting[1], weighting=setting[0]).share_statistics(self._base), own


def store_choices(choices: Choices) -> Stored:
    """Return the settings of classes as arrays."""
    weightings = np.array([_WEIGHTINGS.index(weighting) for _, weighting, _ in choices], dtype=np.uint8)
    thetas = np.array([theta for *_, theta in choices], dtype=np.float64)
    labels = store_labels([label for label, *_ in choices], None)
    return Stored({}, {"weightings": weightings, "thetas": thetas}).with_part("labels", labels)


def restore_choices(stored: Stored) -> Choices:
    """Return the settings that ``store_choices`` gave, or refuse the file."""
    labels, _ = restore_labels(stored.part("labels"))
    weightings = stored.array("weightings", np.uint8, len(labels))
    thetas = stored.array("thetas", np.float64, len(labels))
    known = bool(np.all(weightings < len(_WEIGHTINGS)))
    stored.check(known and len(set(labels)) == len(labels), "the choices of its classes are invalid")
    names = [_WEIGHTINGS[number] for number in weightings.tolist()]
    return tuple(zip(labels, names, thetas.tolist(), strict=True))
