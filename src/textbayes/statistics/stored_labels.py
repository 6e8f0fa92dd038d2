"""Labels in a model file."""

from __future__ import annotations

from typing import Any

import numpy as np

from textbayes.errors import ModelUnsavableError
from textbayes.persistence import Stored, pack_texts, unpack_texts
from textbayes.persistence.stored import NUMBERS

# The dtypes of arrays of labels. The width of strings is computed from the labels, so a file cannot set it.
_DTYPES = (
    "text",
    "object",
    "bool",
    *(f"{kind}{bits}" for kind in ("int", "uint") for bits in (8, 16, 32, 64)),
)
_REAL_DTYPES = ("float16", "float32", "float64")


def store_labels(labels: list[Any], dtype: np.dtype[Any] | None) -> Stored:
    """Return labels as arrays; all must be strings, or numbers of one kind."""
    name = "text" if dtype is not None and dtype.kind == "U" else str(dtype)
    if all(isinstance(label, str) for label in labels):
        return Stored({"type": "text", "dtype": name}, pack_texts("labels", labels))
    for kind, (python, stored_as) in NUMBERS.items():
        if all(type(label) is python for label in labels):
            try:
                return Stored({"type": kind, "dtype": name}, {"labels": np.array(labels, dtype=stored_as)})
            except OverflowError:
                break
    odd = next((label for label in labels if type(label) is not type(labels[0])), labels[0])
    raise ModelUnsavableError("a label", odd)


def restored_separator(stored: Stored) -> str | None:
    """Return what separated the labels of a text in the file that a model was trained on; None by default."""
    separator = stored.value("label_separator", str, "")
    return separator or None


def restore_labels(stored: Stored) -> tuple[list[Any], np.dtype[Any] | None]:
    """Return the labels and the dtype of an array of them."""
    kind, name = stored.value("type", str), stored.value("dtype", str)
    stored.check(kind == "text" or kind in NUMBERS, f"{kind[:20]!r} is not a type of labels")
    if kind == "text":
        labels: list[Any] = unpack_texts(stored, "labels")
    else:
        python, stored_as = NUMBERS[kind]
        labels = [python(label) for label in stored.array("labels", stored_as).tolist()]
        stored.check(kind != "real" or bool(np.all(np.isfinite(labels))), "a label is not finite")
    if name == "None":
        return labels, None
    stored.check(name in (*_DTYPES, *_REAL_DTYPES), f"{name[:20]!r} is not a type of labels")
    if name != "text":
        stored.check(
            name == "object" or kind != "text" or not labels, "its labels do not have the type it names"
        )
        dtype = np.dtype(name)
        with np.errstate(all="ignore"):
            fits = name == "object" or np.array(labels).astype(dtype).tolist() == labels
        stored.check(fits, "its labels do not have the type it names")
        return labels, dtype
    stored.check(kind == "text", "its labels do not have the type it names")
    return labels, np.array(labels, dtype=np.str_).dtype
