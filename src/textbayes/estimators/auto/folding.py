"""Fold the members of a blend into tables, one for each representation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from textbayes._native import CountedTable, LearnedTable, Rule
from textbayes.decisions import Blend
from textbayes.estimators.auto.candidate import Candidate
from textbayes.estimators.auto.group import Group
from textbayes.statistics import ClassStatistics
from textbayes.weights import LinearWeights, TermDefault

Reals = NDArray[np.float64]
Slots = NDArray[np.uint32]

# The margin that a document should have after a warm update; classes that lack less than a part are left out.
_MARGIN = 1.0
_LEAST_STEP = 0.1


@dataclass(eq=False)
class FoldedMember:
    """A member of a blend, over the sums of its group.

    Parameters
    ----------
    candidate : Candidate
        The candidate.
    number : int
        Its number in the recipe.
    group : int
        The number of its group.
    form : int
        The number of the form in which it scores rows.
    length : float
        The length of its rows, divided by the length of the form's rows.
    per_count : bool
        Whether its scores are the mean contribution of a count, without bias.
    model : classifier
        The model, over the statistics of the group.
    scale : array, optional
        The scale of each slot, for a model that divides its weights by a sum over all terms. It stays until
        the next fit, because one document would change the scale of every class.
    """

    candidate: Candidate
    number: int
    group: int
    form: int
    length: float
    per_count: bool
    model: Any
    scale: Reals | None = None

    @property
    def is_counted(self) -> bool:
        """Whether its weights follow from sums; if not, they were fitted in rounds."""
        return self.candidate.variant.additive

    def weights(self) -> tuple[LinearWeights, ClassStatistics]:
        """Return the weights, by slot, and the statistics with their pairs."""
        weights, statistics = self.model.linear_weights()
        if self.scale is not None:
            # A new class has the mean scale of the others.
            new = np.full(len(weights.bias) - len(self.scale), self.scale.mean())
            weights = replace(weights, scale=np.concatenate([self.scale, new]))
        return weights, statistics


class Share(NamedTuple):
    """The part of one member in the scores of a blend, over the classes in order."""

    bias: Reals
    slope: Reals
    factor: Reals

    @classmethod
    def of(cls, member: FoldedMember, weights: LinearWeights, blend: Blend, order: Slots) -> Share:
        """Return what a member adds: a bias, a slope, and a factor of its pairs and defaults."""
        own = blend.weights[member.number] / blend.scales[member.number]
        factor = own * weights.scale[order] if weights.scale.size else own + 0.0
        slope = np.zeros(len(order))
        if weights.slope.size:
            slope = factor * weights.slope[order] * member.length
        bias = 0.0 if member.per_count else weights.bias[order]
        return cls(own * (bias - blend.centres[member.number]), slope, factor)


@dataclass(eq=False)
class Counted:
    """The tables of members whose weights follow from sums.

    Parameters
    ----------
    tables : list of CountedTable
        One for each form of such members.
    bias : array of shape (classes,)
        The sum of the members' biases.
    slopes : list of array of shape (classes,)
        The slopes of each table.
    defaults : list of array of shape (classes,)
        The factors of each default: see :class:`LinearWeights`.
    """

    tables: list[CountedTable]
    bias: Reals
    slopes: list[Reals]
    defaults: list[Reals]


def fold_counted(
    members: Sequence[FoldedMember], groups: Sequence[Group], blend: Blend, order: Slots, multilabel: bool
) -> Counted:
    """Fold the members whose weights follow from sums.

    With one label per document, what a term adds to all classes alike is left out: it changes no decision and
    no probability.
    """
    folded = Counted([], np.zeros(len(order)), [], [])
    for form in dict.fromkeys(member.form for member in members if member.is_counted):
        own = [member for member in members if member.is_counted and member.form == form]
        rules, slope = [], np.zeros(len(order))
        for member in own:
            weights, _ = member.weights()
            share = Share.of(member, weights, blend, order)
            folded.bias += share.bias
            slope += share.slope
            default = weights.default if isinstance(weights.default, TermDefault) else None
            # Factors that should be equal may differ by rounding, such as the mean for a new class.
            largest = share.factor.max(initial=0.0)
            equal = largest - share.factor.min(initial=largest) <= 1e-9 * largest
            if default is not None and (multilabel or not equal):
                place = len(folded.defaults)
                folded.defaults.append(share.factor * member.length)
            else:
                default, place = None, -1
            factor = by_slot(share.factor, order, len(weights.bias))
            rules.append(_rule(factor, weights, default, place))
        sums = groups[own[0].group].statistics.sums
        folded.tables.append(CountedTable(form, sums, rules, own[0].length))
        folded.slopes.append(slope)
    return folded


def _rule(factor: Reals, weights: LinearWeights, default: TermDefault | None, place: int) -> Rule:
    of_pairs = (weights.class_factors, weights.complement_alpha, weights.linear_factors)
    return Rule(factor, *of_pairs, None if default is None else (default.kind, default.alpha), place)


@dataclass(eq=False)
class LearnedPart:
    """A table of fitted weights, as a warm update needs to know it.

    Parameters
    ----------
    form : int
        The number of its form.
    length : float
        The length of its rows.
    unit : float
        What a margin of 1 is worth in the blend.
    C : float
        The penalty on errors of its support vector machines; 1 without any.
    bias, centre : array of shape (slots,)
        The biases of its members in the blend, and what is subtracted from their scores.
    slope : array of shape (slots,)
        Their slopes.
    """

    form: int
    length: float
    unit: float
    C: float
    bias: Reals
    centre: Reals
    slope: Reals
    pairs: list[Any] = field(default_factory=list)

    def grow(self, slots: int) -> None:
        """Add slots of new classes: without a document, a class has a margin of −1."""
        new = np.zeros(slots - len(self.bias))
        self.bias = np.concatenate([self.bias, new - self.unit])
        self.centre = np.concatenate([self.centre, new])
        self.slope = np.concatenate([self.slope, new])

    def mark_unseen(self, slots: Slots) -> None:
        """Give classes that no training document had a margin of −1."""
        self.bias[slots] = -self.unit

    def direction(self, values: Reals, frequencies: Reals) -> Reals:
        """Return how far a document moves the weights of its terms, by their values and document frequencies.

        The weights of frequent terms hardly move: many other documents hold them in place. The values are
        divided by the diagonal of the Hessian of the squared hinge, 1 + 2C Σx², as if every document with a
        term had the mean square of this one. All documents hold the bias, so it does not move.
        """
        squares = (self.length * values) ** 2
        typical = float(squares.sum()) / max(int(np.count_nonzero(squares)), 1)
        return np.asarray(values / (1.0 + 2.0 * self.C * typical * np.maximum(frequencies - 1.0, 0.0)))

    def table(self) -> LearnedTable:
        """Return the table, for the core."""
        return LearnedTable(self.form, self.length, self.pairs)


def fold_learned(members: Sequence[FoldedMember], blend: Blend, order: Slots) -> list[LearnedPart]:
    """Fold the members whose weights were fitted."""
    parts: dict[int, LearnedPart] = {}
    for member in members:
        if member.is_counted:
            continue
        weights, statistics = member.weights()
        slots = len(weights.bias)
        part = parts.get(member.form)
        if part is None:
            zeros = np.zeros(slots)
            part = LearnedPart(member.form, member.length, 0.0, 1.0, zeros, zeros.copy(), zeros.copy())
            parts[member.form] = part
        own = blend.weights[member.number] / blend.scales[member.number]
        share = Share.of(member, weights, blend, order)
        part.unit += float(np.mean(own))
        part.C = float(getattr(member.model, "C", part.C))
        part.bias += by_slot(own * weights.bias[order], order, slots)
        part.centre += by_slot(own * blend.centres[member.number], order, slots)
        part.slope += by_slot(share.slope, order, slots)
        state = statistics.sums.state()
        values = weights.to_core(statistics).corrections(statistics.sums)
        factor = by_slot(share.factor, order, slots)
        part.pairs.append((factor, state["pair_starts"], state["pair_classes"], values))
    return list(parts.values())


def lacking(scores: Reals, signs: Reals, unit: float, multilabel: bool) -> Reals:
    """Return how far the scores of a document are from its labels, by class.

    With one label, its class should lead every other by a margin. It rises by half of what its lead over the
    best other class lacks, and the others fall as far as needed. With several labels, every score should be
    that far above or below 0.

    Parameters
    ----------
    scores : array of shape (classes,)
        The scores of the document.
    signs : array of shape (classes,)
        1 for its own classes, −1 for the others.
    unit : float
        What a margin of 1 is worth in the scores.
    multilabel : bool
        Whether documents have several labels.

    Examples
    --------
    >>> import numpy as np
    >>> from textbayes.estimators.auto.folding import lacking
    >>> lacking(np.array([0.5, 2.0, 1.0]), np.array([1.0, -1.0, -1.0]), 1.0, False)
    array([ 1.25, -1.25, -0.25])
    """
    found, own = np.zeros(len(scores)), signs > 0
    if multilabel:
        found = np.maximum(_MARGIN * unit - signs * scores, 0.0)
    elif not own.all():
        score, best = float(scores[own].min()), float(scores[~own].max())
        rise = max(_MARGIN * unit - (score - best), 0.0) / 2
        found = np.where(own, rise, np.maximum(scores - (score + rise - _MARGIN * unit), 0.0))
    return np.where(found < _LEAST_STEP * unit, 0.0, signs * found)


def by_slot(values: Reals, order: Slots, slots: int) -> Reals:
    """Values of classes in order → by slot; 0 for a slot without documents."""
    found = np.zeros(slots)
    found[order] = values
    return found
