"""A recipe fitted on documents: one compiled weight table to answer with, and sums to learn with."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from textbayes._native import (
    BlendColumns,
    BlendSettings,
    CompiledWeights,
    CountedTable,
    available_threads,
)
from textbayes.counts import Frequencies
from textbayes.decisions import Blend
from textbayes.decisions.calibration import LARGEST
from textbayes.estimators.auto.column_kinds import Kinds
from textbayes.estimators.auto.fitted_blend import FittedBlend
from textbayes.estimators.auto.folding import FoldedMember, LearnedPart, fold_counted, fold_learned, lacking
from textbayes.estimators.auto.forms import BlendForms
from textbayes.estimators.auto.group import Group, places_of
from textbayes.estimators.auto.recipe import Recipe
from textbayes.estimators.auto.representation import Representation
from textbayes.estimators.base.borrowed import Reader
from textbayes.estimators.base.memory import release_memory
from textbayes.persistence import Stored
from textbayes.scores import CompiledScorer
from textbayes.statistics import ClassStatistics, DocumentStatistics, LabelledRows
from textbayes.statistics.lock import Lock
from textbayes.weights import RowForm, restore_compiled_weights, store_compiled_weights

Reals = NDArray[np.float64]
Live = tuple[BlendSettings, list[CountedTable]]

# The numbers of a part by slot.
_OF_SLOTS = ("bias", "centre", "slope")
_INVALID = "its compiled weights have settings that are out of range"


class CompiledBlend(FittedBlend):
    """A recipe whose members are linear, fitted and compiled.

    Scores come from a compiled table. After ``learn`` and ``forget``, the weights that follow from sums are
    computed from the changed sums. Document frequencies, mean lengths, selected terms and scales stay as
    ``fit`` found them, and fitted weights take one step towards each new document. The blend is settled if a
    fit on its documents would give the same weights.

    Parameters
    ----------
    recipe : Recipe
        The recipe.
    random_state : int
        Seed of members that visit documents in random order.
    precision : {16, 64}, default=16
        Bits of a compiled weight: half precision, or doubles.
    """

    learns = True

    def __init__(self, recipe: Recipe, random_state: int, precision: int = 16) -> None:
        super().__init__(recipe, random_state, precision)
        self._forms = BlendForms(recipe)
        self.is_settled = True
        self._kinds = np.zeros(0, dtype=np.uint8)
        self._documents, self._lengths = 0.0, [1.0] * len(self._forms.representations)
        self._scales: dict[int, Reals] = {}
        self._parts: list[LearnedPart] = []
        self._weights: CompiledWeights
        # What learning needs; after loading, made when first needed.
        self._groups: list[Group] | None = None
        self._members: list[FoldedMember] = []
        self._columns: BlendColumns | None = None
        # Whether sums have changed since the table was compiled.
        self._is_live = False
        self._scorer: CompiledScorer | None = None

    # Learning.

    def fit(self, documents: LabelledRows, kinds: Kinds) -> None:
        """Fit the members, and compile them. ``kinds`` are those of the columns."""
        self._start(documents)
        self._kinds = kinds
        self._compile([self._fitted_group(of, documents) for of in self._forms.representations])

    @property
    def representations(self) -> list[Representation]:
        """The representations of the members, each once."""
        return self._forms.representations

    def fit_groups(self, groups: list[Group], labels: ClassStatistics, kinds: Kinds) -> None:
        """Compile groups whose sums were added up elsewhere.

        Parameters
        ----------
        groups : list of Group
            A group for each of the ``representations``, with its sums. Members that learn from documents
            learn from those of ``Group.training``.
        labels : ClassStatistics
            The classes and their documents, over no columns, with the slots of all groups.
        kinds : array of int
            The kinds of the columns.
        """
        self._labels, self._kinds, self.is_stale = labels, kinds, False
        self._compile(groups)

    def _compile(self, groups: list[Group]) -> None:
        self._groups = groups
        self._documents = float(groups[0].frequencies.documents)
        self._lengths = [group.frequencies.length for group in groups]
        members = self._made_members(range(len(self.recipe.members)))
        self._parts = fold_learned(members, self._blend(), self._labels.order)
        for part in self._parts:
            part.mark_unseen(groups[self._forms.keys[part.form][0]].unseen_slots)
        self._columns = self._blend_columns()
        settings, counted = self._live(members)
        learned = [part.table() for part in self._parts]
        self._weights = CompiledWeights.compile(
            settings, self._forms.to_core(), counted, learned, available_threads(), self.precision
        )
        self._keep_sums(members)
        release_memory()

    def _fitted_group(self, representation: Representation, documents: LabelledRows) -> Group:
        own = [member for member in self.recipe.members if member.representation == representation]
        counted = all(member.variant.additive for member in own)
        kind = ClassStatistics if counted else DocumentStatistics
        return Group.fit(representation, documents, self._kinds, kind)

    def _made_members(self, numbers: Any) -> list[FoldedMember]:
        """Make the models of some members, over the sums of their groups."""
        assert self._groups is not None
        members = []
        for number in numbers:
            candidate, form = self.recipe.members[number], self._forms.of_member[number]
            at, per_count = self._forms.keys[form]
            scale = self._scales.get(number)
            made = candidate if scale is None else candidate.with_parameters(norm=False)
            statistics = self._groups[at].statistics_for(candidate.variant.additive)
            model = made.model(self.random_state).use_statistics(statistics)
            length = 1.0 if per_count else self._lengths[at]
            members.append(FoldedMember(candidate, number, at, form, length, per_count, model, scale))
        return members

    def _keep_sums(self, members: list[FoldedMember]) -> None:
        """Keep what learning needs: the sums of members that follow from them, and their scales."""
        assert self._groups is not None
        counted = [member for member in members if member.is_counted]
        for part in self._parts:
            part.pairs = []
        for member in counted:
            weights, _ = member.weights()
            if weights.scale.size:
                self._scales[member.number] = weights.scale
        used = {member.group for member in counted}
        for at, group in enumerate(self._groups):
            group.training = None
            group.statistics = group.statistics.sums_only() if at in used else self._labels
        self._members = self._made_members([member.number for member in counted])

    def learn(self, documents: LabelledRows, kinds: Kinds, read: Reader) -> None:
        """Learn more documents, which may have new classes and columns.

        Parameters
        ----------
        documents : LabelledRows
            The new documents.
        kinds : array of int
            The kinds of the columns.
        read : function without arguments
            Returns the documents learned before, if their sums are needed first.
        """
        groups = self._summed_groups(read)
        self._scorer, self._is_live = None, True
        self._grow(kinds)
        self._labels.add(documents.without_entries())
        for group in groups:
            group.learn(documents)
        self._step_towards(documents)
        self.is_settled = self.is_settled and self.recipe.additive

    def forget(self, documents: LabelledRows, read: Reader) -> None:
        """Forget documents; fitted weights do not change until the next fit."""
        groups = self._summed_groups(read)
        self._scorer, self._is_live = None, True
        for group in groups:
            group.forget(documents)
        self._labels.subtract(documents.without_entries())
        self.is_settled = self.is_settled and self.recipe.additive

    def prepare(self, read: Reader) -> None:
        """Sum the documents now, which the first change after loading would do."""
        self._summed_groups(read)

    def has_all(self, columns: NDArray[np.integer]) -> bool:
        """Return whether every class, and each of these terms, has a document left."""
        own = [(group, group.own_columns(columns)) for group in self._counted_groups()]
        return bool(self._labels.class_documents.all()) and all(
            group.statistics.has_all(places[places >= 0]) for group, places in own
        )

    def _counted_groups(self) -> list[Group]:
        """The groups whose sums are used."""
        assert self._groups is not None
        return [self._groups[at] for at in sorted({member.group for member in self._members})]

    def _summed_groups(self, read: Reader) -> list[Group]:
        """Return the groups with their sums; after loading, sum the documents first."""
        if self._groups is None:
            known = self._weights.frequencies()
            self._groups = [self._stored_group(at, known) for at in range(len(self._forms.representations))]
            counted = [at for at, member in enumerate(self.recipe.members) if member.variant.additive]
            self._columns, self._members = self._blend_columns(), self._made_members(counted)
            documents = read() if counted else None
            for group in self._counted_groups():
                group.learn(documents)  # type: ignore[arg-type]
        return self._counted_groups()

    def _stored_group(self, at: int, known: Reals) -> Group:
        """Return a group of a loaded blend, with its columns and their known frequencies, without sums."""
        form = next(form for form, (own, _) in enumerate(self._forms.keys) if own == at)
        used = self._weights.uses(form)
        frequencies = Frequencies(self._documents, known[used], self._lengths[at])
        statistics = ClassStatistics(int(used.sum()), self._labels.multilabel)
        # Classes have the same slots everywhere: those of the compiled table.
        statistics.reserve(self._labels)
        return Group(self._forms.representations[at], places_of(used), frequencies, statistics)

    def _grow(self, kinds: Kinds) -> None:
        """Make room for new columns."""
        assert self._groups is not None
        assert self._columns is not None
        new = kinds[len(self._columns) :]
        if len(new):
            self._kinds = kinds
            own = [group.widen(new) for group in self._groups]
            self._columns.grow(np.ones(len(new)), [own[at] for at in self._forms.mapped])

    def _step_towards(self, documents: LabelledRows) -> None:
        """Move fitted weights towards new documents, one step for each."""
        if not self._parts:
            return
        order, slots = self._labels.order, len(self._labels.class_documents)
        for part in self._parts:
            part.grow(slots)
        signs = np.where(self._labels.indicator_of(documents.targets), 1.0, -1.0)
        live, multilabel = self._live(self._members), self._labels.multilabel
        for row, sign in enumerate(signs):
            one = documents.rows.block(row, row + 1)
            scorer, moves = CompiledScorer(self._weights, len(order), live), []
            for table, part in enumerate(self._parts, start=self._forms.counted_tables):
                values = scorer.form_values(one, part.form)
                direction = part.direction(values, self._frequencies_of(part, one.columns))
                moves.append((table, direction, part.unit, float(values @ direction)))
            # A part that has none of the terms cannot move.
            moves = [move for move in moves if move[-1] > 0]
            unit = sum(move[2] for move in moves)
            lacks = lacking(scorer.scores(one)[0], sign, unit, multilabel)
            del scorer
            changes = [(table, way, lacks * own / unit / square) for table, way, own, square in moves]
            if changes and lacks.any():
                self._weights.add_outer(one.columns, order, changes)

    def _frequencies_of(self, part: LearnedPart, columns: NDArray[np.int32]) -> Reals:
        """Document frequencies of columns, as ``fit`` found them; 1 for a new column."""
        assert self._groups is not None
        group = self._groups[self._forms.keys[part.form][0]]
        own = group.own_columns(columns)
        found, known = np.ones(len(own)), (own >= 0) & (own < len(group.frequencies.documents_with))
        found[known] = group.frequencies.documents_with[own[known]]
        return found

    # Scoring.

    def scorer(self) -> CompiledScorer:
        """Return the scorer of rows."""
        with self.lock:
            if self._scorer is None:
                live = self._live(self._members) if self._is_live else None
                self._scorer = CompiledScorer(self._weights, len(self._labels.order), live)
            return self._scorer

    def _blend(self) -> Blend:
        return self.recipe.blend(self._labels.classes.tolist())

    def _blend_columns(self) -> BlendColumns:
        assert self._groups is not None
        frequencies, maps = np.ones(len(self._kinds)), []
        for at, group in enumerate(self._groups):
            places = np.arange(len(self._kinds), dtype=np.int32) if group.places is None else group.places
            used = places >= 0
            frequencies[used] = group.frequencies.documents_with
            if at in self._forms.mapped:
                maps.append(places)
        return BlendColumns(self._documents, frequencies, maps)

    def _live(self, members: list[FoldedMember]) -> Live:
        """Return columns and classes, and the tables of members whose weights follow from sums."""
        assert self._groups is not None
        assert self._columns is not None
        blend, order = self._blend(), self._labels.order
        counted = fold_counted(members, self._groups, blend, order, self._labels.multilabel)
        fitted = [(part.bias - part.centre)[order] for part in self._parts]
        slopes = [*counted.slopes, *(part.slope[order] for part in self._parts)]
        settings = BlendSettings(
            self._columns,
            order,
            np.sum([blend.biases, counted.bias, *fitted], axis=0),
            np.concatenate([*slopes, np.empty(0)]),
            np.concatenate([*counted.defaults, np.empty(0)]),
        )
        return settings, counted.tables

    def compiled(self) -> tuple[CompiledWeights, list[RowForm], float]:
        """Return the weights with all changes, the forms of a row, and the number of documents."""
        self._merge_changes()
        return self._weights, self._forms.row_forms, self._documents

    def with_columns(self, order: NDArray[np.uint32]) -> Self:
        """Return a copy whose columns are these columns, in this order; it sums again before it learns."""
        self._merge_changes()
        twin, state = self._without_sums(), self._weights.state()
        # Rows are found by number, so that only the numbers move.
        state["row_of"] = state["row_of"][order]
        twin._weights = CompiledWeights.from_state(state, self._forms.to_core(), self._documents)
        twin._kinds = self._kinds[order]
        return twin

    def _merge_changes(self) -> None:
        """Compile what has changed. Before and after it, scores are the same."""
        with self.lock:
            if self._is_live:
                live = self._live(self._members)
                self._weights = self._weights.recompiled(live, available_threads())
                self._is_live = False
                self._scorer = None

    def fork(self) -> Self:
        """Return a blend with its own sums and weights; this one drops its scorer, which holds them."""
        with self.lock:
            self._scorer = None
            twin = super().fork()
        twin.lock = Lock()
        twin._labels, twin._weights = self._labels.copy(), self._weights.copy()
        twin._parts = [replace(part) for part in self._parts]
        twin._scales = dict(self._scales)
        if self._groups is not None and self._columns is not None:
            twin._groups = [group.fork(self._labels, twin._labels) for group in self._groups]
            twin._columns = self._columns.copy()
            twin._members = twin._made_members([member.number for member in self._members])
        return twin

    def _without_sums(self) -> Self:
        twin = super().fork()
        twin._groups, twin._members, twin._columns, twin._scorer = None, [], None, None
        return twin

    # In a model file.

    def store(self) -> Stored:
        """Return the compiled weights, and what learning needs besides the documents."""
        self._merge_changes()
        parts = [[part.form, part.length, part.unit, part.C] for part in self._parts]
        settings = {"settled": self.is_settled, "lengths": self._lengths}
        scaled = {"scaled": sorted(self._scales), "learned": parts}
        arrays = {"scales_of_members": _joined(self._scales.values())}
        for name in _OF_SLOTS:
            arrays[f"learned_{name}"] = _joined(getattr(part, name) for part in self._parts)
        stored = Stored({**settings, **scaled}, arrays).with_part("labels", self._labels.store())
        weights = store_compiled_weights(self._weights, self._forms.row_forms, self._documents)
        return stored.with_part("weights", weights)

    def restore(self, stored: Stored, columns: int, kinds: Kinds) -> None:
        """Load what ``store`` returned; refuse an invalid file."""
        self._kinds, self.is_stale = kinds, False
        self._labels = ClassStatistics.restore(stored.part("labels"), 0)
        self.is_settled = stored.value("settled", bool)
        # The length is 0 if every term is in every document, and its idf is 0.
        self._lengths = [_number(stored, length, zero=True) for length in stored.value("lengths", list)]
        self._restore_scales(stored)
        self._restore_parts(stored)
        weights = stored.part("weights")
        self._weights = restore_compiled_weights(weights)
        self.precision = int(weights.array("precision", np.uint32, 1)[0])
        self._documents = weights.value("documents", float)
        fits = (
            len(self._lengths) == len(self._forms.representations)
            and weights.value("forms", list) == [list(form) for form in self._forms.row_forms]
            and self._weights.width == columns
            and np.array_equal(weights.array("order", np.uint32), self._labels.order)
        )
        stored.check(fits, "its compiled weights do not fit its recipe, its labels and its vocabulary")

    def _restore_scales(self, stored: Stored) -> None:
        numbers, slots = stored.value("scaled", list), len(self._labels.class_documents)
        flat = stored.array("scales_of_members", np.float64)
        members = {at for at, own in enumerate(self.recipe.members) if own.variant.additive}
        sound = set(map(str, numbers)) <= set(map(str, members)) and bool(np.all(np.abs(flat) <= LARGEST))
        stored.check(sound and len(flat) <= slots * len(numbers), _INVALID)
        each = len(flat) // max(len(numbers), 1)
        self._scales = {
            int(number): flat[each * at : each * (at + 1)].copy() for at, number in enumerate(numbers)
        }

    def _restore_parts(self, stored: Stored) -> None:
        found, slots = stored.value("learned", list), len(self._labels.class_documents)
        flat = [stored.array(f"learned_{name}", np.float64, slots * len(found)) for name in _OF_SLOTS]
        stored.check(all(bool(np.all(np.abs(values) <= LARGEST)) for values in flat), _INVALID)
        pairs = zip(self._forms.of_member, self.recipe.members, strict=True)
        expected = list(dict.fromkeys(form for form, own in pairs if not own.variant.additive))
        sound = all(isinstance(part, list) and len(part) == 4 for part in found)
        stored.check(sound and [part[0] for part in found] == expected, _INVALID)
        self._parts = []
        for at, (form, *numbers) in enumerate(found):
            length = _number(stored, numbers[0], zero=True)
            unit, C = (_number(stored, number) for number in numbers[1:])
            bias, centre, slope = (values[slots * at : slots * (at + 1)].copy() for values in flat)
            self._parts.append(LearnedPart(form, length, unit, C, bias, centre, slope))

    def __getstate__(self) -> dict[str, Any]:
        self._merge_changes()
        state = self._without_sums().__dict__
        return {**state, "_weights": self._weights.state()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._weights = CompiledWeights.from_state(state["_weights"], self._forms.to_core(), self._documents)


def _joined(parts: Iterable[Reals]) -> Reals:
    return np.concatenate([*parts, np.empty(0)])


def _number(stored: Stored, value: Any, zero: bool = False) -> float:
    sound = isinstance(value, float | int) and not isinstance(value, bool) and 0 <= value <= LARGEST
    stored.check(sound and (zero or value > 0), _INVALID)
    return float(value)
