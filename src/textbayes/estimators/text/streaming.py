"""Fit a TextModel on batches of texts, of which only one is in memory at a time."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textbayes.counts import Rows, TermCounts, as_rows
from textbayes.counts.selection import places_in
from textbayes.errors import LabelsError, NoDocumentsError, NoTermsLeftError, ParameterError, ShapeError
from textbayes.errors.checks import check_labels_passed
from textbayes.estimators.text.text_model import TextModel, kind_of_labels
from textbayes.estimators.text.text_representation import TextRepresentation
from textbayes.statistics import (
    ClassStatistics,
    Documents,
    LabelledRows,
    PackedDocuments,
    Targets,
    as_label_targets,
)
from textbayes.statistics.sample import Sample, stream_sample

Batches = Iterable[tuple[Any, Any]]
Blocks = Callable[[], Iterator[LabelledRows]]


def reads_again(learned: TextModel) -> bool:
    """Return whether the texts are read more than once: for global values, if documents are not kept."""
    return learned.fits_in_blocks and not (learned.keeps or learned.representation.rows_are_independent)


def fit_in_batches(
    learned: TextModel, batches: Batches, folder: str | os.PathLike[str] | None = None
) -> None:
    """Fit a new model; it equals one that was fitted on all texts at once.

    Parameters
    ----------
    learned : TextModel
        A model that has learned nothing. After an error it must not be used.
    batches : iterable of pairs
        Texts, and their labels. If the texts are read again (see ``reads_again``), it is iterated again.
    folder : path, optional
        The folder for temporary files.
    """
    if not learned.fits_in_blocks:
        _fit_at_once(learned, batches)
        return
    learned.estimator.check_parameters()
    if learned.keeps:
        _fit_and_keep(learned, batches, folder)
    elif not reads_again(learned):
        _fit_in_one_pass(learned, batches)
    else:
        _fit_in_passes(learned, batches)


def _fit_at_once(learned: TextModel, batches: Batches) -> None:
    """Read everything, then fit: for a model that learns from all documents at once."""
    documents: Documents | None = None
    for texts, targets in _checked(batches):
        counting = learned.representation.count(texts)
        _check_lengths(len(counting), targets)
        documents = Documents(targets.multilabel) if documents is None else documents
        documents.add(LabelledRows(learned.representation.grow(counting), targets))
    if documents is None:
        raise NoDocumentsError("batches", "one text or more, with labels")
    learned.start(documents)


def _fit_and_keep(learned: TextModel, batches: Batches, folder: str | os.PathLike[str] | None) -> None:
    """Write the counts to a temporary file as they come; then learn from them, block by block."""
    representation = learned.representation
    packed, counts = PackedDocuments(folder), TermCounts()
    for documents in _counted(representation, batches):
        packed.add(documents)
        counts.add(documents.rows)
    order = _sort_columns(representation, counts.documents)
    if order is not None:
        packed.renumber(places_in(order, len(order)), len(order))
        counts = counts.take(order)
    learned.documents = kept = packed.documents(representation.width, representation.order_columns())
    keep = _cut_terms(representation, counts)
    _learn(learned, counts.take(keep), lambda: (_selected(block, keep) for block in kept.blocks()))


def _fit_in_one_pass(learned: TextModel, batches: Batches) -> None:
    """Add each batch to the sums, and sort columns and classes at the end."""
    representation, transform, statistics = learned.representation, learned.representation.transform, None
    documents, counts, sample = 0, TermCounts(), None
    if transform is not None:
        # Its rows do not depend on other texts, so it can transform them before it knows all.
        transform.fit_counted(counts, iter)
    for texts, targets in _checked(batches):
        counting = representation.count(texts)
        _check_lengths(len(counting), targets)
        rows = representation.grow(counting)
        documents += len(rows)
        if learned.calibrates:
            sample = stream_sample(targets.multilabel) if sample is None else sample
            sample.add(LabelledRows(rows, targets), representation.document_keys(rows))
        if transform is not None:
            counts.add(rows)
        statistics = statistics or learned.model.new_statistics(rows.width, targets.multilabel)
        assert statistics is not None
        statistics.add(LabelledRows(representation.transformed(rows), targets))
    order = _sort_columns(representation, documents)
    if order is None:
        order = np.arange(representation.width, dtype=np.uint32)
    if sample is not None:
        sample.renumber(places_in(order, len(order)), len(order))
    if not representation.is_hashed:
        representation.counter.core_vocabulary = representation.vocabulary
    if transform is not None:
        transform.fit_counted(counts.take(order), iter)
    assert statistics is not None
    use_sums(learned, statistics.in_order(order), sample)


def _fit_in_passes(learned: TextModel, batches: Batches) -> None:
    """Read the texts for the global values, then again for the sums."""
    if isinstance(batches, Iterator):
        raise ParameterError(
            "batches",
            batches,
            "an iterable that can be read again, such as a list, or keep the documents",
            "Without its documents this model reads the texts more than once, and an iterator is read once",
        )
    representation, counts = learned.representation, TermCounts()
    for documents in _counted(representation, batches):
        counts.add(documents.rows)
    chosen = choose_terms(representation, counts)
    _learn(learned, chosen, lambda: _read_again(representation, batches, counts.documents))


def _learn(learned: TextModel, counts: TermCounts, blocks: Blocks) -> None:
    """Fit transform and model on blocks of counts in the columns of the model."""
    representation = learned.representation
    if representation.transform is not None:
        representation.transform.fit_counted(counts, lambda: (block.rows for block in blocks()))
    width, statistics, sample = len(counts.documents_with), None, None
    for block in blocks():
        if learned.calibrates and not learned.keeps:
            sample = stream_sample(block.targets.multilabel) if sample is None else sample
            sample.add(block, representation.row_keys(block.rows))
        statistics = statistics or learned.model.new_statistics(width, block.targets.multilabel)
        assert statistics is not None
        statistics.add(replace(block, rows=representation.transformed(block.rows)))
    assert statistics is not None
    use_sums(learned, statistics.in_order(np.arange(width, dtype=np.uint32)), sample)


def use_sums(learned: TextModel, statistics: ClassStatistics, sample: Sample | None) -> None:
    """Make the model of its sums. Without documents, a sample of them calibrates it."""
    learned.estimator.use_statistics(statistics)
    if not learned.keeps:
        learned.documents = Documents(statistics.multilabel)
        learned.representation.drop_documents_terms()
        if sample is not None:
            learned.calibrate_on(sample)


# Columns.


def choose_terms(representation: TextRepresentation, counts: TermCounts) -> TermCounts:
    """Sort the terms, and drop those that the counter's cuts drop; return the counts of the others."""
    order = _sort_columns(representation, counts.documents)
    counts = counts if order is None else counts.take(order)
    return counts.take(_cut_terms(representation, counts))


