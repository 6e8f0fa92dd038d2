"""A model file → answers for texts."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textbayes._native import Vocabulary
from textbayes.answering.compact import CompactClassifier
from textbayes.answering.models import check_columns, restore_row_answerer
from textbayes.answering.rows import RowAnswerer
from textbayes.answering.text import TextAnswerer, Transform
from textbayes.answering.tuned import TunedAnswers
from textbayes.counts import (
    CountTransform,
    Frequencies,
    restore_mask,
    restore_reader,
    restore_vocabulary,
    select_columns,
)
from textbayes.counts.selection import known_entries
from textbayes.decisions import restored_calibration
from textbayes.persistence import Stored, plain_parameters, read_model
from textbayes.statistics import ClassStatistics, restore_labels

FILES: dict[str, Callable[[Stored], TextAnswerer | CompactClassifier | None]] = {}
"""For each kind of file, the function that reads its answers; None if they need the estimators."""


def load_answerer(
    path: str | os.PathLike[str], verify: bool = True, mmap: bool = False
) -> TextAnswerer | CompactClassifier | None:
    """Load what answers from a model file, without scikit-learn.

    Parameters
    ----------
    path : path
        The file.
    verify, mmap : bool
        Whether to compare all digests now, and whether to map the file: see :func:`textbayes.load`.

    Returns
    -------
    TextAnswerer, CompactClassifier or None
        None if the answers need the estimators: load the file with :func:`textbayes.load`.

    Raises
    ------
    FileMissingError, FileReadError, ModelForeignError, ModelDamagedError, ModelVersionError
        If the file is missing, does not fit into memory or is not a valid model file.

    Examples
    --------
    >>> import textbayes
    >>> from textbayes.answering import load_answerer
    >>> texts, labels = ["wheat corn", "crude oil"], ["grain", "oil"]
    >>> textbayes.TextClassifier("complement").fit(texts, labels).save("model.tb")
    >>> load_answerer("model.tb").predict(["corn", "oil"]).tolist()
    ['grain', 'oil']
    """
    stored = read_model(path, verify, mmap)
    read = FILES.get(str(stored.configuration.get("kind")))
    with stored.restoring():
        return None if read is None else read(stored)


def _text_classifier(stored: Stored) -> TextAnswerer | None:
    given = plain_parameters(stored, "keep_documents")
    if given is None or not stored.has_part("documents"):
        return None
    counter = stored.part("counter")
    reader, vocabulary = restore_reader(counter), Vocabulary()
    if reader.dimensions is None:
        stored.check("ends" in counter.arrays, "its vocabulary is missing")
        vocabulary = restore_vocabulary(counter)
    found = _transforms(stored, reader.width(vocabulary))
    model = None if found is None else restore_row_answerer(stored.part("model"), found[1])
    # A TunedClassifier takes a matrix, whose rows are sorted by column, not by term.
    if found is None or model is None or (isinstance(model, TunedAnswers) and vocabulary.late_terms()):
        return None
    transforms = found[0]
    if reader.dimensions is not None and stored.part("model").has_part("statistics"):
        # A hashed term that no document has is unknown, and ignored.
        sums = ClassStatistics.restore(stored.part("model").part("statistics"), found[1]).sums
        transforms = (*transforms, partial(known_entries, known=sums.terms()[2] > 0))
    labels = _labels(stored, model, given["keep_documents"] is True)
    tuned = restored_calibration(stored, len(model.classes), model.multilabel)
    return TextAnswerer(reader, vocabulary, transforms, model, labels, tuned, stored.file)


FILES["TextClassifier"] = _text_classifier
FILES[CompactClassifier.__name__] = CompactClassifier


def _transforms(stored: Stored, width: int) -> tuple[tuple[Transform, ...], int] | None:
    """Return the transforms of counts, and the number of columns of the result; None for an unknown one."""
    if not stored.has_part("transform"):
        return (), width
    part = stored.part("transform")
    match part.configuration.get("kind"):
        case "FrequencyTransform":
            settings = plain_parameters(part, "log", "idf", "length")
            if settings is None or "documents" not in part.configuration:
                return None
            check_columns(part, width)
            settings["length"] = settings["length"] is not None
            known = Frequencies.restore(part, width)
            return (CountTransform(known, **settings),), width
        case "TermSelector" if "mask" in part.arrays:
            check_columns(part, width)
            mask = restore_mask(part, width)
            return (partial(select_columns, mask=mask),), int(mask.sum())
    return None


def _labels(stored: Stored, model: RowAnswerer, keeps_documents: bool) -> NDArray[Any]:
    """Return the labels: the classes of the model, or the names of the columns that it numbers."""
    if stored.has_part("columns_of_labels"):
        part = stored.part("columns_of_labels")
    elif isinstance(model, TunedAnswers) and model.multilabel and keeps_documents:
        part = stored.part("documents").part("labels")
    else:
        return model.classes
    labels, dtype = restore_labels(part)
    fit = len(labels) == len(model.classes)
    stored.check(fit, "the number of its labels is not the number of its classes")
    return np.array(labels, dtype=dtype)
