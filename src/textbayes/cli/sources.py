"""The documents that commands read: from files, folders and standard input."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from textbayes.cli.bad_records import BadRecords
from textbayes.cli.console import amount, as_options, print_message, show_count
from textbayes.datasets.columns import Columns
from textbayes.datasets.corpus import Corpus, Document
from textbayes.datasets.files import ON_ERROR, read_documents
from textbayes.datasets.reading import Share
from textbayes.datasets.shares import share_files
from textbayes.datasets.streams import STANDARD_INPUT, shown_path
from textbayes.errors import (
    FieldError,
    FileMissingError,
    LabelsError,
    NoDocumentsError,
    ParameterError,
    TextbayesError,
)
from textbayes.errors.checks import check_option
from textbayes.statistics import LabelKind, label_of_text

# How far to look for a label if the first document has none.
_LINES_WITHOUT_LABELS = 100_000


@dataclass(frozen=True)
class Source:
    """Documents in files, in folders or on standard input.

    Parameters
    ----------
    path : str or sequence of str
        The file or folder, or several; ``-`` for standard input.
    only : str, optional
        The split to use.
    options : mapping
        Other arguments of :func:`textbayes.datasets.read_documents`.
    on_error : {"stop", "skip", "report"}, default="stop"
        What to do about records that cannot be used.
    check : function, optional
        Raises an error for a document that cannot be used.
    """

    path: str | Sequence[str]
    only: str | None = None
    options: dict[str, Any] = field(default_factory=dict)
    on_error: str = "stop"
    check: Callable[[Document], object] | None = None

    @property
    def paths(self) -> list[str]:
        """The files and folders."""
        return [self.path] if isinstance(self.path, str) else list(self.path)

    @property
    def name(self) -> str:
        """The name in messages."""
        first, *others = self.paths
        return f"{shown_path(first)} and {amount(len(others), 'other')}" if others else shown_path(first)

    def documents(self, labelled: bool = True) -> Iterator[Document]:
        """Read the documents one at a time, and print the columns they come from.

        With ``on_error="report"``, a BadDocument stands in the place of a bad record.
        """
        bad = BadRecords(self.on_error, keep=True)
        read = self._read(bad, self._print_columns, labelled=labelled)
        read = read if self.only is None else self._only(read)
        yield from show_count(read, f"Reading {self.short_name}")
        bad.finish()

    def corpus(self, multilabel: bool | None = True, by_split: bool = False) -> Corpus:
        """Read all documents; there must be a label column.

        Parameters
        ----------
        multilabel : bool, optional
            Whether a document may have no label, or several. If not, those without one are bad records. None
            decides by the documents: they may if one has several.
        by_split : bool, default=False
            Whether the documents are used by their splits. If not, print that those of all splits are.
        """
        bad = BadRecords(self.on_error)
        found: list[Columns] = []

        def report(columns: Columns) -> None:
            found.append(columns)
            _check_may_have_labels(columns)

        read = self._read(bad, report)
        documents = list(show_count(read, f"Reading {self.short_name}"))
        for columns in found:
            self._print_columns(columns)
            if columns.label is None:
                raise columns.missing_label()
        if not by_split:
            self._print_splits(Counter(document.split for document in documents))
        if self.only is not None:
            documents = list(self._only(documents))
        if multilabel is None:
            multilabel = any(len(document.labels) > 1 for document in documents)
        if not multilabel:
            documents = with_labels(documents, self.name, bad)
        bad.finish()
        self.check_some_are_left(len(documents), bad)
        return Corpus(self.short_name, documents)

    def labelled(self, bad: BadRecords) -> Iterator[Document]:
        """Read the documents one at a time; there must be a label column.

        Print the columns, and at the end the splits, unless bad records are quiet.
        """
        splits: Counter[str | None] = Counter()
        read = self.labelled_part(bad, splits, columns_shown=not bad.quiet)
        yield from show_count(read, f"Learning from {self.short_name}")
        self.check_splits(splits, bad.quiet)

    def labelled_part(
        self, bad: BadRecords, splits: Counter[str | None], columns_shown: bool = False
    ) -> Generator[Document, None, None]:
        """Read labelled documents, and count their splits; ``check_splits`` is for those of all parts."""
        found: list[Columns] = []

        def report(columns: Columns) -> None:
            if columns_shown:
                self._print_columns(columns)
            if found and columns.label is None:
                raise columns.missing_label()
            _check_may_have_labels(columns)
            found.append(columns)

        return self._of_split(self._with_label_column(self._read(bad, report), found), splits)

    def check_splits(self, splits: Counter[str | None], quiet: bool = False) -> None:
        """Raise if no document has the split to use; print the splits if all are used."""
        if self.only is None:
            if not quiet:
                self._print_splits(splits)
        elif not splits[self.only]:
            found = sorted(split for split in splits if split)
            why = f"{self.name} has no document of the split {self.only!r}"
            raise ParameterError("only", self.only, found or "nothing: there is no column 'split'", why)

    def with_columns(
        self, columns: Sequence[str], check: Callable[[Document], object] | None = None
    ) -> Source:
        """Return the same documents, with other columns as their ``others``, and a check of them."""
        options = {**self.options, "columns": tuple(columns)} if columns else self.options
        return replace(self, options=options, check=check)

    def split_like(self, model: Any) -> Source:
        """Return the source whose labels are split as those that a model was trained on.

        A separator that was given wins.
        """
        separator = model.label_separator
        if separator is None or "separator" in self.options:
            return self
        print_message(f"Labels are split at {separator!r}, as for training; --separator takes another mark.")
        return replace(self, options={**self.options, "separator": separator})

    @property
    def can_be_read_again(self) -> bool:
        """Whether the documents can be read more than once; not those of standard input or a pipe."""
        paths = [Path(path) for path in self.paths if path != STANDARD_INPUT]
        return STANDARD_INPUT not in self.paths and all(
            path.is_file() or path.is_dir() or not path.exists() for path in paths
        )

    def shares(self, most: int) -> list[Share]:
        """Cut the files into shares, a file into at most this many."""
        known = {name: self.options[name] for name in ("format", "encoding") if name in self.options}
        return share_files(self.paths, most, **known)

    def part(self, shares: Sequence[Share]) -> Source:
        """Return some shares of the files; their columns are still those of the first file."""
        return replace(self, options={**self.options, "part": tuple(shares)})

    def check_some_are_left(self, documents: int, bad: BadRecords) -> None:
        """Raise if all records were bad."""
        if bad.count and not documents:
            raise NoDocumentsError(self.name, "a document that can be used", "documents besides bad ones")

    @property
    def short_name(self) -> str:
        """The name in progress lines."""
        first, *others = self.paths
        name = Path(shown_path(first)).name
        return f"{name} and {amount(len(others), 'other')}" if others else name

    def _read(
        self, bad: BadRecords, report: Callable[[Columns], None], labelled: bool = True
    ) -> Iterator[Document]:
        options: dict[str, Any] = {"labelled": labelled, **self.options}
        if bad.is_left_out:
            # A first record without a label is then a bad one, not a file without labels.
            options |= {"on_error": bad, "labelled": "required" if labelled else False}
        try:
            documents = read_documents(self.path, report=report, **options)
            return documents if self.check is None else self._checked(documents, self.check, bad)
        except FileMissingError as error:
            if not labelled and " " in str(error.filename):
                print_message("To classify a text, pipe it in: echo TEXT | textbayes predict MODEL -")
            raise

    def _checked(
        self, documents: Iterable[Document], check: Callable[[Document], object], bad: BadRecords
    ) -> Iterator[Document]:
        for document in documents:
            try:
                check(document)
            except TextbayesError as error:
                bad.add(document, error)
            else:
                yield document

    def _with_label_column(self, documents: Iterator[Document], found: list[Columns]) -> Iterator[Document]:
        first = next(documents, None)
        if found and found[0].label is None:
            # Labels that only later lines have are an error of their own.
            for _ in islice(documents, _LINES_WITHOUT_LABELS):
                pass
            raise found[0].missing_label()
        if first is not None:
            yield first
        yield from documents

    def _only(self, documents: Iterable[Document]) -> Iterator[Document]:
        splits: Counter[str | None] = Counter()
        yield from self._of_split(documents, splits)
        self.check_splits(splits)

    def _of_split(
        self, documents: Iterable[Document], splits: Counter[str | None]
    ) -> Generator[Document, None, None]:
        """Yield the documents of the split to use, and count those of all."""
        for document in documents:
            splits[document.split] += 1
            if self.only is None or document.split == self.only:
                yield document

    def _print_columns(self, columns: Columns) -> None:
        print_message(as_options(f"{columns.path}: {columns.described()}"))

    def _print_splits(self, found: Counter[str | None]) -> None:
        splits = {name: count for name, count in found.items() if name}
        if splits and self.only is None:
            parts = ", ".join(f"{count:,} {name}" for name, count in sorted(splits.items()))
            print_message(f"Using the documents of all splits ({parts}); --only uses those of one.")


def _check_may_have_labels(columns: Columns) -> None:
    """Raise if no line of a file can have a label, as in plain text."""
    if columns.layout and columns.label is None:
        raise columns.missing_label()


def source_of(
    path: str | Sequence[str],
    only: str | None = None,
    *,
    text: str | Sequence[str] | None = None,
    no_header: bool = False,
    on_error: str = "stop",
    **options: Any,
) -> Source:
    """Return a source from the options of a command; options that were not given keep their defaults."""
    check_option("on_error", on_error, ON_ERROR)
    given = {name: value for name, value in options.items() if value is not None}
    given |= {"text": text} if text else {}
    given |= {"header": False} if no_header else {}
    paths = [path] if isinstance(path, str) else list(path)
    return Source(paths[0] if len(paths) == 1 else paths, only, given, on_error)


def with_labels(documents: Iterable[Document], name: str, bad: BadRecords) -> list[Document]:
    """Return the documents that have a label; the others are bad records."""
    kept = []
    for document in documents:
        if document.labels:
            kept.append(document)
        else:
            bad.add(document, missing_label(document, name))
    return kept


def missing_label(document: Document, name: str, column: str = "label") -> FieldError:
    """Return the error for a document without a label."""
    wanted = "one label; if texts may have no label or several, train with --multilabel"
    return FieldError(f"{document.place or name}: the document {document.id!r}", column, (), wanted)


def labels_of(
    documents: Sequence[Document],
    name: str,
    multilabel: bool | None = None,
    kind: LabelKind | None = None,
) -> list[Any]:
    """Return a label for each document, or a list of labels for each.

    Parameters
    ----------
    documents : sequence of Document
        The documents.
    name : str
        The name of their file in messages.
    multilabel : bool, optional
        Whether to return lists; by default if some document has several labels.
    kind : LabelKind, optional
        The kind of the model's labels, to which those of the file are converted; strings by default.

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
        return [_converted(document, name, kind) for document in documents]
    if several:
        raise LabelsError("a list of labels per text", "one label per text")
    for document in documents:
        if not document.labels:
            raise missing_label(document, name)
    return [_converted(document, name, kind)[0] for document in documents]


