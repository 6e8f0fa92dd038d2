"""Kept documents as they stand in a model file: counts in as few bytes as they need."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from textbayes.counts import Rows, as_rows
from textbayes.persistence import Stored
from textbayes.persistence.stored import Arrays
from textbayes.statistics.kept_documents import Batch, Elsewhere, KeptDocuments
from textbayes.statistics.label_storing import restore_labels, store_labels
from textbayes.statistics.starts import are_rows_sorted, are_starts
from textbayes.statistics.targets import Targets

# What counts are in memory, by the name that a file has for it.
_VALUES: dict[str, Any] = {"whole": np.int64, "real": np.float64}


def store_kept(documents: KeptDocuments) -> Stored:
    """Return documents as a configuration and arrays; of those that are elsewhere, the labels."""
    if documents.are_elsewhere:
        return _store_targets(Stored({"elsewhere": True}), documents.targets)
    rows, targets, weights = documents.batch
    if not are_rows_sorted(rows.starts, rows.columns):
        rows = as_rows(rows.matrix)
    kind = "whole" if rows.values.dtype == np.int64 else "real"
    arrays: Arrays = {
        "starts": rows.starts,
        "columns": rows.columns,
        "counts": _small(rows.values),
    }
    if not np.all(weights == 1.0):
        arrays["weights"] = weights
    return _store_targets(Stored({"width": rows.width, "values": kind}, arrays), targets)


def _store_targets(stored: Stored, targets: Targets) -> Stored:
    stored = Stored(
        {**stored.configuration, "multilabel": targets.multilabel},
        {**stored.arrays, "label_starts": targets.starts, "label_numbers": targets.codes},
    )
    return stored.with_part("labels", store_labels(targets.classes.tolist(), targets.classes.dtype))


def restore_kept(stored: Stored, columns: int) -> KeptDocuments:
    """Take documents of at most so many columns back: labels now, entries when they are first used."""
    if stored.configuration.get("elsewhere") is True:
        return KeptDocuments(Elsewhere(_restore_targets(stored)))
    return KeptDocuments(_Unread(stored, columns))


class _Unread:
    """Documents that lie in a file still."""

    def __init__(self, stored: Stored, columns: int) -> None:
        self.stored, self.width = stored, stored.size("width")
        stored.check(self.width <= columns, "its documents have more terms than it has columns")
        self.targets = _restore_targets(stored)
        stored.array("starts", np.int64, len(self.targets) + 1)
        self.weights = _restore_weights(stored, len(self.targets))

    def read(self) -> Batch:
        """Look at every entry, and give the documents."""
        stored = self.stored
        starts, columns = stored.array("starts", np.int64), stored.array("columns", np.int32)
        sound = (
            are_starts(starts, len(columns))
            and bool(np.all((columns >= 0) & (columns < self.width)))
            and are_rows_sorted(starts, columns)
        )
        stored.check(sound, "its documents do not fit its columns")
        values = _restore_values(stored, len(columns))
        return Rows(starts, columns, values, self.width), self.targets, self.weights


def _restore_targets(stored: Stored) -> Targets:
    multilabel = stored.value("multilabel", bool)
    labels, dtype = restore_labels(stored.part("labels"))
    starts = stored.array("label_starts", np.int64)
    numbers = stored.array("label_numbers", np.uint32)
    sound = (
        are_starts(starts, len(numbers))
        and (multilabel or bool(np.all(np.diff(starts) == 1)))
        and bool(np.all(numbers < len(labels)))
    )
    stored.check(sound, "its documents and their labels do not fit each other")
    classes = np.array(labels, dtype=dtype) if labels else np.empty(0, dtype=dtype or np.float64)
    stored.check(bool(np.all(classes[1:] > classes[:-1])), "its labels are not sorted")
    stored.check(not multilabel or _each_once(starts, numbers), "a document has a label twice")
    return Targets(classes, starts, numbers, multilabel)


def _restore_weights(stored: Stored, documents: int) -> NDArray[np.float64]:
    if "weights" not in stored.arrays:
        return np.ones(documents)
    weights = stored.array("weights", np.float64, documents)
    stored.check(bool(np.all((weights > 0) & np.isfinite(weights))), "a document's weight is out of range")
    return weights


def _restore_values(stored: Stored, entries: int) -> Any:
    kind = stored.value("values", str)
    stored.check(kind in _VALUES, f"{kind[:20]!r} is no kind of counts")
    counts = stored.arrays.get("counts", np.empty(0))
    small = counts.dtype.kind == "u" or counts.dtype == _VALUES[kind]
    stored.check(small and len(counts) == entries, "its documents and their counts are not as many")
    sound = counts.dtype.kind == "u" or bool(np.all((counts >= 0) & np.isfinite(counts)))
    stored.check(sound, "a count of its documents is out of range")
    return counts.astype(_VALUES[kind], copy=False)


def _small(values: NDArray[Any]) -> NDArray[Any]:
    """Whole numbers below 2³² in as few bytes as the largest needs; others as they are."""
    largest = values.max(initial=0)
    if largest >= 2**32 or (values.dtype.kind == "f" and not np.all(values == np.floor(values))):
        return values
    return values.astype(np.min_scalar_type(int(largest)))


def _each_once(starts: NDArray[np.int64], numbers: NDArray[np.uint32]) -> bool:
    document = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    order = np.lexsort((numbers, document))
    same = (np.diff(document[order]) == 0) & (np.diff(numbers[order].astype(np.int64)) == 0)
    return not bool(same.any())
