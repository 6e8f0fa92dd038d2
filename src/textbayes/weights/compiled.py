"""The compiled weights of a blend in a model file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from textbayes._native import CompiledWeights, Form
from textbayes.persistence import Stored, narrowed, widened

_IDF = ("none", "plain", "smooth")
_LENGTHS = ("none", "l2", "l1")
_NUMBERS = ("slopes", "default_factors")
_LARGEST = 1e100
_INVALID = "the forms of its compiled weights are invalid"


class RowForm(NamedTuple):
    """How a row of counts is transformed before it is scored.

    Parameters
    ----------
    log : bool
        Whether counts are replaced by log2(1 + x).
    idf : {"none", "plain", "smooth"}
        The factor of each term: 1, log(N / df), or 1 + log((1 + N) / (1 + df)).
    length : {"none", "l2", "l1"}
        What the row is divided by: nothing, its L2 length, or its sum.
    columns : int, default=-1
        The number of the map of columns that the form uses while it learns; −1 if it uses all.
    """

    log: bool
    idf: str
    length: str
    columns: int = -1

    def to_core(self) -> Form:
        """Convert the form for the core."""
        return Form(self.log, self.idf, self.length, self.columns)


def store_compiled_weights(weights: CompiledWeights, forms: Sequence[RowForm], documents: float) -> Stored:
    """Return compiled weights as a configuration and arrays."""
    return Stored({"forms": [list(form) for form in forms], "documents": documents}, weights.state())


def restore_compiled_weights(stored: Stored) -> CompiledWeights:
    """Load compiled weights; their rows are checked when they are read."""
    forms = [_restored_form(stored, values) for values in stored.value("forms", list)]
    core, documents = [form.to_core() for form in forms], stored.value("documents", float)
    arrays = {name: stored.array(name, found.dtype) for name, found in stored.arrays.items()}
    # A class with the prior 0 has the bias −∞.
    bounded = all(bool(np.all(np.abs(arrays[name]) <= _LARGEST)) for name in _NUMBERS if name in arrays)
    biases = arrays.get("bias", np.empty(0))
    stored.check(bounded and bool(np.all(biases <= _LARGEST)), "its compiled weights are out of range")
    try:
        return CompiledWeights.from_state(arrays, core, documents, stored.path)
    except (KeyError, TypeError, ValueError) as error:
        stored.refuse(f"its compiled weights cannot be used ({error})")


# Of weights that change no more.
_CHANGES = {"changed_columns": np.uint32, "changed_starts": np.int64, "changed_cells": np.uint8}
_NARROW = ("row_of", "row_lengths")


def pack_compiled_weights(weights: CompiledWeights, forms: Sequence[RowForm], documents: float) -> Stored:
    """Return compiled weights that change no more, in fewer bytes; they are not read in place."""
    stored = store_compiled_weights(weights, forms, documents)
    arrays = {name: array for name, array in stored.arrays.items() if name not in _CHANGES}
    starts = arrays.pop("row_starts")
    packed = {"row_of": narrowed(arrays["row_of"]), "row_lengths": narrowed(np.diff(starts))}
    return replace(stored, arrays={**arrays, **packed})


def unpack_compiled_weights(stored: Stored) -> CompiledWeights:
    """Load what ``pack_compiled_weights`` returned; the rows are checked when they are read."""
    row_of, lengths = (widened(stored, name) for name in _NARROW)
    arrays = {name: stored.array(name, of.dtype) for name, of in stored.arrays.items() if name not in _NARROW}
    starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths, dtype=np.int64)])
    none = {name: np.zeros(int(name == "changed_starts"), dtype) for name, dtype in _CHANGES.items()}
    # The digests of the file are compared; what was made here has none.
    arrays = {**none, **arrays, "row_of": row_of, "row_starts": starts}
    return restore_compiled_weights(Stored(stored.configuration, arrays, stored.path))


def _restored_form(stored: Stored, values: Any) -> RowForm:
    match values:
        case [bool(log), str(idf), str(length), int(columns)] if idf in _IDF and length in _LENGTHS:
            return RowForm(log, idf, length, columns)
    return stored.refuse(_INVALID)
