"""Training in several processes, each of which reads some of the files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import blake2b
from heapq import nsmallest
from itertools import chain, islice
from typing import TYPE_CHECKING, Annotated, Any

import typer

from textbayes.cli.bad_records import BadRecords
from textbayes.cli.batches import LabelledBatches, LaterListsError
from textbayes.cli.console import amount, message_console, print_message, show_status
from textbayes.cli.sources import Source
from textbayes.datasets.reading import BadRecord
from textbayes.distributed import Plan, fit_by, run_in_processes
from textbayes.distributed.processes import Processes
from textbayes.errors import NoDocumentsError, ParameterConflictError
from textbayes.estimators import TextClassifier
from textbayes.estimators.base.progress import progress_shown
from textbayes.estimators.text.model_names import AUTO, find_variant

if TYPE_CHECKING:
    import pyarrow as pa

# How many texts "auto" searches on.
_SAMPLE = 20_000
# How many documents show whether texts have several labels; if one comes later, all are read again.
_FIRST = 1000

Workers = Annotated[
    int | None,
    typer.Option(
        "--workers",
        metavar="N",
        min=1,
        help="Read and count DATA in N processes; implies --no-documents.",
        show_default=False,
    ),
]


@dataclass(frozen=True)
class PartRead:
    """What was read of a part.

    Parameters
    ----------
    documents : int
        The number of documents that were used.
    bad : int
        The number of bad records.
    first_bad : BadRecord, optional
        The first of them.
    splits : Counter
        The number of documents of each split, used or not.
    """

    documents: int
    bad: int
    first_bad: BadRecord | None
    splits: Counter[str | None]


@dataclass
class FilesPart:
    """Some files of a source, which a worker reads.

    Parameters
    ----------
    source : Source
        The files.
    multilabel : bool
        Whether texts have lists of labels.
    is_read : bool, default=False
        Whether they were read before, so that bad records are known.
    """

    source: Source
    multilabel: bool
    is_read: bool = False

    def __call__(self) -> Generator[pa.RecordBatch, None, PartRead]:
        """Read the batches of the files."""
        import pyarrow as pa

        bad, splits, documents = BadRecords(self.source.on_error, quiet=self.is_read), Counter[Any](), 0
        kind = pa.list_(pa.large_string()) if self.multilabel else pa.large_string()
        for texts, labels in self._read(bad, splits):
            documents += len(texts)
            columns = {"text": pa.array(texts, pa.large_string()), "label": pa.array(labels, kind)}
            yield pa.record_batch(columns)
        return PartRead(documents, bad.count, bad.first, splits)

    def sample(self, size: int) -> list[tuple[bytes, Any, str]]:
        """Return the documents with the smallest hashes: the same ones however files are shared out."""
        bad = BadRecords(self.source.on_error, quiet=True)
        read = (pair for batch in self._read(bad, Counter()) for pair in zip(*batch, strict=True))
        return nsmallest(size, ((_hash(text), label, text) for text, label in read))

    def _read(self, bad: BadRecords, splits: Counter[str | None]) -> Iterator[tuple[list[str], list[Any]]]:
        documents = self.source.labelled_part(bad, splits)
        return LabelledBatches(self.source, self.multilabel).of_documents(documents, bad)


def _hash(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()


@dataclass
class _Reads:
    """What was read of all parts in one pass."""

    source: Source
    parts: Sequence[FilesPart]
    found: dict[int, PartRead] = field(default_factory=dict)
    documents: int = 0

    def add(self, number: int, read: PartRead) -> None:
        self.found[number] = read

    def finish(self) -> None:
        """Print what the pass found, unless there was another before, and check that there are documents."""
        quiet = self.parts[0].is_read
        bad, splits = BadRecords(self.source.on_error, quiet=quiet), Counter[Any]()
        for read in self.found.values():
            splits.update(read.splits)
            bad.count += read.bad
        bad.first = min(
            (read.first_bad for read in self.found.values() if read.first_bad is not None),
            key=self._place,
            default=None,
        )
        self.source.check_splits(splits, quiet)
        bad.finish()
        self.documents = sum(read.documents for read in self.found.values())
        self.source.check_some_are_left(self.documents, bad)
        if not self.documents:
            raise NoDocumentsError(self.source.name, "one text or more, with labels")
        for part in self.parts:
            part.is_read = True

    def _place(self, bad: BadRecord) -> tuple[int, int, str]:
        """Return the order of a bad record: by its file, then by the number of its line."""
        files = [number for number, path in enumerate(self.source.paths) if bad.place.startswith(path)]
        return min(files, default=-1), len(bad.place), bad.place


def check_workers(workers: int, model: str, weight: str | None, source: Source) -> None:
    """Check that a model can be trained by several processes."""
    if model != AUTO and not find_variant(model).additive:
        why = "Processes add up counts, and this model learns from all documents at once"
        raise ParameterConflictError("workers", workers, "model", model, why)
    if weight is not None:
        why = "Processes count each document once"
        raise ParameterConflictError("workers", workers, "weight", weight, why)
    if not source.can_be_read_again:
        why = f"Each process reads files of its own, and {source.name} is not a file"
        raise ParameterConflictError("workers", workers, "DATA", source.path, why)


def fit_in_processes(source: Source, multilabel: bool, classifier: TextClassifier, workers: int) -> int:
    """Fit a classifier on files that several processes read; return the number of documents.

    Parameters
    ----------
    source : Source
        The files.
    multilabel : bool
        Whether texts have lists of labels; if not, they do if one has several.
    classifier : TextClassifier
        The classifier, without documents.
    workers : int
        The number of processes, of which each reads files of its own.
    """
    multilabel = multilabel or _has_lists(source)
    try:
        return _fit(source, multilabel, classifier, workers)
    except LaterListsError:
        print_message(
            "A text has several labels, after texts with one: reading them again, with --multilabel."
        )
        return _fit(source, True, classifier, workers)


def _fit(source: Source, multilabel: bool, classifier: TextClassifier, workers: int) -> int:
    shares = source.shares(workers)
    hands = share_out([share.size for share in shares], workers)
    parts = [FilesPart(source.part([shares[number] for number in hand]), multilabel) for hand in hands]
    reads = _Reads(source, parts)
    with _status(source, classifier, len(parts)), run_in_processes(parts, workers, reads.add) as run:

        def run_and_check(plan: Plan) -> list[bytes]:
            blobs = run(plan)
            reads.finish()
            return blobs

        fit_by(classifier, run_and_check, sample=lambda: _sample(parts, run), log=print_message)
    return reads.documents


def _status(source: Source, classifier: TextClassifier, workers: int) -> AbstractContextManager[object]:
    """Show the progress of a search, or a status line."""
    if classifier.model == AUTO:
        return progress_shown(message_console().is_terminal)
    if source.on_error == "report":  # workers print bad records, which a status line would be among
        return nullcontext()
    return show_status(f"Learning from {source.short_name} in {amount(workers, 'process', 'processes')}…")


def _sample(parts: Sequence[FilesPart], run: Processes) -> tuple[list[str], list[Any]]:
    """Return texts of all parts, and their labels, for a search."""
    found = chain.from_iterable(own for _, own in run.call([partial(part.sample, _SAMPLE) for part in parts]))
    chosen = nsmallest(_SAMPLE, found)
    if not chosen:
        raise NoDocumentsError(parts[0].source.name, "one text or more, with labels")
    return [text for _, _, text in chosen], [label for _, label, _ in chosen]


def _has_lists(source: Source) -> bool:
    """Print the columns, and return whether one of the first texts has several labels."""
    quiet, whole = BadRecords(source.on_error, quiet=True), replace(source, only=None)
    with closing(whole.labelled_part(quiet, Counter(), columns_shown=True)) as documents:
        return any(len(document.labels) > 1 for document in islice(documents, _FIRST))


def share_out(sizes: Sequence[int], most: int) -> list[list[int]]:
    """Share out numbered things of some sizes to at most this many, about evenly.

    Examples
    --------
    >>> from textbayes.cli.workers import share_out
    >>> share_out([10, 40, 20, 10], 2)
    [[1], [0, 2, 3]]
    """
    shares: list[list[int]] = [[] for _ in range(min(most, len(sizes)))]
    totals = [0] * len(shares)
    # The largest first, each to the one that has least.
    for number in sorted(range(len(sizes)), key=lambda number: -sizes[number]):
        least = totals.index(min(totals))
        shares[least].append(number)
        totals[least] += sizes[number]
    return [sorted(share) for share in shares]
