"""Texts with labels, in the form that evaluation reads."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from textbayes.errors import NoDocumentsError, ShapeError, TextsError
from textbayes.measures import as_indicator

if TYPE_CHECKING:
    from textbayes.evaluation.protocols import Run

Indices = NDArray[np.intp]
Labels = tuple[Any, ...]


@dataclass(frozen=True)
class Collection:
    """Texts, each with its labels, and the classes that occur."""

    name: str
    texts: Sequence[str] = field(repr=False)
    labels: list[Labels] = field(repr=False)
    splits: Sequence[str | None] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if len(self.texts) != len(self.labels):
            raise ShapeError("texts", (len(self.texts),), "labels", (len(self.labels),))

    @cached_property
    def classes(self) -> list[Any]:
        """The labels that occur, sorted."""
        return sorted({label for labels in self.labels for label in labels})

    @cached_property
    def multilabel(self) -> bool:
        """True if some document has no label, or several."""
        return any(len(labels) != 1 for labels in self.labels)

    @cached_property
    def codes(self) -> list[list[int]]:
        """The class numbers of each document."""
        code_of = {label: code for code, label in enumerate(self.classes)}
        return [[code_of[label] for label in labels] for labels in self.labels]

    def texts_of(self, side: Indices) -> list[str]:
        """Return the texts of some documents."""
        return [self.texts[at] for at in side.tolist()]

    def codes_of(self, side: Indices) -> list[list[int]]:
        """Return the class numbers of some documents."""
        return [self.codes[at] for at in side.tolist()]

    def digest(self, run: Run) -> str:
        """Return the content hash of both sides of a run."""
        whole = hashlib.sha256(json.dumps([self.classes, self.multilabel], default=repr).encode())
        for side in (run.train, run.test):
            whole.update(len(side).to_bytes(8, "little"))
            for at in side.tolist():
                whole.update(self._digests[at])
        return whole.hexdigest()

    @cached_property
    def _digests(self) -> list[bytes]:
        # The length comes first, so that a text cannot run into the labels; lone surrogates are content too.
        def digest(text: str, codes: list[int]) -> bytes:
            content = text.encode("utf-8", "surrogatepass")
            return hashlib.sha256(b"%d:%b%b" % (len(content), content, repr(codes).encode())).digest()

        return [digest(text, codes) for text, codes in zip(self.texts, self.codes, strict=True)]


def as_collection(corpus: Any) -> Collection:
    """Read a pair (texts, labels), or any object with texts and labels, such as a Corpus."""
    if isinstance(corpus, tuple) and len(corpus) == 2:
        return Collection("documents", list(corpus[0]), label_sets(corpus[1]))
    texts, labels = getattr(corpus, "texts", None), getattr(corpus, "labels", None)
    if texts is None or labels is None:
        raise TextsError.of_collection(corpus, f"of type {type(corpus).__name__}, without texts and labels")
    name = str(getattr(corpus, "name", "documents"))
    return Collection(name, list(texts), label_sets(labels), getattr(corpus, "splits", None))


def label_sets(labels: Any) -> list[Labels]:
    """Make each document's labels a tuple: of one for a label, empty for None.

    A row of an indicator becomes the numbers of its columns.
    """
    if sparse.issparse(labels) or (isinstance(labels, np.ndarray) and labels.ndim == 2):
        cells = as_indicator(labels)
        sets = [tuple(each.tolist()) for each in np.split(cells.indices, cells.indptr[1:-1])]
    else:
        sets = [_labels_of(each) for each in labels]
    if not sets:
        raise NoDocumentsError("labels", "documents with labels")
    return sets


def _labels_of(each: Any) -> Labels:
    if isinstance(each, tuple | list | set | frozenset):
        return tuple(sorted(set(each)))
    return () if each is None else (each.item() if isinstance(each, np.generic) else each,)
