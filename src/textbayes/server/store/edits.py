"""Make the edits of one request: read what they need, work in memory, write all rows at the end."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from textbayes.errors import DocumentUnknownError, RequestFieldError
from textbayes.errors.base import shown
from textbayes.server.store.checks import check_labels, check_short, check_text, check_weight, label_kind
from textbayes.server.store.database import Database
from textbayes.server.store.encoding import (
    content_hash,
    decode_labels,
    decode_text,
    encode_labels,
    encode_text,
    new_id,
    now,
    short_hash,
)
from textbayes.server.store.queued import change_text, queued_text
from textbayes.server.store.records import (
    Answer,
    ChangeKind,
    Edit,
    Labels,
    Made,
    ModelRow,
    Outcome,
    Put,
    Relabel,
    Remove,
    RemoveLearned,
    RemoveText,
    Request,
    State,
    Undo,
)
from textbayes.server.store.rows import AnyRow, from_states, to_document, to_model
from textbayes.server.store.schema import changes, documents, models
from textbayes.server.store.words import words_of

_CHUNK = 500
_OUTCOMES: dict[str, Made] = {
    "teach": "taught",
    "relabel": "relabelled",
    "forget": "forgot",
    "erase": "forgot",
    "undo": "undone",
}


def outcome_of(kind: str) -> Made:
    """Return the word for a kind of change in the receipt of a request."""
    return _OUTCOMES[kind]


@dataclass
class _Known:
    """A document in memory: as the table has it, as it is now, and the version of its last change."""

    stored: State | None
    now: State | None
    version: int


class Work:
    """The changes of one request.

    Parameters
    ----------
    connection : Connection
    database : Database
    model : row of the model
    request : Request
    """

    def __init__(self, connection: Connection, database: Database, model: AnyRow, request: Request) -> None:
        self.connection = connection
        self.model = model
        self.number: int = model.number
        self.rows: list[dict[str, Any]] = []
        self.outcomes: list[Outcome] = []
        self.undone: dict[int, int | None] = {}
        self.request = request
        self._database = database
        self._labels: ModelRow = to_model(model)
        self._first: int = model.head + 1
        self._known: dict[str, _Known] = {}
        self._time = now()

    @property
    def next_version(self) -> int:
        """The version of the next change."""
        return self._first + len(self.rows)

    def make(self, edits: Iterable[Edit], undoing: Callable[[Work, Undo], None]) -> None:
        """Make all edits and write their rows."""
        edits = list(edits)
        self._read(edit.id for edit in edits if isinstance(edit, Put | Relabel | Remove | Answer) and edit.id)
        for edit in edits:
            match edit:
                case Put():
                    self._put(edit)
                case Relabel():
                    self._relabel(edit)
                case Remove():
                    self._remove(edit)
                case RemoveText():
                    self._remove_text(edit)
                case RemoveLearned():
                    before = State(check_text(edit.text), *self._checked(edit.labels, edit.weight))
                    self.change("forget", None, before, None)
                case Answer():
                    self._answer(edit)
                case Undo():
                    undoing(self, edit)
                case _:
                    raise RequestFieldError.invalid("edit", edit, "an edit of textbayes.server.store")
        self._write()

    # What documents are, and what becomes of them.

    def state(self, id: str) -> State | None:
        """Return a document as it is now."""
        if id not in self._known:
            self._read([id])
        return self._known[id].now

    def last_version(self, id: str) -> int:
        """Return the version of the last change of a document that was read."""
        return self._known[id].version

    def change(
        self,
        kind: ChangeKind,
        id: str | None,
        before: State | None,
        after: State | None,
        undoes: int | None = None,
    ) -> int:
        """Append a change, and return its version."""
        version = self.next_version
        if id is not None:
            known = self._known[id]
            known.now, known.version = after, version
        self.rows.append(
            {
                "model": self.number,
                "version": version,
                "request": self._first,
                "kind": kind,
                "erased": False,
                "document": id,
                **from_states(before, after),
                "actor": self.request.actor,
                "time": self._time,
                "source": self.request.source,
                "undoes": undoes,
                "undone_by": None,
            }
        )
        self.outcomes.append(Outcome(id, version, outcome_of(kind)))
        return version

    # Edits.

    def _put(self, edit: Put) -> None:
        after = State(check_text(edit.text), *self._checked(edit.labels, edit.weight))
        self._fix(after.labels)
        if edit.id is None:
            id = new_id()
            self._known[id] = _Known(None, None, 0)
        else:
            id = check_short("id", edit.id)
        self._set(id, after)

    def _relabel(self, edit: Relabel) -> None:
        before = self.state(check_short("id", edit.id))
        if before is None:
            raise DocumentUnknownError(self.model.name, edit.id)
        weight = before.weight if edit.weight is None else edit.weight
        text = before.text if edit.text is None else check_text(edit.text)
        after = State(text, *self._checked(edit.labels, weight))
        self._fix(after.labels)
        self._set(edit.id, after)

    def _set(self, id: str, after: State) -> None:
        before = self.state(id)
        if before == after:
            self.outcomes.append(Outcome(id, None, "unchanged"))
        else:
            self.change("teach" if before is None else "relabel", id, before, after)

    def _remove(self, edit: Remove) -> None:
        before = self.state(check_short("id", edit.id))
        if before is None and not (edit.erase and self._has_texts(edit.id)):
            raise DocumentUnknownError(self.model.name, edit.id)
        self.change("erase" if edit.erase else "forget", edit.id, before, None)

    def _remove_text(self, edit: RemoveText) -> None:
        sought = State(check_text(edit.text), *self._checked(edit.labels, edit.weight))
        found = [(known.version, id) for id, known in self._known.items() if known.now == sought]
        id = max(found)[1] if found else self._stored_id(sought)
        if id is None:
            raise DocumentUnknownError(self.model.name, f"{shown(sought.text)}, {sought.labels!r}")
        self.change("forget", id, self.state(id), None)

    def _answer(self, edit: Answer) -> None:
        queued = queued_text(self.connection, self.model, check_short("id", edit.id))
        if queued is None:
            raise DocumentUnknownError(self.model.name, edit.id)
        after = State(queued.text, *self._checked(edit.labels, edit.weight))
        self._fix(after.labels)
        self._set(edit.id, after)
        said = {
            "drawn": edit.drawn,
            "predicted": None if edit.predicted is None else encode_labels(edit.predicted),
            "probability": edit.probability,
        }
        change_text(
            self.connection,
            self.model,
            edit.id,
            state="labelled",
            labels=encode_labels(after.labels),
            document=edit.id,
            time=self._time,
            **{name: value for name, value in said.items() if value is not None},
        )

    # Labels.

    def _checked(self, labels: Labels, weight: float) -> tuple[Labels, float]:
        return check_labels(labels, self._labels), check_weight(weight)

    def _fix(self, labels: Labels) -> None:
        """The first labels of a model say what its labels are."""
        known = self._labels
        several = isinstance(labels, tuple)
        one = labels[0] if isinstance(labels, tuple) and labels else labels
        kind = known.label_kind
        if kind is None and not isinstance(one, tuple):
            kind = label_kind(one)
        if (known.label_kind, known.several) != (kind, several):
            self._labels = replace(known, label_kind=kind, several=several)

    # Reading.

    def _read(self, ids: Iterable[str]) -> None:
        wanted = [check_short("id", id) for id in dict.fromkeys(ids) if id not in self._known]
        for start in range(0, len(wanted), _CHUNK):
            some = wanted[start : start + _CHUNK]
            of_ids = (documents.c.model == self.number, documents.c.id.in_(some))
            for row in self.connection.execute(select(documents).where(*of_ids)):
                found = to_document(row)
                state = State(found.text, found.labels, found.weight)
                self._known[found.id] = _Known(state, state, found.version)
        for id in wanted:
            self._known.setdefault(id, _Known(None, None, 0))

    def _stored_id(self, sought: State) -> str | None:
        """Return the newest document with this content that this request has not touched."""
        hashed = content_hash(sought.text, encode_labels(sought.labels), sought.weight)
        query = (
            select(documents.c.id, documents.c.labels, documents.c.weight, documents.c.text)
            .where(documents.c.model == self.number, documents.c.content_hash == hashed)
            .order_by(documents.c.version.desc())
        )
        for row in self.connection.execute(query):
            found = State(decode_text(row.text), decode_labels(row.labels), row.weight)
            if found == sought and row.id not in self._known:
                self._read([row.id])
                return str(row.id)
        return None

    def _has_texts(self, id: str) -> bool:
        query = select(changes.c.version).where(
            changes.c.model == self.number, changes.c.document == id, ~changes.c.erased
        )
        pending = any(row["document"] == id for row in self.rows)
        return pending or self.connection.execute(query.limit(1)).first() is not None

    # Writing.

    def _write(self) -> None:
        if self.rows:
            self.connection.execute(insert(changes), self.rows)
        if self.undone:
            statement = (
                update(changes)
                .where(changes.c.model == self.number, changes.c.version == bindparam("undone"))
                .values(undone_by=bindparam("by"))
            )
            self.connection.execute(
                statement, [{"undone": version, "by": by} for version, by in self.undone.items()]
            )
        added = self._write_documents()
        if self.rows or self._labels != to_model(self.model):
            values = {
                "head": self.next_version - 1,
                "documents": models.c.documents + added,
                "label_kind": self._labels.label_kind,
                "several": self._labels.several,
            }
            self.connection.execute(update(models).where(models.c.number == self.number).values(**values))

    def _write_documents(self) -> int:
        """Bring the table of documents up to date; return how many there are more."""
        gone: list[dict[str, Any]] = []
        new: list[dict[str, Any]] = []
        changed: list[dict[str, Any]] = []
        words: list[dict[str, Any]] = []
        for id, known in self._known.items():
            if known.version < self._first:
                continue
            key = {"model": self.number, "id": id}
            if known.now is None:
                if known.stored is not None:
                    gone.append(key)
                continue
            row = {**key, **self._columns(known.now, known.version)}
            (new if known.stored is None else changed).append(row)
            if known.stored is None or known.stored.text != known.now.text:
                words.append({**key, "words": words_of(known.now.text)})
        replaced = {row["id"] for row in changed}
        old = [*gone, *({"model": self.number, "id": row["id"]} for row in words if row["id"] in replaced)]
        is_row = (documents.c.model == bindparam("of_model"), documents.c.id == bindparam("of_id"))
        if old:
            self._database.remove_words(self.connection, old)
        if gone:
            keys = [{"of_model": row["model"], "of_id": row["id"]} for row in gone]
            self.connection.execute(delete(documents).where(*is_row), keys)
        if new:
            self.connection.execute(insert(documents), new)
        if changed:
            # The keys that are no columns say which row; the columns are set.
            moved = [{"of_model": row.pop("model"), "of_id": row.pop("id"), **row} for row in changed]
            self.connection.execute(update(documents).where(*is_row), moved)
        if words:
            self._database.add_words(self.connection, words)
        return len(new) - len(gone)

    def _columns(self, state: State, version: int) -> dict[str, Any]:
        labels = encode_labels(state.labels)
        return {
            "version": version,
            "labels": labels,
            "labels_hash": short_hash(labels),
            "weight": state.weight,
            "content_hash": content_hash(state.text, labels, state.weight),
            "time": self._time,
            "actor": self.request.actor,
            "source": self.request.source,
            "text": encode_text(state.text),
        }
