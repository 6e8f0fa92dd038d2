"""Records that cannot be used: counted, printed, and left out."""

from __future__ import annotations

from dataclasses import dataclass, field

from textbayes.cli.console import amount, as_options, print_message
from textbayes.datasets.corpus import Document
from textbayes.datasets.reading import BadRecord
from textbayes.errors import TextbayesError


@dataclass(frozen=True, slots=True)
class BadDocument(Document):
    """What stands for a bad record in the output of predict: its id, and the reason."""

    reason: str = ""


@dataclass
class BadRecords:
    """What ``--on-error`` does with the bad records of DATA.

    Parameters
    ----------
    on_error : {"stop", "skip", "report"}
        Raise the error, or leave the record out; with "report", print it.
    keep : bool, default=False
        Whether a record that is reported has a place among the documents.
    quiet : bool, default=False
        Print nothing: the same records were read before.

    Examples
    --------
    >>> from textbayes.cli.bad_records import BadRecords
    >>> bad = BadRecords("skip")
    >>> bad.is_left_out, bad.count
    (True, 0)
    """

    on_error: str
    keep: bool = False
    quiet: bool = False
    count: int = field(default=0, init=False)
    first: BadRecord | None = field(default=None, init=False)

    @property
    def is_left_out(self) -> bool:
        """Whether bad records are left out."""
        return self.on_error != "stop"

    def __call__(self, bad: BadRecord) -> Document | None:
        """Count a bad record, or raise its error; return what stands in its place, if anything."""
        if not self.is_left_out:
            raise bad.error
        self.count += 1
        self.first = self.first or bad
        if self.on_error != "report":
            return None
        if not self.quiet:
            print_message(as_options(_on_one_line(bad)))
        return BadDocument("", id=bad.id, place=bad.place, reason=bad.reason) if self.keep else None

    def add(self, document: Document, error: TextbayesError) -> None:
        """Count a document that cannot be used, such as one without a label."""
        self(BadRecord("", document.place, document.id, error))

    def finish(self) -> None:
        """Print how many records were left out."""
        if self.first is None or self.quiet:
            return
        first = "" if self.on_error == "report" else f"; the first: {_on_one_line(self.first)}"
        print_message(as_options(f"Left out {amount(self.count, 'bad record')}{first}."))


def _on_one_line(bad: BadRecord) -> str:
    return " ".join(str(bad).split())
