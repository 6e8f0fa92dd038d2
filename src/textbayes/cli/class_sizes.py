"""The classes of a model and their sizes, as ``textbayes train`` prints them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from textbayes.cli.console import print_message, shortened
from textbayes.errors.printable import printable

# Up to this many classes are all named; of more, some of the largest and of the smallest.
_MOST_NAMED = 10
_LARGEST, _SMALLEST = 5, 5
_LONGEST_NAME = 40
_PARTS = {"train", "training", "test", "testing", "dev", "val", "valid", "validation", "eval", "unsup"}
"""Folders with these names are parts of a corpus, such as aclImdb, and no classes."""


def class_sizes(labels: Iterable[Any], documents: Iterable[float]) -> str:
    """Describe classes by their numbers of documents; of many, the largest and the smallest.

    There must be a class.

    Examples
    --------
    >>> from textbayes.cli.class_sizes import class_sizes
    >>> class_sizes(["ham", "spam"], [1200, 80])
    'Documents by class: ham 1,200, spam 80.'
    >>> class_sizes(range(100), range(100, 200))  # doctest: +ELLIPSIS
    'Documents by class: the largest 99 199, 98 198, ...; the smallest ..., 1 101, 0 100.'
    """
    ranked = sorted(zip(labels, documents, strict=True), key=lambda pair: -pair[1])
    named = [f"{shortened(printable(label), _LONGEST_NAME)} {size:,.0f}" for label, size in ranked]
    if len(named) <= _MOST_NAMED:
        return f"Documents by class: {', '.join(named)}."
    first, last = ", ".join(named[:_LARGEST]), ", ".join(named[-_SMALLEST:])
    return f"Documents by class: the largest {first}; the smallest {last}."


def hint_at_splits(paths: Sequence[str], labels: Iterable[Any]) -> None:
    """Print a hint if the folders that were read as classes look like the parts of a corpus."""
    names, path = sorted({str(label) for label in labels}), paths[0]
    if len(paths) > 1 or not Path(path).is_dir():
        return
    if not names or not {name.lower() for name in names} <= _PARTS:
        return
    one = Path(path) / next((name for name in names if name.lower().startswith("train")), names[0])
    print_message(
        f"The folders in {path} are {' and '.join(names)}: they look like parts of a corpus, but were read "
        f"as classes. If the classes are the folders inside them, use {one}."
    )
