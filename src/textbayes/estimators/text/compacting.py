"""Text classifier → compact classifier: fewer terms, weights in fewer bits, no documents."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from textbayes._native import CompiledWeights, Vocabulary
from textbayes.answering import CompactClassifier, Compaction, CompactParts
from textbayes.counts import Rows, select_columns
from textbayes.decisions import Tuned
from textbayes.errors import ParameterConflictError, ParameterError
from textbayes.errors.checks import check_number, check_whole
from textbayes.estimators.auto.compiled_blend import CompiledBlend
from textbayes.estimators.base.storing import store_estimator
from textbayes.estimators.text.compact_source import CompactSource, compact_source
from textbayes.estimators.text.text_model import TextModel
from textbayes.measures import draw_share, f1_of_counts, shuffled_strata
from textbayes.persistence import model_file_size
from textbayes.scores import CompiledScorer
from textbayes.statistics import LabelledRows
from textbayes.weights import RowForm

Reals = NDArray[np.float64]
DEFAULT_LOSS = 0.002
"""The loss of macro F1 that ``compact`` allows by default."""

_HELD_OUT = 0.2
_SEED = 0
# Terms are ranked by importance / frequency ** power. Which power is better depends on the corpus: see
# experiments/compact.py.
_POWERS = (0.5, 1.0)
# The least weight in steps, if that is possible.
_LEAST = 2
# Shares of terms are bisected between 2 ** -_HALVINGS and 1, so often.
_HALVINGS = 12
_BISECTIONS = 8
# Scales of tables are means over this many documents.
_MEASURED = 1000
# Decisions for several labels are compared for this many documents and classes at once.
_BLOCK = 1 << 22
# At most this many are measured.
_MOST_DECISIONS = 1 << 26
_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "ki": 2**10, "mi": 2**20, "gi": 2**30}
_SIZE = re.compile(r"([0-9]+(?:\.[0-9]+)?|\.[0-9]+)\s*((?:[kmg]i?)?)b?", re.IGNORECASE)


def compact_model(
    learned: TextModel, max_loss: float | None = None, size: int | str | None = None
) -> CompactClassifier:
    """Compact a model: see :meth:`textbayes.TextClassifier.compact`."""
    if max_loss is not None and size is not None:
        raise ParameterConflictError("max_loss", max_loss, "size", size, "One of them sets the other")
    most = None if size is None else bytes_of(size)
    allowed = check_number("max_loss", DEFAULT_LOSS if max_loss is None else max_loss, least=0, most=1)
    source = compact_source(learned)
    whole, held_out = _Whole(learned, source), _HeldOut.of(source)
    cut = _smallest_cut(held_out, allowed) if most is None else _best_cut(held_out, whole, most, size)
    return whole.compacted(cut, held_out)


def bytes_of(size: Any) -> int:
    """Return a size in bytes: a whole number, or a string such as "5MB", "300 kB" or "1.5MiB".

    Examples
    --------
    >>> from textbayes.estimators.text.compacting import bytes_of
    >>> bytes_of("5MB"), bytes_of("1.5 MiB"), bytes_of(4096)
    (5000000, 1572864, 4096)
    """
    allowed = 'bytes, as a whole number above 0 or with a unit, such as "5MB", "300kB" or "1.5MiB"'
    if not isinstance(size, str):
        return check_whole("size", size, allowed=allowed)
    match = _SIZE.fullmatch(size.strip())
    found = 0 if match is None else int(float(match[1]) * _UNITS[match[2].lower()])
    if not 0 < found < 2**63:
        raise ParameterError("size", size, allowed)
    return found


@dataclass(frozen=True)
class Cut:
    """What is kept of a table.

    Parameters
    ----------
    share : float
        The share of the terms, those with the largest importance / frequency ** power.
    power : float
        The larger, the more rare terms.
    bits : int
        Bits of a weight.
    least : int
        Weights below this many steps are dropped; the largest weight of a table has 127 steps.
    """

    share: float = 1.0
    power: float = 0.0
    bits: int = 16
    least: int = 0

    @property
    def is_none(self) -> bool:
        """Whether nothing is left out."""
        return self.share >= 1 and self.bits == 16


class RankedTable:
    """A compiled table whose terms are ranked.

    Parameters
    ----------
    blend : CompiledBlend
        The table.
    rows : Rows
        Documents, to measure how large each part of the table is in their scores.
    """

    def __init__(self, blend: CompiledBlend, rows: Rows) -> None:
        self.weights, self.forms, self.documents = blend.compiled()
        self.width = self.weights.width
        self._rows = rows

    def columns(self, cut: Cut) -> NDArray[np.uint32]:
        """Return the columns that a cut keeps, in order."""
        if cut.share >= 1:
            return np.arange(self.width, dtype=np.uint32)
        importance, frequencies = self._ranking
        order = np.argsort(-importance / frequencies**cut.power, kind="stable")
        return np.sort(order[: max(1, round(cut.share * self.width))]).astype(np.uint32)

    @cached_property
    def _ranking(self) -> tuple[Reals, Reals]:
        # How much a term moves scores apart over all documents, and the number of its documents.
        forms = self.weights.state()["table_forms"]
        return self.weights.importance(self._factors()[forms]), self.weights.frequencies()

    def _factors(self) -> Reals:
        """Return the mean factor of documents in each form: 1 / their length."""
        step = max(1, len(self._rows) // _MEASURED)
        rows = self._rows.take(np.arange(0, len(self._rows), step))
        frequencies = self.weights.frequencies()[rows.columns]
        return np.array([self._factor(at, form, rows, frequencies) for at, form in enumerate(self.forms)])

    def _factor(self, at: int, form: RowForm, rows: Rows, frequencies: Reals) -> float:
        if form.length == "none":
            return 1.0
        values = np.log2(1.0 + rows.values) if form.log else rows.values
        if form.idf == "plain":
            values = values * np.log(self.documents / frequencies)
        elif form.idf == "smooth":
            values = values * (1.0 + np.log((1.0 + self.documents) / (1.0 + frequencies)))
        values = np.where(self.weights.uses(at)[rows.columns], values, 0.0)
        values = values if form.length == "l1" else values**2
        sums = np.diff(np.concatenate([[0.0], np.cumsum(values)])[rows.starts])
        lengths = sums if form.length == "l1" else np.sqrt(np.maximum(sums, 0.0))
        return float(np.mean(1.0 / lengths[lengths > 0])) if np.any(lengths > 0) else 1.0

    def select(self, columns: NDArray[np.uint32], cut: Cut) -> CompiledWeights:
        """Return the weights of some columns."""
        found = self.weights.select(columns, None, cut.bits)
        if not cut.least:
            return found
        least = cut.least * found.state()["scales"]
        return self.weights.select(columns, least.astype(np.float32), cut.bits)


class _Measured(NamedTuple):
    """Macro F1, and which documents (of which classes) were classified right."""

    score: float
    right: NDArray[np.bool_]


class _HeldOut:
    """The recipe fitted on most documents, to measure on the others what a cut costs."""

    def __init__(self, blend: CompiledBlend, training: Rows, documents: LabelledRows) -> None:
        self.table, self.documents = RankedTable(blend, training), documents
        self._cuts: dict[Cut, tuple[float, float]] = {}
        self._classes = blend.classes
        places = np.searchsorted(self._classes, documents.targets.classes)
        targets = replace(
            documents.targets, classes=self._classes, codes=places[documents.targets.codes].astype(np.uint32)
        )
        self._truth: NDArray[Any] = targets.indicator() if targets.multilabel else targets.codes
        self._true = np.bincount(targets.codes, minlength=len(self._classes))

    @classmethod
    def of(cls, source: CompactSource) -> _HeldOut | None:
        """Fit the recipe on four fifths of the documents; return None if no class has two of them."""
        documents = source.documents
        groups, random = shuffled_strata(documents.targets, _SEED), np.random.default_rng(_SEED)
        left, drawn = draw_share(groups, _HELD_OUT, random)
        if not len(drawn):
            return None
        training = documents.take(left)
        training = replace(training, targets=training.targets.of_used_classes())
        used = np.bincount(training.rows.columns, minlength=training.rows.width) > 0
        training = replace(training, rows=select_columns(training.rows, used))
        blend = CompiledBlend(source.blend.recipe, source.blend.random_state, source.blend.precision)
        blend.fit(training, source.kinds[used])
        most = max(1, _MOST_DECISIONS // len(training.targets.classes))
        drawn = np.sort(random.permutation(drawn)[:most])
        # A class may have no training documents, if all its documents have other classes, too.
        held_out = _of_classes(documents.take(drawn), training.targets.classes)
        return cls(blend, training.rows, replace(held_out, rows=select_columns(held_out.rows, used)))

    @cached_property
    def whole(self) -> _Measured:
        """What is measured without a cut."""
        return self._measured(self.table.weights, self.documents.rows)

    def score(self, cut: Cut) -> float:
        """Return macro F1 after a cut."""
        return self._score_and_error(cut)[0]

    def error(self, cut: Cut) -> float:
        """Return the standard error of the loss of a cut."""
        return self._score_and_error(cut)[1]

    def allows(self, cut: Cut, max_loss: float) -> bool:
        """Return whether the loss of a cut, with its standard error, is allowed.

        Among many cuts, the smallest with an allowed loss would be one whose loss was underestimated. For
        the same reason a gain counts as no loss.
        """
        return max(0.0, self.whole.score - self.score(cut)) + self.error(cut) <= max_loss

    def size(self, cut: Cut) -> int:
        """Return the bytes of the weights after a cut."""
        return int(self.table.select(self.table.columns(cut), cut).nbytes)

    def _score_and_error(self, cut: Cut) -> tuple[float, float]:
        if cut.is_none:
            return self.whole.score, 0.0
        if cut not in self._cuts:
            columns = self.table.columns(cut)
            kept = np.zeros(self.table.width, dtype=bool)
            kept[columns] = True
            rows = select_columns(self.documents.rows, kept)
            found = self._measured(self.table.select(columns, cut), rows)
            self._cuts[cut] = found.score, self._standard_error(found.right != self.whole.right)
        return self._cuts[cut]

    def _standard_error(self, changed: NDArray[np.bool_]) -> float:
        """Return the standard error of the loss, by the documents whose answer changed, and one more.

        One document changes macro F1 by about 1 / (classes · documents of its class). Few documents without
        a change do not show that there is no loss: hence one more.
        """
        if changed.ndim == 1:
            changes = np.bincount(self._truth[changed], minlength=len(self._true))
        else:
            changes = changed.sum(axis=0)
        some = self._true > 0
        variance = np.sum(changes[some] / self._true[some] ** 2.0) / max(1, some.sum()) ** 2
        return float(np.sqrt(variance + 1.0 / len(changed) ** 2))

    def _measured(self, weights: CompiledWeights, rows: Rows) -> _Measured:
        """Classify the rows."""
        scorer, classes = CompiledScorer(weights, len(self._classes)), len(self._classes)
        if not self.documents.targets.multilabel:
            first = scorer.first(rows)
            right = first == self._truth
            hits, said = (np.bincount(of, minlength=classes) for of in (first[right], first))
            return _Measured(f1_of_counts(hits, said, self._true).macro, right)
        right, said = np.zeros(self._truth.shape, dtype=bool), np.zeros(classes, np.int64)
        step = max(1, _BLOCK // classes)
        for start in range(0, len(rows), step):
            block = slice(start, min(start + step, len(rows)))
            decided = scorer.scores(rows.block(block.start, block.stop)) > 0
            right[block], said = decided & self._truth[block], said + decided.sum(axis=0)
        return _Measured(f1_of_counts(right.sum(axis=0), said, self._true).macro, right)


def _of_classes(documents: LabelledRows, classes: NDArray[Any]) -> LabelledRows:
    """Return the documents without the labels that are not among these."""
    targets = documents.targets
    stays = np.isin(targets.classes, classes)[targets.codes]
    starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(stays)])[targets.starts]
    return replace(documents, targets=replace(targets, starts=starts, codes=targets.codes[stays]))


class _Whole:
    """The whole model, to be cut."""

    def __init__(self, learned: TextModel, source: CompactSource) -> None:
        self._learned, self._source = learned, source
        self._table = RankedTable(source.blend, source.documents.rows)

    def parts(self, cut: Cut) -> CompactParts:
        """Return what is left after a cut."""
        representation, blend, table = self._learned.representation, self._source.blend, self._table
        columns, places = table.columns(cut), self._source.places
        hashed, vocabulary = None, Vocabulary()
        if representation.is_hashed:
            hashed = np.zeros(representation.width, dtype=bool)
            hashed[places[columns]] = True
        else:
            own = representation.model_vocabulary
            column_of = np.full(len(own), -1)
            column_of[places[columns]] = columns
            # In the order of their terms, which are not sorted after an update.
            order = own.sorted()
            order = order[column_of[order] >= 0]
            columns, vocabulary = column_of[order].astype(np.uint32), own.select(order)
        return CompactParts(
            store_estimator(clone(representation.counter)),
            vocabulary,
            hashed,
            table.select(columns, cut),
            tuple(table.forms),
            table.documents,
            np.asarray(self._learned.classes),
            blend.class_documents,
            blend.multilabel,
            self._tuned(cut),
            self._learned.label_separator,
        )

    def _tuned(self, cut: Cut) -> Tuned | None:
        """Return the calibration of the model, for texts that are shorter by the terms left out."""
        tuned, rows = self._learned.tuned, self._source.documents.rows
        if tuned is None or cut.share >= 1:
            return tuned
        kept = np.isin(rows.columns, self._table.columns(cut))
        share = float(rows.values[kept].sum()) / max(float(rows.values.sum()), 1.0)
        old = tuned.calibration
        new = replace(old, temperature=old.temperature * max(share, 1e-9) ** -old.power)
        return replace(tuned, calibration=new)

    def compacted(self, cut: Cut, held_out: _HeldOut | None) -> CompactClassifier:
        """Return the compact classifier, and what was measured."""
        parts = self.parts(cut)
        made = Compaction(parts.weights.width, self._table.width, cut.bits)
        if held_out is not None:
            made = replace(
                made,
                held_out=len(held_out.documents),
                score=held_out.score(cut),
                whole_score=held_out.whole.score,
                error=held_out.error(cut),
            )
        return CompactClassifier.of(parts, made)

    def size(self, cut: Cut) -> int:
        """Return the size of the file after a cut."""
        parts = self.parts(cut)
        return model_file_size(parts.store(Compaction(parts.weights.width, self._table.width, cut.bits)))


def _smallest_cut(held_out: _HeldOut | None, max_loss: float) -> Cut:
    """Return the cut with the smallest table whose loss is allowed."""
    if held_out is None:
        return Cut()
    bits = 8 if held_out.allows(Cut(bits=8), max_loss) else 16
    found = [Cut(bits=bits)]
    for power in _POWERS:
        _, share = _bisected(lambda share: held_out.allows(Cut(share, power, bits), max_loss))  # noqa: B023
        cut = Cut(share, power, bits)
        sparse = replace(cut, least=_LEAST)
        found.append(sparse if bits == 8 and held_out.allows(sparse, max_loss) else cut)
    return min(found, key=held_out.size)


def _best_cut(held_out: _HeldOut | None, whole: _Whole, most: int, given: Any) -> Cut:
    """Return the cut with the best score among those whose file is small enough."""
    if whole.size(Cut()) <= most:
        return Cut()
    least = Cut(2.0**-_HALVINGS, _POWERS[0], 8, _LEAST)
    if (size := whole.size(least)) > most:
        raise ParameterError("size", given, f"at least {size:,} bytes")
    if whole.size(replace(least, share=1.0)) <= most:
        return replace(least, share=1.0)
    found = []
    for power in _POWERS:
        cut = replace(least, power=power)
        share, _ = _bisected(lambda share: whole.size(replace(cut, share=share)) > most)  # noqa: B023
        found.append(replace(cut, share=share))
    return found[0] if held_out is None else max(found, key=held_out.score)


def _bisected(passes: Callable[[float], bool]) -> tuple[float, float]:
    """Return two shares next to each other: the first does not pass, the second passes, as 1 does."""
    low, high = -float(_HALVINGS), 0.0
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        low, high = (low, middle) if passes(2.0**middle) else (middle, high)
    return 2.0**low, 2.0**high
