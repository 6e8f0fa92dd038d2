"""Texts with labels, as every evaluation reads them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from textbayes.errors import EvaluationShapeError, TextsTypeError
from textbayes.evaluation.protocols import Indices, Labels, Run, label_sets


@dataclass(frozen=True)
class Collection:
    """Texts, each with its labels, and the classes that occur."""

    name: str
    texts: Sequence[str] = field(repr=False)
    labels: list[Labels] = field(repr=False)
    splits: Sequence[str | None] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if len(self.texts) != len(self.labels):
            raise EvaluationShapeError("texts", (len(self.texts),), "labels", (len(self.labels),))

    @cached_property
    def classes(self) -> list[Any]:
        """The labels that occur, sorted."""
        return sorted({label for labels in self.labels for label in labels})

    @cached_property
    def multilabel(self) -> bool:
        """Whether some document has no label, or several."""
        return any(len(labels) != 1 for labels in self.labels)

    @cached_property
    def codes(self) -> list[list[int]]:
        """Each document's classes by number."""
        code_of = {label: code for code, label in enumerate(self.classes)}
        return [[code_of[label] for label in labels] for labels in self.labels]

    def texts_of(self, side: Indices) -> list[str]:
        """Return the texts of some documents."""
        return [self.texts[at] for at in side.tolist()]

    def codes_of(self, side: Indices) -> list[list[int]]:
        """Return the classes of some documents, by number."""
        return [self.codes[at] for at in side.tolist()]

    def digest(self, run: Run) -> str:
        """Return a name for what a run learns from and tests with: the same content, the same name."""
        whole = hashlib.sha256(json.dumps([self.classes, self.multilabel], default=repr).encode())
        for side in (run.train, run.test):
            whole.update(len(side).to_bytes(8, "little"))
            for at in side.tolist():
                whole.update(self._digests[at])
        return whole.hexdigest()

    @cached_property
    def _digests(self) -> list[bytes]:
        # Length first, so that a text cannot run into the labels; broken surrogates are content too.
        def digest(text: str, codes: list[int]) -> bytes:
            content = text.encode("utf-8", "surrogatepass")
            return hashlib.sha256(b"%d:%b%b" % (len(content), content, repr(codes).encode())).digest()

        return [digest(text, codes) for text, codes in zip(self.texts, self.codes, strict=True)]


def as_collection(corpus: Any) -> Collection:
    """Read anything with texts and labels, such as a Corpus, or a pair of the two."""
    if isinstance(corpus, tuple) and len(corpus) == 2:
        return Collection("documents", list(corpus[0]), label_sets(corpus[1]))
    texts, labels = getattr(corpus, "texts", None), getattr(corpus, "labels", None)
    if texts is None or labels is None:
        raise TextsTypeError(f"{type(corpus).__name__} without texts and labels")
    name = str(getattr(corpus, "name", "documents"))
    return Collection(name, list(texts), label_sets(labels), getattr(corpus, "splits", None))
