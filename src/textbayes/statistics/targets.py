"""Labels: one for each document, or an indicator with a column per class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textbayes.counts import is_sparse
from textbayes.errors import LabelsError, MergeError
from textbayes.persistence import Stored, narrowed, widened
from textbayes.persistence.stored import Arrays
from textbayes.statistics.labels import (
    LISTS,
    Place,
    as_column,
    check_same_kind,
    checked_labels,
    kind_of_label,
)
from textbayes.statistics.starts import are_starts, joined_starts
from textbayes.statistics.stored_labels import restore_labels, store_labels


@dataclass(frozen=True, slots=True)
class Targets:
    """The classes of each document, as indices into ``classes``."""

    classes: NDArray[Any]
    starts: NDArray[np.int64]
    codes: NDArray[np.uint32]
    multilabel: bool

    def __len__(self) -> int:
        return len(self.starts) - 1

    def take(self, places: NDArray[np.intp]) -> Targets:
        """Return the targets of some documents, in the given order."""
        lengths = np.diff(self.starts)[places]
        starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        at = np.repeat(self.starts[places] - starts[:-1], lengths) + np.arange(starts[-1])
        return Targets(self.classes, starts, self.codes[at], self.multilabel)

    def block(self, first: int, last: int) -> Targets:
        """Return the targets of documents ``first`` to ``last``, with the same classes."""
        start, end = self.starts[first], self.starts[last]
        starts = self.starts[first : last + 1] - start
        return replace(self, starts=starts, codes=self.codes[start:end])

    def __getitem__(self, places: NDArray[Any]) -> Targets:
        """Return the targets of some documents, by index or mask, as for an array of labels."""
        return self.take(np.flatnonzero(places) if places.dtype == bool else places)

    def indicator(self) -> NDArray[np.bool_]:
        """Return the label indicator, shape (documents, classes)."""
        truth = np.zeros((len(self), len(self.classes)), dtype=bool)
        truth[np.repeat(np.arange(len(self)), np.diff(self.starts)), self.codes] = True
        return truth

    def of_used_classes(self) -> Targets:
        """Return the targets without empty classes."""
        used, codes = np.unique(self.codes, return_inverse=True)
        if len(used) == len(self.classes):
            return self
        return replace(self, classes=self.classes[used], codes=codes.astype(np.uint32))

    def labels(self) -> Any:
        """Return the labels for estimators: an array with one per document, or a sparse indicator."""
        if not self.multilabel:
            return self.classes[self.codes]
        from scipy import sparse

        ones = np.ones(len(self.codes), dtype=np.int64)
        shape = (len(self), len(self.classes))
        return sparse.csr_matrix((ones, self.codes, self.starts), shape=shape)

    def label_lists(self) -> list[list[Any]]:
        """Return the labels of each document."""
        labels = self.classes[self.codes].tolist()
        return [labels[start:end] for start, end in pairwise(self.starts.tolist())]

    def in_order(self) -> Targets:
        """Return the targets with the classes of each document sorted."""
        if not self.multilabel:
            return self
        document = np.repeat(np.arange(len(self)), np.diff(self.starts))
        return replace(self, codes=self.codes[np.lexsort((self.codes, document))])

    def without_duplicates(self) -> Targets:
        """Return the targets with each class of a document once, where it comes first."""
        document = np.repeat(np.arange(len(self)), np.diff(self.starts))
        first = np.unique(document * max(len(self.classes), 1) + self.codes, return_index=True)[1]
        if len(first) == len(self.codes):
            return self
        kept = np.sort(first)
        ends = np.cumsum(np.bincount(document[kept], minlength=len(self)))
        return replace(self, starts=np.concatenate([[0], ends]).astype(np.int64), codes=self.codes[kept])

    def check_like(self, learned: Any, multilabel: bool) -> None:
        """Raise LabelsError unless these are labels as a model has learned them.

        Parameters
        ----------
        learned : sequence
            The labels of the model's classes; one of them is enough.
        multilabel : bool
            Whether the model has learned lists of labels, or indicators.
        """
        check_labels_kind(self.multilabel, multilabel)
        if len(learned) and len(self.codes):
            document = int(np.flatnonzero(np.diff(self.starts))[0])
            place = (document, 0) if multilabel else (document,)
            check_same_kind(self.classes[self.codes[:1]].tolist()[0], learned[0], place)

    @staticmethod
    def joined(parts: Sequence[Targets]) -> Targets:
        """Concatenate the targets of one or more batches."""
        # An empty array of classes may have any dtype, and would change that of the result.
        some = [part.classes for part in parts if len(part.classes)] or [parts[0].classes]
        classes = np.unique(np.concatenate(some))
        codes = [
            np.searchsorted(classes, part.classes)[part.codes] if len(part.classes) else part.codes
            for part in parts
        ]
        starts = joined_starts([part.starts for part in parts])
        return Targets(classes, starts, np.concatenate(codes).astype(np.uint32), parts[0].multilabel)

    def store(self) -> Stored:
        """Return the labels as a configuration and arrays."""
        arrays: Arrays = {"label_numbers": narrowed(self.codes)}
        if self.multilabel:
            arrays["label_counts"] = narrowed(np.diff(self.starts))
        labels = store_labels(self.classes.tolist(), self.classes.dtype)
        return Stored({"multilabel": self.multilabel}, arrays).with_part("labels", labels)

    @classmethod
    def restore(cls, stored: Stored) -> Targets:
        """Load targets; ``check_stored`` checks the labels of each document."""
        labels, dtype = restore_labels(stored.part("labels"))
        classes = np.array(labels, dtype=dtype) if labels else np.empty(0, dtype=dtype or np.float64)
        stored.check(bool(np.all(classes[1:] > classes[:-1])), "its labels are not sorted")
        codes, multilabel = widened(stored, "label_numbers"), stored.value("multilabel", bool)
        return cls(classes, _restore_starts(stored, len(codes), multilabel), codes, multilabel)

    def check_stored(self, stored: Stored) -> None:
        """Refuse a file whose documents have unknown or duplicate labels."""
        sound = (
            are_starts(self.starts, len(self.codes))
            and (self.multilabel or bool(np.all(np.diff(self.starts) == 1)))
            and bool(np.all(self.codes < len(self.classes)))
        )
        stored.check(sound, "its documents and their labels do not fit each other")
        stored.check(not self.multilabel or self._has_each_once(), "a document has a label twice")

    def _has_each_once(self) -> bool:
        document = np.repeat(np.arange(len(self)), np.diff(self.starts))
        order = np.lexsort((self.codes, document))
        same = (np.diff(document[order]) == 0) & (np.diff(self.codes[order].astype(np.int64)) == 0)
        return not bool(same.any())


def _restore_starts(stored: Stored, labels: int, multilabel: bool) -> NDArray[np.int64]:
    """Return where the labels of each document start; a document with one label needs no number for it."""
    if "label_starts" in stored.arrays:  # format 1
        return stored.array("label_starts", np.int64)
    if not multilabel:
        return np.arange(labels + 1)
    counts = widened(stored, "label_counts")
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(counts, dtype=np.int64)])


def check_labels_kind(multilabel: bool, expected: bool) -> None:
    """Raise LabelsError for label indicators instead of single labels, or the reverse."""
    if multilabel != expected:
        indicators, single = "label indicators", "one label per document"
        raise LabelsError(*((indicators, single) if multilabel else (single, indicators)))


def check_mergeable_labels(learned: Any, other: Any) -> None:
    """Raise MergeError if the classes of two models have labels of different kinds."""
    for label, theirs in zip(learned[:1], other[:1], strict=False):
        if kind_of_label(label) is not kind_of_label(theirs):
            raise MergeError("the kind of their labels", label, theirs)


def as_targets(labels: Any) -> Targets:
    """Convert labels, or a label indicator.

    Parameters
    ----------
    labels : array-like of shape (documents,), or array or sparse matrix of shape (documents, classes)
        One label per document; or an indicator of 0 and 1.

    Raises
    ------
    LabelsError
        For a label that breaks the rule (``textbayes.statistics.labels``), or an indicator with values other
        than 0 and 1.
    """
    if isinstance(labels, Targets):
        return labels
    if not is_sparse(labels):
        labels = _stacked(as_column(labels))
    if not isinstance(labels, list):
        if labels.ndim == 2 and labels.shape[1] > 1:
            return _from_indicator(labels)
        if labels.ndim != 1:
            from sklearn.utils.validation import column_or_1d

            labels = column_or_1d(labels, warn=True)
    classes, codes = _coded(labels, lambda position: (position,))
    return Targets(classes, np.arange(len(labels) + 1, dtype=np.int64), codes, False)


def as_label_targets(labels: Any) -> Targets:
    """Convert labels in any form: one label per text, a list of labels per text, or a label indicator.

    Parameters
    ----------
    labels : iterable
        Labels; or lists, tuples or sets of them, each with none, one or several; or a 0/1 matrix, whose
        columns are the classes.

    Examples
    --------
    >>> from textbayes.statistics import as_label_targets
    >>> as_label_targets([["wheat", "corn"], [], ["wheat"]]).classes.tolist()
    ['corn', 'wheat']
    """
    if isinstance(labels, Targets):
        return labels
    if is_sparse(labels):
        return as_targets(labels)
    column = as_column(labels)
    if isinstance(column, np.ndarray) and (column.ndim != 1 or column.dtype != object):
        return as_targets(column)
    if not any(isinstance(label, LISTS) for label in column):
        return as_targets(column)
    for position, label in enumerate(column):
        if not isinstance(label, LISTS):
            raise LabelsError(f"lists of labels, though labels[{position}] is {label!r}", position=position)
    return _from_lists([_as_list(label) for label in column])


def _as_list(labels: Any) -> list[Any]:
    return list(labels.tolist() if isinstance(labels, np.ndarray) else labels)


def _from_lists(lists: list[list[Any]]) -> Targets:
    starts = np.concatenate([[0], np.cumsum([len(labels) for labels in lists])]).astype(np.int64)

    def place(position: int) -> tuple[int, ...]:
        document = int(np.searchsorted(starts, position, side="right")) - 1
        return document, position - int(starts[document])

    classes, codes = _coded([label for labels in lists for label in labels], place)
    return Targets(classes, starts, codes, True).without_duplicates()


def _coded(labels: NDArray[Any] | list[Any], place: Place) -> tuple[NDArray[Any], NDArray[np.uint32]]:
    """Check labels; return the classes and for each label the number of its class."""
    checked = checked_labels(labels, place)
    return _text_codes(checked) if isinstance(checked, list) else _number_codes(checked)


def _text_codes(labels: list[str]) -> tuple[NDArray[Any], NDArray[np.uint32]]:
    # A dictionary is several times faster than np.unique, which sorts strings.
    classes = sorted(set(labels))
    code_of = {label: code for code, label in enumerate(classes)}
    codes = np.fromiter(map(code_of.__getitem__, labels), dtype=np.uint32, count=len(labels))
    return np.array(classes, dtype=np.str_), codes


def _number_codes(labels: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.uint32]]:
    if labels.dtype.kind in "iu" and labels.size:
        first, last = int(labels.min()), int(labels.max())
        if last - first <= 4 * len(labels) and abs(first) + abs(last) < 2**62:
            return _dense_codes(labels, first, last)
    classes, codes = np.unique(labels, return_inverse=True)
    return classes, codes.astype(np.uint32)


def _dense_codes(labels: NDArray[Any], first: int, last: int) -> tuple[NDArray[Any], NDArray[np.uint32]]:
    """Return classes and codes of whole numbers in a small range; counting is faster than sorting."""
    places = labels.astype(np.int64) - first
    present = np.bincount(places, minlength=last - first + 1) > 0
    codes = (np.cumsum(present) - 1).astype(np.uint32)
    return (np.flatnonzero(present) + first).astype(labels.dtype), codes[places]


def _stacked(labels: NDArray[Any] | list[Any]) -> NDArray[Any] | list[Any]:
    """Return an array of rows of numbers, which may be an indicator; a column as it is."""
    if isinstance(labels, np.ndarray) and labels.dtype != object:
        return labels
    if isinstance(labels, np.ndarray) and labels.ndim != 1:
        return labels
    rows = [label for label in labels if isinstance(label, LISTS)]
    if not rows:
        return labels
    texts = any(isinstance(label, str) for row in rows for label in row)
    if texts or len(rows) < len(labels) or len({len(row) for row in rows}) > 1:
        raise LabelsError("lists of labels (make an indicator of them with MultiLabelBinarizer)")
    return np.asarray([_as_list(row) for row in rows])


def _from_indicator(labels: Any) -> Targets:
    from scipy import sparse

    if labels.dtype.kind not in "biuf":
        raise LabelsError(f"an indicator of {labels.dtype}")
    indicator = sparse.csr_matrix(labels, copy=True)
    indicator.sum_duplicates()
    indicator.eliminate_zeros()
    if indicator.data.size and not np.all(indicator.data == 1):
        raise LabelsError("an indicator with values other than 0 and 1")
    classes = np.arange(indicator.shape[1])
    return Targets(classes, indicator.indptr.astype(np.int64), indicator.indices.astype(np.uint32), True)
