"""One way to classify: a representation, a model and its parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline, make_pipeline

from textbayes.errors import ModelDamagedError, TextbayesError
from textbayes.estimators.auto.column_kinds import Kinds
from textbayes.estimators.auto.representation import Representation
from textbayes.estimators.base.storing import (
    ParameterReader,
    ParameterWriter,
    parameter_names,
    storable_value,
)
from textbayes.estimators.models.poisson_by_class import restore_choices, store_choices
from textbayes.estimators.models.variants import SEARCHED, VARIANTS, Variant
from textbayes.persistence import Stored

_INVALID = "the parameters of a candidate are invalid"


@storable_value
@dataclass(frozen=True)
class Candidate:
    """One way to classify: a representation, a model and its parameters.

    Parameters
    ----------
    kind : str
        Name of a variant that the search tries (``variants.SEARCHED``), such as "complement".
    representation : Representation
        How counts are transformed first.
    parameters : tuple of (name, value)
        Parameters of the model.

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
    def variant(self) -> Variant:
        """The row of the table of variants."""
        return VARIANTS[self.kind]

    @property
    def additive(self) -> bool:
        """Whether its statistics add, so that learning and forgetting are exact and change few weights.

        The factor of ``norm=True`` depends on every weight of a class, so it counts as not additive.
        """
        scaled = bool(dict(self.parameters).get("norm"))
        return self.variant.additive and self.representation.additive and not scaled

    @property
    def per_count(self) -> bool:
        """Whether a blend divides its scores by the sums of rows: models of sums of counts."""
        return self.variant.folds and self.variant.uses_sums

    @property
    def smoothing(self) -> float | None:
        """The value of its smoothing parameter."""
        name = self.variant.smoothing
        return None if name is None else dict(self.parameters).get(name)

    def with_parameters(self, **changed: Any) -> Candidate:
        """Return the same candidate with other parameters."""
        parameters = {**dict(self.parameters), **changed}
        return Candidate(self.kind, self.representation, tuple(sorted(parameters.items())))

    def with_smoothing(self, value: float) -> Candidate:
        """Return the same candidate with another smoothing."""
        return self.with_parameters(**{str(self.variant.smoothing): value})

    def model(self, random_state: int | None = None) -> Any:
        """Make the model."""
        return self.variant.make_candidate(dict(self.parameters), random_state)

    def pipeline(
        self, kinds: Kinds | None = None, width: int = 0, random_state: int | None = None
    ) -> Pipeline:
        """Make a scikit-learn pipeline of it.

        Parameters
        ----------
        kinds : array of int, optional
            The kinds of the columns; all are words by default.
        width : int
            Number of columns of the counts; needed if a share of them is selected.
        random_state : int, optional
            Seed of a random model.
        """
        kinds = np.zeros(width, dtype=np.uint8) if kinds is None else kinds
        return make_pipeline(*self.representation.steps(kinds, width), self.model(random_state))

    def to_dict(self) -> dict[str, Any]:
        """Return a dict of plain values, ready for JSON."""
        return {
            "kind": self.kind,
            "representation": asdict(self.representation),
            "parameters": dict(self.parameters),
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Candidate:
        """Make the candidate that ``to_dict`` described."""
        representation = dict(values["representation"])
        if representation.get("terms") is not None:
            representation["terms"] = tuple(representation["terms"])
        parameters = tuple(sorted((name, _tuples(value)) for name, value in values["parameters"].items()))
        return cls(values["kind"], Representation(**representation), parameters)

    def store(self) -> Stored:
        """Return the candidate as a configuration; settings by class, which may be many, as arrays."""
        given, writer = dict(self.parameters), ParameterWriter(estimators=False)
        choices = given.pop("choices", None)
        parameters = {name: writer.write(f"a candidate's {name!r}", value) for name, value in given.items()}
        representation = self.representation.store().configuration
        stored = Stored({"kind": self.kind, "parameters": parameters, "representation": representation})
        return stored if choices is None else stored.with_part("choices", store_choices(choices))

    @classmethod
    def restore(cls, stored: Stored) -> Candidate:
        """Load a candidate; refuse parameters that its model does not have."""
        kind, parameters = stored.value("kind", str), stored.value("parameters", dict)
        stored.check(kind in SEARCHED, f"{kind[:20]!r} is not a kind of model")
        reader = ParameterReader(stored, estimators=False)
        found = {name: reader.read(value) for name, value in parameters.items()}
        if stored.has_part("choices"):
            found["choices"] = restore_choices(stored.part("choices"))
        known = set(found) <= parameter_names(VARIANTS[kind].estimator)
        hashable = not any(isinstance(value, list | dict | set) for value in found.values())
        stored.check(known and hashable, _INVALID)
        values = Stored(stored.value("representation", dict), {}, stored.path)
        candidate = cls(kind, Representation.restore(values), tuple(sorted(found.items())))
        try:
            candidate.model().check_parameters()
        except ModelDamagedError:
            raise
        except (TextbayesError, TypeError, ValueError):
            stored.refuse(_INVALID)
        return candidate

    def __str__(self) -> str:
        model = self.model()
        # A model with a setting for each class would print them all. scikit-learn breaks long lines.
        name = model.summary() if hasattr(model, "summary") else " ".join(repr(model).split())
        return f"{name} on {self.representation}"


def _tuples(value: Any) -> Any:
    """Convert lists from JSON back to tuples."""
    return tuple(_tuples(item) for item in value) if isinstance(value, list | tuple) else value