def _converted(document: Document, name: str, kind: LabelKind | None) -> list[Any]:
    place = f"{document.place or name}: the document {document.id!r}"
    return [label_of_text(label, kind, place) for label in document.labels]


def weights_of(documents: Iterable[Document], column: str, place: int) -> list[float]:
    """Return the weight of each document, from one of its ``others``.

    Examples
    --------
    >>> from textbayes.cli.sources import weights_of
    >>> from textbayes.datasets import Document
    >>> weights_of([Document("a", others=("2.5",)), Document("b", others=(0,))], "weight", 0)
    [2.5, 0.0]
    """
    return [weight_of(document, column, place) for document in documents]


def weight_of(document: Document, column: str, place: int) -> float:
    """Return the weight of a document, from one of its ``others``; raise if it is not a weight."""
    value = document.others[place]
    try:
        weight = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        weight = -1.0
    if not 0 <= weight < math.inf or isinstance(value, bool):
        where = f"{document.place}: the document {document.id!r}"
        raise FieldError(where, column, value, "a weight, a number from 0 up")
    return weight


def with_weights(source: Source, column: str | None) -> Source:
    """Return a source with the column of weights, if there is one; a wrong weight makes a bad record."""
    if column is None:
        return source
    return source.with_columns([column], partial(weight_of, column=column, place=0))


def is_stream(source: Source) -> bool:
    """Return whether documents may arrive one at a time."""
    return source.path == STANDARD_INPUT
