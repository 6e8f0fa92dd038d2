"""The documents that commands read: from files, folders and standard input."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from textbayes.cli.console import print_message, show_count
from textbayes.datasets.columns import Columns
from textbayes.datasets.corpus import Corpus, Document
from textbayes.datasets.files import read_documents
from textbayes.datasets.streams import STANDARD_INPUT, shown_path
from textbayes.errors import FieldError, LabelsError, ParameterError

# How far to look for a label if the first document has none.
_LINES_WITHOUT_LABELS = 100_000


@dataclass(frozen=True)
class Source:
    """Documents in a file, a folder or on standard input.

    Parameters
    ----------
    path : str
        The file or folder; ``-`` for standard input.
    only : str, optional
        The split to use.
    options : mapping
        Other arguments of :func:`textbayes.datasets.read_documents`.
    """

    path: str
    only: str | None = None
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The name in messages."""
        return shown_path(self.path)

    def documents(self, labelled: bool = True) -> Iterator[Document]:
        """Read the documents one at a time, and print the columns they come from."""
        read = read_documents(self.path, labelled=labelled, report=self._print_columns, **self.options)
        read = read if self.only is None else self._only(read)
        yield from show_count(read, f"Reading {Path(self.name).name}")

    def corpus(self) -> Corpus:
        """Read all documents; there must be a label column."""
        found: list[Columns] = []
        read = read_documents(self.path, report=found.append, **self.options)
        corpus = Corpus.of(Path(self.name).name, show_count(read, f"Reading {Path(self.name).name}"))
        for columns in found:
            self._print_columns(columns)
            if columns.label is None:
                raise columns.missing_label()
        self._print_splits(Counter(corpus.splits))
        return corpus if self.only is None else Corpus.of(corpus.name, self._only(corpus))

    def labelled(self, quiet: bool = False) -> Iterator[Document]:
        """Read the documents one at a time; there must be a label column.

        Print the columns, and at the end the splits, unless ``quiet``.
        """
        found: list[Columns] = []
        splits: Counter[str | None] = Counter()
        read = read_documents(self.path, report=found.append, **self.options)
        read = self._with_label_column(read, found, quiet)
        read = _counted_splits(read, splits) if self.only is None else self._only(read)
        yield from show_count(read, f"Learning from {Path(self.name).name}")
        if not quiet:
            self._print_splits(splits)

    @property
    def can_be_read_again(self) -> bool:
        """Whether the documents can be read more than once; not those of standard input or a pipe."""
        path = Path(self.path)
        return self.path != STANDARD_INPUT and (path.is_file() or path.is_dir() or not path.exists())

    def _with_label_column(
        self, documents: Iterator[Document], found: list[Columns], quiet: bool
    ) -> Iterator[Document]:
        first = next(documents, None)
        for columns in found:
            if not quiet:
                self._print_columns(columns)
            if columns.label is None:
                # Labels that only later lines have are an error of their own.
                for _ in islice(documents, _LINES_WITHOUT_LABELS):
                    pass
                raise columns.missing_label()
        if first is not None:
            yield first
        yield from documents

    def _only(self, documents: Iterable[Document]) -> Iterator[Document]:
        splits: Counter[str | None] = Counter()
        for document in documents:
            splits[document.split] += 1
            if document.split == self.only:
                yield document
        if not splits[self.only]:
            found = sorted(split for split in splits if split)
            why = f"{self.name} has no document of the split {self.only!r}"
            raise ParameterError("only", self.only, found or "nothing: there is no column 'split'", why)

    def _print_columns(self, columns: Columns) -> None:
        print_message(f"{columns.path}: {columns.described()}")

    def _print_splits(self, found: Counter[str | None]) -> None:
        splits = {name: count for name, count in found.items() if name}
        if splits and self.only is None:
            parts = ", ".join(f"{count:,} {name}" for name, count in sorted(splits.items()))
            print_message(f"Using the documents of all splits ({parts}); --only uses those of one.")


def _counted_splits(documents: Iterable[Document], splits: Counter[str | None]) -> Iterator[Document]:
    for document in documents:
        splits[document.split] += 1
        yield document


def source_of(path: str, only: str | None = None, **options: Any) -> Source:
    """Return a source from the options of a command; options that were not given keep their defaults."""
    return Source(path, only, {name: value for name, value in options.items() if value is not None})


def labels_of(documents: Sequence[Document], name: str, multilabel: bool | None = None) -> list[Any]:
    """Return a label for each document, or a list of labels for each.

    Parameters
    ----------
    documents : sequence of Document
        The documents.
    name : str
        The name of their file in messages.
    multilabel : bool, optional
        Whether to return lists; by default if some document has several labels.

    Examples
    --------
    >>> from textbayes.cli.sources import labels_of
    >>> from textbayes.datasets import Document
    >>> labels_of([Document("a", ("x",)), Document("b", ("y",))], "mail.jsonl")
    ['x', 'y']
    >>> labels_of([Document("a", ("x", "y")), Document("b")], "mail.jsonl")
    [['x', 'y'], []]
    """
    several = any(len(document.labels) > 1 for document in documents)
    if multilabel or (multilabel is None and several):
        return [list(document.labels) for document in documents]
    if several:
        raise LabelsError("a list of labels per text", "one label per text")
    for document in documents:
        if not document.labels:
            wanted = "one label; if texts may have no label or several, train with --multilabel"
            raise FieldError(f"{name}: the document {document.id!r}", "label", document.labels, wanted)
    return [document.labels[0] for document in documents]


def is_stream(source: Source) -> bool:
    """Return whether documents may arrive one at a time."""
    return source.path == STANDARD_INPUT
