"""How to read files: their columns, their encoding, and what to do with records that cannot be used."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from textbayes.datasets.columns import ColumnNames, Columns
from textbayes.datasets.corpus import Document
from textbayes.datasets.streams import MAX_RECORD
from textbayes.errors import ColumnError, TextbayesError
from textbayes.errors.printable import printable


@dataclass(frozen=True, slots=True)
class BadRecord:
    """A record that cannot be used: a line that cannot be read, or a document without a text or a label.

    Parameters
    ----------
    path : str
        The file; ``"standard input"`` for ``-``.
    place : str
        The file and the line, such as ``"mail.csv, line 3"``.
    id : str
        The id of the record; its line number if it has none.
    error : TextbayesError
        What is wrong with it.

    Examples
    --------
    >>> from textbayes.datasets import BadRecord
    >>> from textbayes.errors import RecordError
    >>> error = RecordError("mail.jsonl", 3, "this is not JSON", "jsonl")
    >>> bad = BadRecord("mail.jsonl", "mail.jsonl, line 3", "3", error)
    >>> bad.reason
    'this is not JSON'
    >>> print(bad)
    mail.jsonl, line 3: this is not JSON
    """

    path: str
    place: str
    id: str
    error: TextbayesError

    @property
    def reason(self) -> str:
        """What is wrong, without the place."""
        return self.error.what.removeprefix(self.place).lstrip(":, ").removesuffix(".")

    def __str__(self) -> str:
        return f"{printable(self.place)}: {printable(self.reason)}"


OnError = Callable[[BadRecord], Document | None]
"""What to do with a bad record; a document that is returned takes its place."""


@dataclass(frozen=True, slots=True)
class Share:
    """A file, or some of its lines or row groups.

    Parameters
    ----------
    file : int
        The number of the file among those of a call, from 0.
    start, stop : int
        The first byte of JSON Lines and the one after the last, or the first row group of Parquet and the one
        after the last. If ``stop`` is 0, the share is the whole file.
    before : int, default=0
        The number of lines or rows before the first.
    size : int, default=0
        The number of bytes.
    """

    file: int
    start: int = 0
    stop: int = 0
    before: int = 0
    size: int = 0


@dataclass(slots=True)
class Reading:
    """How to read the files of a call.

    Parameters
    ----------
    names : ColumnNames
        The columns given by the user.
    encoding : str
        The encoding of text files.
    header : bool, default=True
        Whether the first row of CSV or TSV has the names of the columns.
    delimiter : str, optional
        The delimiter of CSV or TSV.
    on_error : function, optional
        Called with each bad record; None to raise its error.
    several : bool, default=False
        Whether there are several files, so that ids need the name of the file.
    most : int, optional
        The most characters of a record.
    share : Share, optional
        What to read of the current file.
    """

    names: ColumnNames
    encoding: str
    header: bool = True
    delimiter: str | None = None
    on_error: OnError | None = None
    several: bool = False
    most: int = MAX_RECORD
    share: Share | None = None
    _first: Columns | None = field(default=None, init=False)

    def find(self, path: str, unit: str, found: Sequence[str], numbered: bool = False) -> Columns:
        """Find the columns of a file; all files have the text and the label of the first.

        If columns are ``numbered``, none has a name; one alone is the text.
        """
        names = self.names
        if self._first is not None:
            names = replace(names, text=self._first.text, label=self._first.label or names.label)
        elif numbered and names.text is None and len(found) == 1:
            names = replace(names, text=found[0])
        columns = Columns.find(path, unit, names, found, self.default_id(path, ""))
        self._first = self._first or columns
        self.report(columns)
        return columns

    @property
    def has_columns(self) -> bool:
        """Whether a file with columns was read."""
        return self._first is not None

    def finding_columns(self) -> Reading:
        """Return how to read a file for its columns alone: nothing is reported."""
        skip: OnError | None = None if self.on_error is None else lambda _bad: None
        return replace(self, names=replace(self.names, report=None), on_error=skip, share=None)

    def use_columns(self, other: Reading) -> None:
        """Use the columns that another reading found."""
        self._first = other._first

    def report(self, columns: Columns) -> None:
        """Call the user's function with the columns of a file."""
        if self.names.report is not None:
            self.names.report(columns)

    def check_no_columns(self, columns: Columns, hint: str = "") -> None:
        """Raise if the user named a column of a file that has none, such as plain text."""
        for role in ("text", "label", "id", "split"):
            given = getattr(self.names, role)
            if given is not None:
                wanted = given if isinstance(given, str) else given[0]
                raise ColumnError(columns.path, role, wanted, [], hint=hint, layout=columns.layout)
        for wanted in self.names.others:
            raise ColumnError(columns.path, "columns", wanted, [], hint=hint, layout=columns.layout)

    def default_id(self, path: str, number: object) -> str:
        """Return the id of a record without one: its number, or the file and its number."""
        return f"{path}:{number}" if self.several else str(number)

    def reject(self, path: str, place: str, id: str, error: TextbayesError) -> Sequence[Document]:
        """Raise the error of a bad record, or return what takes its place: a document or nothing."""
        if self.on_error is None or isinstance(error, ColumnError):  # which concerns the whole file
            raise error
        found = self.on_error(BadRecord(path, place, id, error))
        return () if found is None else (found,)


def documents_of(
    columns: Columns, records: Iterable[tuple[int, dict[str, object] | TextbayesError]], reading: Reading
) -> Iterator[Document]:
    """Convert records, or the errors found in their place, to documents."""
    for number, record in records:
        if isinstance(record, TextbayesError):
            yield from reading.reject(columns.path, columns.place(number), columns.default_id(number), record)
            continue
        try:
            document = columns.document(number, record)
        except TextbayesError as error:
            yield from reading.reject(
                columns.path, columns.place(number), columns.id_of(number, record), error
            )
        else:
            yield document
