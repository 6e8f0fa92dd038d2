"""Labelled documents in batches, for data that may be larger than memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from textbayes.cli.bad_records import BadRecords
from textbayes.cli.sources import Source, labels_of, with_labels
from textbayes.datasets.corpus import Document
from textbayes.errors import FieldError

# A batch has about this many characters, and at most this many documents.
_CHARACTERS = 1 << 24
_DOCUMENTS = 1 << 16


class LaterListsError(Exception):
    """A document has several labels, after batches whose documents had one each."""


class LabelledBatches:
    """The documents of a source as pairs of texts and labels, read again by every iteration.

    If ``multilabel`` is None, the first batch decides whether documents have one label or lists of labels.

    Parameters
    ----------
    source : Source
        The documents.
    multilabel : bool, optional
        Whether documents have lists of labels.
    watch : function, optional
        Called with the number of documents before the first is read, and after the last.
    """

    def __init__(
        self,
        source: Source,
        multilabel: bool | None = None,
        watch: Callable[[int], None] | None = None,
    ) -> None:
        self.source = source
        self.multilabel = multilabel
        self._watch = watch or (lambda documents: None)  # noqa: ARG005
        self._is_read = False

    def __iter__(self) -> Iterator[tuple[list[str], list[Any]]]:
        read = 0
        self._watch(read)
        bad = BadRecords(self.source.on_error, quiet=self._is_read)
        for texts, labels in self.of_documents(self.source.labelled(bad), bad):
            self._is_read = True
            read += len(texts)
            yield texts, labels
        bad.finish()
        self.source.check_some_are_left(read, bad)
        self._watch(read)

    def of_documents(
        self, documents: Iterable[Document], bad: BadRecords
    ) -> Iterator[tuple[list[str], list[Any]]]:
        """Yield batches of some documents: texts and labels."""
        for batch in batched_documents(documents):
            usable = self._usable(batch, bad)
            if usable:
                labels = labels_of(usable, self.source.name, self.multilabel)
                yield [document.text for document in usable], labels

    def _usable(self, documents: list[Document], bad: BadRecords) -> list[Document]:
        if self.multilabel is None:
            self.multilabel = any(len(document.labels) > 1 for document in documents)
        elif not self.multilabel:
            self._check_single(documents)
        return documents if self.multilabel else with_labels(documents, self.source.name, bad)

    def _check_single(self, documents: list[Document]) -> None:
        for document in documents:
            if len(document.labels) > 1 and self.source.can_be_read_again:
                raise LaterListsError
            if len(document.labels) > 1:
                wanted = "one label, as before; if texts may have several, train with --multilabel"
                place = f"{document.place or self.source.name}: the document {document.id!r}"
                raise FieldError(place, "label", document.labels, wanted)


def batched_documents(documents: Iterable[Document]) -> Iterator[list[Document]]:
    """Group documents into batches that fit in memory."""
    batch: list[Document] = []
    characters = 0
    for document in documents:
        batch.append(document)
        characters += len(document.text)
        if characters >= _CHARACTERS or len(batch) >= _DOCUMENTS:
            yield batch
            batch, characters = [], 0
    if batch:
        yield batch
