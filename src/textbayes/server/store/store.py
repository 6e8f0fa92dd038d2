"""A store as all servers see it, the writer and those that follow: everything that reads."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sqlalchemy import ColumnElement, select

from textbayes.errors import StoreUnavailableError
from textbayes.server.store.database import Database
from textbayes.server.store.encoding import content_hash, encode_labels, sought
from textbayes.server.store.listing import page_of_changes, page_of_documents, read_position
from textbayes.server.store.queued import (
    count_states,
    labelled_texts,
    page_of_queue,
    queue_ids,
    queued_text,
    queued_texts,
)
from textbayes.server.store.records import (
    Change,
    Document,
    Drawn,
    Label,
    Labels,
    ModelRow,
    Page,
    QueuedText,
    QueueState,
    Snapshot,
    WriterInfo,
)
from textbayes.server.store.rows import find_model, to_change, to_document, to_model
from textbayes.server.store.schema import changes, documents, models
from textbayes.server.store.snapshots import (
    Figures,
    figures_of,
    next_whole_version,
    snapshot_file,
    snapshots_of,
)
from textbayes.server.store.writer import Writer

_PAGE = 100


class Store:
    """The models of a service, with all their changes. Any thread may use it.

    Parameters
    ----------
    database : Database
        Use ``open_store`` to get one.

    Examples
    --------
    >>> from textbayes.server.store import Put, Request, Undo, open_store
    >>> store = open_store("team")
    >>> writer = store.become_writer("http://127.0.0.1:8000")
    >>> writer.add_model("mail")
    ModelRow(name='mail', ...)
    >>> first = Request("mail", (Put("cheap pills", "spam", id="a"), Put("lunch?", "ham")), actor="eve")
    >>> [receipt] = writer.commit([first])
    >>> receipt.first, receipt.last, receipt.outcomes[0]
    (1, 2, Outcome(id='a', version=1, change='taught'))
    >>> [document.text for document in store.documents("mail", search="pill").items]
    ['cheap pills']
    >>> _ = writer.commit([Request("mail", (Undo(),), actor="eve")])
    >>> store.count("mail"), [change.kind for change in store.history("mail").items]
    (0, ['undo', 'undo', 'teach', 'teach'])
    >>> writer.release()
    >>> store.close()
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._writer: Writer | None = None

    @property
    def name(self) -> str:
        """Where the store is, without a password."""
        return self._database.name

    def scratch(self) -> Path:
        """Return a new name for a temporary file, on the file system of the model files.

        What a crash leaves there is deleted when a server becomes the writer.
        """
        return self._database.scratch()

    def qualities(self, model: str, limit: int = 200) -> list[Figures]:
        """Return figures of at most ``limit`` versions: version, time and figures, oldest first."""
        with self._database.reading() as connection:
            return figures_of(connection, find_model(connection, model), limit)

    def models(self) -> list[ModelRow]:
        """Return all models, by name."""
        with self._database.reading() as connection:
            return [to_model(row) for row in connection.execute(select(models).order_by(models.c.name))]

    def heads(self) -> dict[str, int]:
        """Return the last version of each model."""
        with self._database.reading() as connection:
            rows = connection.execute(select(models.c.name, models.c.head).order_by(models.c.name))
            return {row.name: row.head for row in rows}

    def changes(self, model: str, after: int, until: int | None = None, limit: int = 1000) -> list[Change]:
        """Return changes with ``after < version <= until``, oldest first."""
        with self._database.reading() as connection:
            number = find_model(connection, model).number
            query = select(changes).where(changes.c.model == number, changes.c.version > after)
            if until is not None:
                query = query.where(changes.c.version <= until)
            rows = connection.execute(query.order_by(changes.c.version).limit(limit))
            return [to_change(row) for row in rows]

    def history(
        self,
        model: str,
        before: int | str | None = None,
        actor: str | None = None,
        label: Label | None = None,
        document: str | None = None,
        limit: int = _PAGE,
    ) -> Page[Change]:
        """Return changes, newest first.

        Parameters
        ----------
        model : str
        before : int or str, optional
            Only changes of earlier versions: ``next`` of the page before.
        actor, document : str, optional
            Only those of an actor, or of a document.
        label : label, optional
            Only those to or from this label. A string may stand for a number or a flag.
        limit : int, default=100
            From 1 to 1000.
        """
        conditions: list[ColumnElement[bool]] = []
        position = read_position("before", before)
        if position is not None:
            conditions.append(changes.c.version < position)
        if actor is not None:
            conditions.append(changes.c.actor == sought(actor))
        if document is not None:
            conditions.append(changes.c.document == sought(document))
        with self._database.reading() as connection:
            row = find_model(connection, model)
            return page_of_changes(connection, self._database, row, conditions, label, limit)

    def documents(
        self,
        model: str,
        search: str | None = None,
        label: Label | None = None,
        after: str | None = None,
        limit: int = _PAGE,
    ) -> Page[Document]:
        """Return documents, the last changed first.

        Parameters
        ----------
        model : str
        search : str, optional
            Words that a text must have, or beginnings of words.
        label : label, optional
            Only documents with this label. A string may stand for a number or a flag.
        after : str, optional
            ``next`` of the page before.
        limit : int, default=100
            From 1 to 1000.
        """
        before = read_position("after", after)
        with self._database.reading() as connection:
            row = find_model(connection, model)
            return page_of_documents(connection, self._database, row, search, label, before, limit)

    def document(self, model: str, id: str) -> Document | None:
        """Return a document, or None."""
        with self._database.reading() as connection:
            number = find_model(connection, model).number
            query = select(documents).where(documents.c.model == number, documents.c.id == sought(id))
            row = connection.execute(query).one_or_none()
            return None if row is None else to_document(row)

    def count(self, model: str) -> int:
        """Return the number of documents."""
        with self._database.reading() as connection:
            return int(find_model(connection, model).documents)

    def find(self, model: str, text: str, labels: Labels, weight: float = 1.0) -> Document | None:
        """Return the newest document with this content, or None."""
        if isinstance(labels, tuple):
            labels = tuple(sorted(set(labels)))
        hashed = content_hash(text, encode_labels(labels), weight)
        with self._database.reading() as connection:
            number = find_model(connection, model).number
            query = (
                select(documents)
                .where(documents.c.model == number, documents.c.content_hash == hashed)
                .order_by(documents.c.version.desc())
            )
            for row in connection.execute(query):
                found = to_document(row)
                if (found.text, found.labels, found.weight) == (text, labels, weight):
                    return found
        return None

    def snapshots(self, model: str) -> list[Snapshot]:
        """Return the snapshots of a model, oldest first."""
        with self._database.reading() as connection:
            return snapshots_of(connection, self._database, find_model(connection, model))

    def fetch(self, snapshot: Snapshot) -> Path:
        """Return the file of a snapshot on this machine.

        Raises
        ------
        StoreUnavailableError
            If the snapshot was dropped in the meantime.
        ModelDamagedError
            If the file is not what it was.
        """
        with self._database.reading() as connection:
            name = snapshot_file(connection, find_model(connection, snapshot.model), snapshot)
        if name is None:
            raise StoreUnavailableError(self.name, f"the snapshot of version {snapshot.effective} is gone")
        return self._database.fetch_file(snapshot.model, name, snapshot.digest, snapshot.size)

    def gone(self, model: str, version: int) -> int | None:
        """Return None if a version can be rebuilt, or the next later version that can.

        A version cannot be rebuilt if it had learned a document that was erased.
        """
        with self._database.reading() as connection:
            return next_whole_version(connection, find_model(connection, model), version)

    def queue(
        self, model: str, state: QueueState | None = "waiting", after: str | None = None, limit: int = _PAGE
    ) -> Page[QueuedText]:
        """Return texts of the queue, oldest first; of all states if ``state`` is None."""
        with self._database.reading() as connection:
            return page_of_queue(connection, find_model(connection, model), state, after, limit)

    def queue_ids(self, model: str, state: QueueState = "waiting") -> list[str]:
        """Return the ids of all texts of the queue in a state, oldest first."""
        with self._database.reading() as connection:
            return queue_ids(connection, find_model(connection, model), state)

    def queued(self, model: str, id: str) -> QueuedText | None:
        """Return a text of the queue, or None."""
        with self._database.reading() as connection:
            return queued_text(connection, find_model(connection, model), id)

    def queue_texts(self, model: str, ids: Sequence[str]) -> list[QueuedText]:
        """Return texts of the queue by their ids, in this order; ids that are not there are left out."""
        with self._database.reading() as connection:
            return queued_texts(connection, find_model(connection, model), ids)

    def queue_counts(self, model: str) -> dict[str, int]:
        """Return how many texts of the queue are waiting, labelled and skipped."""
        with self._database.reading() as connection:
            return count_states(connection, find_model(connection, model))

    def queue_labelled(self, model: str, drawn: Drawn | None = None) -> list[QueuedText]:
        """Return the labelled texts of the queue in the order in which they were labelled."""
        with self._database.reading() as connection:
            return labelled_texts(connection, find_model(connection, model), drawn)

    def writer(self) -> WriterInfo | None:
        """Return the server that writes, or None."""
        return self._database.writer()

    def become_writer(self, address: str) -> Writer | None:
        """Take the right to write, or return None if another server has it. This never waits.

        Parameters
        ----------
        address : str
            Where this server can be reached; other servers name it.
        """
        if not self._database.claim(address):
            return None
        try:
            self._writer = Writer(self._database)
        except BaseException:
            self._database.release()
            raise
        return self._writer

    def close(self) -> None:
        """Close the store, and give the right to write back."""
        if self._writer is not None:
            self._writer.release()
        self._database.close()