def _sort_columns(representation: TextRepresentation, documents: int) -> NDArray[np.uint32] | None:
    """Sort the terms; return the old column of each new one, or None if nothing changes."""
    if not documents:
        raise NoDocumentsError("batches", "one text or more, with labels")
    if representation.is_hashed:
        return None
    if not len(representation.vocabulary):
        raise NoTermsLeftError(documents, 0)
    if not representation.vocabulary.late_terms():
        return None
    order = representation.vocabulary.sorted()
    representation.vocabulary = representation.vocabulary.select(order)
    return order


def _cut_terms(representation: TextRepresentation, counts: TermCounts) -> NDArray[np.bool_]:
    """Drop the terms that the counter's cuts drop; return a mask of the others."""
    keep = np.ones(len(counts.documents_with), dtype=bool)
    if representation.is_hashed:
        return keep
    if representation.cuts.active:
        keep = representation.cuts.kept_of(counts)
    all_terms = representation.vocabulary
    some = all_terms if keep.all() else all_terms.select(np.flatnonzero(keep).astype(np.uint32))
    representation.counter.core_vocabulary = some
    return keep


def _selected(documents: LabelledRows, keep: NDArray[np.bool_]) -> LabelledRows:
    return documents if keep.all() else replace(documents, rows=as_rows(documents.rows.matrix[:, keep]))


# Batches.


def _checked(batches: Batches) -> Iterator[tuple[Any, Targets]]:
    """Yield texts and targets; the labels of all batches must be of one kind."""
    before: Targets | None = None
    for batch in batches:
        if not isinstance(batch, tuple | list) or len(batch) != 2:
            raise ParameterError("batches", batch, "pairs: texts, and their labels")
        texts, labels = batch
        check_labels_passed("TextClassifier", labels)
        targets = as_label_targets(labels)
        if before is not None:
            if targets.multilabel != before.multilabel:
                raise LabelsError(kind_of_labels(targets.multilabel), kind_of_labels(before.multilabel))
            targets.check_like(before.classes.tolist(), before.multilabel)
        before = targets if before is None or not len(before.classes) else before
        yield texts, targets


def _counted(representation: TextRepresentation, batches: Batches) -> Iterator[LabelledRows]:
    """Count the texts of each batch; new terms get columns."""
    for texts, targets in _checked(batches):
        counting = representation.count(texts)
        _check_lengths(len(counting), targets)
        rows = representation.reader.grow_by_column(counting, representation.vocabulary)
        yield LabelledRows(rows, targets)


def _read_again(
    representation: TextRepresentation, batches: Batches, documents: int
) -> Iterator[LabelledRows]:
    """Count the texts of each batch in the columns of the model."""
    seen = 0
    for texts, targets in _checked(batches):
        rows: Rows = representation.reader.read(texts, representation.model_vocabulary)
        seen += len(rows)
        _check_lengths(len(rows), targets)
        yield LabelledRows(rows, targets)
    if seen != documents:
        why = (
            f"They had {documents:,} texts when they were read first, and {seen:,} when they were read again"
        )
        raise ParameterError("batches", batches, "batches that are the same whenever they are read", why)


def _check_lengths(texts: int, targets: Targets) -> None:
    if texts != len(targets):
        raise ShapeError("texts", (texts,), "labels", (len(targets),))
