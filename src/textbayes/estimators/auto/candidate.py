"""One way to classify: a representation, a model and its parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.pipeline import Pipeline, make_pipeline

from textbayes.estimators.auto.classwise import ClasswisePoissonNB
from textbayes.estimators.auto.representation import Representation
from textbayes.estimators.models.centroid import CentroidClassifier
from textbayes.estimators.models.complement import ComplementNB
from textbayes.estimators.models.discriminative import DiscriminativeNB
from textbayes.estimators.models.linear_svm import LinearSVM
from textbayes.estimators.models.mixture import PoissonMixtureNB
from textbayes.estimators.models.multinomial import MultinomialNB
from textbayes.estimators.models.poisson import PoissonNB


class Kind(NamedTuple):
    """A model to choose from.

    Parameters
    ----------
    model : class
        The estimator.
    fixed : dict
        Parameters that make it this kind.
    smoothing : str or None
        The parameter that is searched on a grid.
    adds : bool
        Whether its statistics add.
    seeded : bool
        Whether it takes a random_state.
    closed : bool
        Whether its leave-one-out scores have a closed form.
    by_length : bool
        Whether a document's length is part of its statistics: it is then left out as a whole only.
    judged : dict
        Parameters that take less time, and serve for being judged.
    """

    model: type[Any]
    fixed: Mapping[str, Any] = {}
    smoothing: str | None = None
    adds: bool = True
    seeded: bool = False
    closed: bool = True
    by_length: bool = False
    judged: Mapping[str, Any] = {}


KINDS = {
    "multinomial": Kind(MultinomialNB, smoothing="alpha"),
    "complement": Kind(ComplementNB, smoothing="alpha"),
    "one-vs-all": Kind(ComplementNB, {"against": "class"}, smoothing="alpha"),
    "all-vs-rest": Kind(ComplementNB, {"against": "all"}, smoothing="alpha"),
    "centroid": Kind(CentroidClassifier),
    "poisson": Kind(PoissonNB, smoothing="theta", by_length=True),
    "poisson-by-class": Kind(ClasswisePoissonNB, closed=False, by_length=True),
    "discriminative": Kind(
        DiscriminativeNB,
        {"against": "rest", "max_iter": 1, "block_size": 1, "orders": 3},
        smoothing="alpha",
        adds=False,
        seeded=True,
        closed=False,
        judged={"orders": 1},
    ),
    "linear-svm": Kind(
        LinearSVM,
        {"max_iter": 20},
        smoothing="C",
        adds=False,
        seeded=True,
        closed=False,
        judged={"max_iter": 10},
    ),
    "mixture": Kind(PoissonMixtureNB, smoothing="background", adds=False, seeded=True, closed=False),
}


@dataclass(frozen=True)
class Candidate:
    """One way to classify: a representation, a model and its parameters.

    Parameters
    ----------
    kind : str
        "multinomial", "complement" (Rennie's eq. 6), "one-vs-all" (eq. 7), "all-vs-rest" (eq. 8), "centroid",
        "poisson", "poisson-by-class" (PNB*), "discriminative", "linear-svm" or "mixture".
    representation : Representation
        What becomes of the counts first.
    parameters : tuple of (name, value)
        Of the model.

    Examples
    --------
    >>> from textbayes.estimators.auto import Candidate, Representation
    >>> candidate = Candidate("multinomial", Representation(log=True), (("alpha", 0.1),))
    >>> print(candidate)
    MultinomialNB(alpha=0.1) on log
    >>> candidate.pipeline()
    Pipeline(steps=[('frequencytransform',
                     FrequencyTransform(idf=False, length=None)),
                    ('multinomialnb', MultinomialNB(alpha=0.1))])
    """

    kind: str
    representation: Representation = field(default_factory=Representation)
    parameters: tuple[tuple[str, Any], ...] = ()

    @property
    def adds(self) -> bool:
        """Whether its statistics add, so that learning and forgetting are exact additions."""
        return KINDS[self.kind].adds and self.representation.adds

    @property
    def smoothing(self) -> float | None:
        """The value of its smoothing parameter."""
        name = KINDS[self.kind].smoothing
        return None if name is None else dict(self.parameters).get(name)

    def with_parameters(self, **changed: Any) -> Candidate:
        """Return the same candidate with other parameters."""
        parameters = {**dict(self.parameters), **changed}
        return Candidate(self.kind, self.representation, tuple(sorted(parameters.items())))

    def with_smoothing(self, value: float) -> Candidate:
        """Return the same candidate with another smoothing."""
        return self.with_parameters(**{str(KINDS[self.kind].smoothing): value})

    def model(self, random_state: int | None = None) -> Any:
        """Make the model."""
        kind = KINDS[self.kind]
        seed = {"random_state": random_state} if kind.seeded else {}
        return kind.model(**{**kind.fixed, **dict(self.parameters), **seed})

    def pipeline(
        self, pairs: NDArray[np.bool_] | None = None, width: int = 0, random_state: int | None = None
    ) -> Pipeline:
        """Make a scikit-learn pipeline of it.

        Parameters
        ----------
        pairs : array of bool, optional
            Which columns are word pairs.
        width : int
            How many columns the counts have; needed where a share of them is kept.
        random_state : int, optional
            For a model that is random.
        """
        pairs = np.zeros(0, dtype=bool) if pairs is None else pairs
        return make_pipeline(*self.representation.steps(pairs, width), self.model(random_state))

    def to_dict(self) -> dict[str, Any]:
        """Return plain values that JSON can hold."""
        return {
            "kind": self.kind,
            "representation": asdict(self.representation),
            "parameters": dict(self.parameters),
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Candidate:
        """Make a candidate of what ``to_dict`` gave."""
        representation = dict(values["representation"])
        if representation.get("terms") is not None:
            representation["terms"] = tuple(representation["terms"])
        parameters = tuple(sorted((name, _tuples(value)) for name, value in values["parameters"].items()))
        return cls(values["kind"], Representation(**representation), parameters)

    def __str__(self) -> str:
        model = self.model()
        if isinstance(model, ClasswisePoissonNB):
            return f"PNB* ({model.summary()}) on {self.representation}"
        # scikit-learn breaks long lines.
        return f"{' '.join(repr(model).split())} on {self.representation}"


def _tuples(value: Any) -> Any:
    """JSON's lists → the tuples that they were."""
    return tuple(_tuples(item) for item in value) if isinstance(value, list | tuple) else value
