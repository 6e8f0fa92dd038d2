"""``textbayes push``: teach a model on a server from files."""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from textbayes.cli.bad_records import BadRecords
from textbayes.cli.console import amount, print_json, print_lines, print_message
from textbayes.cli.documents import (
    Data,
    Delimiter,
    Encoding,
    Format,
    Json,
    LabelColumn,
    MaxRecord,
    NoHeader,
    OnError,
    Only,
    Separator,
    TextColumn,
    WeightColumn,
)
from textbayes.cli.remote import Address, Timeout, TokenFile, open_client
from textbayes.cli.sources import Source, labels_of, source_of, weights_of, with_labels, with_weights
from textbayes.datasets.corpus import Document
from textbayes.errors import ModelEmptyError
from textbayes.statistics import LabelKind, kind_of_classes

if TYPE_CHECKING:
    from textbayes.client import Client

app = typer.Typer(add_completion=False)


@app.command()
def push_command(
    data: Data,
    url: Address,
    text: TextColumn = None,
    label: LabelColumn = None,
    id: Annotated[
        str | None,
        typer.Option(
            "--id",
            metavar="COLUMN",
            help="The column of ids. A document whose id the server has is relabelled, or left as it is.",
            show_default=False,
        ),
    ] = None,
    weight: WeightColumn = None,
    separator: Separator = None,
    format: Format = None,
    encoding: Encoding = "utf-8",
    no_header: NoHeader = False,
    delimiter: Delimiter = None,
    on_error: OnError = "stop",
    only: Only = None,
    max_record: MaxRecord = None,
    batch: Annotated[
        int, typer.Option("--batch", metavar="N", min=1, help="The most documents of a request.")
    ] = 500,
    settle: Annotated[
        bool, typer.Option("--settle", help="Wait at the end until the model equals a fresh fit.")
    ] = False,
    again: Annotated[
        bool, typer.Option("--again", help="Teach documents again that the same command has taught before.")
    ] = False,
    token_file: TokenFile = None,
    timeout: Timeout = 60.0,
    as_json: Json = False,
) -> None:
    """Teach a model on a server from files.

    If it is interrupted, run it again: batches that the server has are not taught twice.
    """
    source = source_of(
        data,
        only,
        text=text,
        label=label,
        id=id,
        separator=separator,
        format=format,
        encoding=encoding,
        no_header=no_header,
        delimiter=delimiter,
        on_error=on_error,
        max_record=max_record,
    )
    with open_client(url, token_file, timeout) as client:
        pushing = Pushing(client, batch, has_ids=id is not None, weight=weight, again=again)
        pushed = pushing.push(with_weights(source, weight), settle)
        address = client.url
    if as_json:
        print_json({"url": address, **asdict(pushed)})
    else:
        print_lines(pushed.described())


@dataclass
class Pushed:
    """What became of the documents."""

    documents: int = 0
    taught: int = 0
    relabelled: int = 0
    unchanged: int = 0
    version: int | None = None

    def add(self, documents: int, answer: dict[str, Any]) -> None:
        """Add the answer to a batch."""
        self.documents += documents
        for name in ("taught", "relabelled", "unchanged"):
            setattr(self, name, getattr(self, name) + answer.get(name, 0))
        self.version = answer.get("version", self.version)

    def described(self) -> str:
        """Return a sentence for people."""
        others = [f"{number:,} {verb}" for verb, number in self._others() if number]
        version = "" if self.version is None else f"; the model is at version {self.version:,}"
        return f"Taught {', '.join([amount(self.taught, 'document'), *others])}{version}."

    def _others(self) -> list[tuple[str, int]]:
        return [("relabelled", self.relabelled), ("unchanged", self.unchanged)]


class Pushing:
    """Teaches documents in batches.

    The key of a batch is a digest of its documents and its number, so that a server recognises what an
    interrupted command has taught before.

    Parameters
    ----------
    client : Client
        The server.
    batch : int
        The most documents of a request.
    has_ids : bool
        Whether documents have ids of their own.
    weight : str, optional
        The column of weights.
    again : bool, default=False
        Whether to teach what was taught before.
    """

    def __init__(
        self, client: Client, batch: int, has_ids: bool, weight: str | None = None, again: bool = False
    ) -> None:
        self._client, self._most, self._has_ids, self._weight = client, batch, has_ids, weight
        self._salt = uuid.uuid4().hex if again else ""
        self._multilabel, self._kind = self._labels_of_model()

    def push(self, source: Source, settle: bool = False) -> Pushed:
        """Teach the documents of a source; return what became of them."""
        bad, pushed = BadRecords(source.on_error), Pushed()
        try:
            for number, (documents, is_last) in enumerate(self._batches(source, bad)):
                answer = self._teach(number, documents, source.name, settle and is_last)
                pushed.add(len(documents), answer)
        except BaseException:
            if pushed.documents:
                so_far = amount(pushed.documents, "document")
                print_message(f"The server has {so_far} of {source.name}. To go on, run the command again.")
            raise
        bad.finish()
        source.check_some_are_left(pushed.documents, bad)
        return pushed

    def _batches(self, source: Source, bad: BadRecords) -> Iterator[tuple[list[Document], bool]]:
        """Yield batches of usable documents, and whether each is the last."""
        waiting: list[Document] | None = None
        for batch in small_batches(source.labelled(bad), self._most):
            if self._multilabel is None:
                self._multilabel = any(len(document.labels) > 1 for document in batch)
            usable = batch if self._multilabel else with_labels(batch, source.name, bad)
            if usable:
                if waiting is not None:
                    yield waiting, False
                waiting = usable
        if waiting is not None:
            yield waiting, True

    def _teach(self, number: int, documents: Sequence[Document], name: str, settle: bool) -> dict[str, Any]:
        texts = [document.text for document in documents]
        labels = labels_of(documents, name, self._multilabel, self._kind)
        ids = [document.id for document in documents] if self._has_ids else None
        weights = None if self._weight is None else weights_of(documents, self._weight, 0)
        told = json.dumps([self._salt, number, texts, labels, ids, weights])
        key = "push-" + hashlib.sha256(told.encode()).hexdigest()[:40]
        return self._client.teach(
            texts, labels, ids=ids, weights=weights, source=name, settle=settle or None, key=key
        )

    def _labels_of_model(self) -> tuple[bool | None, LabelKind | None]:
        """Return whether texts have several labels, and what labels are; None if the model is empty."""
        try:
            found = self._client.model()
        except ModelEmptyError:
            return None, None
        labels = [each["label"] for each in found.get("classes", ())]
        return (found.get("multilabel"), kind_of_classes(labels)) if labels else (None, None)


def small_batches(documents: Iterable[Document], most: int) -> Iterator[list[Document]]:
    """Group documents into batches for requests: of at most so many, and of limited size."""
    from textbayes.client.batches import MOST_BYTES, sent_bytes

    batch: list[Document] = []
    size = 0
    for document in documents:
        found = sent_bytes(document.text)
        if batch and (len(batch) == most or size + found > MOST_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(document)
        size += found
    if batch:
        yield batch
