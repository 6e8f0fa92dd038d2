"""The recipe that AutoNB chose: candidates and how their scores are blended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from textbayes.decisions import Blend
from textbayes.decisions.calibration import LARGEST
from textbayes.decisions.isotonic import IsotonicMap
from textbayes.estimators.auto.candidate import Candidate
from textbayes.estimators.base.storing import storable_value
from textbayes.persistence import Stored
from textbayes.statistics import restore_labels, store_labels

if TYPE_CHECKING:
    from textbayes.estimators.auto.auto_nb import AutoNB


@storable_value
@dataclass(frozen=True)
class Recipe:
    """The choice of AutoNB: one candidate, or several and their blend.

    Parameters
    ----------
    members : tuple of Candidate
        Candidates whose scores are blended.
    weights : tuple of float
        Weight of each member.
    classes : tuple
        Labels of the biases.
    biases : tuple of float
        Bias of each class.
    centres, scales : tuple of tuple of float
        For each member and class, the number subtracted from the scores, and the divisor.
    per_count : tuple of bool
        For each member, whether its score is the mean contribution of a count (``scores_per_count``): without
        bias, divided by the sum of the row in the member's representation.
    by_document : bool, default=False
        Whether scores are standardised by document, as in recipes of older model files.
    chance : tuple of (float, float)
        Points of the map from the softmax of the best class to its probability; for several labels, from log
        odds to probabilities. Empty if there is none.

    Examples
    --------
    >>> from textbayes import AutoNB
    >>> X = [[3, 0, 1], [2, 1, 0], [0, 2, 1], [0, 3, 2], [1, 0, 3], [0, 1, 4]]
    >>> recipe = AutoNB(blend=False, random_state=0).fit(X, list("aabbcc")).recipe_
    >>> recipe.fit(X, list("aabbcc")).predict([[0, 0, 5]])
    array(['c'], dtype='<U1')
    """

    members: tuple[Candidate, ...]
    weights: tuple[float, ...]
    classes: tuple[Any, ...]
    biases: tuple[float, ...]
    centres: tuple[tuple[float, ...], ...]
    scales: tuple[tuple[float, ...], ...]
    per_count: tuple[bool, ...]
    by_document: bool = False
    chance: tuple[tuple[float, float], ...] = ()

    @classmethod
    def of(
        cls, members: Sequence[Candidate], blend: Blend, classes: NDArray[Any], per_count: Sequence[bool]
    ) -> Recipe:
        """Make a recipe of members and their blend; members without weight are left out."""
        kept = np.flatnonzero(blend.weights > 0).tolist() or list(range(len(members)))
        return cls(
            tuple(members[place] for place in kept),
            tuple(blend.weights[kept].tolist()),
            tuple(classes.tolist()),
            tuple(blend.biases.tolist()),
            tuple(map(tuple, blend.centres[kept].tolist())),
            tuple(map(tuple, blend.scales[kept].tolist())),
            tuple(bool(per_count[place]) for place in kept),
            chance=tuple(zip(blend.chance.points.tolist(), blend.chance.levels.tolist(), strict=True)),
        )

    def with_names(self) -> Recipe:
        """Return the recipe with labels in place of class numbers in settings by class."""
        return replace(self, members=tuple(_named(member, self.classes) for member in self.members))

    @property
    def uses_characters(self) -> bool:
        """Whether a member uses character n-grams."""
        return any(member.representation.columns == "characters" for member in self.members)

    @property
    def additive(self) -> bool:
        """Whether the statistics of every member add."""
        return all(member.additive for member in self.members)

    def blend(self, classes: Sequence[Any]) -> Blend:
        """Return the blend for these classes. A class unknown to the recipe has bias 0."""
        place = {label: at for at, label in enumerate(self.classes)}
        # Position −1 is for classes unknown to the recipe: no bias, and the means of the others.
        known = [place.get(label, -1) for label in classes]
        shape = (len(self.members), len(self.classes))
        centres, scales = (np.array(of).reshape(shape) for of in (self.centres, self.scales))
        centres, scales = (np.column_stack([of, of.mean(axis=1)])[:, known] for of in (centres, scales))
        biases = np.append(self.biases, 0.0)[known]
        return Blend(np.array(self.weights), biases, scales, centres, self.by_document, self.chance_map)

    @cached_property
    def chance_map(self) -> IsotonicMap:
        """The map to probabilities, made of its points."""
        points = np.array(self.chance, dtype=np.float64).reshape(-1, 2)
        return IsotonicMap(points[:, 0].copy(), points[:, 1].copy())

    def fit(self, X: Any, y: Any, terms: Any = None, random_state: Any = None) -> AutoNB:
        """Fit this recipe on other documents, without a search.

        Parameters
        ----------
        X, y
            Counts and labels.
        terms, random_state
            As for AutoNB.
        """
        from textbayes.estimators.auto.auto_nb import AutoNB

        return AutoNB(candidates=self, terms=terms, random_state=random_state).fit(X, y)

    def to_dict(self) -> dict[str, Any]:
        """Return a dict of plain values, ready for JSON."""
        return {
            "members": [member.to_dict() for member in self.members],
            "weights": list(self.weights),
            "classes": list(self.classes),
            "biases": list(self.biases),
            "centres": [list(centres) for centres in self.centres],
            "scales": [list(scales) for scales in self.scales],
            "per_count": list(self.per_count),
            "by_document": self.by_document,
            "chance": [list(point) for point in self.chance],
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Recipe:
        """Make the recipe that ``to_dict`` described."""
        return cls(
            members=tuple(Candidate.from_dict(member) for member in values["members"]),
            weights=tuple(values["weights"]),
            classes=tuple(values["classes"]),
            biases=tuple(values["biases"]),
            centres=tuple(map(tuple, values["centres"])),
            scales=tuple(map(tuple, values["scales"])),
            per_count=tuple(values["per_count"]),
            by_document=values.get("by_document", False),
            chance=tuple(map(tuple, values.get("chance", ()))),
        )

    def store(self) -> Stored:
        """Return the recipe as a configuration and arrays."""
        arrays = {
            "weights": _reals(self.weights),
            "biases": _reals(self.biases),
            "centres": _reals(self.centres).ravel(),
            "scales": _reals(self.scales).ravel(),
        }
        if self.chance:
            chance = self.chance_map
            arrays |= {"chance_points": chance.points, "chance_levels": chance.levels}
        settings = {"per_count": list(self.per_count), "by_document": self.by_document}
        stored = Stored({"members": len(self.members), **settings}, arrays)
        stored = stored.with_part("labels", store_labels(list(self.classes), None))
        for number, member in enumerate(self.members):
            stored = stored.with_part(f"member{number}", member.store())
        return stored

    @classmethod
    def restore(cls, stored: Stored) -> Recipe:
        """Load a recipe."""
        # The file has an array of weights, so their number bounds the number of members in the header.
        weights = stored.array("weights", np.float64)
        size = stored.size("members")
        stored.check(
            0 < size == len(weights), "the number of members of its recipe is not the number of their weights"
        )
        members = tuple(Candidate.restore(stored.part(f"member{number}")) for number in range(size))
        labels, _ = restore_labels(stored.part("labels"))
        biases = stored.array("biases", np.float64, len(labels))
        centres = stored.array("centres", np.float64, size * len(labels))
        scales = stored.array("scales", np.float64, size * len(labels))
        sound = (
            all(bool(np.all(np.abs(array) <= LARGEST)) for array in (weights, biases, centres, scales))
            and bool(np.all(weights >= 0) and np.all(scales >= 1.0 / LARGEST))
            and len(set(labels)) == len(labels)
        )
        stored.check(sound, "the blend of its recipe is invalid")
        shape, per_count = (size, len(labels)), stored.value("per_count", list)
        divisible = len(per_count) == size and all(
            given is False or (given is True and member.per_count)
            for given, member in zip(per_count, members, strict=True)
        )
        stored.check(divisible, "the blend of its recipe divides scores that are not linear")
        chance = IsotonicMap.restore(stored, "chance_points", "chance_levels", -LARGEST, LARGEST)
        return cls(
            members,
            tuple(weights.tolist()),
            tuple(labels),
            tuple(biases.tolist()),
            _tuples(centres, shape),
            _tuples(scales, shape),
            tuple(per_count),
            stored.value("by_document", bool),
            tuple(zip(chance.points.tolist(), chance.levels.tolist(), strict=True)),
        )

    def summary(self) -> str:
        """Describe it in a line: the kinds of model in the blend, with their weights.

        Examples
        --------
        >>> from textbayes import AutoNB
        >>> X, y = [[3, 0, 1], [2, 1, 0], [0, 2, 1], [0, 3, 2]], list("aabb")
        >>> AutoNB(candidates=["multinomial", "centroid"], random_state=0).fit(X, y).recipe_.summary()
        'a blend of 2: 50% centroid, 50% multinomial'
        """
        if len(self.members) == 1:
            return str(self.members[0])
        total, shares = sum(self.weights) or 1.0, dict.fromkeys((one.kind for one in self.members), 0.0)
        for weight, member in zip(self.weights, self.members, strict=True):
            shares[member.kind] += weight / total
        kinds = ", ".join(f"{shares[kind]:.0%} {kind}" for kind in sorted(shares, key=lambda of: -shares[of]))
        return f"a blend of {len(self.members)}: {kinds}"

    def __str__(self) -> str:
        if len(self.members) == 1:
            return str(self.members[0])
        total = sum(self.weights) or 1.0
        lines = [
            f"{weight / total:6.1%}  {member}"
            for weight, member in sorted(
                zip(self.weights, self.members, strict=True), key=lambda pair: -pair[0]
            )
        ]
        return "\n".join(lines)


def _reals(values: Any) -> NDArray[np.float64]:
    return np.asarray(values, dtype=np.float64)


def _tuples(values: NDArray[np.float64], shape: tuple[int, int]) -> tuple[tuple[float, ...], ...]:
    return tuple(map(tuple, values.reshape(shape).tolist()))


def _named(member: Candidate, classes: Sequence[Any]) -> Candidate:
    choices = dict(member.parameters).get("choices")
    if not choices:
        return member
    return member.with_parameters(choices=tuple((classes[number], *own) for number, *own in choices))
